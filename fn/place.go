package fn

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema"
)

// A placed is one of our own objects on its way to the output.
type placed struct {
	object manifest.Manifest
	// owner and file go into annotations, for the next run and for the orchestrator; none
	// are needed where the output is used once.
	owner, file string
}

// node is the object with its annotations.
func (p placed) node() *yaml.Node {
	n := p.object.Node()
	if p.file == "" {
		return n
	}
	metadata := krm.Field(n, "metadata")
	annotations := krm.Field(metadata, "annotations")
	if annotations == nil {
		annotations = mapping()
		metadata.Content = append(metadata.Content, krm.Word("annotations"), annotations)
	}
	for _, text := range []string{generatedBy, p.owner, krm.PathAnnotation, p.file, krm.IndexAnnotation, "0"} {
		annotations.Content = append(annotations.Content, manifest.Text(text))
	}
	return n
}

// place gives each object the file it goes to and the note of who made it.
func (l *resourceList) place(made []generators.Made, taken map[string]*krm.Object) ([]placed, finding.List) {
	var out []placed
	var found finding.List
	shared := l.sharedNames(made)
	for _, m := range made {
		if wrong := notLocal(m.Spec.Source().File); wrong != "" {
			p := m.Spec.Problem(schema.Error, "metadata.annotations", "the path of the file that the stack is from %s, so nothing can be written beside it", wrong)
			found = append(found, onStack(m.Spec, p))
			continue
		}
		dir := folder(m.Spec.Source().File, m.Spec.Metadata.Name)
		if shared[dir] {
			dir += "." + m.Spec.Metadata.Namespace
		}
		names := fileNames(m.Objects)
		for i, o := range m.Objects {
			file := path.Join(dir, names[i])
			if other, ok := taken[file]; ok {
				p := m.Spec.Problem(schema.Error, "metadata.name", "%s is to be written to %s, which holds %s", o.ID, file, idOf(other))
				found = append(found, onItem(other, p))
			}
			out = append(out, placed{o, m.Owner(), file})
		}
	}
	return out, found
}

// notLocal says what is wrong with a path that is to stay inside of the package, whatever
// system the orchestrator runs on.
func notLocal(file string) string {
	switch {
	case len(file) > 4096:
		return "is longer than any file system takes"
	case strings.ContainsFunc(file, unicode.IsControl):
		return "has control characters"
	case strings.Contains(file, `\`):
		return "has a backslash"
	case path.IsAbs(file) || len(file) > 1 && file[1] == ':':
		return "is absolute"
	case slices.Contains(strings.Split(file, "/"), ".."):
		return "leads out of the package"
	case slices.ContainsFunc(strings.Split(file, "/"), isGitDir):
		return "is in a .git directory"
	}
	return ""
}

// isGitDir reports whether a name is .git on any file system: some ignore case, and what
// Windows drops from the end of names.
func isGitDir(name string) bool {
	return strings.EqualFold(strings.TrimRight(name, ". "), ".git") || strings.EqualFold(name, "git~1")
}

// folder is where the objects of a stack go, beside the stack's file.
func folder(file, stack string) string { return path.Join(path.Dir(file), "generated", stack) }

// sharedNames finds the folders that two stacks of one name, in different namespaces,
// would share.
func (l *resourceList) sharedNames(made []generators.Made) map[string]bool {
	owners := map[string]string{}
	shared := map[string]bool{}
	add := func(dir, owner string) {
		if before, ok := owners[dir]; ok && before != owner {
			shared[dir] = true
		}
		owners[dir] = owner
	}
	for _, m := range made {
		add(folder(m.Spec.Source().File, m.Spec.Metadata.Name), m.Owner())
	}
	for _, item := range l.items {
		if item.Kind() == schema.Kind {
			add(folder(pathOf(item), item.Name()), ownerOf(item))
		}
	}
	return shared
}
