package graph

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/wiring"
)

// TestEveryObject proves that each object is a node or folded into one, once.
func TestEveryObject(t *testing.T) {
	eachSheet(t, func(t *testing.T, s *sheet) {
		seen := map[*wiring.Object]int{}
		for _, n := range s.Nodes {
			if n.Object != nil {
				seen[n.Object]++
			}
			for _, o := range n.Holds {
				seen[o]++
			}
		}
		for _, o := range s.Objects {
			if seen[o] != 1 {
				t.Errorf("%s is drawn %d times", o.Ref, seen[o])
			}
		}
	})
}

// TestMissing proves that every reference to what is missing is drawn as such.
func TestMissing(t *testing.T) {
	eachSheet(t, func(t *testing.T, s *sheet) {
		drawn := map[wiring.Ref]bool{}
		for _, e := range s.edges {
			if e.State == wiring.Missing {
				drawn[e.To.Ref] = true
			}
		}
		for _, e := range wiring.Graph(s.Objects).Edges {
			if e.State == wiring.Missing && !drawn[e.To] {
				t.Errorf("%s %s %s is not drawn", e.From, e.Type, e.To)
			}
		}
	})
}

// TestPaths tells the way of a request through the kinds of stacks.
func TestPaths(t *testing.T) {
	all := sets(t)
	for set, want := range map[string]string{
		"prefill-decode-istio":       "Client, Gateway llama-gateway, HTTPRoute llama, Deployment llama-epp, InferencePool llama, Deployment llama-decode, Deployment llama-prefill",
		"prefill-decode-envoyfilter": "Client, Gateway llama-gateway, HTTPRoute llama, EnvoyFilter llama-ext-proc, Deployment llama-epp, InferencePool llama, Deployment llama-decode, Deployment llama-prefill",
		"standalone-envoy":           "Client, Deployment sim-gateway, Deployment sim-epp, InferencePool sim, Deployment sim-decode",
		"sglang-prefill-decode":      "Client, Gateway gpt-oss-gateway, HTTPRoute gpt-oss, Deployment gpt-oss-epp, InferencePool gpt-oss, Deployment gpt-oss-decode, Deployment gpt-oss-prefill",
		"encode-prefill-decode":      "Client, Gateway qwen-vl-gateway, HTTPRoute qwen-vl, Deployment qwen-vl-epp, InferencePool qwen-vl, Deployment qwen-vl-decode, Deployment qwen-vl-prefill, Deployment qwen-vl-encode",
		"s3-weights":                 "Client, Gateway qwen-gateway, HTTPRoute qwen, Deployment qwen-epp, InferencePool qwen, Deployment qwen-decode",
		"smoke-test":                 "Client, Gateway sim-gateway, HTTPRoute sim, Deployment sim-epp, InferencePool sim, Deployment sim-decode, Deployment sim-prefill",
		"batch-serving":              "Client, Gateway qwen-gateway, HTTPRoute qwen, Deployment qwen-epp, InferencePool qwen, Deployment qwen-decode",
		"variant-autoscaling":        "Client, Gateway qwen-gateway, HTTPRoute qwen, Deployment qwen-epp, InferencePool qwen, Deployment qwen-decode-l40s, Deployment qwen-decode-h100",
		"variants":                   "Client, Gateway llama-gateway, HTTPRoute llama, Deployment llama-epp, InferencePool llama, Deployment llama-decode-h100, Deployment llama-decode-mi300x, Deployment llama-decode-spot, Deployment llama-decode-canary",
		"tiered-prefix-cache":        "Client, Gateway qwen-gateway, HTTPRoute qwen, Deployment qwen-epp, InferencePool qwen, Deployment qwen-decode",
		"wide-expert-parallelism":    "Client, Gateway deepseek-gateway, HTTPRoute deepseek, Deployment deepseek-epp, InferencePool deepseek, LeaderWorkerSet deepseek-decode, LeaderWorkerSet deepseek-prefill",
		"disaggregated-set":          "Client, Gateway gpt-oss-gateway, HTTPRoute gpt-oss, Deployment gpt-oss-epp, InferencePool gpt-oss, DisaggregatedSet gpt-oss",
		"server-tls":                 "Client, Gateway llama-gateway, HTTPRoute llama, Deployment llama-epp, InferencePool llama, Deployment llama-decode, Deployment llama-prefill",
		"kueue":                      "Client, Gateway llama-gateway, HTTPRoute llama, Deployment llama-epp, InferencePool llama, LeaderWorkerSet llama-decode",
		"tensorrt-llm":               "Client, Deployment qwen-gateway, Deployment qwen-epp, InferencePool qwen, Deployment qwen-decode",
		"lora-adapters":              "Client, Gateway qwen-gateway, HTTPRoute qwen, Deployment qwen-epp, InferencePool qwen, Deployment qwen-decode",
		"predicted-latency":          "Client, Gateway qwen-gateway, HTTPRoute qwen, Deployment qwen-epp, InferencePool qwen, Deployment qwen-decode",
		"multi-node":                 "Client, Gateway deepseek-gateway, HTTPRoute deepseek, Deployment deepseek-epp, InferencePool deepseek, LeaderWorkerSet deepseek-decode",
		"foreign":                    "Client, Gateway public, HTTPRoute shop, Service shop-web, Deployment shop-web",
	} {
		paths := Draw(all[set], Options{}).Paths
		if len(paths) != 1 {
			t.Fatalf("%s has %d paths", set, len(paths))
		}
		var have []string
		for i, step := range paths[0].Steps {
			for _, e := range step.Edges {
				if i == 0 {
					have = append(have, strings.TrimSpace(e.From.Ref.Kind+" "+e.From.Name))
				}
				have = append(have, e.To.Ref.Kind+" "+e.To.Name)
			}
			if step.Number != i+1 {
				t.Errorf("%s: step %d has number %d", set, i+1, step.Number)
			}
		}
		if got := strings.Join(have, ", "); got != want {
			t.Errorf("%s:\n%s, want\n%s", set, got, want)
		}
	}
	for name, objects := range all { // a step leads from one thing to another
		for _, e := range Draw(objects, Options{}).Edges {
			if e.From == e.To || e.Stage == pick && (e.From.Role != Picker || e.To.Role != Pool) {
				t.Errorf("%s: %s %s leads to %s %s", name, e.From.Kind, e.From.Name, e.To.Kind, e.To.Name)
			}
		}
	}
	if n := len(Draw(all["eight-models"], Options{}).Paths); n != 8 {
		t.Errorf("eight models have %d paths", n)
	}
}

// TestSameBytes draws again and again.
func TestSameBytes(t *testing.T) {
	all := sets(t)
	for _, set := range []string{"production-vllm", "two-models", "broken"} {
		first := map[string]string{}
		for i := range long.Of(30, 5) {
			p := Draw(all[set], Options{All: true})
			for _, format := range Formats {
				var out strings.Builder
				if err := Write(&out, format, p); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first[format] = out.String()
				} else if out.String() != first[format] {
					t.Fatalf("%s as %s differs from run to run", set, format)
				}
			}
		}
	}
}

// TestOneObject has a title in the singular.
func TestOneObject(t *testing.T) {
	objects, err := wiring.Read("a.yaml", []byte("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Write(&out, "svg", Draw(objects, Options{})); err != nil || !strings.Contains(out.String(), ">Wiring of one object") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
