package helm

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/gotemplate"
	"github.com/inferstack/inferstack/internal/pattern"
)

// A scope is what the templates in a chart's values can refer to. Each chart is a
// release of its own.
type scope struct {
	part    *draft.Part
	data    map[string]any
	objects string // the field of free objects, of which the chart evaluates all text
}

func (r *release) scope(p *draft.Part, chart *chart, values map[string]any) *scope {
	return &scope{part: p, objects: chart.objects, data: map[string]any{
		"Values":  values,
		"Release": map[string]any{"Name": r.named(chart.release), "Namespace": r.values.Namespace, "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
		"Chart":   map[string]any{"Name": chart.name},
	}}
}

// named is the name of the release of a chart.
func (r *release) named(release string) string {
	own := map[string]string{"infra": r.values.Infra.Release, "gaie": r.values.Pool.Release, "ms": r.values.Model.Release}
	return draft.Unless(own[release], release+"-"+r.values.Postfix)
}

// evaluate runs the templates in the strings of a values file. A ConfigMap's text, as
// that of pluginsCustomConfig, is none.
func (s *scope) evaluate(n *yaml.Node, path string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			s.evaluate(n.Content[i+1], within(path, n.Content[i].Value))
		}
	case yaml.SequenceNode:
		for i, c := range n.Content {
			s.evaluate(c, fmt.Sprintf("%s[%d]", path, i))
		}
	case yaml.ScalarNode:
		if !strings.Contains(n.Value, "{{") || strings.Contains(n.Value, "\n") && !s.free(path) {
			return
		}
		text, err := s.text(n.Value)
		if err != nil {
			s.part.On("", path).Fail("a template that cannot be evaluated: %s", reason(err))
			return
		}
		n.Value = text
	}
}

// within is the path of a key.
func within(path, key string) string {
	if strings.ContainsAny(key, "./[]") {
		return path + "[" + key + "]"
	}
	return strings.TrimPrefix(path+"."+key, ".")
}

func (s *scope) free(path string) bool {
	return s.objects != "" && strings.HasPrefix(path, s.objects+"[")
}

// tolerant are the functions that can make something of a value that is not there.
var tolerant = pattern.Lazy(`\b(default|coalesce|empty|ternary|if|with|range|or|and|not|eq|ne)\b`)

// text evaluates a template. A value that is not there is an error, since the chart may
// have a default for it, unless the template itself handles that.
func (s *scope) text(template string) (string, error) {
	t, err := gotemplate.Parse(template, serving.Functions)
	if err != nil {
		return "", err
	}
	t.Lenient = tolerant().MatchString(template)
	return t.Execute(s.data)
}

// reason is what is wrong with a template, which is on one line as a rule.
func reason(err error) string {
	var e *gotemplate.Error
	switch {
	case !errors.As(err, &e):
		return err.Error()
	case e.At == "":
		return e.Message
	}
	return fmt.Sprintf("{{ %s }}: %s", e.At, e.Message)
}

// defaults are values of the charts that templates refer to, where a file leaves them out
// (llm-d-modelservice 0.4.12, llm-d-infra 1.4.0, inferencepool 1.5.0).
var defaults = map[string]string{
	"llm-d-modelservice": `
multinode: false
schedulerName: ""
fullnameOverride: ""
modelArtifacts: {name: random/model, uri: hf://random/model, size: 5Mi, authSecretName: "", mountPath: /model-cache}
accelerator: {type: nvidia}
routing: {servicePort: 8000, proxy: {targetPort: 8200, connector: nixlv2}}
decode: {replicas: 1, parallelism: {tensor: 1, data: 1, dataLocal: 1, workers: 1}}
prefill: {replicas: 0, parallelism: {tensor: 1, data: 1, dataLocal: 1, workers: 1}}
`,
	"llm-d-infra": `
clusterDomain: cluster.local
nameOverride: ""
fullnameOverride: ""
gateway: {provider: istio, gatewayClassName: "", fullnameOverride: "", nameOverride: ""}
`,
	"inferencepool": `
inferenceExtension: {replicas: 1, extProcPort: 9002, pluginsConfigFile: default-plugins.yaml}
inferencePool: {targetPortNumber: 8000}
`,
}

// withDefaults are the values of a file over those of the chart.
func (c *chart) withDefaults(values map[string]any) map[string]any {
	var usual map[string]any
	if err := yaml.Unmarshal([]byte(defaults[c.name]), &usual); err != nil {
		panic(err) // a table of our own
	}
	return over(usual, values)
}

// over lays values over others, as Helm does.
func over(usual, values map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range usual {
		out[k] = v
	}
	for k, v := range values {
		below, isMap := v.(map[string]any)
		if base, ok := out[k].(map[string]any); ok && isMap {
			out[k] = over(base, below)
			continue
		}
		out[k] = v
	}
	return out
}
