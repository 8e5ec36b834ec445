package convert

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// toy is the document of a system that there is only here.
type toy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Model string `json:"model,omitempty"`
		Size  int32  `json:"size,omitempty"`
	} `json:"spec,omitempty"`
}

func toyStacks(docs []document.Document, _ Options) converted {
	var out converted
	for _, doc := range docs {
		var in toy
		d := draft.New(doc, false)
		if d.Decoded(document.Decode(doc, &in)) {
			p := d.Part(doc)
			p.Copy("spec.model.name", "spec.model")
			p.Copy("spec.decode.replicas", "spec.size")
		}
		out.drafts = append(out.drafts, d)
	}
	return out
}

// TestNewSystem adds a system by a row: its documents are recognised and converted, and what is
// wrong with them, or with the stack, is reported on their own fields.
func TestNewSystem(t *testing.T) {
	rows := systems
	t.Cleanup(func() { systems = rows })
	systems = append(slices.Clone(rows), system{
		kinds:   map[string][]string{"Toy": {"example.com/v1"}},
		convert: toyStacks,
		groups:  func(docs []document.Document) [][]document.Document { return [][]document.Document{docs} },
	})
	if !Known("example.com/v1", "Toy") || !slices.Contains(Kinds(), "Toy") || !slices.Contains(APIVersions(), "example.com/v1") {
		t.Error("the kind is not known")
	}
	for spec, want := range map[string]string{
		"{model: m, size: 3}":  "",
		"{model: m, sise: 3}":  "f.yaml:4:18: spec.sise: unknown field; did you mean \"size\"?",
		"{model: m, size: -1}": "f.yaml:4:24: spec.size: must be an integer from 0 to 10000 (got -1)",
	} {
		docs, problems := document.Read("f.yaml", []byte("apiVersion: example.com/v1\nkind: Toy\nmetadata: {name: t}\nspec: "+spec+"\n"))
		r := Convert(docs, Options{})
		problems = append(problems, r.Problems...)
		for _, s := range r.Stacks {
			_, more := s.Parse()
			problems = append(problems, more.Errors()...)
		}
		if problems.Error() != want {
			t.Errorf("%s: %s", spec, problems.Error())
		}
	}
}
