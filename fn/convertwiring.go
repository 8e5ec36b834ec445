package fn

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/wiring"
)

// sections are the parts of a stack that objects of a component are made from.
var sections = map[string]string{
	"decode": "spec.decode", "prefill": "spec.prefill", "encode": "spec.encode", "epp": "spec.scheduler", "gateway": "spec.gateway", "redis": "spec.kvCache.redis",
}

// rewired checks the wiring of what was converted, and says what is wrong with it where the
// documents have their reason for it. It is a warning: what convert was not given may be
// what is missing.
func rewired(r convert.Result, made []generators.Made) (finding.List, error) {
	var all []*wiring.Object
	add := func(data []byte) error {
		objects, err := wiring.Read("", data)
		all = append(all, objects...)
		return err
	}
	places := map[wiring.Ref]place{}
	for _, m := range made {
		var out bytes.Buffer
		if err := manifest.WriteYAML(&out, m.Objects); err != nil {
			return nil, err
		}
		first := len(all)
		if err := add(out.Bytes()); err != nil {
			return nil, err
		}
		for _, o := range all[first:] {
			places[o.Ref] = place{stackOf(r, m), sectionOf(o), m.Spec.Spec.Server.Create}
		}
	}
	for _, n := range beside(r) {
		data, err := yaml.Marshal(n)
		if err != nil {
			return nil, err
		}
		if err := add(data); err != nil {
			return nil, err
		}
	}
	return unwired(wiring.Check(all, wiring.Options{}), places), nil
}

// A place is a part of a stack that was converted.
type place struct {
	stack   *convert.Stack
	section string
	servers bool // the stack makes them
}

// said reports whether what a rule finds was said of the stack itself, as of the EPP's
// configuration, or follows from servers that are made elsewhere.
func (p place) said(rule string) bool {
	return strings.HasPrefix(rule, "epp-config-") || !p.servers && strings.HasSuffix(rule, "-selects-nothing")
}

// sectionOf is the part of the stack that says what the object is.
func sectionOf(o *wiring.Object) string {
	var meta struct {
		Metadata struct{ Labels map[string]string }
	}
	_ = o.Node().Decode(&meta) // what was just written
	if section, ok := sections[meta.Metadata.Labels["app.kubernetes.io/component"]]; ok {
		return section
	}
	return "spec"
}

// stackOf is the stack that something was made from.
func stackOf(r convert.Result, m generators.Made) *convert.Stack {
	for i := range r.Stacks {
		if doc := r.Stacks[i].Document(); doc.Name == m.Spec.Metadata.Name && doc.Namespace == m.Spec.Metadata.Namespace {
			return &r.Stacks[i]
		}
	}
	return nil
}

// beside are the objects that stacks may refer to: those that were converted along with
// them, and those of the input.
func beside(r convert.Result) []*yaml.Node {
	out := r.Objects
	for _, doc := range r.Rest {
		if doc.Kind != schema.Kind {
			out = append(out, doc.Node)
		}
	}
	return out
}

// unwired are the findings of what can not or hardly work.
func unwired(found []wiring.Finding, places map[wiring.Ref]place) (out finding.List) {
	for _, f := range found {
		at, ok := places[f.Object]
		if f.Severity == wiring.Info || !ok || at.stack == nil || at.said(f.Rule) {
			continue
		}
		message := f.Object.String() + ": " + f.Message
		if f.Remedy != "" {
			message += "; " + f.Remedy
		}
		p := finding.New(finding.Warning, at.section, "%s [%s]", message, f.Rule)
		p.Rule, p.Remedy = f.Rule, f.Remedy
		out = append(out, at.stack.Translate(finding.List{p})...)
	}
	return out
}
