package main

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/model"
)

// goModel writes the model as Go literals that need no code at start-up.
func goModel(m *schemaModel) ([]byte, error) {
	w := &literalWriter{named: map[*model.Type]bool{}, upstream: map[string]upstreamRef{}}
	for _, t := range slices.Concat(m.Types, structs(m)) {
		w.named[t] = true
	}
	var body bytes.Buffer
	done := map[*model.Type]bool{}
	for _, t := range slices.Concat(m.Types, structs(m)) {
		if !done[t] {
			done[t] = true
			fmt.Fprintf(&body, "var type%s = %s\n\n", t.Name, w.typ(t)[1:])
		}
	}
	imports := map[string]string{"github.com/inferstack/inferstack/internal/model": "", "reflect": ""}
	for _, ref := range w.upstream {
		imports[ref.path] = ref.alias
	}
	var out bytes.Buffer
	out.WriteString(generatedBy + "package document\n\n")
	writeImports(&out, imports)
	fmt.Fprintf(&out, "// root is the model of a whole document.\nvar root = &type%s\n\n", m.Root.Name)
	out.Write(body.Bytes())
	w.upstreamFunc(&out)
	return format.Source(out.Bytes())
}

type literalWriter struct {
	named    map[*model.Type]bool
	upstream map[string]upstreamRef
}

// upstreamFunc writes the function that finds an upstream Go type by its name.
func (w *literalWriter) upstreamFunc(b *bytes.Buffer) {
	b.WriteString("// upstreamType is the Go type that the schema calls name.\nfunc upstreamType(name string) reflect.Type {\nswitch name {\n")
	for _, name := range slices.Sorted(maps.Keys(w.upstream)) {
		ref := w.upstream[name]
		fmt.Fprintf(b, "case %q:\nreturn reflect.TypeFor[%s.%s]()\n", name, ref.alias, ref.name)
	}
	b.WriteString("}\nreturn nil\n}\n")
}

// ref is a pointer to a type: to its variable when it has one.
func (w *literalWriter) ref(t *model.Type) string {
	if w.named[t] {
		return "&type" + t.Name
	}
	return w.typ(t)
}

func (w *literalWriter) typ(t *model.Type) string {
	var b strings.Builder
	b.WriteString("&model.Type{Kind: model." + kindNames[t.Kind])
	if t.Name != "" {
		fmt.Fprintf(&b, ", Name: %q", t.Name)
	}
	if len(t.Alts) > 0 {
		b.WriteString(", Alts: []model.Alt{")
		for _, a := range t.Alts {
			b.WriteString(alt(&a) + ", ")
		}
		b.WriteString("}")
	}
	if t.Key != nil {
		b.WriteString(", Key: " + w.ref(t.Key))
	}
	if t.Elem != nil {
		b.WriteString(", Elem: " + w.ref(t.Elem))
	}
	if t.MinItems > 0 {
		fmt.Fprintf(&b, ", MinItems: %d", t.MinItems)
	}
	if t.MaxItems > 0 {
		fmt.Fprintf(&b, ", MaxItems: %d", t.MaxItems)
	}
	if t.Kind == model.Upstream {
		fmt.Fprintf(&b, ", GoType: %q", t.GoType)
		w.upstream[t.GoType], _ = splitUpstream(t.GoType)
	}
	if len(t.Fields) > 0 {
		b.WriteString(", Fields: []model.Field{\n")
		for i := range t.Fields {
			w.field(&b, &t.Fields[i])
		}
		b.WriteString("}")
	}
	b.WriteString("}")
	return b.String()
}

func (w *literalWriter) field(b *strings.Builder, f *model.Field) {
	fmt.Fprintf(b, "{Name: %q, Type: %s", f.Name, w.ref(f.Type))
	if f.Required {
		b.WriteString(", Required: true")
	}
	if f.Optional {
		b.WriteString(", Optional: true")
	}
	if f.Default != nil {
		b.WriteString(", Default: " + goValue(f.Default))
	}
	b.WriteString("},\n")
}

var kindNames = []string{"Any", "Object", "Scalar", "Struct", "Map", "List", "Upstream"}

func alt(a *model.Alt) string {
	var parts []string
	var bits []string
	for i, name := range []string{"String", "Int", "Number", "Bool"} {
		if a.Basic&(1<<i) != 0 {
			bits = append(bits, "model."+name)
		}
	}
	parts = append(parts, "Basic: "+strings.Join(bits, "|"))
	if len(a.Values) > 0 {
		parts = append(parts, "Values: "+goValue(a.Values))
	}
	if len(a.Not) > 0 {
		parts = append(parts, "Not: "+goValue(a.Not))
	}
	if len(a.Patterns) > 0 {
		parts = append(parts, fmt.Sprintf("Patterns: %#v", a.Patterns))
	}
	rest := reflect.ValueOf(*a)
	for _, name := range []string{"Min", "Max", "MinRunes", "MaxRunes", "Format", "Wide"} {
		if v := rest.FieldByName(name); !v.IsZero() {
			parts = append(parts, fmt.Sprintf("%s: %#v", name, v.Interface()))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// goValue is a constant as a Go expression for a variable of type any.
func goValue(v any) string {
	switch v := v.(type) {
	case []any:
		return "[]any{" + strings.Join(lists.Map(v, goValue), ", ") + "}"
	case int64:
		return fmt.Sprintf("int64(%d)", v)
	case float64:
		return "float64(" + strconv.FormatFloat(v, 'g', -1, 64) + ")"
	}
	return fmt.Sprintf("%#v", v)
}
