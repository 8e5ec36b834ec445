package kustomization

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/origin"
)

// judgeConfigs builds the entries of a list as kustomize does before it runs them, and
// judges each.
func (b *builder) judgeConfigs(dir, file string, entries []string) error {
	probe := types.Kustomization{
		Resources:     entries,
		SortOptions:   &types.SortOptions{Order: types.FIFOSortOrder},
		BuildMetadata: []string{types.OriginAnnotations, types.TransformerAnnotations},
		// What is not printed is run all the same.
		CommonAnnotations: map[string]string{konfig.IgnoredByKustomizeAnnotation: "false"},
	}
	return b.probe(dir, file, probe, func(configs resmap.ResMap) error {
		for _, config := range configs.Resources() {
			if wrong := b.refusal(config); wrong != "" {
				return fmt.Errorf("%s: %s", b.place(dir, file, config), wrong)
			}
			b.origins = append(b.origins, b.origin(dir, config)...)
		}
		return nil
	})
}

// probe builds a kustomization in the place of one that is there.
func (b *builder) probe(dir, file string, instead types.Kustomization, then func(resmap.ResMap) error) error {
	text, err := yaml.Marshal(instead)
	if err != nil {
		return err
	}
	b.files.instead = map[string][]byte{b.files.clean(file): text}
	defer func() { b.files.instead = nil }()
	return quietly(func() error {
		made, err := b.run(dir, krusty.ReorderOptionUnspecified)
		if err != nil {
			return fmt.Errorf("%s: %w", origin.Shown(file), err)
		}
		return then(made)
	})
}

// judgeInline judges a configuration that stands in the kustomization itself.
func (b *builder) judgeInline(file string, data []byte, entry string) error {
	configs, err := provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes([]byte(entry))
	if err != nil {
		return nil // a path, for kustomize
	}
	for _, config := range configs {
		if wrong := b.refusal(config); wrong != "" {
			return fmt.Errorf("%s: %s", position(file, data, entry), wrong)
		}
	}
	return nil
}

// refusal says why a configuration is not run, or nothing.
func (b *builder) refusal(config *resource.Resource) string {
	gvk := config.GetGvk()
	if gvk.Group == "" && gvk.Version == konfig.BuiltinPluginApiVersion {
		if gvk.Kind == "HelmChartInflationGenerator" {
			return "inferstack runs no helm; render the chart with helm template and list the result"
		}
		return ""
	}
	spec, err := runtimeutil.GetFunctionSpec(&config.RNode)
	what := name(config.CurId())
	switch {
	case err != nil:
		return fmt.Sprintf("%s: %v", what, err)
	case spec == nil:
		return fmt.Sprintf("%s: no annotation %s; one that names inferstack makes it a function, and no other plugin is run", what, runtimeutil.FunctionAnnotationKey)
	case spec.Container.Image != "":
		return fmt.Sprintf("%s: runs the image %s; only functions of inferstack are run: use kustomize build", what, spec.Container.Image)
	case spec.Exec.Path != b.opts.Function:
		return fmt.Sprintf("%s: runs the program %s; only functions of inferstack are run: use kustomize build", what, spec.Exec.Path)
	}
	return ""
}

// place is where the annotation is that makes a function of a configuration, or at least the file,
// or the kustomization that lists it.
func (b *builder) place(dir, file string, config *resource.Resource) string {
	from, err := config.GetOrigin()
	if err != nil || from == nil || from.Path == "" {
		return origin.Shown(file)
	}
	at := filepath.Join(dir, from.Path)
	data, err := b.files.ReadFile(at)
	if err != nil {
		return origin.Shown(file)
	}
	for _, key := range functionKeys {
		if value := config.GetAnnotations(key)[key]; value != "" {
			return position(at, data, value)
		}
	}
	return origin.Shown(at)
}

// quietly keeps for itself what is said on standard error, unless there is an error: what is
// run here is run again.
func quietly(run func() error) error {
	usual := os.Stderr
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	said := make(chan []byte)
	go func() {
		text, _ := io.ReadAll(r)
		said <- text
	}()
	os.Stderr = w
	err = run()
	os.Stderr = usual
	text := <-closed(w, said)
	if err != nil {
		_, wrong := usual.Write(text)
		return errors.Join(err, wrong)
	}
	return nil
}

func closed(w io.Closer, said chan []byte) chan []byte {
	_ = w.Close()
	return said
}
