package conform

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/cel"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/kubeschema"
)

// TestLimits changes custom resources at random, and holds kubeschema to the API server's own
// judgement by their CRDs: schema, lists and CEL rules. Nulls, and addresses of Gateways (a oneOf and an anyOf with
// formats), are left alone there and here. make property tries more.
func TestLimits(t *testing.T) {
	schemas := compiledCRDs(t)
	bases := documents(t)
	tries := long.Specs(t, long.Of(600, 3))
	r := rand.New(rand.NewPCG(1, 2))
	right := 0
	for i, base := range bases {
		if !long.Part(i, 8) {
			continue
		}
		for range tries {
			object := copied(base)
			change(r, object)
			if r.IntN(4) == 0 {
				change(r, object)
			}
			text, err := yaml.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			theirs, ours := refusals(t, schemas, text), breaches(t, text)
			switch {
			case len(theirs) > 0 && len(ours) == 0:
				t.Errorf("accepted, but refused upstream: %v\n%s", theirs[0], text)
			case len(theirs) == 0 && len(ours) > 0:
				t.Errorf("refused, but accepted upstream: %s %s\n%s", ours[0].Path, ours[0].Message, text)
			case len(theirs) == 0:
				right++
			}
			if t.Failed() && os.Getenv("ALL") == "" {
				return
			}
		}
	}
	if right < tries/2 {
		t.Errorf("only %d objects are right: the test proves little", right)
	}
}

// compiledCRDs are those that the schemas of kubeschema are made of.
func compiledCRDs(t *testing.T) map[string]*crdSchema {
	t.Helper()
	out := map[string]*crdSchema{}
	wanted := map[string]bool{}
	for i, d := range documents(t) {
		if !long.Part(i, 8) {
			continue // compiling the rules takes longer than all the rest
		}
		wanted[d["apiVersion"].(string)+" "+d["kind"].(string)] = true
	}
	err := EachCRD(func(apiVersion, kind string, props *apiextensionsv1.JSONSchemaProps) error {
		if !wanted[apiVersion+" "+kind] {
			return nil
		}
		inner := &apiextensions.JSONSchemaProps{}
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, inner, nil); err != nil {
			return err
		}
		s, err := compile(inner)
		out[apiVersion+" "+kind] = s
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func documents(t *testing.T) []map[string]any {
	t.Helper()
	data, err := os.ReadFile("testdata/limits.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for text := range strings.SplitSeq(string(data), "\n---\n") {
		var d map[string]any
		if err := yaml.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

func refusals(t *testing.T, schemas map[string]*crdSchema, text []byte) []error {
	t.Helper()
	data, err := sigsyaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(schemas[kindKey(u)].refusals(u.Object), func(err error) bool {
		text := err.Error()
		return strings.Contains(text, "spec.addresses[") && (strings.Contains(text, ".value") || strings.Contains(text, "Of)"))
	})
}

func breaches(t *testing.T, text []byte) []kubeschema.Problem {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var identity struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
	}
	if err := doc.Decode(&identity); err != nil {
		t.Fatal(err)
	}
	never := func(string) bool { return false }
	found := kubeschema.Check(doc.Content[0], kubeschema.Of(identity.APIVersion, identity.Kind), never)
	if l := kubeschema.LimitsOf(identity.APIVersion, identity.Kind); l != nil {
		found = append(found, kubeschema.Breaches(doc.Content[0], l, never, found)...)
	}
	return found
}

func copied(v map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range v {
		out[k] = copiedValue(v)
	}
	return out
}

func copiedValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return copied(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = copiedValue(v[i])
		}
		return out
	}
	return v
}

// words are what values become, besides what stands elsewhere in the object.
var words = []any{
	"", "a", "A.example.com", "https://a.example.com", "a.example.com:80", "10 m", "1.5h", "10m", "0s", "1h", "a b", "*", "*.a.b", "-a", "é", "Service", "Cookie", "Session",
	"ReplaceFullPath", "ReplacePrefixMatch", "URLRewrite", "CORS", "Exact", "PathPrefix", "RegularExpression", "/a", "//a", "/a/../b", "HTTP", "HTTPS", "TCP", "TLS", "Passthrough",
	"Terminate", "Hostname", "IPAddress", "1Gi", "1 Gi", "30s", "1d", "GATEWAY", "x-a", "x a", 0, 1, 80, 443, 8000, 70000, -1, true, 1.5, []any{}, map[string]any{}, []any{"a", "a"},
}

// change sets, removes or repeats something in the spec.
func change(r *rand.Rand, object map[string]any) {
	type spot struct {
		in    any
		key   string
		index int
	}
	var spots []spot
	var leaves []any
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				spots = append(spots, spot{in: v, key: k})
				walk(v[k])
			}
		case []any:
			for i := range v {
				spots = append(spots, spot{in: v, index: i})
				walk(v[i])
			}
		default:
			leaves = append(leaves, v)
		}
	}
	walk(object["spec"])
	if len(spots) == 0 {
		return
	}
	s := spots[r.IntN(len(spots))]
	value := words[r.IntN(len(words))]
	if r.IntN(3) == 0 && len(leaves) > 0 {
		value = leaves[r.IntN(len(leaves))]
	}
	switch in := s.in.(type) {
	case map[string]any:
		list, isList := in[s.key].([]any)
		switch n := r.IntN(3); {
		case n == 0:
			delete(in, s.key)
		case n == 1 && isList && len(list) > 0:
			in[s.key] = append(list, copiedValue(list[r.IntN(len(list))]))
		default:
			in[s.key] = value
		}
	case []any:
		in[s.index] = value
	}
}

// TestRulesAreKnown reads every rule of every CRD, and looks for functions that the evaluator lacks.
func TestRulesAreKnown(t *testing.T) {
	n := 0
	err := EachCRD(func(apiVersion, kind string, _ *apiextensionsv1.JSONSchemaProps) error {
		if l := kubeschema.LimitsOf(apiVersion, kind); l != nil {
			eachRule(l, func(r kubeschema.Rule) {
				n++
				if _, flaw := cel.Parse(r.Rule); flaw != "" {
					t.Errorf("%s %s: %s %s", apiVersion, kind, r.Rule, flaw)
				}
			})
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Error(err, fmt.Sprint(n, " rules"))
	}
}

func eachRule(l *kubeschema.Limits, visit func(kubeschema.Rule)) {
	if l == nil {
		return
	}
	for _, r := range l.Rules {
		visit(r)
	}
	for _, p := range l.Properties.All() {
		eachRule(p, visit)
	}
	eachRule(l.Items, visit)
	eachRule(l.Values, visit)
}
