package main

import (
	"fmt"
	"path/filepath"
)

// checks compares check with a validator that only parses.
func (b *bench) checks() (string, error) {
	const stacks = 228 // of 22 objects each
	t := newTable("check of a repository", fmt.Sprintf("of %d manifests, a file a stack, against kubeconform, which parses them and has no schemas to validate them by", 22*stacks))
	stack, err := example("production-vllm")
	if err != nil {
		return "", err
	}
	for i, one := range copies(stack, stacks) {
		in, err := b.write("one.yaml", []byte(one))
		if err != nil {
			return "", err
		}
		out, err := b.write(fmt.Sprintf("repository/stack-%d.yaml", i), nil)
		if err != nil {
			return "", err
		}
		if _, err := (command{args: []string{b.ours, "render", in}}).run(out); err != nil {
			return "", err
		}
	}
	theirs, err := b.yardstick(kubeconform)
	if err != nil {
		t.missing("kubeconform", err)
		return t.String(), nil
	}
	samples, err := b.compare(
		command{args: []string{b.ours, "check", b.path("repository")}},
		command{args: []string{theirs, "-ignore-missing-schemas", "-schema-location", filepath.Join(b.dir, "none", "{{.ResourceKind}}.json"), b.path("repository")}})
	if err != nil {
		return "", err
	}
	t.add("check", samples)
	return t.String(), nil
}
