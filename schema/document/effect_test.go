package document_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
)

// effectClasses and effectEngines are what each field is tried in.
var (
	effectClasses = []string{"none", "istio", "kgateway", "agentgateway", "gke", "envoy"}
	effectEngines = []string{"vllm", "simulator"}
)

// guards are fields whose effect shows only on objects that a single field does not bring
// about.
var guards = map[string]string{
	"spec.delivery.fluxSubstitutionGuard": "marks objects that hold a variable of Flux",
	"spec.server.service.enabled":         "asks for what the standalone proxy needs in any case",
}

// TestEveryFieldHasAnEffect sets every field of the schema in turn, in every class of
// gateway and with every engine: one of its values changes what is made, or is reported.
func TestEveryFieldHasAnEffect(t *testing.T) {
	for i, engine := range effectEngines {
		for j, class := range effectClasses {
			if !long.Part(i+2*j+10, 12) {
				continue
			}
			t.Run(engine+"/"+class, func(t *testing.T) {
				t.Parallel()
				base := tree(t, `{apiVersion: inferstack.dev/v1alpha1, kind: InferenceStack, metadata: {name: demo, namespace: llm}, spec: {model: {name: Qwen/Qwen3-32B}, server: {engine: `+engine+`}}}`)
				if class != "none" {
					base["spec"].(map[string]any)["gateway"] = map[string]any{"class": class}
				}
				p := &prober{arbitrary: arbitrary{rand.New(rand.NewPCG(1, 2)), t}}
				p.fields(base, specType(), []string{"spec"})
				for _, path := range p.silent {
					t.Errorf("%s: no value changes what is made, and none is reported", path)
				}
				t.Logf("%d fields, %d without an effect", p.tried, len(p.silent))
			})
		}
	}
}

func specType() *model.Type {
	i := slices.IndexFunc(document.Root.Fields, func(f model.Field) bool { return f.Name == "spec" })
	return document.Root.Fields[i].Type
}

// A prober tries fields.
type prober struct {
	arbitrary
	tried  int
	silent []string
}

// fields tries the fields of a struct that the document may have at the path.
func (p *prober) fields(doc map[string]any, t *model.Type, path []string) {
	before := outcome(doc)
	for i := range path {
		section := strings.Join(path[:i+1], ".")
		if strings.Contains(before, section+" has no effect") || strings.Contains(before, section+" are left out") {
			return // the whole section is reported
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		at := append(slices.Clone(path), f.Name)
		if f.Type.Kind != model.Struct || f.Optional {
			p.tried++
			if name := strings.Join(at, "."); !p.matters(doc, before, f, at) && guards[name] == "" {
				p.silent = append(p.silent, name)
			}
		}
		if f.Type.Kind != model.Struct {
			continue
		}
		if within, ok := p.with(doc, f, at); ok {
			p.fields(within, f.Type, at)
		}
	}
}

// with is the document with the section, if it can have one.
func (p *prober) with(doc map[string]any, f *model.Field, at []string) (map[string]any, bool) {
	if section(doc, at[:len(at)-1])[f.Name] != nil {
		return doc, true
	}
	for range 8 {
		out := clone(p.t, doc)
		section(out, at[:len(at)-1])[f.Name] = p.required(f.Type)
		if _, problems := parse(out); len(problems.Errors()) == 0 {
			return out, true
		}
	}
	return nil, false
}

// required is a struct with nothing but the fields it must have.
func (p *prober) required(t *model.Type) map[string]any {
	out := map[string]any{}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required {
			out[f.Name] = p.value(f.Type)
		}
	}
	return out
}

// matters reports whether a value of the field changes what is made or is reported.
func (p *prober) matters(doc map[string]any, before string, f *model.Field, at []string) bool {
	for _, v := range p.candidates(f.Type) {
		changed := clone(p.t, doc)
		section(changed, at[:len(at)-1])[f.Name] = v
		if outcome(changed) != before {
			return true
		}
	}
	return false
}

// candidates are values of a type.
func (p *prober) candidates(t *model.Type) []any {
	var out []any
	for _, alt := range t.Alts {
		out = append(out, alt.Values...)
		if alt.Basic&model.Bool != 0 {
			out = append(out, true, false)
		}
	}
	if t.Kind == model.Struct {
		out = append(out, p.required(t))
	}
	for range 16 { // a map may be empty, and a section of wrong values
		out = append(out, p.value(t))
	}
	return out
}

// outcome is what is made of a document, and what is said of it.
func outcome(doc map[string]any) string {
	var out bytes.Buffer
	stack, problems := parse(doc)
	for _, problem := range problems {
		fmt.Fprintln(&out, problem.Path, problem.Message)
	}
	if len(problems.Errors()) > 0 {
		return out.String()
	}
	line, err := release.Load(stack.Spec.Release)
	if err != nil {
		return err.Error()
	}
	if err := manifest.WriteJSON(&out, generators.Manifests(stack, generators.Generate(stack, line))); err != nil {
		return err.Error()
	}
	return out.String()
}

// Workload is the mapping at a path, which is made where it is not there.
func section(doc map[string]any, path []string) map[string]any {
	for _, name := range path {
		inner, ok := doc[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			doc[name] = inner
		}
		doc = inner
	}
	return doc
}
