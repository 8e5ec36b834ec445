package kustomization

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/origin"
)

// overlook notes patches and replacements that ask for stacks among the generators of the same
// kustomization. kustomize runs generators first, so that there is no stack left, and says nothing.
func (b *builder) overlook(file string, k *types.Kustomization, configs []config) {
	stacks := slices.DeleteFunc(slices.Clone(configs), func(c config) bool { return c.GetKind() != stackKind })
	note := func(field string, i int, s *types.Selector) {
		if s == nil || s.Kind == "" { // of which objects may be meant
			return
		}
		for _, c := range stacks {
			if selects(s, c) {
				b.overlooked = append(b.overlooked, fmt.Sprintf("%s: %s[%d] has no effect on %s, which is compiled before: list it, with what changes it, in a kustomization in another directory, and that directory under generators", b.entry(file, field, i), field, i, name(c.CurId())))
			}
		}
	}
	for i, p := range k.Patches {
		note("patches", i, p.Target)
	}
	for i, p := range k.PatchesJson6902 { //nolint:staticcheck // users have it
		note("patchesJson6902", i, p.Target)
	}
	for i, r := range k.Replacements {
		for _, target := range r.Targets {
			note("replacements", i, target.Select)
		}
	}
}

// selects reports whether a selector is for a configuration, by its kind and name.
func selects(s *types.Selector, c config) bool {
	re, err := types.NewSelectorRegex(s)
	return err == nil && re.MatchGvk(c.GetGvk()) && re.MatchName(c.GetName())
}

// entry is the place of an entry of a list in a kustomization.
func (b *builder) entry(file, field string, i int) string {
	shown := origin.Shown(file)
	data, err := b.files.user(file)
	if err != nil {
		return shown
	}
	docs, err := documents(data)
	if err != nil || len(docs) == 0 || len(docs[0].Content) == 0 {
		return shown
	}
	list := krm.Field(docs[0].Content[0], field)
	if list == nil || list.Kind != yaml.SequenceNode || i >= len(list.Content) {
		return shown
	}
	return fmt.Sprintf("%s:%d:%d", shown, list.Content[i].Line, list.Content[i].Column)
}
