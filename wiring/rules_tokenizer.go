package wiring

import (
	"slices"
	"strings"
)

var tokenizerRules = []Rule{{
	ID: "kv-tokenizer", Severity: Warning,
	Doc: "Servers load their model from a path, as from a claim (`pvc://`), and precise prefix caching loads the tokenizer by the name under " +
		"which they serve it: the render service (0.10) or the endpoint picker itself (0.4) asks Hugging Face for it, where a name without " +
		"an organization is hardly that model. Without the tokenizer no prompt is hashed and no block found.",
	find: func(g *G, r *report) {
		eachPrecise(g, func(k kv, p *Pods, c *container) {
			name := p.model()
			if !c.isVLLM() || !c.loadsPath() || name == "" || strings.Contains(name, "/") || templated(name) {
				return
			}
			const remedy = "serve it under its name on Hugging Face, as org/name, or give the tokenizer's path"
			if k.e.plugin("precise-prefix-cache-producer").is() {
				eachRender(g, name, func(p *Pods, render *container) {
					r.add(p.place(render.at("args")), k.e.pods.Ref, "%s asks Hugging Face for %s, which %s loads from a path", render.name, name, c.name).mend(remedy)
				})
				return
			}
			scorer := k.e.plugin("precise-prefix-cache-scorer")
			if pool := scorer.at("parameters", "indexerConfig", "tokenizersPoolConfig"); !slices.ContainsFunc(pool.keys(), func(key string) bool { return strings.HasPrefix(key, "local") }) {
				r.add(place{k.e.configAt, scorer}, p.Ref, "the endpoint picker asks Hugging Face for the tokenizer of %s, which %s loads from a path", name, c.name).mend(remedy)
			}
		})
	},
}}

// loadsPath says whether a server loads its model from a path rather than by a name.
func (c *container) loadsPath() bool {
	model := orDefault(c.flag("model"), c.after("serve"))
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
	for _, p := range g.Pods {
		for _, c := range p.containers {
			if c.isRender() && c.after("render") == model {
				visit(p, c)
			}
		}
	}
}
