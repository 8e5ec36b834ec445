package fn

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/origin"
)

// gitBuilt is openAll of a directory of a revision, which is written to a directory that is
// deleted again, with the bases that are elsewhere in the revision.
func gitBuilt(rev, name string, std streams) ([]source, error) {
	here, err := git("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	at := path.Join(strings.TrimSpace(string(here)), name)
	tree, remove, err := gitCheckout(rev, at)
	if err != nil {
		return nil, fmt.Errorf("git:%s: %w", rev, err)
	}
	defer remove()
	rename := strings.NewReplacer(tree+string(filepath.Separator), "git:"+rev+":", origin.Shown(tree)+string(filepath.Separator), "git:"+rev+":", tree, "git:"+rev)
	sources, err := openAll(filepath.Join(tree, filepath.FromSlash(at)), streams{std.in, std.out, renaming{std.err, rename}})
	for i := range sources {
		src := &sources[i]
		src.name, src.root = rename.Replace(src.name), rename.Replace(src.root)
		for _, l := range src.lineages {
			for j := range l.texts {
				l.texts[j].file = rename.Replace(l.texts[j].file)
			}
		}
	}
	return sources, err
}

// gitCheckout writes a directory of a revision, and what it leads to, below a new directory, by
// reading it from the repository: git's own checkout runs the filters that the repository's
// configuration names.
func gitCheckout(rev, at string) (dir string, remove func(), err error) {
	read := revision{rev: rev, asked: map[string]bool{}, files: map[string]gitFile{}, linked: map[string][]string{}}
	if err := read.all(at); err != nil {
		return "", nil, err
	}
	if dir, err = os.MkdirTemp("", "inferstack-revision-"); err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		err = writeRevision(real, read.files)
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return real, remove, nil
}

// writeRevision writes files, and the links that stay among them.
func writeRevision(dir string, files map[string]gitFile) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var links []string
	for _, f := range files {
		name := filepath.FromSlash(f.name)
		if !filepath.IsLocal(name) {
			continue
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if f.mode == linkMode {
			links = append(links, name)
			err = root.Symlink(filepath.FromSlash(string(f.data)), name)
		} else {
			err = root.WriteFile(name, f.data, 0o600)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range links {
		if _, err := root.Stat(name); err != nil {
			if err := root.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// A gitBlob is a file or a link of a tree.
type gitBlob struct {
	mode, hash, name string
	size             int // in bytes, with -l
}

// gitBlobs lists files and links of a tree, as git ls-tree is told to by arguments: with -r also those of
// the trees in it, with -l their sizes, and only those at the paths that are named.
func gitBlobs(args ...string) ([]gitBlob, error) {
	// Without --full-tree git leaves out what is not below the directory that it runs in, also of
	// a tree that is that directory already.
	list, err := git(append([]string{"ls-tree", "-z", "--full-tree"}, args...)...)
	if err != nil {
		return nil, err
	}
	var out []gitBlob
	for line := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		what, name, _ := strings.Cut(line, "\t")
		words := strings.Fields(what) // mode, type, hash, and with -l the size
		if len(words) < 3 || words[1] != "blob" {
			continue
		}
		blob := gitBlob{mode: words[0], hash: words[2], name: name}
		if len(words) > 3 {
			if blob.size, err = strconv.Atoi(words[3]); err != nil {
				return nil, err
			}
		}
		out = append(out, blob)
	}
	return out, nil
}

// hidden reports whether a file is in a directory that is a tool's own.
func (b gitBlob) hidden() bool {
	return path.Dir(b.name) != "." && slices.ContainsFunc(strings.Split(path.Dir(b.name), "/"), hidden)
}

// kustomizes reports whether a file is a kustomization.
func (b gitBlob) kustomizes() bool {
	return !b.hidden() && slices.Contains(kustomizationFiles, path.Base(b.name))
}

// renaming writes with texts in place of others, for names that a reader does not know.
type renaming struct {
	to    io.Writer
	names *strings.Replacer
}

func (r renaming) Write(text []byte) (int, error) {
	_, err := r.names.WriteString(r.to, string(text))
	return len(text), err
}
