// Package kustomization builds a kustomization with kustomize's own packages and with one
// function only: inferstack itself. It gives what kustomize build --enable-alpha-plugins
// --enable-exec gives, but runs no other program and asks no network.
//
// kustomize lets nobody take the place of a function (api v0.21.2
// internal/plugins/loader/loader.go). So the annotation by which a file names inferstack is
// rewritten as it is read, to the program that Options name, and what kustomize would run as
// a generator, transformer or validator is computed beforehand, after all patches, and
// refused when it is anything else.
package kustomization

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/published"
)

// Options say how a kustomization is built.
type Options struct {
	// Function is the absolute path of inferstack, which is run where a file names it.
	Function string
	// Unrestricted lets a kustomization read files outside its root.
	Unrestricted bool
	// Origins asks for those of the stacks that are printed.
	Origins bool
	// Reorder is kustomize's flag of that name: legacy, none, or "" for neither.
	Reorder string
}

// Build returns what a kustomization makes, as kustomize prints it.
func Build(dir string, opts Options) (origin.Built, error) {
	b := &builder{opts: opts, files: newFiles(filesys.MakeFsOnDisk(), opts.Function), seen: map[string]bool{}}
	if !b.files.IsDir(dir) {
		return origin.Built{}, fmt.Errorf("%s: no such directory", dir)
	}
	err := b.visit(dir)
	if err = errors.Join(append(b.elsewhere, err)...); err != nil {
		return origin.Built{}, err
	}
	undo, err := origin.Export(b.origins)
	if err != nil {
		return origin.Built{}, err
	}
	defer undo()
	made, err := b.run(dir, krusty.ReorderOption(opts.Reorder))
	if err != nil {
		return origin.Built{}, notMade(dir, err)
	}
	if err := b.files.restore(made); err != nil {
		return origin.Built{}, err
	}
	text, err := made.AsYaml()
	if err != nil {
		return origin.Built{}, err
	}
	printed, err := b.printed(dir, made)
	return origin.Built{Text: string(text), Origins: printed}, err
}

// notMade is the error of a build. What a function has refused it has said itself.
func notMade(dir string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s is not built", dir)
	}
	return err
}

// A builder builds one kustomization.
type builder struct {
	opts  Options
	files *files
	seen  map[string]bool // directories
	// origins are those of what functions are given.
	origins []origin.Origin
	// elsewhere are the errors on what is remote.
	elsewhere []error
}

// run is kustomize. What it knows of types is global and has to be as in a new process.
func (b *builder) run(dir string, order krusty.ReorderOption) (resmap.ResMap, error) {
	openapi.ResetOpenAPI()
	if err := openapi.AddSchema([]byte(published.OpenAPI())); err != nil {
		return nil, err
	}
	opts := krusty.MakeDefaultOptions()
	opts.Reorder = cmp.Or(order, krusty.ReorderOptionUnspecified)
	if b.opts.Unrestricted {
		opts.LoadRestrictions = types.LoadRestrictionsNone
	}
	opts.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
	opts.PluginConfig.FnpLoadingOptions.EnableExec = true
	return krusty.MakeKustomizer(opts).Run(b.files, dir)
}

// CheckReorder refuses a value that kustomize's flag has not.
func CheckReorder(value string) error {
	switch krusty.ReorderOption(value) {
	case "", krusty.ReorderOptionUnspecified, krusty.ReorderOptionLegacy, krusty.ReorderOptionNone:
		return nil
	}
	return fmt.Errorf("--reorder must be legacy or none (got %q)", value)
}
