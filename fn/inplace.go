package fn

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema"
)

// generatedBy notes on an object the stack that made it, so that the next run can
// replace and remove it. It names the stack, since several may live in a package.
const generatedBy = "inferstack.dev/generated-by"

// An inventory is what the items hold already.
type inventory struct {
	present map[string]bool // stacks among the items, by owner
	renamed map[string]bool // names of the stacks at work
	wide    bool            // all stacks are at work, so what belongs to no stack is left over
}

// replace puts what was made in the place of what an earlier run made.
func (l *resourceList) replace(made []generators.Made) finding.List {
	inv := l.inventory(made)
	next := map[manifest.ID]generators.Made{}
	for _, m := range made {
		for _, o := range m.Objects {
			next[o.ID] = m
		}
	}
	var kept []*krm.Object
	var found finding.List
	old := map[manifest.ID]bool{}
	taken := map[string]*krm.Object{}
	for _, item := range l.items {
		id := idOf(item)
		owner := item.Annotation(generatedBy)
		if inv.ours(owner) {
			old[id] = true
			if _, again := next[id]; !again {
				found = append(found, removed(item, id, owner))
			}
			continue
		}
		if m, clash := next[id]; clash {
			found = append(found, occupied(m, item, id, owner))
		}
		kept = append(kept, item)
		taken[pathOf(item)] = item
	}
	fresh, more := l.place(made, taken)
	found = append(found, more...)
	if failed(found) {
		return found
	}
	for _, item := range kept {
		if item.Kind() == schema.Kind && inv.atWork(item) || item.Kind() != schema.Kind && compilesItem(item) && inv.wide {
			markLocal(item)
		}
	}
	l.markBases(kept)
	l.items, l.made = kept, fresh
	return append(found, added(made, old)...)
}

// inventory takes stock before anything is changed.
func (l *resourceList) inventory(made []generators.Made) inventory {
	inv := inventory{present: map[string]bool{}, renamed: map[string]bool{}}
	inv.wide = !l.compilesConfig()
	for _, item := range l.items {
		if item.Kind() == schema.Kind {
			inv.present[ownerOf(item)] = true
		}
	}
	for _, m := range made {
		inv.present[m.Owner()] = false // at work
		inv.renamed[m.Spec.Metadata.Name] = true
	}
	return inv
}

// ours reports whether an object with that note is for this run to replace: it was made by
// a stack at work, or by one that is gone. When not all stacks are at work, only one of
// the same name is taken for gone, as when its namespace has changed.
func (inv inventory) ours(owner string) bool {
	if owner == "" {
		return false
	}
	elsewhere, known := inv.present[owner]
	if known {
		return !elsewhere
	}
	return inv.wide || inv.renamed[path.Base(owner)]
}

// atWork reports whether the item is one of the stacks compiled in this run.
func (inv inventory) atWork(item *krm.Object) bool { return !inv.present[ownerOf(item)] }

func ownerOf(stack *krm.Object) string {
	return schema.Kind + "/" + stack.Namespace() + "/" + stack.Name()
}

func idOf(item *krm.Object) manifest.ID {
	group, _, ok := strings.Cut(item.APIVersion(), "/")
	if !ok {
		group = ""
	}
	return manifest.ID{Group: group, Kind: item.Kind(), Namespace: item.Namespace(), Name: item.Name()}
}

func removed(item *krm.Object, id manifest.ID, owner string) finding.Finding {
	p := schema.Problem{Severity: schema.Info, File: pathOf(item), Message: fmt.Sprintf("removed %s: %s does not ask for it any more", id, owner)}
	return onItem(item, p)
}

// occupied is the error of an object that is there already and is not ours to change.
func occupied(m generators.Made, item *krm.Object, id manifest.ID, owner string) finding.Finding {
	who := "was not made by inferstack; give one of the two another name, or delete it"
	if owner != "" {
		who = "was made by " + owner + "; give it another name in one of the two stacks"
	}
	p := m.Spec.Problem(schema.Error, "metadata.name", "%s would be made, but the one in %s %s", id, cmp.Or(pathOf(item), "the input"), who)
	return onItem(item, p)
}

// added says what is new, and nothing when all was there before.
func added(made []generators.Made, old map[manifest.ID]bool) (found finding.List) {
	for _, m := range made {
		count := 0
		for _, o := range m.Objects {
			if !old[o.ID] {
				count++
			}
		}
		if count > 0 {
			p := schema.Problem{Severity: schema.Info, File: m.Spec.Source().File,
				Message: fmt.Sprintf("%s: %d objects, %d of them new", m.Title(), len(m.Objects), count)}
			found = append(found, onStack(m.Spec, p))
		}
	}
	return found
}

// markLocal keeps the stack from being applied, unless it says that it is to be.
func markLocal(stack *krm.Object) {
	if krm.Field(stack.Node, "metadata", "annotations", localConfig) == nil {
		stack.Annotate(localConfig, "true")
	}
}
