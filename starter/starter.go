// Package starter writes the first InferenceStack of somebody who has none: short, with
// comments on what to look at next, and always one that the schema accepts. It holds no
// rules of its own; what a name or a preset may be is the schema's to say.
package starter

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/gotemplate"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// Options are what the stack is to be like.
type Options struct {
	Name      string // default: the model's name as a DNS label
	Namespace string
	Model     string // default: DefaultModel
	Gateway   string // class, or NoGateway
	Release   string // llm-d release line; default: the newest
	Preset    string // of the endpoint picker; default: what fits the stack
	Engine    string // that serves; default: vLLM
	Simulator bool   // serve with the simulator, which needs no accelerator
	Prefill   bool   // separate prefill servers
	OpenShift bool   // leave the ids of users and groups to OpenShift
}

// DefaultModel is a model that one accelerator holds and that needs no token.
const DefaultModel = "Qwen/Qwen3-8B"

// NoGateway is the Gateway of a stack without one.
const NoGateway = "none"

// Presets that the schema accepts only beside a section of servers for a stage.
const (
	disaggregated = "pd-disaggregation"
	encoding      = "e-disaggregation"
)

// Write returns the text of a stack. There are problems instead when an option has a
// value that the schema refuses; they name the option, not the field.
func Write(o Options) ([]byte, schema.Problems) {
	if o.Model == "" {
		o.Model = DefaultModel
	}
	if o.Name == "" {
		o.Name = label(o.Model)
	}
	if o.Simulator {
		o.Engine = "simulator"
	}
	o.Simulator = o.Engine == "simulator"
	o.Prefill = o.Prefill || o.Preset == disaggregated
	text, err := o.text()
	if err != nil {
		return nil, schema.Problems{{Severity: schema.Error, Message: err.Error()}}
	}
	docs, problems := document.Read("", []byte(text))
	for _, d := range docs {
		_, more := rules.Parse(d.Node, d.Source)
		problems = append(problems, more...)
	}
	if wrong := problems.Errors(); len(wrong) > 0 {
		return nil, named(wrong)
	}
	return []byte(text), nil
}

// optionOf is what the user wrote to get a field.
var optionOf = map[string]string{
	"metadata.name":         "NAME",
	"metadata.namespace":    "--namespace",
	"spec.model.name":       "--model",
	"spec.server.engine":    "--engine",
	"spec.gateway.class":    "--gateway",
	"spec.scheduler.preset": "--preset",
	"spec.release":          "--release",
}

// named puts the names of options in the place of fields, and drops positions in a text
// that the user has never seen.
func named(problems schema.Problems) schema.Problems {
	for i := range problems {
		p := &problems[i]
		p.File, p.Line, p.Column = "", 0, 0
		if option, ok := optionOf[p.Path]; ok {
			p.Path = option
		}
		if p.Path == "--gateway" { // no class, but an option
			p.Message = strings.Replace(p.Message, " (got", ", "+NoGateway+" (got", 1)
		}
	}
	return problems
}

// label makes the last part of a model's name a DNS label that leaves room for the
// suffixes of object names.
func label(model string) string {
	const longest = 40
	last := model[strings.LastIndexAny(model, "/:")+1:]
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, last)
	s = strings.TrimLeft(s, "-0123456789")
	if len(s) > longest {
		s = s[:longest]
	}
	if s = strings.TrimRight(s, "-"); s == "" {
		return "stack"
	}
	return s
}

// text is the stack before the schema has seen it.
func (o Options) text() (string, error) {
	t, err := gotemplate.Parse(stack, gotemplate.Funcs{"scalar": scalar})
	if err != nil {
		return "", err
	}
	return t.Execute(map[string]any{
		"Name": o.Name, "Namespace": o.Namespace, "Model": o.Model, "Release": o.Release, "Gateway": o.Gateway,
		"Preset": o.Preset, "Simulator": o.Simulator, "Engine": o.Engine, "Prefill": o.Prefill, "Encode": o.Preset == encoding,
		"OpenShift": o.OpenShift,
	})
}

// scalar is a string as YAML, with the quotes it needs.
func scalar(args []any) (any, error) {
	out, err := yaml.Marshal(args[0])
	return strings.TrimSuffix(string(out), "\n"), err
}
