package oracle

import (
	"encoding/json"
	"reflect"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// A spot is a field of a stack that takes values of an upstream type.
type spot struct {
	path string
	make reflect.Type
	list bool
}

func spots() []spot {
	out := []spot{
		{"spec.route.matches", reflect.TypeFor[gwapiv1.HTTPRouteMatch](), true},
		{"spec.route.filters", reflect.TypeFor[gwapiv1.HTTPRouteFilter](), true},
		{"spec.decode.autoscaling.metrics", reflect.TypeFor[autoscalingv2.MetricSpec](), true},
	}
	for _, section := range []string{"spec.server", "spec.decode", "spec.prefill", "spec.encode", "spec.scheduler"} {
		out = append(out,
			spot{section + ".env", reflect.TypeFor[corev1.EnvVar](), true},
			spot{section + ".envFrom", reflect.TypeFor[corev1.EnvFromSource](), true},
			spot{section + ".tolerations", reflect.TypeFor[corev1.Toleration](), true},
			spot{section + ".topologySpreadConstraints", reflect.TypeFor[corev1.TopologySpreadConstraint](), true},
			spot{section + ".affinity", reflect.TypeFor[corev1.Affinity](), false},
			spot{section + ".volumes", reflect.TypeFor[corev1.Volume](), true},
			spot{section + ".volumeMounts", reflect.TypeFor[corev1.VolumeMount](), true},
			spot{section + ".initContainers", reflect.TypeFor[corev1.Container](), true},
			spot{section + ".containers", reflect.TypeFor[corev1.Container](), true},
			spot{section + ".resources", reflect.TypeFor[corev1.ResourceRequirements](), false},
		)
	}
	return out
}

// texts are fields that hold one text, number or mapping of texts, and what they may become
// besides anything at all.
var texts = map[string][]any{
	"spec.decode.disruptionBudget":              {map[string]any{"minAvailable": "50%"}, map[string]any{"maxUnavailable": "150%"}, map[string]any{"minAvailable": 1}, map[string]any{"maxUnavailable": "100%"}},
	"spec.model.tokenSecret":                    {map[string]any{"name": "a", "key": ".."}, map[string]any{"name": "a", "key": "..a"}, map[string]any{"name": "a", "key": "k"}, map[string]any{"name": "a"}},
	"spec.model.storage":                        {map[string]any{"type": "pvc", "size": "0"}, map[string]any{"type": "pvc", "size": "-1Gi"}, map[string]any{"size": "-1"}, map[string]any{"mountPath": "/dev/shm"}, map[string]any{"type": "pvc", "size": "1Gi"}},
	"spec.server.sharedMemory":                  {"-1", "0", "1Gi", "0.5", "100m"},
	"spec.kvCache.redis":                        {map[string]any{"persistence": map[string]any{"size": "0"}}, map[string]any{"persistence": map[string]any{"size": "-1"}}, map[string]any{}},
	"spec.kvCache.offload":                      {map[string]any{"cpuMemory": "-1"}, map[string]any{"cpuMemory": "1Gi"}},
	"spec.scheduler.configMap":                  {map[string]any{"name": "c", "key": ".."}, map[string]any{"key": "..x"}, map[string]any{"key": "a/b"}, map[string]any{"mountPath": "/"}, map[string]any{"key": "k"}},
	"spec.server.podLabels":                     {map[string]any{"a": "b"}, map[string]any{"a": "x y"}, map[string]any{"a b": "x"}},
	"spec.server.podAnnotations":                {map[string]any{"a": "b"}, map[string]any{"A.b/C": "x"}, map[string]any{"a": strings.Repeat("x", 300_000)}, map[string]any{"controller.kubernetes.io/pod-deletion-cost": "x"}},
	"spec.delivery.labels":                      {map[string]any{"a": "b"}, map[string]any{"a/b/c": "b"}},
	"spec.delivery.annotations":                 {map[string]any{"a": strings.Repeat("y", 200_000)}, map[string]any{"a": strings.Repeat("y", 270_000)}},
	"spec.server.nodeSelector":                  {map[string]any{"a": "b"}, map[string]any{"a": "-"}},
	"spec.pool.selector":                        {many(3), many(64), many(65), map[string]any{"a": "b"}},
	"spec.server.accelerator":                   {map[string]any{"dra": map[string]any{"selectors": []any{"true"}}}, map[string]any{"dra": map[string]any{"selectors": []any{"device.driver == 'a'", "device.attributes['a.b'].c"}}}, map[string]any{"dra": map[string]any{"selectors": []any{"device.driver =="}}}, map[string]any{"dra": map[string]any{"selectors": []any{"1 + 1"}}}, map[string]any{"dra": map[string]any{"selectors": []any{"foo"}}}, map[string]any{"dra": map[string]any{}}, map[string]any{"count": 2}, map[string]any{"resourceName": "gpu"}, map[string]any{"resourceName": "kubernetes.io/gpu"}, map[string]any{"resourceName": "x.io/gpu"}},
	"spec.gateway.annotations":                  {map[string]any{"a": "b"}, map[string]any{"a": strings.Repeat("y", 270_000)}},
	"spec.security":                             {map[string]any{"runAsUser": 1 << 31}, map[string]any{"fsGroup": 0}, map[string]any{"runAsUser": 70000}},
	"spec.route.hostnames":                      {[]any{"a.example.com"}, []any{"*.example.com"}, []any{"*"}, []any{"a..b"}, []any{"10.0.0.1"}},
	"spec.server.terminationGracePeriodSeconds": {0, 1, 86400},
	"spec.scheduler.name":                       {"a", strings.Repeat("a", 63), strings.Repeat("a", 64)},
	"spec.decode.name":                          {"a", strings.Repeat("a", 63)},
	"spec.pool.name":                            {"a", strings.Repeat("a", 63)},
	"metadata.name":                             {"a", strings.Repeat("a", 63), strings.Repeat("a", 40)},
	"spec.objectives":                           {[]any{map[string]any{"name": "a", "priority": 1}}, []any{map[string]any{"name": strings.Repeat("a", 63), "priority": -1}}},
	"spec.decode.parallelism":                   {map[string]any{"nodes": 2}, map[string]any{"tensor": 2}, map[string]any{"data": 4}},
	"spec.gateway.listeners":                    {[]any{map[string]any{"name": "a", "port": 80, "hostname": "*.x.io"}}, []any{map[string]any{"name": "a", "port": 443, "protocol": "HTTPS", "tlsSecret": "s"}}, []any{map[string]any{"name": "a", "port": 80, "hostname": "x..io"}}},
	"spec.gateway.allowedNamespaces":            {[]any{"a"}, []any{"*"}, []any{"A B"}, []any{}},
	"spec.gateway.envoyFilter":                  {map[string]any{"workloadSelector": many(3)}},
}

// triggers are those of KEDA, whose type is not among the ones that are made field by field.
var triggers = []any{
	map[string]any{"type": "prometheus", "metadata": map[string]any{"serverAddress": "http://p:9090", "query": "up", "threshold": "1"}},
	map[string]any{"type": "cpu", "metricType": "Utilization", "metadata": map[string]any{"value": "60"}},
	map[string]any{"type": "cron", "name": "office", "metadata": map[string]any{"timezone": "UTC", "start": "0 8 * * *", "end": "0 18 * * *", "desiredReplicas": "3"}},
	map[string]any{"type": "cpu", "metricType": "Average", "metadata": map[string]any{"value": "60"}},
	map[string]any{"type": "cpu", "metadata": map[string]any{"value": 60}},
	map[string]any{"type": "cpu", "metadata": map[string]any{"value": nil}},
	map[string]any{"type": "cpu"},
	map[string]any{"metadata": map[string]any{"value": "60"}},
	map[string]any{"type": "", "metadata": map[string]any{}},
	map[string]any{"type": "kafka", "metadata": map[string]any{"topic": "t"}, "authenticationRef": map[string]any{"name": "a"}},
	map[string]any{"type": "kafka", "metadata": map[string]any{"topic": "t"}, "authenticationRef": map[string]any{"kind": "ClusterTriggerAuthentication"}},
	map[string]any{"type": "kafka", "metadata": map[string]any{"topic": "t"}, "authenticationRef": "a"},
	map[string]any{"type": "redis", "metadata": map[string]any{"listName": "l"}, "useCachedMetrics": "yes"},
	map[string]any{"type": "redis", "metadata": map[string]any{"listName": "l"}, "useCachedMetrics": true},
	map[string]any{"type": "redis", "metadata": map[string]any{"listName": "l"}, "weight": 1},
	map[string]any{"type": "redis", "metadata": []any{"l"}},
	"redis",
}

// scaling is an autoscaling section with a trigger or two.
func (m *maker) scaling() any {
	list := []any{pick(m, triggers)}
	if m.chance(30) {
		list = append(list, pick(m, triggers))
	}
	section := map[string]any{"type": "keda", "min": m.IntN(3), "max": 1 + m.IntN(4), "triggers": list, "prometheusAddress": "http://p:9090"}
	if m.chance(20) {
		section["fallback"] = map[string]any{"replicas": m.IntN(3)}
	}
	if m.chance(20) {
		section["modifiers"] = map[string]any{"formula": pick(m, []string{"office + 1", "runningRequests", "(", "a b"}), "target": "2"}
	}
	return section
}

func many(n int) map[string]any {
	out := map[string]any{}
	for i := range n {
		out["k"+strings.Repeat("i", i%20)+string(rune('a'+i/20))] = "v"
	}
	return out
}

// whole is the shape of a stack.
var whole = root()

// mutate changes a stack in a few places; it returns what it did.
func (m *maker) mutate(stack map[string]any) string {
	var did []string
	all := spots()
	for range 1 + m.IntN(2) {
		switch m.IntN(12) {
		case 9, 10, 11:
			did = append(did, m.anywhere(whole, stack))
		case 8:
			const path = "spec.decode.autoscaling"
			set(stack, path, m.scaling())
			did = append(did, path)
		case 0, 1:
			path := pick(m, sorted(texts))
			set(stack, path, pick(m, texts[path]))
			did = append(did, path)
		case 2, 3:
			path := pick(m, []string{"spec.server", "spec.decode", "spec.scheduler"}) + ".podTemplatePatch"
			set(stack, path, m.patch(strings.Contains(path, "scheduler")))
			did = append(did, path)
		default:
			s := pick(m, all)
			set(stack, s.path, m.fill(s))
			did = append(did, s.path)
		}
	}
	return strings.Join(did, ", ")
}

func (m *maker) fill(s spot) any {
	one := func() any {
		v := reflect.New(s.make)
		m.value(v.Elem(), s.path[strings.LastIndex(s.path, ".")+1:], 1)
		if c, ok := v.Interface().(*corev1.Container); ok && !m.odd() {
			c.SecurityContext = &corev1.SecurityContext{}
		}
		return jsonOf(v.Interface())
	}
	if !s.list {
		return one()
	}
	list := []any{one()}
	if m.chance(20) {
		list = append(list, one())
	}
	return list
}

// patch is one of a pod template that changes one field of the pod or of its main
// container, removes one, or adds a container.
func (m *maker) patch(epp bool) any {
	main := "modelserver"
	if epp {
		main = "epp"
	}
	container, pod := map[string]any{"name": main}, map[string]any{}
	switch m.IntN(6) {
	case 0:
		pod[pick(m, []string{"restartPolicy", "dnsPolicy", "activeDeadlineSeconds", "securityContext", "terminationGracePeriodSeconds", "volumes", "resourceClaims"})] = nil
	case 1:
		container[pick(m, []string{"image", "ports", "env", "volumeMounts", "livenessProbe", "securityContext", "resources", "args", "name"})] = nil
		pod["containers"] = []any{container}
	case 2:
		pod["volumes"] = []any{map[string]any{"$patch": "delete", "name": pick(m, []string{"model", "home", "shm", "config"})}}
	case 3, 4:
		var c corev1.Container
		m.field(reflect.ValueOf(&c).Elem())
		for k, v := range jsonOf(c).(map[string]any) {
			if k != "name" && v != nil && k != "resources" || k == "resources" && len(v.(map[string]any)) > 0 {
				container[k] = v
			}
		}
		if m.chance(20) {
			container["name"] = pick(m, []string{"new", "New", "a"})
			container["image"] = "new:1"
		}
		pod[pick(m, []string{"containers", "containers", "containers", "initContainers"})] = []any{container}
	default:
		var s corev1.PodSpec
		m.field(reflect.ValueOf(&s).Elem())
		for k, v := range jsonOf(s).(map[string]any) {
			if v != nil {
				pod[k] = v
			}
		}
	}
	return map[string]any{"spec": pod}
}

func jsonOf(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}

func sorted(m map[string][]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	for i := range out {
		for k := i; k > 0 && out[k] < out[k-1]; k-- {
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	return out
}

// set puts a value at a path of names, making what is missing on the way.
func set(at map[string]any, path string, value any) {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		next, ok := at[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[name] = next
		}
		at = next
	}
	at[names[len(names)-1]] = value
}
