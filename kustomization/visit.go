package kustomization

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"
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
		return fmt.Errorf("%s: %w", file, err)
	}
	k.FixKustomization()
	if len(k.HelmCharts) > 0 {
		return fmt.Errorf("%s: has Helm charts, and inferstack runs no helm; render them with helm template and list the result", position(file, data, "helmCharts"))
	}
	if err := local(file, data, slices.Concat(k.Resources, k.Components)); err != nil {
		return err
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
	if err := local(file, data, paths); err != nil || len(paths) == 0 {
		return err
	}
	for _, entry := range paths {
		if err := b.enter(dir, entry); err != nil {
			return err
		}
	}
	return b.judgeConfigs(dir, file, paths)
}

// remote is what kustomize may take for an address. It tries so when it cannot read a file
// of that name (api v0.21.2 internal/git/repospec.go NewRepoSpecFromURL).
var remote = regexp.MustCompile(`://|::|@|^(gh|github\.com)[:/]|\.git([/?]|$)|/_git/|\?(ref|version|submodules|timeout)=`)

// local refuses entries that are somewhere else.
func local(file string, data []byte, entries []string) error {
	for _, entry := range entries {
		if remote.MatchString(entry) {
			return fmt.Errorf("%s: %s is remote; inferstack build reads local files only: copy it into the repository", position(file, data, entry), entry)
		}
	}
	return nil
}

// position is the place of a text in a file, or else the file.
func position(file string, data []byte, text string) string {
	docs, err := documents(data)
	if err != nil {
		return file
	}
	for _, doc := range docs {
		if n := find(doc, text); n != nil {
			return fmt.Sprintf("%s:%d:%d", file, n.Line, n.Column)
		}
	}
	return file
}

// find returns the first scalar of a value.
func find(n *yaml.Node, value string) *yaml.Node {
	if n.Kind == yaml.ScalarNode && n.Value == value {
		return n
	}
	for _, child := range n.Content {
		if found := find(child, value); found != nil {
			return found
		}
	}
	return nil
}
