package release

import (
	"slices"
	"testing"
)

// TestComponents holds the files of components against themselves.
func TestComponents(t *testing.T) {
	for _, c := range Components() {
		if len(c.Versions) == 0 || len(c.Images) == 0 || c.Kind == "" || !slices.IsSortedFunc(c.Versions, compareVersions) {
			t.Errorf("%s: kind %q, versions %v, images %v", c.Name, c.Kind, c.Versions, c.Images)
		}
		for _, v := range c.Versions {
			k := c.At(v)
			if k.Nearest != v || k.Note() != "" || c.CurrentImage(v) == "" {
				t.Errorf("%s %s is judged as %s, published as %q", c.Name, v, k.Nearest, c.CurrentImage(v))
			}
			if c.Base != nil && k.base() == nil {
				t.Errorf("%s %s has no base", c.Name, v)
			}
		}
		for _, f := range c.Flags {
			for _, other := range []string{f.Was, f.Instead} {
				if other == "" {
					continue
				}
				if _, _, known := c.At(c.Versions[0]).Flag(other); !known {
					t.Errorf("%s: --%s names --%s, which no version has", c.Name, f.Name, other)
				}
			}
		}
	}
}

func TestOfImage(t *testing.T) {
	tests := []struct{ image, component, nearest string }{
		{"ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.10.0", "llm-d-epp", "0.10"},
		{"mirror.example:5000/llm-d/llm-d-inference-scheduler:v0.7.1@sha256:00", "llm-d-epp", "0.7"},
		{"mirror.example:5000/llm-d-inference-scheduler:0.4", "llm-d-epp", "0.4"},
		{"registry.k8s.io/gateway-api-inference-extension/epp:v1.0.1", "gie-epp", "1.0"},
		{"registry.k8s.io/gateway-api-inference-extension/lwepp:v1.6.2", "gie-lwepp", "1.6"},
		{"ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.14.2", "llm-d-epp", "0.10"},
		{"ghcr.io/llm-d/llm-d-inference-scheduler:v0.1.0", "llm-d-epp", "0.2"},
		{"ghcr.io/llm-d/llm-d-router-endpoint-picker:main", "", ""},
		{"ghcr.io/llm-d/llm-d-router-endpoint-picker", "", ""},
		{"localhost:5000/epp", "", ""},
		{"example.com/epp:v1.0.0", "", ""},
		{"vllm/vllm-openai:v0.23.0", "vllm", "0.23"},
		{"docker.io/vllm/vllm-openai-cpu:v0.23.0", "vllm", "0.23"},
	}
	for _, tt := range tests {
		k := OfImage(tt.image)
		if k == nil {
			if tt.component != "" {
				t.Errorf("%s: nothing is known", tt.image)
			}
			continue
		}
		if k.Component.Name != tt.component || k.Nearest != tt.nearest {
			t.Errorf("%s: %s %s", tt.image, k.Component.Name, k.Nearest)
		}
	}
}

func TestFixes(t *testing.T) {
	istio := ComponentNamed("istio")
	tests := []struct {
		version      string
		has, decided bool
	}{
		{"1.28.9", false, true}, {"1.29.8", false, true}, {"1.29.9", true, true}, {"1.29", true, false},
		{"1.30.5", false, true}, {"1.30.6", true, true}, {"v1.31.2", true, true}, {"1.31.1", false, true}, {"1.32", true, true}, {"1.32.0", true, true},
	}
	for _, tt := range tests {
		if has, decided := istio.At(tt.version).Has("picker-for-each-pool"); has != tt.has || decided != tt.decided {
			t.Errorf("Istio %s: %v, %v", tt.version, has, decided)
		}
	}
}
