package modelservice

import (
	"slices"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema/document"
)

// An llmd is an LLMD and what its name gives to others.
type llmd struct {
	doc   document.Document
	spec  *LLMDSpec
	draft *draft.Draft
	// serves are the ModelServices that it is for; the first one makes what they share.
	serves []document.Document
	// mounted are the presets whose ConfigMaps were made.
	mounted []string
	// made says that the stack of a ModelService has what they share.
	made bool
}

func (l *llmd) namespace() string { return draft.Unless(l.spec.Namespace, l.doc.Namespace) }

func (l *llmd) gatewayName() string { return l.doc.Name + "-gateway" }

// namespaces are those of the ModelServices other than the first one's.
func (l *llmd) namespaces() (out []string) {
	for _, doc := range l.serves {
		if ns := doc.Namespace; ns != l.serves[0].Namespace && !slices.Contains(out, ns) {
			out = append(out, ns)
		}
	}
	return out
}

// away reports whether the ModelService is in another namespace than the one that has
// what they share.
func (m *service) away() bool { return m.llmd.serves[0].Namespace != m.Doc.Namespace }

// infrastructure is what the LLMD says for all ModelServices it is for. The first of them
// makes the shared parts, the others use them.
func (m *service) infrastructure() {
	if m.llmd == nil {
		return
	}
	p := m.Draft.Part(m.llmd.doc)
	spec := m.llmd.spec
	if spec.Gateway != nil && spec.Gateway.on() && !m.Has("spec.gateway") {
		m.gateway(p, spec.Gateway)
	}
	if spec.Redis != nil && spec.Redis.on() {
		m.redis(p, spec.Redis)
	}
	if spec.Monitoring != nil && spec.Monitoring.on() {
		m.monitoring(p, spec.Monitoring)
	}
	own := m.llmd.namespace()
	if parts := m.Has("spec.gateway") || m.Has("spec.kvCache") || m.Has("spec.monitoring"); parts && own != "" && m.Doc.Namespace != "" && own != m.Doc.Namespace {
		p.On("metadata.namespace", "metadata.namespace").Note("the only LLMD here, of namespace %s, is taken to be for the ModelService %s of namespace %s as well", own, m.Doc.Name, m.Doc.Namespace)
	}
}

// gateway is NAME-gateway, which the operator promises and never makes.
func (m *service) gateway(p *draft.Part, gw *Gateway) {
	const to, from = "spec.gateway", "spec.gateway"
	serving.GatewayClass(p, to, draft.Unless(gw.ClassName, "kgateway"), from+".className")
	p.Set(to+".name", m.llmd.gatewayName(), "")
	if gw.Host != "" && !m.Has("spec.route.hostnames") {
		p.Set("spec.route.hostnames", []string{gw.Host}, from+".host")
	}
	if m.first {
		serving.ServiceType(p, to, gw.ServiceType, from+".serviceType")
		if others := m.llmd.namespaces(); len(others) > 0 {
			p.Set(to+".allowedNamespaces", append([]string{m.Doc.Namespace}, others...), "")
		}
		return
	}
	p.Set(to+".existing", true, "")
	if m.away() {
		p.Set(to+".namespace", m.llmd.serves[0].Namespace, "")
	}
	m.apart()
}

// modelHeader is what a body-based router writes the model of a request into
// (gateway-api-inference-extension pkg/bbr, v1.5.0).
const modelHeader = "X-Gateway-Model-Name"

// apart tells the requests for one of several models behind one Gateway from the
// others, unless the base configuration's route does.
func (m *service) apart() {
	const to = "spec.route.matches"
	if m.Has(to) || m.Has("spec.route.rules") || m.Has("spec.route.hostnames") && m.llmd.spec.Gateway.Host == "" {
		return
	}
	name := m.Text("spec.model.name")
	m.Set(to, []any{map[string]any{
		"path":    map[string]any{"type": "PathPrefix", "value": "/"},
		"headers": []any{map[string]any{"type": "Exact", "name": modelHeader, "value": name}},
	}}, "spec.routing.modelName")
	m.On(to, "spec.routing.modelName").Warn("another ModelService has the Gateway %s as well: requests reach this one with the header %s: %s, which clients or a body-based router must set", m.llmd.gatewayName(), modelHeader, name)
}

// monitoring makes what the operator promises: it makes no monitor itself.
func (m *service) monitoring(p *draft.Part, mon *Monitoring) {
	const to, from = "spec.monitoring", "spec.monitoring.serviceMonitor"
	p.Set(to, map[string]any{}, "spec.monitoring")
	sm := mon.ServiceMonitor
	if sm == nil {
		return
	}
	p.Set(to+".serviceMonitor", sm.on(), from+".enabled")
	if sm.on() {
		p.Copy(to+".labels", from+".labels")
		p.Copy(to+".interval", from+".interval")
	}
}
