package manifests

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/miswired"
	"github.com/inferstack/inferstack/internal/serverside"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/rules"
)

// hopeless is the distance of what does not compile.
const hopeless = 1 << 30

// A trial looks for the stack that makes some objects.
type trial struct {
	// want is what to come near to, by what the stack is called: some objects are called after it.
	want  func(stack string) flat
	stack object // the best so far
	best  int
	// known are distances, by what a stack says and by what it is once it is complete: most of what is
	// proposed and left out is what a field has by default.
	known map[string]int
	// fit are the stacks that were held against the rules of check, with what these say.
	fit map[string][]generators.Conflict
	// routed reports whether a route is among the objects.
	routed bool
}

// A proposal is what some fields of a stack could say; nil removes a field.
type proposal map[string]any

func newTrial(goal func(stack string) []object, stack object) *trial {
	wanted := map[string]flat{}
	want := func(stack string) flat {
		if wanted[stack] == nil {
			wanted[stack] = flatten(stripped(goal(stack)))
		}
		return wanted[stack]
	}
	t := &trial{want: want, stack: stack, known: map[string]int{}, fit: map[string][]generators.Conflict{}}
	t.best = t.distance(stack)
	return t
}

// stripped are objects without what the API server writes for fields that are not there.
func stripped(objects []object) []object {
	return lists.Map(objects, serverside.Without)
}

// render makes the objects of a stack, DisaggregatedSets taken apart; nil when it is none.
func render(stack object) []object { return parted(generate(stack)) }

// generate makes the objects of a stack, nil when it is none.
func generate(stack object) []object {
	if spec := complete(stack); spec != nil {
		return generated(spec)
	}
	return nil
}

// complete is a stack with its defaults, nil when it is none.
func complete(stack object) *schema.Stack {
	spec, _ := rules.Parse(node(stack), schema.Source{})
	return spec
}

// generated are the objects of a complete stack, nil when they have names that collide.
func generated(spec *schema.Stack) (out []object) {
	made, conflicts := generators.GenerateAll([]*schema.Stack{spec})
	if len(conflicts) > 0 {
		return nil
	}
	for _, m := range made[0].Objects {
		if o := mapping(plain(m.Node())); o != nil {
			out = append(out, o)
		}
	}
	return out
}

// distance is how far what a stack makes is from the goal.
func (t *trial) distance(stack object) int {
	return t.once("said", stack, func() int {
		spec := complete(stack)
		if spec == nil {
			return hopeless
		}
		return t.once("complete", spec, func() int {
			made := parted(generated(spec))
			if len(made) == 0 {
				return hopeless
			}
			for _, o := range made {
				serverside.Strip(o)
			}
			return apart(t.want(text(stack, "metadata", "name")), flatten(made))
		})
	})
}

// once asks for the distance of what is the same JSON only once.
func (t *trial) once(as string, what any, distance func() int) int {
	data, err := json.Marshal(what)
	if err != nil {
		return hopeless
	}
	key := as + string(data)
	d, ok := t.known[key]
	if !ok {
		d = distance()
		t.known[key] = d
	}
	return d
}

// propose takes the best of some proposals, when it brings the stack nearer to the goal.
func (t *trial) propose(all ...proposal) { t.take(t.best-1, all) }

// insist takes the best of some proposals, however far from the goal it brings the stack.
func (t *trial) insist(all ...proposal) { t.take(hopeless-1, all) }

// take takes the best of some proposals that is no farther from the goal than a distance.
func (t *trial) take(within int, all []proposal) {
	type choice struct {
		stack object
		far   int
	}
	var choices []choice
	for _, p := range all {
		next := t.with(p)
		if d := t.distance(next); d <= within {
			choices = append(choices, choice{next, d})
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(a.far, b.far) })
	for _, c := range choices {
		if t.fits(c.stack) {
			t.stack, t.best = c.stack, c.far
			return
		}
	}
}

// prefer takes the first of some proposals that leaves the stack as near as it is: a field says
// more than the variables that it sets.
func (t *trial) prefer(all ...proposal) {
	for _, p := range all {
		if t.settle(t.with(p)) {
			return
		}
	}
}

// settle takes a stack that is as near as the one that there is, and reports whether it did.
func (t *trial) settle(next object) bool {
	d := t.distance(next)
	if d > t.best || !t.fits(next) {
		return false
	}
	t.stack, t.best = next, d
	return true
}

// fits reports whether a stack is one that compiles; what does not yet may become another that
// does not either.
func (t *trial) fits(next object) bool {
	return len(t.flaws(next)) == 0 || len(t.flaws(t.stack)) > 0
}

// repair leaves out one field for which the stack would be refused, where that is enough: what is
// nearest to the objects first.
func (t *trial) repair() {
	if len(t.flaws(t.stack)) == 0 {
		return
	}
	var all []proposal
	for _, path := range t.paths() {
		if !t.stays(path) && !slices.ContainsFunc(path, func(step string) bool { return strings.ContainsAny(step, ".#") }) {
			all = append(all, proposal{strings.Join(path, "."): nil})
		}
	}
	all = slices.DeleteFunc(all, func(p proposal) bool { return len(t.flaws(t.with(p))) > 0 })
	t.insist(all...)
}

// flaws are what render and validate refuse a stack for.
func (t *trial) flaws(stack object) []generators.Conflict {
	data, err := json.Marshal(stack)
	if err != nil {
		return nil
	}
	found, known := t.fit[string(data)]
	if !known {
		if spec := complete(stack); spec != nil {
			_, found = generators.GenerateAll([]*schema.Stack{spec}, miswired.Look)
		}
		t.fit[string(data)] = found
	}
	return found
}

// refusal is why a stack cannot say what is proposed, or "".
func (t *trial) refusal(p proposal) string {
	next := t.with(p)
	if _, problems := rules.Parse(node(next), schema.Source{}); len(problems.Errors()) > 0 {
		first := problems.Errors()[0]
		return first.Path + ": " + first.Message
	}
	if flaws := t.flaws(next); len(flaws) > 0 {
		return flaws[0].Path + ": " + flaws[0].Message
	}
	return ""
}

func (t *trial) with(p proposal) object {
	next := freeform.Copy(t.stack).(object)
	for _, path := range slices.Sorted(maps.Keys(p)) {
		v := p[path]
		if e, ok := v.(more); ok {
			have, _ := at(next, steps(path)...).([]any)
			v = slices.Concat(have, []any(e))
		}
		if e, ok := v.(also); ok {
			both := object{}
			maps.Copy(both, mapping(at(next, steps(path)...)))
			maps.Copy(both, e)
			v = both
		}
		set(next, steps(path), v)
	}
	return next
}

// prune leaves out what makes no difference.
func (t *trial) prune() {
	for before := -1; before != len(t.paths()); {
		before = len(t.paths())
		for i := 0; i < len(t.paths()); {
			if t.stays(t.paths()[i]) {
				i++
				continue
			}
			next := freeform.Copy(t.stack).(object)
			set(next, t.paths()[i], nil)
			if !t.settle(next) {
				i++
			}
		}
	}
}

// roleSections are the sections of sets of servers.
var roleSections = []string{schema.RoleDecode, schema.RolePrefill, schema.RoleEncode}

// stays reports whether a field is a set of servers, or a gateway with a route to them, which a stack
// does not give up even where what it makes of them is farther from those that are there than none.
func (t *trial) stays(path []string) bool {
	if slices.Equal(path, []string{"spec", "gateway"}) {
		return t.routed
	}
	return (len(path) == 2 || path[2] == "variants" && len(path) < 5) && slices.Contains(roleSections, path[1])
}

// lift says once what all variants of a role have alike.
func (t *trial) lift() {
	for _, section := range roleSections {
		all := list(at(t.stack, "spec", section, "variants"))
		if len(all) == 0 {
			continue
		}
		for field, v := range sorted(mapping(all[0])) {
			alike := func(variant any) bool { return reflect.DeepEqual(at(variant, field), v) }
			if field == "name" || slices.ContainsFunc(all, func(variant any) bool { return !alike(variant) }) {
				continue
			}
			next := freeform.Copy(t.stack).(object)
			set(next, []string{"spec", section, field}, v)
			for i := range all {
				set(next, []string{"spec", section, "variants", "#" + strconv.Itoa(i), field}, nil)
			}
			t.settle(next)
		}
	}
}

// whole are fields that are taken as the objects have them, and not looked into.
var whole = []string{"config", "podTemplatePatch", "resources", "affinity", "tolerations", "triggers", "metrics", "matches", "rules", "lifecycle", "initContainers", "containers"}

// paths are those of all fields, the outer ones first.
func (t *trial) paths() (out [][]string) {
	var walk func(v any, path []string)
	walk = func(v any, path []string) {
		if len(path) > 1 {
			out = append(out, path)
		}
		if slices.Contains(whole, path[len(path)-1]) || len(path) > 1 && strings.HasPrefix(path[len(path)-1], "#") {
			return
		}
		switch v := v.(type) {
		case object:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key], append(slices.Clone(path), key))
			}
		case []any:
			for i := range v {
				walk(v[i], append(slices.Clone(path), "#"+strconv.Itoa(i)))
			}
		}
	}
	walk(t.stack["spec"], []string{"spec"})
	return out
}

// steps splits a path at its dots; keys with dots in them stand in brackets.
func steps(path string) []string { return strings.Split(path, ".") }

// set writes a value at a path, nil to remove it; #0 is the first entry of a list.
func set(v any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if i, err := strconv.Atoi(strings.TrimPrefix(path[0], "#")); err == nil && strings.HasPrefix(path[0], "#") {
		l := list(v)
		if e := set(l[i], path[1:], value); e != nil {
			l[i] = e
			return l
		}
		return slices.Delete(l, i, i+1)
	}
	m := mapping(v)
	if m == nil {
		m = object{}
	}
	if e := set(m[path[0]], path[1:], value); e != nil {
		m[path[0]] = e
	} else {
		delete(m, path[0])
	}
	return m
}
