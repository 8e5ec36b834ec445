package wiring

import (
	"slices"
	"strings"
	"testing"
)

// TestGraph follows the edges of the longest road: from the gateway's filter to the pods.
func TestGraph(t *testing.T) {
	objects, err := Read("set.yaml", []byte(read(t, "envoyfilter")))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range Graph(objects).Edges {
		have = append(have, e.From.String()+" "+e.Type+" "+e.To.String()+" "+e.Detail+" "+string(e.State))
	}
	for _, want := range []string{
		"EnvoyFilter llm-d/llama-ext-proc patches Gateway llm-d/llama-gateway  present",
		"EnvoyFilter llm-d/llama-ext-proc asks Service llm-d/llama-epp 9002 present",
		"EnvoyFilter llm-d/llama-ext-proc patches HTTPRoute llm-d/llama llm-d.llama.0 present",
		"HTTPRoute llm-d/llama attaches to Gateway llm-d/llama-gateway  present",
		"HTTPRoute llm-d/llama routes to Service llm-d/llama 8000 present",
		"InferencePool llm-d/llama selects Deployment llm-d/llama-prefill  present",
		"InferencePool llm-d/llama asks Service llm-d/llama-epp 9002 present",
		"Deployment llm-d/llama-epp picks for InferencePool llm-d/llama  present",
		"Service llm-d/llama selects Deployment llm-d/llama-decode  present",
		"Deployment llm-d/llama-decode reads Secret llm-d/hf-token HF_TOKEN prerequisite",
		"Deployment llm-d/llama-epp mounts ConfigMap llm-d/llama-epp-config  present",
		"RoleBinding llm-d/llama-epp grants Role llm-d/llama-epp  present",
		"RoleBinding llm-d/llama-epp grants to ServiceAccount llm-d/llama-epp  present",
		"DestinationRule llm-d/llama-epp applies to Service llm-d/llama-epp  present",
	} {
		if !slices.Contains(have, want) {
			t.Errorf("no edge %q", want)
		}
	}
}

// TestIgnore silences a finding on the object that it is about, and on no other.
func TestIgnore(t *testing.T) {
	broken := variant{base: "native", in: "InferencePool llama", old: "number: 8000", new: "number: 8001"}
	silent := broken
	silent.old, silent.new = "spec:\n", "  annotations:\n    inferstack.dev/ignore: pool-target-port=a proxy listens there; epp-tls=mesh\nspec:\n"
	text := silent.apply(t)
	if found := checked(t, broken.apply(t), nil); len(found) != 2 {
		t.Fatalf("%d findings: %v", len(found), found)
	}
	if found := checked(t, strings.Replace(text, "number: 8000", "number: 8001", 1), nil); len(found) != 0 {
		t.Errorf("not silenced: %v", found)
	}
}

func TestNear(t *testing.T) {
	for _, test := range []struct{ wrong, known, want string }{
		{"hf_token", "hf-token", "hf-token"},
		{"llama-gatway", "llama-gateway", "llama-gateway"},
		{"qwen-eep", "qwen-epp", "qwen-epp"},
		{"qwen-a", "qwen-b", ""},
		{"llama-2", "llama-3", ""},
		{"model1", "model2", ""},
		{"qwen-decode", "qwen-prefill", ""},
		{"qwen", "qwen-epp", ""},
	} {
		if got := Near(test.wrong, []string{test.known}); got != test.want {
			t.Errorf("Near(%s, %s) = %q, want %q", test.wrong, test.known, got, test.want)
		}
	}
}

// TestRead takes lists apart, and leaves out what is not an object.
func TestRead(t *testing.T) {
	objects, err := Read("f.yaml", []byte("# nothing\n---\nkind: ServiceList\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: a}\n- apiVersion: v1\n  kind: Service\n  metadata: {name: b}\n---\nvalues: 1\n"))
	if err != nil || len(objects) != 2 || objects[1].Name != "b" || objects[1].Line != 9 {
		t.Errorf("%v %+v", err, objects)
	}
	for _, broken := range []string{"a: [", "&a {apiVersion: v1, kind: List, items: [*a]}"} {
		if _, err := Read("f.yaml", []byte(broken)); err == nil {
			t.Errorf("%s was read", broken)
		}
	}
}
