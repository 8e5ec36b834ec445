package fn

import (
	"errors"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema/document"
)

// mostCheckedOut bounds what is read of a revision, in bytes.
const mostCheckedOut = 256 << 20

// A revision is what is read of one to build a directory of it. The rest of it need not be in the
// repository.
type revision struct {
	rev   string
	asked map[string]bool // paths, with all that is below them
	files map[string]gitFile
	// linked are the directories of the links that lead to a path, by which kustomize knows it.
	linked map[string][]string
	total  int // bytes
}

// A gitFile is a file, or the text of a link.
type gitFile struct {
	gitBlob
	data []byte
}

// all reads what is at a path, and what the kustomizations and links there lead to.
func (r *revision) all(at string) error {
	for next := []string{at}; len(next) > 0; {
		for _, at := range next {
			r.asked[at] = true
		}
		files, err := r.read(next)
		if err != nil {
			return err
		}
		next = nil
		for _, f := range files {
			for _, to := range r.leads(f) {
				if !r.has(to) && !slices.Contains(next, to) {
					next = append(next, to)
				}
			}
		}
	}
	return nil
}

// has reports whether a path was asked for, or is outside of the repository.
func (r *revision) has(at string) bool {
	if at == ".." || strings.HasPrefix(at, "../") {
		return true
	}
	for ; at != "."; at = path.Dir(at) {
		if r.asked[at] {
			return true
		}
	}
	return r.asked["."]
}

// read reads what is at paths and below them, and the links on the way to them.
func (r *revision) read(paths []string) ([]gitFile, error) {
	below, onTheWay := []string{"-r", "-l", r.rev}, []string{"-l", r.rev, "--"}
	if !slices.Contains(paths, ".") { // without paths all is listed
		below = append(append(below, "--"), paths...)
	}
	for _, at := range paths {
		for at = path.Dir(at); at != "."; at = path.Dir(at) {
			onTheWay = append(onTheWay, at)
		}
	}
	blobs, err := gitBlobs(below...)
	if err == nil && len(onTheWay) > 3 {
		var links []gitBlob
		links, err = gitBlobs(onTheWay...)
		blobs = append(blobs, links...)
	}
	if err != nil {
		return nil, err
	}
	return r.contents(blobs)
}

// contents reads files that have not been read.
func (r *revision) contents(blobs []gitBlob) ([]gitFile, error) {
	var files []gitFile
	var objects []string
	for _, blob := range blobs {
		if _, known := r.files[blob.name]; known {
			continue
		}
		r.files[blob.name] = gitFile{}
		r.total += blob.size
		files, objects = append(files, gitFile{gitBlob: blob}), append(objects, blob.hash)
	}
	if r.total > mostCheckedOut {
		return nil, errors.New("is too large to build a kustomization of it; build it in a checkout, and compare the results")
	}
	contents, err := gitFiles(objects)
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].data = contents[i]
		r.files[files[i].name] = files[i]
	}
	return files, nil
}

// leads are the paths to which a link or a kustomization leads. Kustomize reads a kustomization that
// is behind a link as one of the link's directory.
func (r *revision) leads(f gitFile) []string {
	dir := path.Dir(f.name)
	if f.mode == linkMode {
		to := path.Join(dir, string(f.data))
		r.linked[to] = append(r.linked[to], dir)
		if known, read := r.files[to]; read && known.mode != linkMode {
			return r.leads(known)
		}
		return []string{to}
	}
	dirs := r.linked[f.name]
	if slices.Contains(kustomizationFiles, path.Base(f.name)) {
		dirs = append(dirs, dir)
	}
	var doc yaml.Node
	if len(dirs) == 0 || yaml.Unmarshal(f.data, &doc) != nil || document.Sound(&doc) != nil {
		return nil
	}
	var out []string
	for _, name := range scalars(&doc) {
		for _, dir := range dirs {
			out = append(out, path.Join(dir, name))
		}
	}
	return out
}

// scalars are the texts in a document that may lead out of its directory.
func scalars(n *yaml.Node) (out []string) {
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "..") && !strings.ContainsAny(n.Value, "\n\x00") {
		_, name, keyed := strings.Cut(n.Value, "=") // as in a configMapGenerator
		if out = append(out, n.Value); keyed {
			out = append(out, name)
		}
	}
	for _, child := range n.Content {
		out = append(out, scalars(child)...)
	}
	return out
}
