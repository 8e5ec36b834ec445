package kustomization

import (
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/inferstack/inferstack/internal/origin"
)

// stackKind is the kind of stacks (schema.Kind, whose package this program does not need).
const stackKind = "InferenceStack"

// group is that of the kinds that inferstack compiles (schema.APIVersion).
const group = "inferstack.dev"

// rewireKind is the kind of what compiles no stack (fn/rewire.Kind).
const rewireKind = "Rewire"

// origin is that of a resource that was made with the annotations of kustomize's buildMetadata;
// one without any has none.
func (b *builder) origin(dir string, res *resource.Resource) *origin.Origin {
	from, err := res.GetOrigin()
	if err != nil || from == nil || from.Path == "" {
		return nil
	}
	out := &origin.Origin{
		Kind: res.GetKind(), Namespace: res.GetNamespace(), Name: res.GetName(),
		File: b.files.clean(filepath.Join(dir, from.Path)),
	}
	done, err := res.GetTransformations()
	if err != nil {
		return nil
	}
	var seen []string
	for _, t := range done {
		if file := filepath.Join(dir, t.ConfiguredIn); strings.HasPrefix(t.ConfiguredBy.Kind, "Patch") && !slices.Contains(seen, file) {
			seen = append(seen, file)
			out.Patches = append(out.Patches, b.patches(file)...)
		}
	}
	return out
}

// patches are those of a kustomization, in the order in which they are applied.
func (b *builder) patches(file string) (out []origin.Patch) {
	data, err := b.files.user(file)
	var k types.Kustomization
	if err != nil || k.Unmarshal(data) != nil {
		return nil
	}
	add := func(path, text string) {
		within := filepath.Join(filepath.Dir(file), path)
		if path != "" && b.files.Exists(within) {
			out = append(out, origin.Patch{File: b.files.clean(within)})
		} else if n := search(data, text); n != nil {
			out = append(out, origin.Patch{File: b.files.clean(file), Line: lineOf(n), Text: text})
		}
	}
	for _, p := range k.PatchesStrategicMerge { //nolint:staticcheck // users have it
		add(string(p), string(p))
	}
	for _, p := range slices.Concat(k.Patches, k.PatchesJson6902) { //nolint:staticcheck // users have it
		add(p.Path, p.Patch)
	}
	return out
}

// lineOf is the line on which the text of a scalar begins.
func lineOf(n *yaml.Node) int {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Line + 1
	}
	return n.Line
}

// printed are the origins of the stacks that a kustomization prints rather than compiles.
func (b *builder) printed(dir string, made resmap.ResMap) ([]origin.Origin, error) {
	isStack := func(res *resource.Resource) bool { return res.GetKind() == stackKind }
	file := b.files.kustomization(dir)
	if !b.opts.Origins || file == "" || !slices.ContainsFunc(made.Resources(), isStack) {
		return nil, nil
	}
	data, err := b.files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var k types.Kustomization
	if err := k.Unmarshal(data); err != nil {
		return nil, err
	}
	k.BuildMetadata = []string{types.OriginAnnotations, types.TransformerAnnotations}
	var out []origin.Origin
	err = b.probe(file, k, func() (resmap.ResMap, error) { return b.run(dir, krusty.ReorderOptionUnspecified) }, func(made resmap.ResMap) error {
		for _, res := range made.Resources() {
			if from := b.origin(dir, res); isStack(res) && from != nil {
				out = append(out, *from)
			}
		}
		return nil
	})
	return out, err
}
