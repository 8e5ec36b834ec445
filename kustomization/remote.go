package kustomization

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/internal/pattern"
)

// remote is what kustomize may take for the address of a repository. It tries so when it cannot
// read a file of that name (api v0.21.2 internal/git/repospec.go NewRepoSpecFromURL).
var remote = pattern.Lazy(`://|::|@|^(gh|github\.com)[:/]|\.git([/?]|$)|/_git/|\?(ref|version|submodules|timeout)=`)

// local refuses what a kustomization has that is somewhere else, all of it.
func local(file string, data []byte, k *types.Kustomization) error {
	var wrong []error
	refuse := func(entry string) {
		wrong = append(wrong, fmt.Errorf("%s: %s is remote; inferstack build reads local files only: copy it into the repository", position(file, data, entry), entry))
	}
	for _, entry := range slices.Concat(k.Resources, k.Components, k.Generators, k.Transformers, k.Validators) {
		if !inline(entry) && remote().MatchString(entry) {
			refuse(entry)
		}
	}
	for _, entry := range filesOf(k) {
		if isAddress(entry) {
			refuse(entry)
		}
	}
	if len(k.HelmCharts) > 0 {
		at := position(file, data, "helmCharts", "helmChartInflationGenerator")
		wrong = append(wrong, fmt.Errorf("%s: has Helm charts, and inferstack runs no helm; render them with helm template and list the result", at))
	}
	return errors.Join(wrong...)
}

// filesOf are the entries of a kustomization that name files, where directories are not allowed.
func filesOf(k *types.Kustomization) []string {
	out := slices.Concat(k.Crds, k.Configurations, []string{k.OpenAPI["path"]})
	for _, p := range slices.Concat(k.Patches, k.PatchesJson6902) { //nolint:staticcheck // users have it
		out = append(out, p.Path)
	}
	for _, p := range k.PatchesStrategicMerge { //nolint:staticcheck // users have it
		out = append(out, string(p))
	}
	for _, r := range k.Replacements {
		out = append(out, r.Path)
	}
	for _, g := range k.ConfigMapGenerator {
		out = append(out, sourcesOf(g.KvPairSources)...)
	}
	for _, g := range k.SecretGenerator {
		out = append(out, sourcesOf(g.KvPairSources)...)
	}
	return out
}

func sourcesOf(from types.KvPairSources) []string {
	return slices.Concat(from.FileSources, from.EnvSources)
}

// isAddress reports whether kustomize would fetch a file, which may have a key before it
// (api v0.21.2 internal/loader/fileloader.go IsRemoteFile).
func isAddress(entry string) bool {
	if key, rest, ok := strings.Cut(entry, "="); ok && !strings.Contains(key, "/") {
		entry = rest
	}
	u, err := url.Parse(entry)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// position is the place of the first of several texts that is in a file, or else the file.
func position(file string, data []byte, texts ...string) string {
	shown := origin.Shown(file)
	if n := search(data, texts...); n != nil {
		return fmt.Sprintf("%s:%d:%d", shown, n.Line, n.Column)
	}
	return shown
}

// search returns the first scalar in a file that is one of several texts, or nil.
func search(data []byte, texts ...string) *yaml.Node {
	docs, err := documents(data)
	if err != nil {
		return nil
	}
	for _, doc := range docs {
		if n := find(doc, texts...); n != nil {
			return n
		}
	}
	return nil
}

// find returns the first scalar that has one of several values.
func find(n *yaml.Node, values ...string) (found *yaml.Node) {
	if n.Kind == yaml.ScalarNode && slices.Contains(values, n.Value) {
		return n
	}
	for _, child := range n.Content {
		found = cmp.Or(found, find(child, values...))
	}
	return found
}
