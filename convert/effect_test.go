package convert

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// TestNoSilentReads changes every value of every sample, and of every case of the field
// tables with what the case sets beside it. Each change shows in what is converted or in
// what is said, unless a remark on the value or on a section above it says that nothing
// depends on it.
func TestNoSilentReads(t *testing.T) {
	inputs, _ := filepath.Glob("../testdata/convert/*/*/input.yaml")
	for i, input := range inputs {
		if !long.Part(i, 20) {
			continue
		}
		t.Run(filepath.Dir(input), func(t *testing.T) { heard(t, documentsInput(t, content(t, input))) })
	}
	installations, _ := filepath.Glob("../testdata/convert/helm/*")
	for i, dir := range installations {
		if !long.Part(i, 20) {
			continue
		}
		t.Run(dir, func(t *testing.T) {
			v := HelmValues{Postfix: "p", Namespace: "ns"}
			v.Infra, v.Pool, v.Model = valuesFile(t, dir, "infra.yaml"), valuesFile(t, dir, "pool.yaml"), valuesFile(t, dir, "modelservice.yaml")
			heard(t, helmInput(v))
		})
	}
	for _, system := range fieldSystems {
		if system.name == "llminferenceservice" {
			continue // its base holds documents that only some of the cases refer to; the samples above are tried
		}
		table := readTable(t, system.name)
		for i, c := range table.Cases {
			if c.Error != "" || c.Test != "" {
				continue // what is refused is heard
			}
			if !long.Part(i, 80) {
				continue
			}
			t.Run(system.name+"/"+strconv.Itoa(i)+" "+c.Field, func(t *testing.T) { heard(t, system.input(t, text(t, c.document(t, table.Base)))) })
		}
	}
}

// TestSearchIsBounded has an input whose values are too many to be tried all: the search
// ends in time, and says that it did.
func TestSearchIsBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("apiVersion: v1\nkind: K\nspec:\n")
	for i := range 10_000 {
		text.WriteString("  k" + strconv.Itoa(i) + ": [a, b]\n")
	}
	docs, problems := document.Read("f.yaml", []byte(text.String()))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	tries := 0
	said := effectless(docs, nil, func() string { tries++; return strconv.Itoa(tries) })
	if most := mostWork/size(docs[0].Node) + 2; tries > most {
		t.Errorf("%d tries, at most %d are wanted", tries, most)
	}
	if len(said) != 1 || !strings.Contains(said[0].Message, "too large") {
		t.Errorf("said: %v", said)
	}
}

// An input is what is converted, with the documents in which a value can be changed.
type input struct {
	docs   []document.Document
	print  func() string
	result Result
}

func documentsInput(t *testing.T, data []byte) input {
	t.Helper()
	docs, problems := document.Read("input.yaml", data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	again := func() string {
		var b strings.Builder
		for i := range systems {
			b.WriteString(systems[i].convert(docs, Options{}).print())
		}
		return b.String()
	}
	return input{docs, again, Convert(docs, Options{NoEffect: true})}
}

func helmInput(v HelmValues) input {
	in := helm.Read(v)
	again := func() string {
		d, objects := in.Convert()
		return converted{[]*draft.Draft{d}, objects}.print()
	}
	return input{in.Documents(), again, Helm(v)}
}

// heard tries each value of an input.
func heard(t *testing.T, in input) {
	t.Helper()
	if len(in.result.Problems.Errors()) > 0 {
		return
	}
	before := in.print()
	for _, doc := range in.docs {
		if doc.Kind == "ConfigMap" {
			in.base(t, doc)
			continue
		}
		each(doc.Node, "", func(path string, n *yaml.Node) {
			if names[path] || serverside(path) {
				return
			}
			was := n.Value
			n.Value = changed(n)
			if in.print() == before && !remarked(in.result.Problems, doc, path) {
				t.Errorf("%s: %q instead of %q makes no difference, and nothing says so", path, n.Value, was)
			}
			n.Value = was
		})
	}
}

// base tries each value of the objects that a base configuration describes. What is said
// of one is said of the ConfigMap, and names the object.
func (in *input) base(t *testing.T, doc document.Document) {
	before := in.print()
	each(doc.Node, "", func(path string, text *yaml.Node) {
		var object yaml.Node
		key, ok := strings.CutPrefix(path, "data.")
		if !ok || in.unread(key) || strings.Contains(text.Value, "{{") || yaml.Unmarshal([]byte(text.Value), &object) != nil || len(object.Content) == 0 {
			return
		}
		was := text.Value
		defer func() { text.Value = was }()
		each(object.Content[0], "", func(path string, n *yaml.Node) {
			old := n.Value
			defer func() { n.Value = old }()
			n.Value = changed(n)
			data, err := yaml.Marshal(&object)
			if err != nil {
				t.Fatal(err)
			}
			text.Value = string(data)
			if in.print() == before && !generatedMetadata[path] && !in.mentions(key, path) {
				t.Errorf("%s: %s: %q instead of %q makes no difference", key, path, n.Value, old)
			}
		})
	})
}

// unread reports whether a remark says of a key of a ConfigMap that nothing reads it.
func (in *input) unread(key string) bool {
	return slices.ContainsFunc(in.result.Problems, func(p schema.Problem) bool {
		return strings.Contains(p.Message, "no controller reads") && strings.Contains(p.Message, key)
	})
}

// mentions reports whether a remark names an object of a base configuration and one of the
// fields on a path in it.
func (in *input) mentions(object, path string) bool {
	for _, p := range in.result.Problems {
		for _, field := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
			if strings.Contains(p.Message, object) && strings.Contains(p.Message, strings.TrimSuffix(field, "s")) && len(field) > 3 {
				return true
			}
		}
	}
	return false
}

// generatedMetadata are what the controller writes whatever the base says.
var generatedMetadata = map[string]bool{"apiVersion": true, "kind": true, "metadata.name": true, "metadata.namespace": true}

// names are what a document is known by.
var names = map[string]bool{"apiVersion": true, "kind": true, "metadata.name": true, "metadata.namespace": true}

// serverside reports whether a field is written by the API server, an operator or kubectl.
func serverside(path string) bool {
	for _, field := range []string{"status.", "metadata.uid", "metadata.resourceVersion", "metadata.generation", "metadata.creationTimestamp", "metadata.finalizers[", "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]"} {
		if strings.HasPrefix(path, field) {
			return true
		}
	}
	return false
}

// remarked reports whether there is a remark on a field of a document, or one on a section
// that holds it which says that all of that has no effect.
func remarked(said schema.Problems, doc document.Document, path string) bool {
	for _, p := range said {
		rest, ok := strings.CutPrefix(path, p.Path)
		at := doc.Problem(p.Severity, p.Path, "")
		switch {
		case !ok || p.Path == "" || p.Path == "spec" || p.Line != at.Line || p.Column != at.Column:
		case rest == "" || rest[0] == '[' || rest[0] == '.' && p.Kind.Dismisses():
			return true
		}
	}
	return false
}

// each visits the values below a node.
func each(n *yaml.Node, path string, visit func(string, *yaml.Node)) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.ShortTag() != "!!null" {
			visit(path, n)
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			each(e, path+"["+strconv.Itoa(i)+"]", visit)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			switch {
			case path == "":
			case strings.Contains(key, "."):
				key = "[" + key + "]"
			default:
				key = "." + key
			}
			each(n.Content[i+1], path+key, visit)
		}
	}
}

// changed is another value of the type that a value has.
func changed(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!bool":
		return map[string]string{"true": "false", "false": "true"}[n.Value]
	case "!!int":
		i, _ := strconv.Atoi(n.Value)
		return strconv.Itoa(i + 2)
	case "!!float":
		return "0.3" + strings.TrimLeft(n.Value, "0.")
	}
	if n.Value != "" && n.Value[0] >= '0' && n.Value[0] <= '9' {
		return "3" + n.Value // a quantity or a time stays one
	}
	return n.Value + "-y"
}

func content(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
