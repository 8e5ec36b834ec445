package kustomization

import (
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
	for _, entry := range slices.Concat(k.Resources, k.Components) {
		if err := b.enter(dir, entry); err != nil {
			return err
		}
	}
	for _, entries := range [][]string{k.Generators, k.Transformers, k.Validators} {
		if err := b.judge(dir, file, data, entries); err != nil {
			return err
		}
	}
	return nil
}

// enter visits an entry that is a directory.
func (b *builder) enter(dir, entry string) error {
	if within := filepath.Join(dir, entry); !filepath.IsAbs(entry) && b.files.IsDir(within) {
		return b.visit(within)
	}
	return nil
}

// judge judges what a list of a kustomization would run.
func (b *builder) judge(dir, file string, data []byte, entries []string) error {
	var paths []string
	for _, entry := range entries {
		if !inline(entry) {
			paths = append(paths, entry)
			continue
		}
		if err := b.judgeInline(file, data, entry); err != nil {
			return err
		}
	}
	for _, entry := range paths {
		if err := b.enter(dir, entry); err != nil {
			return err
		}
	}
	if len(paths) == 0 || len(b.elsewhere) > 0 {
		return nil
	}
	return b.judgeConfigs(dir, file, paths)
}
