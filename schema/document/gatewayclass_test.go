package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// classValues are the values of gateway.class in the CUE schema.
func classValues(t *testing.T) *[]any {
	t.Helper()
	for _, f := range document.TypeGateway.Fields {
		if f.Name == "class" {
			return &f.Type.Alts[0].Values
		}
	}
	t.Fatal("gateway has no field class")
	return nil
}

// TestEveryClassHasARow holds the table to the CUE schema: the classes, and the sections
// that are named after them.
func TestEveryClassHasARow(t *testing.T) {
	var rows []any
	for _, c := range schema.GatewayClasses {
		rows = append(rows, c.Name)
		for _, section := range c.Sections {
			if !slices.ContainsFunc(document.TypeGateway.Fields, func(f model.Field) bool { return f.Name == section }) {
				t.Errorf("%s: gateway has no section %s", c.Name, section)
			}
		}
		if len(c.NamedKinds) == 0 {
			t.Errorf("%s: nothing gets the gateway's name", c.Name)
		}
		if len(c.Names) > 0 {
			if served, ok := schema.ClassServing(c.Names[0]); !ok || served.Name != c.Name {
				t.Errorf("%s is served by %q", c.Names[0], served.Name)
			}
		}
	}
	if values := *classValues(t); !slices.Equal(values, rows) {
		t.Errorf("the schema has the classes %v, the table %v", values, rows)
	}
}

// TestANewClassDropsNothing adds a class by nothing but its name, and holds that what
// nobody makes for it is reported.
func TestANewClassDropsNothing(t *testing.T) {
	values := classValues(t)
	before, rows := *values, schema.GatewayClasses
	t.Cleanup(func() { *values, schema.GatewayClasses = before, rows })
	*values = append(slices.Clone(before), "new")
	schema.GatewayClasses = append(slices.Clone(rows), schema.GatewayClass{Name: "new", Names: []string{"new-class"}, NamedKinds: []string{"Gateway"}})

	text := func(fields string) string {
		return "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: b}\nspec:\n  model: {name: m}\n  gateway: {class: new" + fields + "}\n"
	}
	for fields, want := range map[string]string{
		"":                             "",
		", serviceType: ClusterIP":     "spec.gateway.serviceType",
		", replicas: 2":                "spec.gateway.replicas",
		`, image: "a/b:1"`:             "spec.gateway.image",
		", resources: {}":              "spec.gateway.resources",
		", istio: {}":                  "spec.gateway.istio",
		", extProc: envoyFilter":       "spec.gateway.extProc",
		"}\n  loadBalancing: {name: a": "spec.loadBalancing",
	} {
		docs, problems := document.Read("a.yaml", []byte(text(fields)))
		if len(docs) != 1 {
			t.Fatal(problems)
		}
		_, problems = rules.Parse(docs[0].Node, docs[0].Source)
		var paths []string
		for _, p := range problems {
			if p.Severity != schema.Info {
				paths = append(paths, p.Path)
			}
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%q: reported %q, want %q", fields, got, want)
		}
	}
}
