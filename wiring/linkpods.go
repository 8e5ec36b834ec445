package wiring

import (
	"path"
	"slices"
	"strings"
)

// linkPods follows what pods mount, read and run as.
func (g *G) linkPods(p *Pods) {
	ref := func(kind string, at field, how string) {
		g.link(p.place(at), Ref{Kind: kind, Namespace: p.Namespace, Name: at.text()}, how, "")
	}
	if account := p.spec.at("serviceAccountName"); account.text() != "default" {
		ref("ServiceAccount", account, "runs as")
	}
	for _, s := range p.spec.at("imagePullSecrets").list() {
		ref("Secret", s.at("name"), "pulls with")
	}
	for _, c := range p.spec.at("resourceClaims").list() {
		ref("ResourceClaimTemplate", c.at("resourceClaimTemplateName"), "claims")
		ref("ResourceClaim", c.at("resourceClaimName"), "claims")
	}
	for _, v := range p.spec.at("volumes").list() {
		ref("PersistentVolumeClaim", v.at("persistentVolumeClaim", "claimName"), "mounts")
		sources := append(v.at("projected", "sources").list(), v)
		for _, s := range sources {
			g.linkSource(p, s)
		}
	}
	for _, c := range p.containers {
		g.linkEnv(p, c)
		g.linkURLs(p, c)
	}
}

// linkSource follows a volume to its ConfigMap or Secret.
func (g *G) linkSource(p *Pods, s field) {
	for _, source := range []struct{ kind, field, name string }{
		{"ConfigMap", "configMap", "name"}, {"Secret", "secret", "secretName"}, {"Secret", "secret", "name"},
	} {
		v := s.at(source.field)
		if name := v.at(source.name); name.is() && v.at("optional").text() != "true" {
			o := g.link(p.place(name), Ref{Kind: source.kind, Namespace: p.Namespace, Name: name.text()}, "mounts", "")
			for _, item := range v.at("items").list() {
				g.linkKey(p, o, item.at("key"))
			}
		}
	}
}

func (g *G) linkEnv(p *Pods, c *container) {
	from := func(kind string, f field) {
		if name := f.at("name"); name.is() && f.at("optional").text() != "true" {
			o := g.link(p.place(name), Ref{Kind: kind, Namespace: p.Namespace, Name: name.text()}, "reads", f.at("key").text())
			g.linkKey(p, o, f.at("key"))
		}
	}
	for _, e := range c.at("env").list() {
		from("ConfigMap", e.at("valueFrom", "configMapKeyRef"))
		from("Secret", e.at("valueFrom", "secretKeyRef"))
	}
	for _, e := range c.at("envFrom").list() {
		from("ConfigMap", e.at("configMapRef"))
		from("Secret", e.at("secretRef"))
	}
}

// A lack is a key that an object of the set should have.
type lack struct {
	at  place
	in  *Object
	key string
}

// linkKey notes keys that are looked for in vain; rule key-missing reports them.
func (g *G) linkKey(p *Pods, o *Object, key field) {
	if o == nil || !key.is() || templated(key.text()) || o.hasKey(key.text()) {
		return
	}
	g.lacks = append(g.lacks, lack{p.place(key), o, key.text()})
}

// hasKey reports whether a ConfigMap or Secret has the key.
func (o *Object) hasKey(key string) bool {
	return slices.ContainsFunc([]string{"data", "stringData", "binaryData"}, func(data string) bool {
		return o.at(data, key).is() || templated(strings.Join(o.at(data).keys(), ""))
	})
}

// linkURLs follows flags that name a Service by its address.
func (g *G) linkURLs(p *Pods, c *container) {
	for _, name := range []string{"zmq-endpoint", "render-url", "otlp-traces-endpoint"} {
		if f, ok := c.given(name); ok {
			g.linkURL(p.place(f.at), p.Namespace, f.value, "dials")
		}
	}
	if f, ok := c.given("kv-events-config"); ok {
		g.linkURL(p.place(f.at), p.Namespace, strings.Replace(c.events().Endpoint, "*", "localhost", 1), "dials")
	}
}

// linkEPP follows an EPP's arguments and configuration.
func (g *G) linkEPP(e *epp) {
	if f, ok := e.given("pool-name"); ok {
		// Whether --pool-group is the pool's is the question of rule pool-group.
		g.link(e.pods.place(f.at), Ref{Kind: "InferencePool", Namespace: e.poolNamespace(), Name: f.value}, "picks for", "")
	}
	if f, ok := e.given("config-file"); ok {
		if m, key := g.mounted(e.pods, e.container, f.value); m != nil && !templated(f.value) && !m.hasKey(key) {
			g.lacks = append(g.lacks, lack{e.pods.place(f.at), m, path.Base(f.value)})
		}
	}
	for _, plugin := range e.plugins() {
		url := plugin.at("parameters", "vllm", "url")
		g.linkURL(place{e.configAt, url}, e.pods.Namespace, url.text(), "asks")
	}
}

// plugins of the EPP's configuration.
func (e *epp) plugins() []field { return e.config.at("plugins").list() }
