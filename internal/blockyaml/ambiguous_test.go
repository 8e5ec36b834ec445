package blockyaml

import (
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

func TestAmbiguous(t *testing.T) {
	quoted := []string{
		"", "~", "null", "Null", "y", "Y", "n", "yes", "No", "ON", "off", "true", "FALSE", "=", "<<",
		"1", "-1", "+1", "0x1F", "0b11", "0o17", "0644", "1_000", "1e3", "1E3", "1.0", ".5", "5.", "1.10", ".inf", "-.INF", ".nan",
		"12:30:45", "190:20:30.15", "2024-01-02", "2024-01-02T00:00:00Z", "2001-12-14 21:59:43.10 -5",
	}
	for _, s := range quoted {
		if !Ambiguous(s) {
			t.Errorf("%q stays plain", s)
		}
	}
	for _, s := range []string{"a", "none", "10Gi", "30s", "v1.2", "--port=8000", "10.0.0.0/8", "yesterday", "0.10.0-rc1", "-", "+"} {
		if Ambiguous(s) {
			t.Errorf("%q is quoted without need", s)
		}
	}
}

// TestAmbiguousToLibraries has all short words of what numbers are made of quoted that a library reads as one.
func TestAmbiguousToLibraries(t *testing.T) {
	words := []string{""}
	for range 5 {
		for _, word := range words {
			for _, c := range "01_+-.xboe" {
				words = append(words, word+string(c))
			}
		}
		slices.Sort(words)
		words = slices.Compact(words)
	}
	for _, word := range words {
		if Ambiguous(word) {
			continue
		}
		text, err := sigsyaml.Marshal(word)
		if err != nil {
			t.Fatal(word, err)
		}
		if tag := (&yaml.Node{Kind: yaml.ScalarNode, Value: word}).ShortTag(); text[0] == '"' || tag != tagString {
			t.Errorf("%q stays plain; the libraries: %s, %s", word, text, tag)
		}
	}
}
