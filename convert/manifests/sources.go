package manifests

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/internal/shell"
	"github.com/inferstack/inferstack/schema"
)

// A role is a set of servers.
type role struct {
	name  string
	what  object
	pod   object // template
	main  object // container
	words []string
	// engine is what serves, as the graph knows it.
	engine string
	// variant is its name, where a role has several.
	variant string
	// bundled reports whether a DisaggregatedSet makes the servers, and selects them itself.
	bundled bool
}

// sources are the objects of a group by what they are to a stack.
type sources struct {
	g     *group
	goal  []object
	roles []role
	epp   member
	pick  object // container of the EPP
	// renamed are the containers that the stack calls otherwise.
	renamed []string
	// varied reports whether a role has variants.
	varied bool
	// adopt reports whether the pods that are there are to stay.
	adopt bool
}

func (g *group) sources(opt Options) *sources {
	s := &sources{g: g, adopt: opt.Adopt}
	for _, m := range g.members {
		s.goal = append(s.goal, freeform.Copy(m.what).(object))
	}
	if set := g.set(); set != nil {
		s.goal = append(s.goal, set.rest(g.namespace()))
	}
	if epps := g.workloads(picks); len(epps) > 0 {
		s.epp = epps[0]
		if s.pick = main(templates(s.goalOf(s.epp))[0]); s.pick != nil {
			s.pick["name"] = "epp"
		}
	}
	s.servers("decode", g.workloads(decodes))
	s.servers("prefill", g.workloads(prefills))
	s.servers("encode", g.workloads(encodes))
	return s
}

// servers are the workloads of a role: several are its variants.
func (s *sources) servers(name string, all []member) {
	for i, m := range all {
		to := name
		if len(all) > 1 {
			to = name + ".variants.#" + strconv.Itoa(i)
			s.varied = true
		}
		s.role(to, m)
		s.roles[len(s.roles)-1].variant = variantName(name, m, len(all))
	}
}

// variantName is what tells a workload from others of its role: the label of a variant, or what
// the name of the workload has after that of the role.
func variantName(role string, m member, of int) string {
	if of < 2 {
		return ""
	}
	if label := text(m.what, "metadata", "labels", schema.VariantLabel); label != "" {
		return label
	}
	if _, own, found := strings.Cut(m.ref.Name, role+"-"); found && own != "" {
		return own
	}
	return m.ref.Name
}

// goalOf is the object of a member as it is to become.
func (s *sources) goalOf(m member) object {
	for i := range s.g.members {
		if s.g.members[i].ref == m.ref {
			return s.goal[i]
		}
	}
	return nil
}

func (s *sources) role(name string, m member) {
	o := s.goalOf(m)
	all := templates(o)
	for _, t := range all {
		if c := main(t); c != nil {
			if was := text(c, "name"); was != pods.ModelServer {
				s.renamed = append(s.renamed, was)
			}
			c["name"] = pods.ModelServer
			if !s.adopt || s.g.in.bundleOf(m) != nil {
				unnamed(c)
			}
		}
	}
	c := main(all[0])
	r := role{name: name, what: o, pod: all[0], main: c, engine: s.g.in.graph.Traits(s.g.in.graph.Object(m.ref)).Engine, bundled: s.g.in.bundleOf(m) != nil}
	for _, w := range append(slices.Clone(list(c["command"])), list(c["args"])...) {
		if word, ok := w.(string); ok {
			r.words = append(r.words, strings.Fields(r.expanded(shell.Uncommented(word)))...)
		}
	}
	s.roles = append(s.roles, r)
}

var variable = pattern.Lazy(`\$(\w+|\{\w+\}|\(\w+\))`)

// expanded is a text with the variables of the container that have a value in it.
func (r role) expanded(s string) string {
	return variable().ReplaceAllStringFunc(s, func(ref string) string {
		for _, e := range list(r.main["env"]) {
			if v := text(e, "value"); v != "" && text(e, "name") == strings.Trim(ref, "${}()") {
				return v
			}
		}
		return ref
	})
}

// unnamed has the probes of a container ask ports by number, which means the same.
func unnamed(c object) {
	for _, field := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
		for _, how := range []string{"httpGet", "tcpSocket"} {
			ask := mapping(at(c, field, how))
			for _, p := range list(c["ports"]) {
				if name, ok := ask["port"].(string); ok && name == text(p, "name") {
					ask["port"] = at(p, "containerPort")
				}
			}
		}
	}
}

// flag is the values that follow a flag, in either form.
func (r role) flag(names ...string) []string {
	for i, w := range r.words {
		name, value, joined := strings.Cut(w, "=")
		if !slices.Contains(names, strings.TrimLeft(name, "-")) || !strings.HasPrefix(w, "-") {
			continue
		}
		if joined {
			return append([]string{value}, values(r.words[i+1:])...)
		}
		return values(r.words[i+1:])
	}
	return nil
}

func values(words []string) []string {
	end := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") || w == "\\" })
	if end < 0 {
		end = len(words)
	}
	return words[:end]
}

// number is the value of a flag as a number, or nil.
func (r role) number(names ...string) any {
	if v := r.flag(names...); len(v) > 0 {
		return numeric(v[0])
	}
	return nil
}

func numeric(word string) any {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f
	}
	return nil
}

// models are what the servers may load.
func (s *sources) models() []string {
	var out []string
	for _, r := range s.roles {
		if i := slices.Index(r.words, "serve"); i >= 0 && i+1 < len(r.words) {
			out = append(out, r.words[i+1])
		}
		for _, names := range [][]string{{"model", "model-path"}, {"served-model-name"}} {
			out = append(out, r.flag(names...)...)
		}
		for _, w := range r.words {
			if !strings.HasPrefix(w, "-") && strings.Count(w, "/") == 1 && !strings.HasPrefix(w, "/") {
				out = append(out, w)
			}
		}
		if label := text(r.pod, "metadata", "labels", "llm-d.ai/model"); label != "" {
			out = append(out, label)
		}
	}
	return slices.DeleteFunc(out, func(m string) bool { return !identifier().MatchString(m) })
}

// identifier is what spec.model.name takes.
var identifier = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._/:-]*$`)
