package kustomization

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/inferstack/inferstack/internal/origin"
)

// visit judges a kustomization and those that it refers to, inner ones first, since a
// kustomization may be what another one runs. What kustomize cannot read it will say.
func (b *builder) visit(dir string) error {
	dir = b.files.clean(dir)
	if b.seen[dir] {
		return nil
	}
	b.seen[dir] = true
	file := b.files.kustomization(dir)
	if file == "" {
		return nil
	}
	data, err := b.files.ReadFile(file)
	if err != nil {
		return err
	}
	var k types.Kustomization
	if err := k.Unmarshal(data); err != nil {
		return fmt.Errorf("%s: %w", origin.Shown(file), err)
	}
	k.FixKustomization()
	if err := local(file, data, &k); err != nil {
		b.elsewhere = append(b.elsewhere, err)
	}
	b.patched = b.patched || len(k.Patches)+len(k.PatchesStrategicMerge)+len(k.Transformers) > 0 //nolint:staticcheck // users have the second
	b.asWritten = b.asWritten || len(k.BuildMetadata)+len(k.Vars) > 0                            //nolint:staticcheck // users have vars
	for _, entry := range slices.Concat(k.Resources, k.Components) {
		if err := b.enter(dir, entry); err != nil {
			return err
		}
	}
	if err := b.judgeGenerators(dir, file, &k); err != nil {
		return err
	}
	return errors.Join(b.judgeTransformers(dir, file, k.Transformers), b.judgeTransformers(dir, file, k.Validators))
}

// enter visits an entry that is a directory.
func (b *builder) enter(dir, entry string) error {
	if within := filepath.Join(dir, entry); !filepath.IsAbs(entry) && b.files.IsDir(within) {
		return b.visit(within)
	}
	return nil
}

// judgeGenerators judges the generators of a kustomization, and replaces them if that can be done.
func (b *builder) judgeGenerators(dir, file string, k *types.Kustomization) error {
	configs, err := b.configs(dir, file, k.Generators)
	if err != nil || len(configs) == 0 {
		return err
	}
	b.overlook(file, k, configs)
	why := ""
	switch {
	case b.asWritten:
		why = "; with buildMetadata or vars in a kustomization a stack needs it too"
	case slices.ContainsFunc(configs, config.builtin):
		why = "; beside generators of kustomize a stack needs it too"
	}
	if err := b.refuse(configs, b.opts.Generate != nil && why == "", why); err != nil {
		return err
	}
	if b.replaceable(configs) {
		return b.replace(dir, file, configs)
	}
	b.leave(configs)
	return nil
}

// judgeTransformers judges the transformers or validators of a kustomization.
func (b *builder) judgeTransformers(dir, file string, entries []string) error {
	configs, err := b.configs(dir, file, entries)
	if err == nil {
		err = b.refuse(configs, false, "")
	}
	b.leave(configs)
	return err
}

// leave leaves configurations to kustomize, which runs inferstack for those that name it.
func (b *builder) leave(configs []config) {
	for _, c := range configs {
		if c.origin != nil {
			b.origins = append(b.origins, *c.origin)
		}
		if b.ours(c) && c.GetKind() != rewireKind {
			b.functions = append(b.functions, b.place(c)+": "+name(c.CurId()))
		}
	}
}
