package helm

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// A chart is one that values can be of.
type chart struct {
	flag, name string // of convert helm, and the chart's own
	release    string // the first word of the release's name
	objects    string // the field of objects beside the chart's own
	values     func() any
}

// charts, those with the most fields of their own first.
var charts = []chart{
	{"--modelservice", "llm-d-modelservice", "ms", "extraObjects", func() any { return new(Model) }},
	{"--infra", "llm-d-infra", "infra", "extraDeploy", func() any { return new(Infra) }},
	{"--pool", "inferencepool", "gaie", "", func() any { return new(Pool) }},
	{"--pool", "llm-d-router", "gaie", "", func() any { return new(RouterValues) }},
}

// chartOf is the chart whose values are read.
func chartOf(values any) *chart {
	for i := range charts {
		if reflect.TypeOf(charts[i].values()) == reflect.TypeOf(values) {
			return &charts[i]
		}
	}
	panic(fmt.Sprintf("no chart has values in a %T", values))
}

// common are fields that say nothing about the chart.
var common = []string{"common", "global", "enabled", "nameOverride", "fullnameOverride", "kubeVersion"}

// Recognise says which chart a file seems to hold the values of, and by which flag
// convert helm takes them; of what is not a values file it says nothing.
func Recognise(data []byte) (flag, name string) {
	doc, problems := document.ReadValues("", data)
	if len(problems.Errors()) > 0 || doc.Has("apiVersion") && doc.Has("kind") {
		return "", ""
	}
	if c := recognise(&doc); c != nil {
		return c.flag, c.name
	}
	return "", ""
}

// recognise finds the chart that knows the most of a file's fields, if that is most of
// them.
func recognise(doc *document.Document) (best *chart) {
	unknown := 0
	for i := range charts {
		n := strangers(doc, charts[i].values())
		if own := fields(doc.Node); best == nil && n <= own/2 && n < own || best != nil && n < unknown {
			best, unknown = &charts[i], n
		}
	}
	return best
}

// fields counts the fields that are of some chart.
func fields(n *yaml.Node) int {
	count := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(common, n.Content[i].Value) {
			count++
		}
	}
	return count
}

// strangers counts the fields at the top that a chart does not know. It asks the type for
// each: a key that is not a plain name, as in the "Error from server (NotFound): ..." of kubectl,
// is as unknown as any other.
func strangers(doc *document.Document, values any) int {
	names := known(values)
	count := 0
	for i := 0; i+1 < len(doc.Node.Content); i += 2 {
		if key := doc.Node.Content[i].Value; !names[key] {
			count++
		}
	}
	return count
}

// known are the fields at the top of a chart's values.
func known(values any) map[string]bool {
	out := map[string]bool{}
	t := reflect.TypeOf(values).Elem()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		out[name] = true
	}
	return out
}

// former are charts of llm-d's first months, by fields that only they have.
var former = []struct {
	fields []string
	what   string
}{
	{[]string{"sampleApplication", "modelservice"}, "the chart llm-d of llm-d-deployer, which installs an operator and a ModelService: convert the ModelService that it makes, as kubectl get modelservice -o yaml prints it"},
	{[]string{"endpointPicker", "inferencePool"}, "llm-d-modelservice before 0.0.9; since then routing.epp, routing.inferencePool.create and routing.httpRoute.create say the same"},
}

// Setting says by which flags convert helm takes the charts that a path of a --set may be of.
func Setting(text string) (out []string) {
	path, _, _ := cut(text, '=')
	first, _, _ := cut(path, '.')
	first, _, _ = cut(first, '[')
	for i := range charts {
		if known(charts[i].values())[unescaped(first)] && !slices.Contains(out, charts[i].flag) {
			out = append(out, charts[i].flag)
		}
	}
	return out
}

// mistaken says what a file holds instead of the values of the chart it is named for.
func (in *Input) mistaken(doc *document.Document, flag string) bool {
	if kind := doc.At("kind"); kind != nil && doc.Has("apiVersion") {
		in.problems = append(in.problems, doc.Problem(schema.Error, "kind", "a resource of kind %s, and no values of a chart", kind.Value))
		return true
	}
	for _, f := range former {
		if !slices.ContainsFunc(f.fields, func(field string) bool { return !doc.Has(field) }) {
			in.problems = append(in.problems, doc.Problem(schema.Error, f.fields[0], "values of %s", f.what))
			return true
		}
	}
	c := recognise(doc)
	if c == nil || c.flag == flag {
		return false
	}
	for i := range charts {
		if charts[i].flag == flag && strangers(doc, charts[i].values()) == 0 {
			return false
		}
	}
	p := doc.Problem(schema.Error, "", "seem to be values of the chart %s: %s %s", c.name, c.flag, argument(doc.Source.File))
	p.Line, p.Column = doc.Node.Line, doc.Node.Column
	in.problems = append(in.problems, p)
	return true
}

// argument is a file as it stands on the command line.
func argument(file string) string {
	if file == "<stdin>" {
		return "-"
	}
	return file
}
