package kustomization

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/dialogue"
)

// replaceable reports whether what generators make can be put in their place with the same
// result. It cannot be where kustomize's own plugins are among them, whose order counts, where
// kustomize says what made an object, and where it does to the configurations what it
// does to resources only (variables).
func (b *builder) replaceable(configs []config) bool {
	return b.opts.Generate != nil && !b.asWritten &&
		!slices.ContainsFunc(configs, func(c config) bool { return !b.ours(c) && !c.isStack() })
}

// replace puts what generators make into a component of their kustomization. kustomize reads that
// after generators of its own and before other components (api v0.21.2
// internal/target/kusttarget.go accumulateTarget), as it would have run those. Only an object that
// has the name that another one had before it was renamed is refused by kustomize, and not here.
func (b *builder) replace(dir, file string, configs []config) error {
	component := types.Kustomization{TypeMeta: types.TypeMeta{APIVersion: types.ComponentVersion, Kind: types.ComponentKind}}
	folder := filepath.Join(dir, madeFolder)
	for i, c := range configs {
		text, err := b.generate(file, c)
		if errors.Is(err, dialogue.ErrFailed) {
			b.failed = true // and the others may have errors too
			continue
		}
		if err != nil {
			return err
		}
		name := strconv.Itoa(i) + ".yaml"
		component.Resources = append(component.Resources, name)
		b.files.made[filepath.Join(folder, name)] = []byte(text)
	}
	data, err := b.files.user(file)
	var k types.Kustomization
	if err = errors.Join(err, k.Unmarshal(data)); err != nil {
		return err
	}
	k.Generators, k.Components = nil, slices.Concat([]string{madeFolder}, k.Components)
	return errors.Join(b.files.put(filepath.Join(folder, konfig.DefaultKustomizationFileName()), component), b.files.put(file, k))
}

// put puts a kustomization of our own where kustomize looks for it.
func (f *files) put(name string, k types.Kustomization) error {
	text, err := yaml.Marshal(k)
	f.made[f.clean(name)] = text
	return err
}

// generate asks for what a generator makes, of its configuration without what kustomize has
// noted on it.
func (b *builder) generate(file string, c config) (string, error) {
	res := c.DeepCopy()
	if err := b.files.restoreIn(res); err != nil {
		return "", err
	}
	if err := errors.Join(res.SetOrigin(nil), res.ClearTransformations()); err != nil {
		return "", err
	}
	annotations := res.GetAnnotations()
	delete(annotations, konfig.IgnoredByKustomizeAnnotation)
	if err := res.SetAnnotations(annotations); err != nil {
		return "", err
	}
	text, err := appendYAML(nil, res)
	if err != nil {
		return "", err
	}
	return b.opts.Generate(dialogue.Generator{Config: string(text), Origin: c.origin, File: file})
}
