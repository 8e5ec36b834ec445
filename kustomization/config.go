package kustomization

import (
	"fmt"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/origin"
)

// A config is the configuration of something that a kustomization would run.
type config struct {
	*resource.Resource
	// file is the one that it is in, inline its text if that is the kustomization.
	file, inline string
	origin       *origin.Origin // nil of what is inline
}

// configs are what a list of a kustomization configures, in the order of kustomize: first what is
// written out in it (api v0.21.2 internal/target/kusttarget.go, configureExternalGenerators).
func (b *builder) configs(dir, file string, entries []string) ([]config, error) {
	var configs []config
	var paths []string
	for _, entry := range entries {
		if !inline(entry) {
			paths = append(paths, entry)
			continue
		}
		inlined, err := parse([]byte(entry))
		if err != nil {
			continue // a path, for kustomize
		}
		for _, res := range inlined {
			configs = append(configs, config{Resource: res, file: file, inline: entry})
		}
	}
	for _, entry := range paths {
		if err := b.enter(dir, entry); err != nil {
			return nil, err
		}
	}
	if len(paths) == 0 || len(b.elsewhere) > 0 {
		return configs, nil
	}
	listed, ok := b.read(dir, paths)
	if ok {
		return append(configs, listed...), nil
	}
	listed, err := b.built(dir, file, paths)
	return append(configs, listed...), err
}

func parse(text []byte) ([]*resource.Resource, error) {
	return provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes(text)
}

// read reads the configurations in files. It is not ok where kustomize has to be asked: with
// directories, and with what it may refuse.
func (b *builder) read(dir string, entries []string) (configs []config, ok bool) {
	for _, entry := range entries {
		file := b.files.clean(filepath.Join(dir, entry))
		if filepath.IsAbs(entry) || !strings.HasPrefix(file, dir+string(filepath.Separator)) {
			return nil, false
		}
		data, err := b.files.user(file)
		if err != nil {
			return nil, false
		}
		resources, err := parse(data)
		if err != nil {
			return nil, false
		}
		for _, res := range resources {
			from := &origin.Origin{Kind: res.GetKind(), Namespace: res.GetNamespace(), Name: res.GetName(), File: file}
			configs = append(configs, config{Resource: res, file: file, origin: from})
		}
	}
	return configs, true
}

// built builds the entries of a list as kustomize does before it runs them.
func (b *builder) built(dir, file string, entries []string) (configs []config, err error) {
	probe := types.Kustomization{
		Resources:     entries,
		SortOptions:   &types.SortOptions{Order: types.FIFOSortOrder},
		BuildMetadata: []string{types.OriginAnnotations, types.TransformerAnnotations},
		// What is not printed is run all the same.
		CommonAnnotations: map[string]string{konfig.IgnoredByKustomizeAnnotation: "false"},
	}
	err = b.probe(file, probe, func() (resmap.ResMap, error) { return b.runOnStacks(dir) }, func(made resmap.ResMap) error {
		for _, res := range made.Resources() {
			c := config{Resource: res, file: file, origin: b.origin(dir, res)}
			if c.origin != nil {
				c.file = c.origin.File
			}
			configs = append(configs, c)
		}
		return nil
	})
	return configs, err
}

// probe builds a kustomization in the place of one that is there.
func (b *builder) probe(file string, instead types.Kustomization, run func() (resmap.ResMap, error), then func(resmap.ResMap) error) error {
	text, err := yaml.Marshal(instead)
	if err != nil {
		return err
	}
	b.files.instead = map[string][]byte{b.files.clean(file): text}
	defer func() { b.files.instead = nil }()
	return quietly(func() error {
		made, err := run()
		if err != nil {
			return fmt.Errorf("%s: %w", origin.Shown(file), err)
		}
		return then(made)
	})
}
