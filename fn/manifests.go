package fn

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// manifests reads one side of a diff; the other one's name stands in for a path that is
// left out.
func manifests(name, other string, std streams) ([]diff.Set, error) {
	sources, err := manifestSources(name, other, std)
	if err != nil {
		return nil, err
	}
	var out []diff.Set
	var found finding.List
	for _, part := range byRoot(sources) {
		set, wrong, err := objectsOf(part)
		if err != nil {
			return nil, err
		}
		out, found = append(out, set), append(found, wrong...)
	}
	report(std.err, found)
	if failed(found) {
		return nil, errReported
	}
	return out, nil
}

// objectsOf are the objects of sources that belong together, stacks compiled, and the errors.
func objectsOf(sources []source) (set diff.Set, found finding.List, err error) {
	set.In = sources[0].within
	docs, found := readEach(slices.DeleteFunc(sources, isKustomization), source.read)
	stacks, more := units(docs, convert.Options{})
	found = append(found, more...)
	made, more := compile(traced(stacks, sources))
	found = append(found, more...)
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Severity != schema.Error })
	for _, o := range objects(made) {
		object, err := diff.Decode(o.Node())
		if err != nil {
			return set, nil, err
		}
		set.Objects = append(set.Objects, object)
	}
	for i, doc := range docs {
		docs[i] = document.Document{} // whose nodes take three times the memory of what is kept
		if compiles(doc.APIVersion, doc.Kind) || strings.HasPrefix(doc.APIVersion, "kustomize.config.k8s.io/") {
			continue
		}
		object, err := diff.Decode(doc.Node)
		if err != nil {
			return set, nil, err
		}
		if meta, _ := object["metadata"].(map[string]any); !isLocal(meta) {
			set.Objects = append(set.Objects, object)
		}
	}
	return set, found, nil
}

// isKustomization reports whether a file of a directory is kustomize's own, which need not say
// its kind.
func isKustomization(src source) bool {
	base := path.Base(filepath.ToSlash(src.name))
	return !src.named && strings.TrimSuffix(base, path.Ext(base)) == "kustomization"
}

// isLocal reports whether an object is for tools and never applied.
func isLocal(meta map[string]any) bool {
	notes, _ := meta["annotations"].(map[string]any)
	return notes[localConfig] == "true"
}

// manifestSources reads all that a name stands for, also what mentions no stack.
func manifestSources(name, other string, std streams) ([]source, error) {
	if rev, ok := strings.CutPrefix(name, "git:"); ok {
		return gitSources(rev, other, std)
	}
	return openAll(name, std)
}
