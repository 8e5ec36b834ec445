package manifests

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/serverside"
)

// patch says what pods have beyond the fields of a stack.
func (s *sources) patch(t *trial, opt Options) {
	try := func(to string, want object) {
		if have := find(render(t.stack), want); have != nil {
			exact := opt.Adopt || text(want, "metadata", "labels", managedBy) == "inferstack"
			var choices []proposal
			kept := at(t.stack, steps(to+".selector")...) != nil
			for _, p := range []patch{{exact: exact, labels: exact, kept: kept}, {exact: exact, kept: kept}, {}} {
				if m := mapping(p.over(templates(have)[0], templates(want)[0], templates(serverside.Without(want))[0])); len(m) > 0 {
					choices = append(choices, proposal{to + ".podTemplatePatch": m})
				}
			}
			t.propose(choices...)
		}
	}
	for _, r := range s.roles {
		try("spec."+r.name, r.what)
	}
	if !s.g.poolless {
		try("spec.scheduler", s.goalOf(s.epp))
	}
}

// find is the object of the same kind and name.
func find(all []object, like object) object {
	return lists.First(all, func(o object) bool {
		return text(o, "kind") == text(like, "kind") && text(o, "metadata", "name") == text(like, "metadata", "name") && len(templates(o)) > 0
	})
}

// A patch makes one of two templates out of the other, by a strategic merge.
type patch struct {
	// exact takes away what is not wanted: where pods are to stay, or a stack made them. What a
	// stack gives its pods beside that, as time to end requests, is good for those that start
	// anew in any case.
	exact bool
	// labels says that labels are patched too; those that selectors need a stack does not give up.
	labels bool
	// kept says that the pods are to stay as they are to the letter: with the names of their ports,
	// by which nothing refers to adopted pods, and the order of their variables.
	kept bool
	// amounts says that the mappings are amounts of resources, where no device comes beside
	// those that pods have.
	amounts bool
}

// over makes the patch of a part; bare is what is wanted without the API server's defaults, which
// are written only over other values.
func (p patch) over(have, want, bare any) any {
	h, w, b := mapping(have), mapping(want), mapping(bare)
	if h == nil || w == nil {
		return p.list(list(have), list(want), list(bare), want)
	}
	out := object{}
	for key, v := range w {
		e, there := h[key]
		_, needed := b[key]
		switch {
		case key == "labels" && !p.labels:
		case !there && needed:
			out[key] = freeform.Copy(b[key])
		case !there:
		case key == "name" && (!p.exact || w["containerPort"] != nil && !p.kept):
			// of a port, by which the Services of a stack refer to it
		case fmt.Sprint(e) != fmt.Sprint(v):
			within := p
			within.amounts = key == "limits" || key == "requests"
			if d := within.over(e, v, b[key]); d != nil {
				out[key] = d
			}
		}
	}
	for key := range h {
		if _, kept := w[key]; !kept && (key != "labels" || p.labels) && (p.exact || p.amounts && strings.Contains(key, "/")) {
			out[key] = nil
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// list patches the entries of lists that have names; others are replaced, unless all that is
// wanted is there.
func (p patch) list(have, want, bare []any, whole any) any {
	switch {
	case len(want) == 0:
		return freeform.Copy(whole)
	case keyOf(want) == "":
		if mapping(want[0]) == nil && !p.exact && subset(want, have) {
			return nil
		}
		return freeform.Copy(whole)
	}
	key := keyOf(want)
	if p.kept && variables(want) && !inOrder(have, want) {
		return append([]any{object{"$patch": "replace"}}, list(freeform.Copy(want))...)
	}
	var out []any
	for i, e := range want {
		old := entryOf(have, key, at(e, key))
		if old == nil {
			out = append(out, freeform.Copy(e))
			continue
		}
		var without any
		if i < len(bare) {
			without = bare[i]
		}
		if d := mapping(p.over(old, e, without)); len(d) > 0 {
			d[key] = at(e, key)
			out = append(out, d)
		}
	}
	for _, e := range have {
		if p.exact && entryOf(want, key, at(e, key)) == nil {
			out = append(out, object{key: at(e, key), "$patch": "delete"})
		}
	}
	if out == nil {
		return nil
	}
	return out
}

// keyOf is the field by which Kubernetes merges the entries of a list, "" for one that is
// replaced (k8s.io/api core/v1, patchMergeKey).
func keyOf(entries []any) string {
	return lists.First([]string{"mountPath", "containerPort", "name"}, func(key string) bool { return at(entries[0], key) != nil })
}

func entryOf(l []any, key string, v any) object {
	i := slices.IndexFunc(l, func(e any) bool { return reflect.DeepEqual(at(e, key), v) })
	if i < 0 {
		return nil
	}
	return mapping(l[i])
}

// subset reports whether all of some words are among others: flags by what they say, in any order
// and form. What a stack tells a connector of KV caches is its own: decode servers consume, prefill
// servers produce, and where the source has both do both that is not less.
func subset(want, have []any) bool {
	left := said(have)
	for name, value := range said(want) {
		if value == "1" && strings.HasSuffix(name, "-parallel-size") {
			continue // vLLM's default
		}
		if other, ok := left[name]; !ok || other != value && connector(other) != connector(value) {
			return false
		}
	}
	return true
}

// said are the flags of a command line with their values, and its other words.
func said(words []any) map[string]string {
	line := lists.Map(words, func(w any) string { return text(w) })
	out := map[string]string{}
	for f := range argv.Of(line) {
		name := f.Name
		if strings.HasPrefix(name, "-") {
			name = serving.FlagName(name)
		}
		out[name] = f.Value
	}
	return out
}

// connector is that of vLLM's --kv-transfer-config, or else the value itself.
func connector(value string) string {
	var config struct {
		Connector string `json:"kv_connector"`
	}
	if json.Unmarshal([]byte(value), &config) == nil && config.Connector != "" {
		return config.Connector
	}
	return value
}

const managedBy = "app.kubernetes.io/managed-by"
