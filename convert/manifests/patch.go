package manifests

import "reflect"

// patch says what pods have beyond the fields of a stack.
func (s *sources) patch(t *trial, opt Options) {
	try := func(to string, want object) {
		if have := find(render(t.stack), want); have != nil {
			if p := mapping(over(templates(have)[0], templates(want)[0], opt)); len(p) > 0 {
				t.propose(proposal{to + ".podTemplatePatch": p})
			}
		}
	}
	for _, r := range s.roles {
		try("spec."+r.name, r.what)
	}
	try("spec.scheduler", s.goalOf(s.epp))
}

// find is the object of the same kind and name.
func find(all []object, like object) object {
	for _, o := range all {
		if text(o, "kind") == text(like, "kind") && text(o, "metadata", "name") == text(like, "metadata", "name") && len(templates(o)) > 0 {
			return o
		}
	}
	return nil
}

// over is the strategic-merge patch that makes one of two out of the other: what is not
// wanted becomes null.
func over(have, want any, opt Options) any {
	h, w := mapping(have), mapping(want)
	if h == nil || w == nil {
		return named(list(have), list(want), want, opt)
	}
	out := object{}
	for key, v := range w {
		if key == "labels" && !opt.Adopt {
			continue
		}
		switch e, there := h[key]; {
		case !there:
			out[key] = copied(v)
		case !reflect.DeepEqual(e, v):
			out[key] = over(e, v, opt)
		}
	}
	for key := range sorted(h) {
		if _, kept := w[key]; !kept && key != "labels" && key != "annotations" {
			out[key] = nil
		}
	}
	return out
}

// named patches the entries of lists that have names; others are replaced.
func named(have, want []any, whole any, opt Options) any {
	if len(want) == 0 || mapping(want[0])["name"] == nil {
		return copied(whole)
	}
	var out []any
	byName := func(l []any, name any) object {
		for _, e := range l {
			if mapping(e)["name"] == name {
				return mapping(e)
			}
		}
		return nil
	}
	for _, e := range want {
		name := mapping(e)["name"]
		old := byName(have, name)
		switch p := mapping(over(old, e, opt)); {
		case old == nil:
			out = append(out, copied(e))
		case len(p) > 0:
			p["name"] = name
			out = append(out, p)
		}
	}
	for _, e := range have {
		if name := mapping(e)["name"]; byName(want, name) == nil {
			out = append(out, object{"name": name, "$patch": "delete"})
		}
	}
	return out
}
