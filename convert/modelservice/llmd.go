package modelservice

import (
	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema"
)

// An llmd is an LLMD and what its name gives to others.
type llmd struct {
	doc   schema.Document
	spec  *LLMDSpec
	draft *draft.Draft
	used  bool // by a ModelService already
}

func (l *llmd) namespace() string { return draft.Unless(l.spec.Namespace, l.doc.Namespace) }

func (l *llmd) gatewayName() string { return l.doc.Name + "-gateway" }

func (l *llmd) redisName() string { return l.doc.Name + "-redis" }

// redisAddress is where LMCache looks keys up.
func (m *service) redisAddress() string {
	if m.llmd != nil && on(m.llmd.spec.Redis.Enabled) {
		return m.llmd.redisName() + ":6379"
	}
	m.On("spec.kvCache", fromBase).Warn("this preset looks keys up in a Redis, and no LLMD beside the ModelService has one: put an LLMD with redis.enabled into its namespace, or convert and give the InferenceStack one with spec.kvCache.redis")
	return sanitized(m.Doc.Name) + "-redis:6379"
}

// infrastructure is what the LLMD says for all ModelServices of its namespace. The
// first of them makes the shared parts, the others use them.
func (m *service) infrastructure() {
	if m.llmd == nil {
		return
	}
	p := m.Draft.Part(m.llmd.doc)
	spec := m.llmd.spec
	if on(spec.Gateway.Enabled) && !m.Has("spec.gateway") {
		serving.GatewayClass(p, "spec.gateway", draft.Unless(spec.Gateway.ClassName, "kgateway"), "spec.gateway.className")
		p.Set("spec.gateway.name", m.llmd.gatewayName(), "")
		if !m.first {
			p.Set("spec.gateway.existing", true, "")
			m.apart()
		}
	}
	if on(spec.Redis.Enabled) {
		m.redis(p, &spec.Redis)
	}
	if on(spec.Monitoring.Enabled) {
		p.Set("spec.monitoring", map[string]any{}, "spec.monitoring")
	}
}

// modelHeader is what a body-based router writes the model of a request into
// (gateway-api-inference-extension pkg/bbr, v1.5.0).
const modelHeader = "X-Gateway-Model-Name"

// apart tells the requests for one of several models behind one Gateway from the
// others, unless the base configuration's route does.
func (m *service) apart() {
	const to = "spec.route.matches"
	if m.Has(to) || m.Has("spec.route.hostnames") {
		return
	}
	name := m.Text("spec.model.name")
	m.Set(to, []any{map[string]any{
		"path":    map[string]any{"type": "PathPrefix", "value": "/"},
		"headers": []any{map[string]any{"type": "Exact", "name": modelHeader, "value": name}},
	}}, "spec.routing.modelName")
	m.On(to, "spec.routing.modelName").Warn("another ModelService has the Gateway %s as well: requests reach this one with the header %s: %s, which clients or a body-based router must set", m.llmd.gatewayName(), modelHeader, name)
}

func (m *service) redis(p *draft.Part, redis *Redis) {
	const to, from = "spec.kvCache.redis", "spec.redis"
	if !m.first {
		p.Set(to+".address", m.llmd.redisName()+":6379", from)
		return
	}
	p.Set(to+".name", m.llmd.redisName(), "")
	persistence := &redis.Internal.Persistence
	if !on(persistence.Enabled) {
		return
	}
	p.Set(to+".persistence", map[string]any{}, from+".internal.persistence.enabled")
	p.Copy(to+".persistence.size", from+".internal.persistence.size")
}
