package helm

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert/helm"
)

// A Change writes a value at a path of a values file.
type Change struct {
	Path  []any // keys, and indexes of lists
	Value any
}

// at is a path as convert helm writes it.
func at(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		case string:
			switch {
			case strings.ContainsAny(step, "./[]"):
				fmt.Fprintf(&b, "[%s]", step)
			case b.Len() == 0:
				b.WriteString(step)
			default:
				b.WriteString("." + step)
			}
		}
	}
	return b.String()
}

func (c Change) String() string {
	value, _ := json.Marshal(c.Value) // values of YAML are those of JSON
	return at(c.Path) + "=" + string(value)
}

// changes are what can be written into a file over values: what values.yaml has, what the types of convert helm have,
// and what templates read, each with a value or more that are not the default.
func (c *Chart) changes() []Change {
	seen := map[string]bool{}
	var out []Change
	add := func(path []any, values ...any) {
		for _, v := range values {
			change := Change{slices.Clone(path), v}
			if key := change.String(); !seen[key] {
				seen[key] = true
				out = append(out, change)
			}
		}
	}
	leaves(c.Values, nil, func(path []any, value any) { add(path, others(at(path), value)...) })
	fields(reflect.TypeOf(kinds[c.Name].values), nil, func(path []any, values []any) {
		if value, written := lookup(c.Values, path); !written || empty(value) {
			add(path, values...)
		}
	})
	for _, whole := range sections {
		add(whole.Path, whole.Value)
	}
	for _, path := range c.read() {
		if _, written := lookup(c.Values, path); !written {
			add(path, "x", 7, true)
		}
	}
	return out
}

// sections are those of which no part can be rendered without others.
var sections = []Change{{[]any{"inferenceExtension", "sidecar"}, map[string]any{
	"enabled": true, "name": "beside", "image": "registry.example/beside:v1",
	"configMap": map[string]any{"name": "beside", "data": map[string]any{"a": "b"}},
}}}

// empty reports whether a default is a list or a mapping with nothing in it.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// leaves visits the values that hold no others, and lists as a whole.
func leaves(v any, path []any, visit func([]any, any)) {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		if len(path) > 0 {
			visit(path, v)
		}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		leaves(m[key], append(slices.Clone(path), key), visit)
	}
}

// choices are the values of what has few.
var choices = map[string][]any{
	"provider.name":                 {"gke", "istio", "none"},
	"modelServerType":               {"vllm", "sglang", "triton-tensorrt-llm", "trtllm-serve"},
	"modelServers.type":             {"vllm", "sglang", "triton-tensorrt-llm", "trtllm-serve"},
	"modelServerProtocol":           {"grpc", "http"},
	"modelServers.protocol":         {"grpc", "http"},
	"parser":                        {"openai-parser", "vllmgrpc-parser", "passthrough-parser"},
	"failureMode":                   {"FailClose", "FailOpen"},
	"pullPolicy":                    {"Never", "IfNotPresent", "Always"},
	"imagePullPolicy":               {"Never", "IfNotPresent", "Always"},
	"proxyType":                     {"envoy", "agentgateway"},
	"proxy.mode":                    {"sidecar", "service"},
	"monitoring.provider.name":      {"gmp", "prometheusoperator"},
	"scheme":                        {"https", "http"},
	"gateway.provider":              {"istio", "kgateway", "agentgateway", "gke", "none"},
	"gatewayClassName":              {"istio", "kgateway", "agentgateway", "gke-l7-rilb"},
	"gateway.service.type":          {"LoadBalancer", "NodePort", "ClusterIP"},
	"exposure.type":                 {"external", "internal"},
	"accelerator.type":              {"amd", "intel", "cpu", "google", "gaudi", "nvidia"},
	"tokenizer.flavor":              {"render", "uds"},
	"modelCommand":                  {"vllmServe", "imageDefault", "custom"},
	"deploymentStrategy.type":       {"RollingUpdate", "Recreate"},
	"targetPorts":                   {[]any{map[string]any{"number": 8001}}, []any{map[string]any{"number": 8000}, map[string]any{"number": 8001}}},
	"endpointsServer.targetPorts":   {8001, "8000,8001"},
	"connector":                     {"nixlv2", "sglang", "shared-storage"},
	"trafficPolicy":                 {map[string]any{"connectionPool": map[string]any{"http": map[string]any{"maxRequestsPerConnection": 5}}}, map[string]any{"loadBalancer": map[string]any{"simple": "RANDOM"}}},
	"env":                           {[]any{map[string]any{"name": "A", "value": "b"}}},
	"flags":                         {[]any{map[string]any{"name": "v", "value": 4}}, map[string]any{"v": 4}},
	"inferenceObjectives":           {[]any{map[string]any{"name": "high", "priority": 5}}},
	"pluginsCustomConfig":           {map[string]any{"default-plugins.yaml": plugins}, map[string]any{"other.yaml": plugins}},
	"samplerArg":                    {"0.5"},
	"sampler":                       {"always_on"},
	"uri":                           {"hf://c/d", "pvc://claim/path"},
	"interval":                      {"30s"},
	"requestTimeout":                {"60s"},
	"extraDeploy":                   {[]any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "x"}}}},
	"extraObjects":                  {[]any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "x"}}}},
	"listeners":                     {[]any{map[string]any{"name": "default", "port": 81, "protocol": "HTTP"}}},
	"endpointSelector":              {"app=servers"},
	"preferredBackends":             {map[string]any{"enabled": true}},
	"topologySpreadConstraints":     {[]any{map[string]any{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}}},
	"terminationGracePeriodSeconds": {77},
}

const plugins = `apiVersion: inference.networking.x-k8s.io/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: queue-scorer
schedulingProfiles:
- name: default
  plugins:
  - pluginRef: queue-scorer
    weight: 1
`

// chosen are the choices for a path: those of the longest end of it that has some.
func chosen(path string) []any {
	for rest := path; rest != ""; {
		if values, ok := choices[rest]; ok {
			return values
		}
		_, rest, _ = strings.Cut(rest, ".")
	}
	return nil
}

// others are values that a field may have beside its default.
func others(path string, usual any) []any {
	if values := chosen(path); values != nil {
		return slices.DeleteFunc(slices.Clone(values), func(v any) bool { return reflect.DeepEqual(v, usual) })
	}
	switch v := usual.(type) {
	case bool:
		return []any{!v}
	case int:
		return []any{v + 1}
	case int64:
		return []any{v + 1}
	case float64:
		return []any{v + 1}
	case string:
		return []any{another(v)}
	case []any:
		return lists(v)
	case map[string]any:
		return []any{map[string]any{"a": "b"}}
	}
	return []any{"x", 7, true}
}

// another is a text that differs: of a quantity, a time or an address another one.
func another(s string) string {
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		return "3" + s
	}
	return s + "x"
}

// lists are a list with each of its values changed in turn, and with none.
func lists(list []any) []any {
	if len(list) == 0 {
		return nil
	}
	out := []any{[]any{}}
	for i := range list {
		leaves(map[string]any{"": list[i]}, nil, func(path []any, value any) {
			for _, other := range others("", value) {
				changed := copied(list).([]any)
				put(map[string]any{"list": changed}, append([]any{"list", i}, path[1:]...), other)
				out = append(out, changed)
			}
		})
	}
	return out
}

// fields visits what the types of convert helm can hold, with values of it.
func fields(t reflect.Type, path []any, visit func([]any, []any)) {
	if values, ok := samples[t]; ok {
		if own := chosen(at(path)); own != nil {
			values = own
		}
		visit(path, values)
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		fields(t.Elem(), path, visit)
	case reflect.Slice:
		fields(t.Elem(), path, func(below []any, values []any) {
			if len(below) > len(path)+1 {
				return // a field of an entry, which is tried in the entries that values.yaml has
			}
			for _, v := range values {
				visit(path, []any{[]any{v}})
			}
		})
	case reflect.Struct:
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			below := append(slices.Clone(path), name)
			if name == "" {
				below = path
			}
			fields(t.Field(i).Type, below, visit)
		}
	default:
		if values := chosen(at(path)); values != nil {
			visit(path, values)
		} else if values := plain[t.Kind()]; values != nil {
			visit(path, values)
		}
	}
}

var plain = map[reflect.Kind][]any{
	reflect.String: {"x"}, reflect.Bool: {true, false}, reflect.Int32: {7}, reflect.Int64: {7}, reflect.Int: {7},
}

// samples are values of Kubernetes' types, and of what has no type.
var samples = func() map[reflect.Type][]any {
	out := map[reflect.Type][]any{}
	for _, s := range []struct {
		of   any
		text string
	}{
		{corev1.Affinity{}, `{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}`},
		{corev1.Toleration{}, `{key: a, operator: Exists}`},
		{corev1.ResourceRequirements{}, `{requests: {cpu: "3"}, limits: {memory: 3Gi}}`},
		{corev1.Volume{}, `{name: extra, emptyDir: {}}`},
		{corev1.VolumeMount{}, `{name: extra, mountPath: /extra}`},
		{corev1.ContainerPort{}, `{name: extra, containerPort: 9999}`},
		{corev1.ServicePort{}, `{name: extra, port: 9999, targetPort: 9999}`},
		{corev1.EnvVar{}, `{name: A, value: b}`},
		{corev1.EnvFromSource{}, `{configMapRef: {name: settings}}`},
		{corev1.Probe{}, `{httpGet: {path: /ready, port: 8000}, periodSeconds: 7}`},
		{corev1.Container{}, `{name: extra, image: "registry.example/extra:v1"}`},
		{corev1.LocalObjectReference{}, `{name: secret}`},
		{corev1.SecurityContext{}, `{runAsUser: 7}`},
		{corev1.PodSecurityContext{}, `{runAsUser: 7}`},
		{corev1.Lifecycle{}, `{preStop: {exec: {command: [sleep, "3"]}}}`},
		{corev1.TopologySpreadConstraint{}, `{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}`},
		{map[string]string{}, `{a: b}`},
		{map[string]any{}, `{a: b}`},
		{helm.ClaimTemplate{}, `{class: gpu.example.com, match: exactly, count: 2}`},
		{helm.Listener{}, `{name: default, port: 81, protocol: HTTP}`},
		{helm.Objective{}, `{name: high, priority: 5}`},
	} {
		var value any
		if err := yaml.Unmarshal([]byte(s.text), &value); err != nil {
			panic(err) // a table of our own
		}
		out[reflect.TypeOf(s.of)] = []any{value}
	}
	return out
}()

// read lists the values that templates name in full.
func (c *Chart) read() [][]any {
	found := map[string][]any{}
	for _, one := range append(c.loaded.Dependencies(), c.loaded) {
		for _, file := range one.Templates {
			tree := parse.New(file.Name)
			tree.Mode = parse.SkipFuncCheck
			trees := map[string]*parse.Tree{}
			if _, err := tree.Parse(string(file.Data), "", "", trees); err != nil {
				continue // what Helm cannot parse it says itself
			}
			for _, t := range trees {
				chains(reflect.ValueOf(t.Root), func(idents []string) {
					if len(idents) > 1 && idents[0] == "Values" {
						var path []any
						for _, name := range idents[1:] {
							path = append(path, name)
						}
						found[at(path)] = path
					}
				})
			}
		}
	}
	var out [][]any
	for _, key := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[key])
	}
	return out
}

// chains visits the chains of fields in a template, $.a.b as .a.b.
func chains(v reflect.Value, visit func([]string)) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		case *parse.FieldNode:
			visit(n.Ident)
		case *parse.VariableNode:
			if n.Ident[0] == "$" {
				visit(n.Ident[1:])
			}
		case *parse.Tree:
			return
		}
		chains(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				chains(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			chains(v.Index(i), visit)
		}
	}
}
