// Package kustomization builds a kustomization with kustomize's own packages and with one
// function only: inferstack itself. It gives what kustomize build --enable-alpha-plugins
// --enable-exec gives, but runs no other program and asks no network.
//
// kustomize lets nobody take the place of a function (api v0.21.2
// internal/plugins/loader/loader.go). So what it would run as a generator, transformer or
// validator is computed beforehand, after all patches, and refused when it is not inferstack.
// What generators make is asked for, and kustomize reads it from files that are not on disk,
// in the place of the generators. Where that cannot be done (see replaceable) kustomize runs
// the function: the annotation by which a file names inferstack is rewritten as it is read, to
// the program that Options name.
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

	"github.com/inferstack/inferstack/internal/dialogue"
	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/published"
)

// Options say how a kustomization is built.
type Options struct {
	// Function is the absolute path of inferstack, which is run where a file names it and
	// Generate cannot be asked.
	Function string
	// Generate returns what a generator makes; nil to have all functions run.
	Generate func(dialogue.Generator) (string, error)
	// Unrestricted lets a kustomization read files outside its root.
	Unrestricted bool
	// Origins asks for those of the stacks that are printed.
	Origins bool
	// Reorder is kustomize's flag of that name: legacy, none, or "" for neither.
	Reorder string
}

// Build returns what a kustomization makes, as kustomize prints it.
func Build(dir string, opts Options) (built dialogue.Built, err error) {
	b := &builder{opts: opts, prepared: prepare(), files: newFiles(filesys.MakeFsOnDisk(), opts.Function), seen: map[string]bool{}}
	switch {
	case !b.files.Exists(dir):
		return built, fmt.Errorf("%s: no such directory", dir)
	case !b.files.IsDir(dir):
		return built, fmt.Errorf("%s: is a file; name the directory of a kustomization", dir)
	case b.files.kustomization(dir) == "":
		return built, fmt.Errorf("%s: no kustomization.yaml in it", dir)
	}
	err = b.visit(dir)
	if err = errors.Join(append(b.elsewhere, err)...); err != nil {
		return built, err
	}
	if b.failed {
		return built, notMade(dir, dialogue.ErrFailed)
	}
	undo, err := origin.Export(b.origins)
	if err != nil {
		return built, err
	}
	defer undo()
	built.Warnings = b.overlooked
	made, err := b.run(dir, krusty.ReorderOption(opts.Reorder))
	if err != nil {
		return built, notMade(dir, err)
	}
	if err := b.files.restore(made); err != nil {
		return built, err
	}
	text, err := asYAML(made)
	if err != nil {
		return built, err
	}
	built.Text, built.Functions = string(text), b.functions
	built.Origins, err = b.printed(dir, made)
	return built, err
}

// notMade is the error of a build. What a function has refused it has said itself.
func notMade(dir string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, dialogue.ErrFailed) {
		return fmt.Errorf("%s is not built", dir)
	}
	return err
}

// A builder builds one kustomization.
type builder struct {
	opts  Options
	files *files
	seen  map[string]bool // directories
	// prepared waits until kustomize may build.
	prepared func()
	// asWritten says that no generator may be replaced.
	asWritten bool
	// patched says that something is patched.
	patched bool
	// failed says that a generator has errors.
	failed bool
	// origins are those of what functions are given, and functions the places of those.
	origins   []origin.Origin
	functions []string
	// overlooked are what has no effect.
	overlooked []string
	// elsewhere are the errors on what is remote.
	elsewhere []error
}

// run is kustomize. What it knows of types is global and has to be as in a new process; the merge
// keys of stacks are needed for patches only.
func (b *builder) run(dir string, order krusty.ReorderOption) (resmap.ResMap, error) {
	b.prepared()
	openapi.ResetOpenAPI()
	if b.patched {
		if err := openapi.AddSchema([]byte(published.OpenAPI())); err != nil {
			return nil, err
		}
	}
	return b.kustomize(dir, order)
}

// runOnStacks is run without the types of Kubernetes, which no stack has and which take longer to
// read than all else.
func (b *builder) runOnStacks(dir string) (resmap.ResMap, error) {
	b.prepared()
	openapi.ResetOpenAPI()
	openapi.SuppressBuiltInSchemaUse()
	if err := openapi.AddSchema([]byte(published.OpenAPI())); err != nil {
		return nil, err
	}
	return b.kustomize(dir, krusty.ReorderOptionUnspecified)
}

func (b *builder) kustomize(dir string, order krusty.ReorderOption) (resmap.ResMap, error) {
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
