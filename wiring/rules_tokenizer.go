package wiring

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

var tokenizerRules = []Rule{{
	ID: "kv-tokenizer", Severity: Warning,
	Doc: "Servers load their model from a path, as from a claim (`pvc://`), and precise prefix caching loads the tokenizer by the name under " +
		"which they serve it: the render service (0.10) or the endpoint picker itself (0.4) asks Hugging Face for it, where a name without " +
		"an organization is hardly that model. Without the tokenizer no prompt is hashed and no block found.",
	each: visit3[kv, *Pods, *container]{eachPrecise, func(g *G, r *report, k kv, p *Pods, c *container) {
		name := p.model()
		if !c.isVLLM() || !c.loadsPath() || name == "" || strings.Contains(name, "/") || templated(name) {
			return
		}
		const remedy = "serve it under its name on Hugging Face, as org/name, or give the tokenizer's path"
		if k.e.plugin("precise-prefix-cache-producer").is() {
			eachRender(g, name, func(p *Pods, render *container) {
				r.add(p.place(render.at("args")), k.e.pods.Ref, "%s asks Hugging Face for %s, which %s loads from a path", render.name, name, c.name).fix(remedy)
			})
			return
		}
		scorer := k.e.plugin("precise-prefix-cache-scorer")
		if pool := scorer.at("parameters", "indexerConfig", "tokenizersPoolConfig"); !slices.ContainsFunc(pool.keys(), func(key string) bool { return strings.HasPrefix(key, "local") }) {
			r.add(place{k.e.configAt, scorer}, p.Ref, "the endpoint picker asks Hugging Face for the tokenizer of %s, which %s loads from a path", name, c.name).fix(remedy)
		}
	}},
}, {
	ID: "kv-render-model", Severity: Error,
	Doc: "The endpoint picker asks the render service for the tokens of a model by a name that the service does not serve. It answers 404, " +
		"no prompt is hashed and no block found.",
	each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
		for _, plugin := range e.plugins() {
			name := plugin.at("parameters", "modelName")
			if t := plugin.at("type").text(); t != "token-producer" && t != "tokenizer" || name.text() == "" || templated(name.text()) {
				continue
			}
			for _, p := range g.rendererAt(e, plugin.at("parameters", "vllm", "url").text()) {
				for _, c := range p.containers {
					if served := c.renders(); c.isRender() && len(served) > 0 && !slices.Contains(served, name.text()) {
						r.add(place{e.configAt, name}, p.Ref, "%s asks for %s, and %s serves %s", plugin.at("type").text(), name.text(), p.Ref, list(served)).
							fix("make the two names one")
					}
				}
			}
		}
	}},
}}

// rendererAt are the pods behind the address of a render service; a local one is in the pods of
// the endpoint picker.
func (g *G) rendererAt(e *epp, address string) []*Pods {
	u, err := url.Parse(cmp.Or(address, "http://localhost:8000"))
	if err != nil {
		return nil
	}
	if host := u.Hostname(); host == "localhost" || host == "127.0.0.1" {
		return []*Pods{e.pods}
	}
	to, ok := serviceOf(u.Hostname(), e.pods.Namespace)
	if s := g.Object(to); ok && s != nil {
		return g.selected(s, s.at("spec", "selector"))
	}
	return nil
}

// renders are the names under which a render service serves its model, if they are known.
func (c *container) renders() (names []string) {
	f, ok := c.given("served-model-name")
	names = append(names, strings.Fields(f.value)...)
	if model := cmp.Or(c.after("render"), c.flag("model")); !ok && model != "" && !strings.HasPrefix(model, "-") {
		names = append(names, model)
	}
	if i := slices.Index(c.words, "--served-model-name"); i >= 0 {
		for _, w := range c.words[i+1:] {
			if strings.HasPrefix(w, "-") {
				break
			}
			names = append(names, w)
		}
	}
	if slices.ContainsFunc(names, templated) {
		return nil
	}
	return names
}

// loadsPath reports whether a server loads its model from a path rather than by a name.
func (c *container) loadsPath() bool {
	model := cmp.Or(c.flag("model"), c.after("serve"))
	if args := c.at("args").list(); model == "" && len(args) > 0 {
		model = args[0].text()
	}
	return strings.HasPrefix(model, "/")
}

// after is the word that follows another on the command line.
func (c *container) after(word string) string {
	if i := slices.Index(c.words, word); i >= 0 && i+1 < len(c.words) {
		return c.words[i+1]
	}
	return ""
}

// eachRender visits the render services of a model.
func eachRender(g *G, model string, visit func(p *Pods, c *container)) {
	eachContainer(g, func(p *Pods, c *container) {
		if c.isRender() && c.after("render") == model {
			visit(p, c)
		}
	})
}
