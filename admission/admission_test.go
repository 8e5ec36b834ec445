package admission

import (
	"encoding/json"
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// TestValue tries a mistake of each kind. conformance/oracle holds the judgement as such
// against upstream's; here it is what is said, and where.
func TestValue(t *testing.T) {
	for _, tc := range []struct {
		into       any
		name, text string
		want       string
	}{
		{&corev1.EnvVar{}, "", `{"name":"A","value":"x"}`, ""},
		{&corev1.EnvVar{}, "", `{"name":"A","value":"x","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}`, "valueFrom: must not stand beside value; remove one of them"},
		{&corev1.EnvVar{}, "", `{"name":"A","valueFrom":{"secretKeyRef":{"name":"s","key":".."}}}`, "valueFrom.secretKeyRef.key: must be a key of letters"},
		{&corev1.EnvVar{}, "", `{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"status.podIp"}}}`, `(got "status.podIp"); did you mean "status.podIP"?`},
		{&corev1.Toleration{}, "", `{"key":"a","operator":"exists"}`, `operator: must be one of Exists, Equal, Lt, Gt (got "exists"); did you mean "Exists"?`},
		{&corev1.Toleration{}, "", `{"value":"a"}`, "operator: must be Exists where there is no key"},
		{&corev1.Volume{}, "", `{"name":"a","configMap":{"name":"c","items":[{"key":"k","path":"../x"}]}}`, `configMap.items[0].path: must not contain .. (got "../x")`},
		{&corev1.Volume{}, "", `{"name":"a","projected":{"sources":[{"secret":{"name":"s"},"configMap":{"name":"c"}}]}}`, "projected.sources[0]: must have one of secret, configMap, not several"},
		{&corev1.Container{}, "containers", `{"name":"a","image":"a","ports":[{"containerPort":1,"name":"p"},{"containerPort":2,"name":"p"}]}`, `ports[1].name: "p" is the name of another port of the container`},
		{&corev1.Container{}, "initContainers", `{"name":"a","image":"a","livenessProbe":{"exec":{"command":["a"]}}}`, "livenessProbe: needs restartPolicy: Always in an init container"},
		{&corev1.Container{}, "initContainers", `{"name":"a","image":"a","restartPolicy":"Always","livenessProbe":{"exec":{"command":["a"]}}}`, ""},
		{&corev1.Container{}, "containers", `{"name":"a","image":"a","resources":{"requests":{"x.io/y":"1"}}}`, "resources.requests[x.io/y]: needs a limit of the same amount"},
		{&corev1.Container{}, "containers", `{"name":"a","image":"a","resources":{"limits":{"x.io/y":"500m"}}}`, "resources.limits[x.io/y]: must be a whole number: devices are not divided (got 500m)"},
		{&corev1.TopologySpreadConstraint{}, "", `{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"Never"}`, "whenUnsatisfiable: must be one of DoNotSchedule, ScheduleAnyway"},
		{&corev1.Affinity{}, "", `{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":101,"podAffinityTerm":{"topologyKey":"z"}}]}}`, "preferredDuringSchedulingIgnoredDuringExecution[0].weight: must be from 1 to 100 (got 101)"},
		{&autoscalingv2.MetricSpec{}, "", `{"type":"Pods","pods":{"metric":{"name":"a/b"},"target":{"type":"AverageValue"}}}`, "pods.metric.name: must be a name without / and %"},
		{&autoscalingv2.HPAScalingRules{}, "", `{"policies":[{"type":"Percent","value":100,"periodSeconds":15}],"stabilizationWindowSeconds":3600,"selectPolicy":"Min"}`, ""},
		{&autoscalingv2.HPAScalingRules{}, "", `{"policies":[{"type":"Pod","value":1,"periodSeconds":15}]}`, `policies[0].type: must be one of Pods, Percent (got "Pod"); did you mean "Pods"?`},
		{&autoscalingv2.HPAScalingRules{}, "", `{"policies":[{"type":"Pods","value":0,"periodSeconds":15}]}`, "policies[0].value: must be greater than 0 (got 0)"},
		{&autoscalingv2.HPAScalingRules{}, "", `{"policies":[{"type":"Pods","value":1,"periodSeconds":1801}]}`, "policies[0].periodSeconds: must be from 1 to 1800 (got 1801)"},
		{&autoscalingv2.HPAScalingRules{}, "", `{"stabilizationWindowSeconds":-1}`, "stabilizationWindowSeconds: must be from 0 to 3600 (got -1)"},
		{&autoscalingv2.HPAScalingRules{}, "", `{"selectPolicy":"Maxx"}`, `selectPolicy: must be one of Max, Min, Disabled (got "Maxx")`},
		{&autoscalingv2.HPAScalingRules{}, "", `{"policies":[]}`, "policies: must have an entry, or be left out"},
		{&gwapiv1.HTTPRouteMatch{}, "", `{"method":"get"}`, `did you mean "GET"?`},
		{&gwapiv1.HTTPRouteMatch{}, "", `{"path":{"type":"Exact","value":"/a/../b"}}`, `path.value: must not contain /../ (got "/a/../b")`},
		{&gwapiv1.HTTPRouteFilter{}, "", `{"type":"RequestMirror","requestMirror":{"backendRef":{"name":"s"}}}`, "requestMirror.backendRef.port: required for a Service, but missing"},
	} {
		if err := json.Unmarshal([]byte(tc.text), tc.into); err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, f := range Value(tc.into, tc.name) {
			said = append(said, f.Path+": "+f.Message)
		}
		if got := strings.Join(said, "\n"); !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s:\n%s\nwant %s", tc.text, got, tc.want)
		}
	}
}
