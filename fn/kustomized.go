package fn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// kustomizationFiles are the names that kustomize looks for (kustomize api v0.21.2
// konfig/general.go).
var kustomizationFiles = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// listingKeys are the keys of a kustomization that only lists files.
var listingKeys = []string{"apiVersion", "kind", "metadata", "resources", "generators", "sortOptions"}

// transforms reports whether a kustomization makes more of its directory than the files that
// it lists hold: bases, patches, prefixes, generated ConfigMaps. The files of one that does not
// are read as they stand, so that findings name their lines. What cannot be read is kustomize's
// to judge.
func transforms(kustomization []byte, isFile func(name string) bool) bool {
	var doc yaml.Node
	var keys map[string]any
	if yaml.Unmarshal(kustomization, &doc) != nil || schema.Sound(&doc) != nil || doc.Decode(&keys) != nil {
		return true
	}
	for key := range keys {
		if !slices.Contains(listingKeys, key) {
			return true
		}
	}
	for _, key := range []string{"resources", "generators"} {
		entries, _ := keys[key].([]any)
		for _, entry := range entries {
			name, ok := entry.(string)
			if !ok || !filepath.IsLocal(filepath.FromSlash(name)) || !isFile(name) {
				return true
			}
		}
	}
	return false
}

// kustomized returns what the kustomization of a directory makes, as one source; ok is false of a
// directory without one, or with one that only lists files.
func kustomized(dir string, std streams) (made source, ok bool, err error) {
	for _, name := range kustomizationFiles {
		file := filepath.Join(dir, name)
		if !isRegular(file) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return source{}, false, plain(err)
		}
		if !transforms(data, func(name string) bool { return isRegular(filepath.Join(dir, filepath.FromSlash(name))) }) {
			return source{}, false, nil
		}
		text, err := buildKustomization(dir, buildOptions{restrictor: restrictedToRoot}, std)
		return source{name: filepath.ToSlash(file), data: text, named: true, built: true}, true, err
	}
	return source{}, false, nil
}

func isRegular(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// A whole is what names of a command line stand for: stacks, and what kustomizations build.
type whole struct {
	stacks         []unit
	found          finding.List
	kustomizations []builtKustomization
}

// A builtKustomization is what one makes, but for stacks, which are compiled with the others.
type builtKustomization struct {
	name    string
	objects []schema.Document
}

// readWhole is readStacks with what kustomizations make in place of their directories.
func readWhole(names []string, opts convert.Options, std streams) (whole, error) {
	var out whole
	var others []string
	for _, name := range names {
		src, ok, err := kustomized(name, std)
		switch {
		case err != nil:
			return out, err
		case ok:
			out.add(name, src, opts)
		default:
			others = append(others, name)
		}
	}
	if len(others) == 0 && len(names) > 0 {
		return out, nil
	}
	stacks, found, err := readStacks(others, opts, std.in)
	out.stacks, out.found = append(stacks, out.stacks...), append(found, out.found...)
	return out, err
}

func (w *whole) add(name string, src source, opts convert.Options) {
	docs, problems := src.read()
	stacks, found := units(docs, opts)
	w.stacks = append(w.stacks, stacks...)
	w.found = slices.Concat(w.found, finding.List(problems), found)
	w.kustomizations = append(w.kustomizations, builtKustomization{name, slices.DeleteFunc(docs, func(d schema.Document) bool { return compiles(d.APIVersion, d.Kind) })})
}

// gitKustomized is kustomized of a directory of a revision, from what was read of it: the
// revision is written to a directory that is deleted again, for bases may be anywhere in it.
func gitKustomized(rev, name string, files []source, std streams) (made source, ok bool, err error) {
	prefix := "git:" + strings.TrimSuffix(rev+":"+name, "/") + "/"
	has := func(file string) bool {
		return slices.ContainsFunc(files, func(s source) bool { return s.name == prefix+file })
	}
	i := slices.IndexFunc(files, func(s source) bool { return slices.Contains(kustomizationFiles, strings.TrimPrefix(s.name, prefix)) })
	if i < 0 || !transforms(files[i].data, has) {
		return source{}, false, nil
	}
	tree, remove, err := gitCheckout(rev)
	if err != nil {
		return source{}, false, fmt.Errorf("git:%s: %w", rev, err)
	}
	defer remove()
	here, err := git("rev-parse", "--show-prefix")
	if err != nil {
		return source{}, false, err
	}
	dir := filepath.Join(tree, filepath.FromSlash(strings.TrimSpace(string(here))), filepath.FromSlash(name))
	text, err := buildKustomization(dir, buildOptions{restrictor: restrictedToRoot}, streams{std.in, std.out, renaming{std.err, tree, "git:" + rev}})
	return source{name: files[i].name, data: text, named: true, built: true}, true, err
}
