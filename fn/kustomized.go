package fn

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// kustomizationFiles are the names that kustomize looks for (kustomize api v0.21.2
// konfig/general.go).
var kustomizationFiles = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// listingKeys are the keys of a kustomization that only lists files.
var listingKeys = []string{"apiVersion", "kind", "metadata", "resources", "generators", "sortOptions"}

// listed are the files that a kustomization lists; ok is false of one that makes more of them:
// with bases, patches, prefixes, generated ConfigMaps or functions of others. The files of one that
// only lists are read as they stand, so that findings name their lines. What cannot be read is
// kustomize's to judge.
func listed(kustomization []byte, read func(name string) ([]byte, bool)) (files []string, ok bool) {
	var keys map[string]any
	if !decodeKustomization(kustomization, &keys) {
		return nil, false
	}
	for key := range keys {
		if !slices.Contains(listingKeys, key) {
			return nil, false
		}
	}
	for _, key := range []string{"resources", "generators"} {
		entries, _ := keys[key].([]any)
		for _, entry := range entries {
			name, text := entry.(string)
			if !text || !filepath.IsLocal(filepath.FromSlash(name)) || slices.Contains(files, name) {
				return nil, false
			}
			data, there := read(name)
			if !there || key == "generators" && !runsThis(data) {
				return nil, false
			}
			files = append(files, name)
		}
	}
	return files, true
}

// decodeKustomization reads what is asked for of a kustomization, and reports whether it could.
func decodeKustomization(data []byte, into any) bool {
	var doc yaml.Node
	return yaml.Unmarshal(data, &doc) == nil && document.Sound(&doc) == nil && doc.Decode(into) == nil
}

// runsThis reports whether a file that is listed as a generator is compiled by this program: one that
// names it as its function, or a stack that names none.
func runsThis(data []byte) bool {
	word := schema.Kind
	if bytes.Contains(data, []byte(runtimeAnnotation)) {
		word = "inferstack"
	}
	return bytes.Contains(data, []byte(word))
}

// runtimeAnnotation is by what a file names the function that takes it (kustomize kyaml
// v0.21.2 fn/runtime/runtimeutil).
const runtimeAnnotation = "config.kubernetes.io/function"

// kustomized returns what the kustomization of a directory makes: one source, or the files that it
// lists if it makes no more of them. ok is false of a directory without one.
func kustomized(dir string, std streams) (made []source, ok bool, err error) {
	file, made, plainly, err := listedFiles(dir)
	if file == "" || err != nil {
		return nil, file != "", err
	}
	if plainly {
		for i := range made {
			made[i].root = dir
		}
		return made, true, nil
	}
	built, err := buildKustomization(dir, buildOptions{restrictor: restrictedToRoot, origins: true}, std)
	return []source{{
		name: filepath.ToSlash(file), data: []byte(built.Text), named: true, root: dir,
		built: true, stacks: built.stacks, functions: built.Functions, lineages: lineages(built.Origins),
	}}, true, err
}

// listedFiles is the kustomization of a directory, "" without one, and the files that it lists; plainly
// says that it makes no more of them.
func listedFiles(dir string) (file string, files []source, plainly bool, err error) {
	if file = kustomizationOf(dir); file == "" {
		return "", nil, false, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return file, nil, false, plain(err)
	}
	_, plainly = listed(data, func(name string) ([]byte, bool) {
		src := source{name: filepath.Join(dir, filepath.FromSlash(name)), named: true}
		text, there := regular(src.name)
		src.data = text
		files = append(files, src)
		return text, there
	})
	return file, files, plainly, nil
}

// kustomizationOf is the kustomization of a directory, "" without one.
func kustomizationOf(dir string) string {
	for _, name := range kustomizationFiles {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// onlyBuilt refuses a directory whose kustomization makes more of the files than they hold, to
// a command that compiles files as they stand.
func onlyBuilt(names []string) error {
	for _, name := range names {
		file, _, plainly, err := listedFiles(name)
		if err != nil {
			return err
		}
		if file != "" && !plainly {
			return fmt.Errorf("%s makes more of the files than they hold: use inferstack build %s, or name the files", filepath.ToSlash(file), name)
		}
	}
	return nil
}

// regular reads a file that is neither a link nor anything else; links may lead to a file that
// is listed under its own name too.
func regular(file string) ([]byte, bool) {
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := os.ReadFile(file)
	return data, err == nil
}

// readBuilt is readDocuments with what kustomizations make in place of their directories.
func readBuilt(names []string, std streams) ([]document.Document, finding.List, error) {
	names, err := namesOr(names, std.in)
	if err != nil {
		return nil, nil, err
	}
	var sources []source
	for _, name := range names {
		more, ok, err := kustomized(name, std)
		if !ok && err == nil {
			more, err = open(name, std.in)
		}
		if err != nil {
			return nil, nil, failure{err}
		}
		sources = append(sources, more...)
	}
	docs, found := readEach(sources, source.documents)
	return docs, found, nil
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
	objects []document.Document
	// stacks are those among its generators, and functions the places of what kustomize has compiled.
	stacks    []product
	functions []string
}

// readWhole is readStacks with what kustomizations make in place of their directories, also of
// those below a directory.
func readWhole(names []string, opts convert.Options, std streams, tags ...string) (whole, error) {
	var out whole
	var others []string
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			others = append(others, name)
			continue
		}
		sources, err := openAll(name, std)
		if err != nil {
			return out, failure{err}
		}
		if !slices.ContainsFunc(sources, func(src source) bool { return src.root != "" }) && kustomizationOf(name) == "" {
			others = append(others, name)
			continue
		}
		out.add(sources, opts)
	}
	if len(others) == 0 && len(names) > 0 {
		return out, nil
	}
	stacks, found, err := readStacks(others, opts, std.in, tags...)
	out.stacks, out.found = append(stacks, out.stacks...), append(found, out.found...)
	return out, err
}

// empty reports whether kustomizations that were named make nothing.
func (w *whole) empty() bool {
	some := len(w.stacks)+len(w.found) > 0
	for _, k := range w.kustomizations {
		some = some || len(k.objects) > 0
	}
	return !some
}

// add takes the sources of a directory, one kustomization after the other.
func (w *whole) add(sources []source, opts convert.Options) {
	for _, part := range byRoot(sources) {
		root, read := part[0].root, source.read
		if root == "" {
			read = source.documents
		}
		docs, problems := readEach(part, read)
		stacks, found := units(docs, opts)
		w.stacks = append(w.stacks, traced(stacks, part)...)
		w.found = slices.Concat(w.found, problems, found)
		if root != "" {
			objects := slices.DeleteFunc(docs, func(d document.Document) bool { return compiles(d.APIVersion, d.Kind) })
			w.kustomizations = append(w.kustomizations, builtKustomization{root, objects, part[0].stacks, part[0].functions})
		}
	}
}

// byRoot groups sources by the kustomization that they are of.
func byRoot(sources []source) [][]source {
	return grouped(sources, func(src source) string { return src.root })
}

// grouped are things that have the same key, in their order and in that of the first of each.
func grouped[T any](things []T, key func(T) string) (out [][]T) {
	at := map[string]int{}
	for _, thing := range things {
		i, seen := at[key(thing)]
		if !seen {
			i = len(out)
			at[key(thing)], out = i, append(out, nil)
		}
		out[i] = append(out[i], thing)
	}
	return out
}

// compile compiles the stacks of each kustomization by themselves: several that make the same
// object are for several clusters, or not applied together.
func (w *whole) compile() ([]product, finding.List) {
	var made []product
	found := w.found
	for _, part := range grouped(w.stacks, func(u unit) string { return u.root }) {
		more, wrong := compileUnits(part)
		made, found = append(made, more...), append(found, wrong...)
	}
	return made, found
}

// generated are the stacks that kustomizations compile.
func (w *whole) generated() (out []product) {
	for _, k := range w.kustomizations {
		out = append(out, k.stacks...)
	}
	return out
}
