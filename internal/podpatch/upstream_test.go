package podpatch

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

// before is what the patches of the tests meet.
const before = `
metadata: {labels: {a: "1", b: "2"}, annotations: {x: y}, finalizers: [f1, f2]}
spec:
  hostname: h
  securityContext: {runAsUser: 9007199254740993, supplementalGroups: [1, 2]}
  nodeSelector: {n: v}
  tolerations: [{key: k}]
  imagePullSecrets: [{name: s}]
  volumes: [{name: v, emptyDir: {medium: Memory}}, {name: w, hostPath: {path: /w}}]
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]
  containers:
  - name: a
    image: i
    args: [x, y]
    command: [c]
    ports: [{containerPort: 1}, {containerPort: 53, protocol: UDP}, {containerPort: 53}]
    env: [{name: E, value: e}, {name: F, valueFrom: {fieldRef: {fieldPath: p}}}, {name: G}]
    volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w}]
    resources: {limits: {cpu: "1"}, claims: [{name: r}]}
    livenessProbe: {httpGet: {path: /, port: 1}, periodSeconds: 3}
  - {name: b, image: j}
  - {name: c, image: k}
`

// apply says what this package and what apimachinery make of a patch. What makes
// upstream panic, such as null in a list, is an error here.
func apply(t *testing.T, patch string) (got, want corev1.PodTemplateSpec, gotErr, wantErr error) {
	t.Helper()
	var template corev1.PodTemplateSpec
	if err := yaml.UnmarshalStrict([]byte(before), &template); err != nil {
		t.Fatal(err)
	}
	var change map[string]any
	if err := yaml.Unmarshal([]byte(patch), &change); err != nil {
		t.Fatal(patch, err)
	}
	original, _ := json.Marshal(template)
	data, _ := json.Marshal(change)
	got, gotErr = Apply(template, change)
	defer func() {
		if r := recover(); r != nil {
			wantErr = fmt.Errorf("panic: %v", r)
		}
	}()
	merged, wantErr := strategicpatch.StrategicMergePatch(original, data, corev1.PodTemplateSpec{})
	if wantErr == nil {
		wantErr = json.Unmarshal(merged, &want)
	}
	return got, want, gotErr, wantErr
}

// TestAsUpstream holds the package to the library that kubectl and the API server use.
func TestAsUpstream(t *testing.T) {
	for _, patch := range []string{
		`{}`, `{$patch: delete}`, `{$patch: replace, spec: {hostname: x}}`, `{$patch: merge}`, `{spec: null}`,
		`{spec: {containers: [{name: b, $patch: delete}, {name: z, image: z}, {name: a, image: n}]}}`,
		`{spec: {containers: [{$patch: replace}, {name: z, image: z}]}}`,
		`{spec: {containers: [{$patch: delete}]}}`, `{spec: {containers: [{image: z}]}}`, `{spec: {containers: [null]}}`, `{spec: {containers: []}}`,
		`{spec: {containers: [{name: new, image: z, env: null, resources: {limits: null}, securityContext: {$patch: delete}}]}}`,
		`{spec: {containers: [{name: a, ports: [{containerPort: 53, name: dns}, {containerPort: 9}], args: [z], command: null}]}}`,
		`{spec: {containers: [{name: a, env: [{name: G, value: g}, {name: N, value: n}, {name: E, value: null}]}]}}`,
		`{spec: {containers: [{name: a, livenessProbe: {$patch: replace, tcpSocket: {port: 2}}}]}}`,
		`{spec: {containers: [{name: a, livenessProbe: {$retainKeys: [tcpSocket], tcpSocket: {port: 2}}}]}}`,
		`{spec: {volumes: [{name: v, $retainKeys: [name, hostPath], hostPath: {path: /h}}]}}`, `{spec: {volumes: [{name: v, $retainKeys: [hostPath], hostPath: {path: /h}}]}}`,
		`{metadata: {finalizers: [f3, f1], $deleteFromPrimitiveList/finalizers: [f2]}}`, `{metadata: {$deleteFromPrimitiveList/finalizers: [f2]}}`,
		`{metadata: {labels: {a: null, c: "3"}, annotations: null}, spec: {securityContext: {runAsUser: 9007199254740995, supplementalGroups: [3]}}}`,
		`{spec: {tolerations: [{key: other}], dnsConfig: {nameservers: [a, null]}, affinity: {nodeAffinity: null}}}`,
		`{spec: {unknown: {a: b}, hostname: null}}`, `{spec: {topologySpreadConstraints: [{topologyKey: zone, maxSkew: 2}]}}`,
	} {
		same(t, patch)
	}
}

func same(t *testing.T, patch string) (merged bool) {
	t.Helper()
	got, want, gotErr, wantErr := apply(t, patch)
	if (gotErr == nil) != (wantErr == nil) {
		t.Errorf("%s: got error %v, upstream's is %v", patch, gotErr, wantErr)
		return false
	}
	if gotErr == nil {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-upstream +got)\n%s", patch, diff)
		}
	}
	return gotErr == nil
}

func TestSetElementOrder(t *testing.T) {
	_, _, err, _ := apply(t, `{spec: {$setElementOrder/containers: [{name: b}, {name: a}]}}`)
	if err == nil {
		t.Error("no error")
	}
}

// TestRandomAsUpstream makes patches up from the fields of a pod template.
func TestRandomAsUpstream(t *testing.T) {
	g := maker{rand.New(rand.NewPCG(3, 4))}
	merged := 0
	for range 800 {
		data, _ := json.Marshal(g.value(reflect.TypeFor[corev1.PodTemplateSpec](), 0))
		if len(data) > 2 && data[0] == '{' && same(t, string(data)) {
			merged++
		}
		if t.Failed() {
			return
		}
	}
	if merged < 80 {
		t.Errorf("only %d patches could be merged", merged)
	}
}
