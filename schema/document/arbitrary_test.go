package document_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// An arbitrary makes valid stacks that nobody would think of. It starts with a small one
// and writes value after value at random places of the model; what makes the stack invalid
// is taken back. So it needs to know no rule.
type arbitrary struct {
	*rand.Rand
	t *testing.T
}

// stack returns a valid document of up to so many written values.
func (a arbitrary) stack(steps int) map[string]any {
	doc := tree(a.t, `{apiVersion: inferstack.dev/v1alpha1, kind: InferenceStack, metadata: {name: demo, namespace: llm-d}, spec: {model: {name: Qwen/Qwen3-32B}}}`)
	for range steps {
		next := clone(a.t, doc)
		a.write(next, document.Root)
		if _, problems := parse(next); len(problems.Errors()) == 0 {
			doc = next
		}
	}
	return doc
}

// write sets a value somewhere in a struct.
func (a arbitrary) write(at map[string]any, t *model.Type) {
	f := &t.Fields[a.IntN(len(t.Fields))]
	switch f.Name {
	case "apiVersion", "kind":
		return
	}
	if f.Type.Kind != model.Struct || a.IntN(3) == 0 {
		at[f.Name] = a.value(f.Type)
		return
	}
	inner, ok := at[f.Name].(map[string]any)
	if !ok {
		inner = map[string]any{}
		at[f.Name] = inner
	}
	a.write(inner, f.Type)
}

// value is one of a type, as far as the model tells.
func (a arbitrary) value(t *model.Type) any {
	switch t.Kind {
	case model.Scalar:
		return a.scalar(&t.Alts[a.IntN(len(t.Alts))], t.Name)
	case model.Struct:
		out := map[string]any{}
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Required || a.IntN(4) == 0 {
				out[f.Name] = a.value(f.Type)
			}
		}
		return out
	case model.Map:
		out := map[string]any{}
		for range a.IntN(3) {
			out[fmt.Sprint(a.value(t.Key))] = a.value(t.Elem)
		}
		return out
	case model.List:
		out := []any{}
		for range t.MinItems + a.IntN(3) {
			out = append(out, a.value(t.Elem))
		}
		return out
	case model.Upstream:
		return tree(a.t, pick(a, upstream[t.GoType]))
	}
	return tree(a.t, pick(a, []string{`{}`, `{a: 1}`, `{metadata: {annotations: {a: "yes"}}}`}))
}

func (a arbitrary) scalar(alt *model.Alt, name string) any {
	if len(alt.Values) > 0 {
		return pick(a, alt.Values)
	}
	kinds := []model.Basic{}
	for _, basic := range []model.Basic{model.String, model.Int, model.Number, model.Bool} {
		if alt.Basic&basic != 0 {
			kinds = append(kinds, basic)
		}
	}
	switch pick(a, kinds) {
	case model.Bool:
		return a.IntN(2) == 0
	case model.Int:
		return int64(a.number(alt))
	case model.Number:
		return pick(a, []float64{a.number(alt), a.Float64(), 1e-3, 2.5})
	}
	key := name
	if len(alt.Patterns) > 0 && words[name] == nil {
		key = alt.Patterns[0].Expr
	}
	if words[key] == nil {
		a.t.Fatalf("no words for %q: add some to words", key)
	}
	return pick(a, words[key])
}

// number is at a bound or anywhere between.
func (a arbitrary) number(alt *model.Alt) float64 {
	low, high := float64(math.MinInt32), float64(math.MaxInt32)
	if alt.Min.Set {
		low = alt.Min.At
	}
	if alt.Max.Set {
		high = alt.Max.At
	}
	near := min(high, low+float64(a.IntN(100)))
	return pick(a, []float64{low, high, near, near, math.Floor(low + a.Float64()*(high-low))})
}

func pick[T any](a arbitrary, from []T) T { return from[a.IntN(len(from))] }

var (
	long63 = "a" + strings.Repeat("-long", 12) + "er"
	free   = []string{"", "a", "--verbose", "yes", "no", "010", "1e3", "~", "null", "ü ☃ \U0001f600", "two\nlines\n", " spaced ", "'", `"`, "# no comment", ": ", "{{ .Values }}", "${HOME}", "$(POD_IP)", "- x", "&a", "*a", "!!int 5", "\ttab", "2026-01-01"}
)

// words are strings for each named type, and for each pattern of one without a name.
var words = map[string][]string{
	"":             free,
	"DNSLabel":     {"a", "b-2", "epp", "demo", "shared", long63},
	"DNSSubdomain": {"a", "a.example", "0", "demo", long63 + "." + long63},
	"Hostname":     {"a.example", "*.a.example", "models.example.com"},
	"Quantity":     {"1", "0", "500m", "8Gi", "1e3", "100M", "0.5", "1Ei"},
	"Duration":     {"0s", "1ms", "30s", "5m", "1h30m", "99999h"},
	"Image":        {"a", "ghcr.io/llm-d/llm-d:v1", "r.example:5000/a/b@sha256:" + strings.Repeat("0a", 32)},
	"LabelValue":   {"", "a", "yes", "1", "1e3", "A.b_c-9", strings.Repeat("x", 63)},
	"LabelKey":     {"a", "example.com/a", "app", "app.kubernetes.io/name", "nvidia.com/gpu", "A_b.c"},
	"Path":         {"/", "/a", "/data/models", "/a b", "/ü", "/a/../b"},

	`^1\.[0-9]+$`:                        {"1.20", "1.26", "1.29", "1.99"},
	`^2\.[0-9]+$`:                        {"2.0", "2.1", "2.9"},
	`^[0-9]+$`:                           {"0", "42", "010", "99999999999999999999"},
	`^[^\s:]+:[0-9]+$`:                   {"redis.db:6379", "10.0.0.1:1"},
	`^[A-Za-z0-9-]+$`:                    {"x-model", "X-Tier"},
	`^[A-Za-z0-9][A-Za-z0-9_.-]*$`:       {"fp8", "deep_gemm", "openai_gptoss", "a.b-c"},
	`^[A-Za-z0-9][A-Za-z0-9._/:-]*$`:     {"Qwen/Qwen3-32B", "a", "1e3", "org/" + strings.Repeat("m", 150)},
	`^\S+$`:                              {"a", "yes", "ü", "queue", "Org/Model:1"},
	`^(hf|pvc|pvc\+hf|oci|s3|gs)://\S+$`: {"hf://a/b", "pvc://claim/path", "pvc+hf://claim/hub/a/b", "oci://r.example/a:1", "s3://bucket/a", "gs://bucket/a/b"},
	`^[^/\s][^\s]*$`:                     {"a", "qwen/blocks", "a/../b"},
	`^(http|https|etcd|redis)://\S+$`:    {"http://metadata:8080/metadata", "etcd://etcd:2379"},
	`^(hf|pvc|oci)://\S+$`:               {"hf://a/b", "pvc://claim/path", "oci://r.example/a:1"},
	`^pvc://\S+$`:                        {"pvc://claim/path"},
	`^https?://\S+$`:                     {"http://otel.o11y:4317", "https://a.example/x?y=z", "http://10.0.0.1"},
	`^[-._a-zA-Z0-9]+$`:                  {"HF_TOKEN", "a.yaml", "-", "epp-config.yaml"},
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`:    {"queue-scorer", "kv-cache-utilization-scorer", "prefix-cache-scorer", "max-score-picker", "decode-filter", "own-plugin"},
	`^[0-9]+(x[0-9]+){1,2}$`:             {"2x4", "2x2x1", "1x1"},
	`^[0-9]+%$`:                          {"0%", "50%", "100%"},
	`^[0-9]+\.[0-9]+$`:                   {"0.4", "0.7", "0.10"},
}

// upstream are valid values of the types of others.
var upstream = map[string][]string{
	"autoscaling/v2.MetricSpec":        {`{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}`},
	"core/v1.Affinity":                 {`{}`, `{podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: zone}}]}}`},
	"core/v1.Container":                {`{name: side, image: a}`, `{name: proxy, image: a, args: ["010"], ports: [{containerPort: 8000}]}`, `{name: vllm, image: a}`},
	"core/v1.EnvFromSource":            {`{configMapRef: {name: a}}`, `{prefix: P_, secretRef: {name: a, optional: true}}`},
	"core/v1.EnvVar":                   {`{name: A, value: "yes"}`, `{name: B}`, `{name: HF_HOME, value: /x}`, `{name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}`},
	"core/v1.Toleration":               {`{operator: Exists}`, `{key: a, value: b, effect: NoSchedule}`},
	"core/v1.Lifecycle":                {`{preStop: {sleep: {seconds: 1}}}`, `{preStop: {httpGet: {path: /drain, port: 8000}}}`},
	"autoscaling/v2.HPAScalingRules":   {`{stabilizationWindowSeconds: 60}`, `{policies: [{type: Pods, value: 1, periodSeconds: 60}]}`},
	"core/v1.TopologySpreadConstraint": {`{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}`},
	"core/v1.Volume":                   {`{name: v, emptyDir: {}}`, `{name: config, configMap: {name: a}}`, `{name: model-cache, persistentVolumeClaim: {claimName: a}}`},
	"core/v1.VolumeMount":              {`{name: v, mountPath: /v}`, `{name: config, mountPath: /etc/x, readOnly: true}`},
	"gateway/v1.HTTPRouteFilter":       {`{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: b}]}}`},
	"gateway/v1.HTTPRouteMatch":        {`{path: {type: PathPrefix, value: /v1}}`, `{method: POST}`, `{headers: [{name: a, value: b}]}`},
}

func tree(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

func clone(t *testing.T, v map[string]any) map[string]any {
	t.Helper()
	var copied func(v any) any
	copied = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			out := maps.Clone(v)
			for k := range out {
				out[k] = copied(out[k])
			}
			return out
		case []any:
			out := slices.Clone(v)
			for i := range out {
				out[i] = copied(out[i])
			}
			return out
		}
		return v
	}
	return copied(v).(map[string]any)
}

func parse(doc any) (*schema.Stack, schema.Problems) {
	return rules.Parse(node(doc), schema.Source{})
}

// node is a document as YAML.
func node(v any) *yamlv3.Node {
	out := &yamlv3.Node{}
	switch v := v.(type) {
	case plain:
		out.Kind, out.Value = yamlv3.ScalarNode, string(v)
	case map[string]any:
		out.Kind = yamlv3.MappingNode
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out.Content = append(out.Content, node(key), node(v[key]))
		}
	case []any:
		out.Kind = yamlv3.SequenceNode
		for _, e := range v {
			out.Content = append(out.Content, node(e))
		}
	default:
		if err := out.Encode(v); err != nil {
			panic(err)
		}
	}
	return out
}
