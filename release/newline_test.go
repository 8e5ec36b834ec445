package release_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
	"github.com/inferstack/inferstack/wiring"
)

// TestLineIsOneFile adds a release line as a copy of another file with other versions, a flag
// that is renamed and one that is gone. Everything follows.
func TestLineIsOneFile(t *testing.T) {
	data, err := os.ReadFile("lines/" + release.Default + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(":v"+release.Default+".", ":v0.77.", `{since: "0.9"}`, `{since: "0.77"}`, "tracing: tracing", "tracing: emit-traces").Replace(string(data))
	text = strings.Replace(text, "sidecar:\n", "sidecar:\n  refusedFlags: {secure-proxy: use --secure-serving}\n", 1)
	line := &release.Line{}
	if err := yaml.UnmarshalStrict([]byte(text), line); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release.Add("0.77", line))

	t.Run("validate and generate", func(t *testing.T) {
		out := generated(t, "0.77")
		for _, want := range []string{"llm-d-router-endpoint-picker:v0.77.0", "llm-d-router-disagg-sidecar:v0.77.0", "--emit-traces=false"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s is not generated", want)
			}
		}
	})
	t.Run("check", func(t *testing.T) {
		out := generated(t, "0.77")
		if strings.Contains(out, "--secure-proxy") {
			t.Error("a flag is generated that the line refuses")
		}
		wrong := strings.NewReplacer("--emit-traces=false", "--lora-info-metric=x", "--kv-connector=", "--secure-proxy=")
		said := checked(t, wrong.Replace(out))
		for _, want := range []string{"the endpoint picker of 0.77.0 has no flag --lora-info-metric", "the sidecar of 0.77.0 has no flag --secure-proxy"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not said, but\n%s", want, said)
			}
		}
		if strings.Contains(said, "is not known") {
			t.Errorf("the line is not known:\n%s", said)
		}
		newer := strings.NewReplacer("llm-d-router-endpoint-picker:v0.77.0", "llm-d-inference-scheduler:v0.78.0", "--emit-traces=false", "--poolName=x")
		said = checked(t, newer.Replace(out))
		for _, want := range []string{"there is no llm-d-inference-scheduler of 0.78", "has no flag --poolName (judged as 0.77: 0.78 is not known)"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not said, but\n%s", want, said)
			}
		}
	})
	t.Run("convert", func(t *testing.T) {
		if got := release.LineServing("endpoint-picker", "v0.77.3"); got != "0.77" {
			t.Errorf("an EPP v0.77.3 is of line %q", got)
		}
		if !serving.TakesSidecar("0.77", "ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.77.0") {
			t.Error("the line has another sidecar")
		}
	})
	t.Run("documentation", func(t *testing.T) {
		if table := release.Table(); !strings.Contains(table, "`llm-d-router-endpoint-picker:v0.77.0`") {
			t.Error(table)
		}
	})
}

func generated(t *testing.T, name string) string {
	t.Helper()
	stack := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: b}\nspec: {release: \"" + name + "\", model: {name: o/m}, server: {engine: vllm}, prefill: {}}\n"
	docs, problems := document.Read("stack.yaml", []byte(stack))
	if len(docs) != 1 {
		t.Fatal(problems)
	}
	parsed, problems := rules.Parse(docs[0].Node, docs[0].Source)
	if parsed == nil {
		t.Fatal(problems)
	}
	line, err := release.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := manifest.WriteYAML(&out, manifest.List(generators.Generate(parsed, line))); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func checked(t *testing.T, text string) string {
	t.Helper()
	objects, err := wiring.Read("set.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, f := range wiring.Check(objects, wiring.Options{}) {
		out.WriteString(f.String() + "\n")
	}
	return out.String()
}
