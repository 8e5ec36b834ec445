package helm

import (
	"cmp"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// routingSection is where charts of the servers had what other charts make now.
const routingSection = "routing"

// beforehand says where the charts of the servers had what the inferencepool chart has
// (llm-d-modelservice 0.2, values.yaml and templates/epp-deployment.yaml).
var beforehand = []struct{ now, then string }{
	{extensionSection + ".replicas", "routing.epp.replicas"},
	{extensionSection + ".env", "routing.epp.env"},
	{extensionSection + ".logVerbosity", "routing.epp.debugLevel"},
	{extensionSection + ".extProcPort", "routing.epp.service.port"},
	{extensionSection + ".pluginsConfigFile", "routing.epp.pluginsConfigFile"},
	{extensionSection + ".pluginsCustomConfig", "routing.epp.pluginsCustomConfig"},
	{extensionSection + ".extraContainerPorts", "routing.epp.extraContainerPorts"},
	{extensionSection + ".extraServicePorts", "routing.epp.service.extraServicePorts"},
	{extensionSection + ".image", "routing.epp.image"},
	{extensionSection, "routing.epp"},
	{"inferencePool.targetPortNumber", "routing.servicePort"},
	{"inferencePool", "routing.inferencePool"},
}

// olderFiles are the configurations that those charts brought, as presets.
var olderFiles = map[string]string{
	"default-config.yaml": "prefix-aware", "prefix-estimate-config.yaml": "default",
	"prefix-cache-tracking-config.yaml": precisePreset, "default-pd-config.yaml": "pd-disaggregation",
}

// olderRouting reads the EPP and its pool where the chart of the servers made them, as charts
// before 0.3 did.
func (r *release) olderRouting() {
	if r.model == nil || !made(r.model.Enabled) || r.pool != nil || r.model.Routing.EPP["create"] != true {
		return
	}
	doc := r.msPart.Doc
	to := r.Draft.Sheet()
	for _, b := range beforehand {
		switch b.now {
		case extensionSection, "inferencePool":
		case extensionSection + ".image":
			to.Move(imageNode(doc.At(b.then)), b.now)
		default:
			to.Move(doc.At(b.then), b.now)
		}
	}
	if r.values.Pool.Release == "" {
		r.values.Pool.Release = r.fullname()
	}
	older := document.Document{Source: doc.Source, Node: to.Root}
	r.poolPart = r.Part(older).As(doc, thenAt)
	r.pool = new(Pool)
	problems := document.Decode(older, r.pool)
	for i := range problems {
		problems[i].Path = thenAt(problems[i].Path)
	}
	r.Decoded(problems)
	r.own = true
}

// beforePools reports whether values are of a chart that made the pool as well, or could:
// its pods had labels of their own (templates/_helpers.tpl), by which pools select them.
func (r *release) beforePools() bool {
	routing := &r.model.Routing
	return routing.EPP != nil || routing.InferencePool != nil || routing.HTTPRoute != nil
}

// thenAt is the path of a field where those charts had it.
func thenAt(path string) string {
	for _, b := range beforehand {
		if rest, ok := strings.CutPrefix(path, b.now); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return b.then + rest
		}
	}
	return path
}

// imageNode is an image as a mapping, as the later charts have it.
func imageNode(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.ScalarNode {
		return n
	}
	repository, tag := n.Value, ""
	if i := strings.LastIndexByte(n.Value, ':'); i > strings.LastIndexByte(n.Value, '/') {
		repository, tag = n.Value[:i], n.Value[i+1:]
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column}
	for _, e := range [][2]string{{"repository", repository}, {"tag", tag}} {
		out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: e[0], Line: n.Line, Column: n.Column},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: e[1], Line: n.Line, Column: n.Column})
	}
	return out
}

// olderPool is the pool's own name, and whether the chart made it.
func (r *release) olderPool() {
	pool := r.model.Routing.InferencePool
	if name, _ := pool["name"].(string); name != "" {
		r.msPart.Set("spec.pool.name", name, routingSection+".inferencePool.name")
	}
	if pool["create"] == false {
		r.msPart.Set("spec.pool.create", false, routingSection+".inferencePool.create")
	}
}

// olderRoute is the route that those charts made to a Gateway that exists, or to that of the
// infra chart. It reports whether there is one.
func (r *release) olderRoute() bool {
	if r.model == nil || r.model.Routing.HTTPRoute["create"] != true {
		return false
	}
	const from = routingSection + ".httpRoute"
	p := r.msPart
	if !r.Has(gatewaySection) {
		r.olderGateway(p)
	}
	p.Set("spec.route.name", r.fullname(), "")
	p.Copy("spec.route.timeouts.request", from+".timeouts.request")
	p.Copy("spec.route.timeouts.backendRequest", from+".timeouts.backendRequest")
	rules, _ := r.model.Routing.HTTPRoute["rules"].([]any)
	switch {
	case len(rules) > 0:
		r.olderRules(p, rules)
	case r.pool == nil:
		p.Set("spec.route.rules", []any{map[string]any{"backendRefs": []any{map[string]any{"name": r.elsewhere()}}}}, from)
		p.Copy("spec.route.rules[0].matches", from+".matches")
		p.On("spec.route.rules", from).Note("the route leads to the pool %s, which another chart makes; with the values of that one (--pool) its EPP is part of the stack", r.elsewhere())
	default:
		p.Copy("spec.route.matches", from+".matches")
	}
	return true
}

// elsewhere is the pool of another chart that the route leads to.
func (r *release) elsewhere() string {
	name, _ := r.model.Routing.InferencePool["name"].(string)
	return cmp.Or(name, r.named("gaie"))
}

// olderGateway is the Gateway that the route names.
func (r *release) olderGateway(p *draft.Part) {
	const from = routingSection + ".parentRefs"
	var parent map[string]any
	if refs := r.model.Routing.ParentRefs; len(refs) > 0 {
		parent, _ = refs[0].(map[string]any)
		if len(refs) > 1 {
			p.Lost(from, "several Gateways of a route; extraGateways names further ones")
		}
	}
	name, _ := parent["name"].(string)
	p.Set(gatewaySection+".class", "istio", "")
	p.Set(gatewaySection+".existing", true, routingSection+".httpRoute.create")
	p.Set(gatewaySection+".name", cmp.Or(name, r.named("infra")+"-inference-gateway"), from)
	p.On(gatewaySection, from).Warn("nothing says what runs the Gateway; correct the class if it is not istio")
	if ns, _ := parent["namespace"].(string); ns != "" && ns != r.values.Namespace {
		p.Set(gatewaySection+".namespace", ns, from)
	}
	if section, _ := parent["sectionName"].(string); section != "" {
		p.Set("spec.route.sectionName", section, from)
	}
}

// olderRules are rules of the user's own.
func (r *release) olderRules(p *draft.Part, rules []any) {
	for i, e := range rules {
		rule, _ := e.(map[string]any)
		from := fmt.Sprintf("%s.httpRoute.rules[%d]", routingSection, i)
		to := fmt.Sprintf("spec.route.rules[%d]", i)
		refs, _ := rule["backendRefs"].([]any)
		var backends []any
		for _, e := range refs {
			ref, _ := e.(map[string]any)
			backend := map[string]any{}
			for _, field := range []string{"name", "namespace", "weight"} {
				if v := ref[field]; v != nil {
					backend[field] = v
				}
			}
			if ref["kind"] != "InferencePool" {
				backend["kind"] = "Service"
				if port := ref["port"]; port != nil {
					backend["port"] = port
				}
			}
			backends = append(backends, backend)
		}
		if len(backends) > 0 {
			p.Set(to+".backendRefs", backends, from+".backendRefs")
		}
		for _, field := range []string{"matches", "filters", "timeouts", "name"} {
			p.Copy(to+"."+field, from+"."+field)
		}
	}
}
