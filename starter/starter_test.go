package starter

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// Every value that an option can have is tried with every other, and each stack is
// compiled.
func TestEveryCombination(t *testing.T) {
	gateways := []string{"istio", "kgateway", "agentgateway", "gke", "envoy", NoGateway}
	presets := []string{"", "default", "load-aware", "queue", "prefix-aware", "precise-prefix", "pd-disaggregation", "random", "simulator"}
	for _, gateway := range gateways {
		for _, preset := range presets {
			for _, simulator := range []bool{false, true} {
				for _, namespace := range []string{"", "llm"} {
					o := Options{Gateway: gateway, Preset: preset, Simulator: simulator, Namespace: namespace}
					t.Run(fmt.Sprintf("%s/%s/%t/%s", gateway, preset, simulator, namespace), func(t *testing.T) { compiles(t, o) })
				}
			}
		}
	}
}

func TestPrefill(t *testing.T) {
	for _, preset := range []string{"", "pd-disaggregation"} {
		for _, simulator := range []bool{false, true} {
			compiles(t, Options{Gateway: "istio", Prefill: true, Preset: preset, Simulator: simulator})
		}
	}
}

func TestOpenShift(t *testing.T) {
	for _, simulator := range []bool{false, true} {
		o := Options{Gateway: "envoy", OpenShift: true, Simulator: simulator}
		compiles(t, o)
		text, _ := Write(o)
		docs, _ := document.Read("stack.yaml", text)
		if s, _ := rules.Parse(docs[0].Node, docs[0].Source); !s.Spec.Security.PlatformIDs {
			t.Errorf("ids are not left to the platform in\n%s", text)
		}
	}
}

func compiles(t *testing.T, o Options) {
	t.Helper()
	text, problems := Write(o)
	if problems != nil {
		t.Fatal(problems)
	}
	docs, problems := document.Read("stack.yaml", text)
	if len(docs) != 1 || problems != nil {
		t.Fatal(len(docs), problems)
	}
	s, problems := rules.Parse(docs[0].Node, docs[0].Source)
	if s == nil {
		t.Fatalf("%v\n%s", problems, text)
	}
	if w := problems.Warnings(); len(w) > 0 && o.Preset != "precise-prefix" {
		t.Errorf("a start with warnings: %v\n%s", w, text)
	}
	if made, conflicts := generators.GenerateAll([]*schema.Stack{s}); len(conflicts) > 0 || len(made[0].Objects) == 0 {
		t.Errorf("nothing is made of\n%s", text)
	}
	if (s.Spec.Gateway == nil) != (o.Gateway == NoGateway) {
		t.Errorf("gateway of\n%s", text)
	}
}

func TestText(t *testing.T) {
	got, problems := Write(Options{Name: "chat", Namespace: "llm", Model: "meta-llama/Llama-3.1-8B-Instruct", Gateway: "istio", Preset: "queue", Simulator: true})
	want := `# What a field means: inferstack explain spec.decode
# What this becomes:  inferstack render FILE
apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata:
  name: chat
  namespace: llm
spec:
  model:
    name: meta-llama/Llama-3.1-8B-Instruct
  server:
    # Answers like vLLM, but makes the text up. Without the section server the model itself is served.
    engine: simulator
  decode:
    replicas: 2
  scheduler:
    # How the endpoint picker chooses a server.
    preset: queue
  gateway:
    # Its controller must be in the cluster; class envoy needs none.
    class: istio
`
	if d := cmp.Diff(want, string(got)); d != "" || problems != nil {
		t.Error(problems, d)
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    Options
		want string
	}{
		{"name", Options{Name: "My_Stack", Gateway: NoGateway}, `NAME: must be a DNS label: lower case letters, digits and -, starting with a letter, at most 63 characters (got "My_Stack")`},
		{"gateway", Options{Gateway: "isto"}, `--gateway: must be one of istio, kgateway, agentgateway, gke, envoy, none (got "isto"); did you mean "istio"?`},
		{"no gateway class", Options{Gateway: ""}, `--gateway: must be one of istio, kgateway, agentgateway, gke, envoy, none (got "")`},
		{"model", Options{Model: "a model", Gateway: NoGateway}, `--model: must be a model identifier such as Qwen/Qwen3-32B: letters, digits, ., _, -, : and / (got "a model")`},
		{"preset beside prefill", Options{Preset: "queue", Prefill: true, Gateway: NoGateway}, `--preset: queue has no profile for prefill servers; with a prefill section use pd-disaggregation or precise-prefix or predicted-latency, or list scorers`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, problems := Write(tt.o)
			if text != nil || len(problems) != 1 || problems[0].String() != tt.want {
				t.Errorf("%s\n%v", text, problems)
			}
		})
	}
}

func TestModelsOfEveryShape(t *testing.T) {
	for model, want := range map[string]string{
		"Qwen/Qwen3-8B":     "qwen3-8b",
		"org/1.5":           "stack",
		"123":               "stack",
		"true":              "true",
		"a:":                "stack",
		"x/7B-Chat_v2.":     "b-chat-v2",
		"org/" + long + "-": long[:40],
	} {
		text, problems := Write(Options{Model: model, Gateway: NoGateway})
		if problems != nil {
			t.Errorf("%s: %v", model, problems)
			continue
		}
		docs, _ := document.Read("", text)
		s, _ := rules.Parse(docs[0].Node, docs[0].Source)
		if s.Metadata.Name != want || s.Spec.Model.Name != model {
			t.Errorf("%s: name %q, model %q", model, s.Metadata.Name, s.Spec.Model.Name)
		}
	}
}

const long = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
