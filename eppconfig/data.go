package eppconfig

import (
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/release"
)

// key is a kind of data with the name of its producer.
type key struct{ data, producer string }

// data checks that what plugins read is produced (llm-d-router pkg/epp/datalayer/data_graph.go).
// Producers that the EPP makes by itself may need others in turn.
func (j *judge) data() {
	j.eachNeed(j.unproduced)
}

// MissingProducers lists the types of the producers that a configuration lacks and the EPP
// does not make by itself.
func MissingProducers(d *release.Dialect, config map[string]any) (types []string) {
	j := &judge{d: d, config: plain(config)}
	j.readGates()
	j.readPlugins()
	j.eachNeed(func(_ *plugin, n release.Need, name string, given bool, _ path) {
		if p := d.Plugin(name); p != nil && !given && contains(p.Produces, n.Data) && !contains(types, name) {
			types = append(types, name)
		}
	})
	return types
}

// missed is told of data that nobody produces.
type missed func(p *plugin, n release.Need, name string, given bool, at path)

// eachNeed goes through what is needed.
func (j *judge) eachNeed(missing missed) {
	produced := map[key]bool{}
	for _, p := range j.plugins {
		for _, k := range p.produces() {
			produced[k] = true
		}
	}
	made := map[string]bool{}
	queue := append([]*plugin(nil), j.plugins...)
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, need := range p.needs() {
			if next := j.need(p, need, produced, made, missing); next != nil {
				queue = append(queue, next)
			}
		}
	}
}

func (p *plugin) produces() (keys []key) {
	if p.known == nil {
		return nil
	}
	for _, data := range p.known.Produces {
		k := key{data, p.name}
		if p.known.Shared {
			k.producer = ""
		}
		keys = append(keys, k)
	}
	return keys
}

// needs are the plugin's needs that apply with its parameters.
func (p *plugin) needs() []release.Need {
	if p.known == nil {
		return nil
	}
	return lists.Where(p.known.Consumes, func(n release.Need) bool { return all(n.If, p.parameter) })
}

// need looks for a producer, and returns the one that the EPP makes.
func (j *judge) need(p *plugin, n release.Need, produced map[key]bool, made map[string]bool, missing missed) *plugin {
	name, given := n.By, false
	if text := p.parameterText(n.From); text != "" {
		name, given = text, true
	}
	if produced[key{n.Data, name}] || n.By == "" && j.anyUnknown() {
		return nil
	}
	if listed := j.byName[name]; listed != nil && listed.known == nil {
		return nil // who knows what it produces
	}
	byDefault := j.d.Producer(n.Data)
	at := p.at
	if given {
		at = at.key("parameters").key(n.From)
	}
	switch {
	case byDefault == "" || byDefault != name:
		missing(p, n, name, given, at)
		return nil
	case j.byName[name] != nil:
		j.warn(j.byName[name].at.key("name"), "%s is the name of the producer of %s that %s reads, and this %s does not produce it", name, n.Data, p, words(j.byName[name].known.Kind()))
		return nil
	case made[name]:
		return nil
	}
	made[name] = true
	next := j.automatic(name, p.at)
	for _, k := range next.produces() {
		if j.d.Producer(k.data) != "" {
			produced[k] = true
		}
	}
	return next
}

// automatic is a plugin that the EPP makes by itself, for one at a place.
func (j *judge) automatic(name string, at path) *plugin {
	p := &plugin{at: at, typ: name, name: name, known: j.d.Plugin(name)}
	p.form = p.known.Parameters
	return p
}

// parameterText is a parameter that is a text, or "".
func (p *plugin) parameterText(name string) string {
	if name == "" {
		return ""
	}
	v, _ := p.parameter(name)
	text, _ := v.(string)
	return text
}

func (j *judge) unproduced(p *plugin, n release.Need, name string, given bool, at path) {
	var producers []string
	for i := range j.d.Plugins {
		if other := &j.d.Plugins[i]; contains(other.Produces, n.Data) && other.Replacement == "" {
			producers = append(producers, other.Type)
		}
	}
	switch {
	case given:
		j.add(at, "no plugin named %s produces %s, which %s reads", name, n.Data, p).near(name, j.producersOf(n.Data))
	default:
		j.add(at, "%s reads %s, which no plugin produces; add %s to plugins", p, n.Data, alternatives(producers))
	}
}

// producersOf are the names of the plugins that produce a kind of data.
func (j *judge) producersOf(data string) (out []string) {
	for _, p := range j.plugins {
		if p.known != nil && contains(p.known.Produces, data) {
			out = append(out, p.name)
		}
	}
	if d := j.d.Producer(data); d != "" {
		out = append(out, d)
	}
	return out
}
