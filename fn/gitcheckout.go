package fn

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mostCheckedOut bounds what is written of a revision, in bytes.
const mostCheckedOut = 256 << 20

// gitCheckout writes the files of a revision below a new directory, by reading them from the
// repository: git's own checkout runs the filters that the repository's configuration names.
func gitCheckout(rev string) (dir string, remove func(), err error) {
	files, err := gitBlobs(rev, "-l")
	if err != nil {
		return "", nil, err
	}
	var names, objects []string
	total := 0
	for _, f := range files {
		if f.mode != linkMode && filepath.IsLocal(filepath.FromSlash(f.name)) {
			total += f.size
			names, objects = append(names, f.name), append(objects, f.hash)
		}
	}
	if total > mostCheckedOut {
		return "", nil, errors.New("is too large to build a kustomization of it; build it in a checkout, and compare the results")
	}
	contents, err := gitFiles(objects)
	if err != nil {
		return "", nil, err
	}
	if dir, err = os.MkdirTemp("", "inferstack-revision-"); err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	for i, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, contents[i], 0o600)); err != nil {
			remove()
			return "", nil, err
		}
	}
	return dir, remove, nil
}

// A gitBlob is a file or a link of a tree.
type gitBlob struct {
	mode, hash, name string
	size             int // in bytes, with -l
}

// gitBlobs lists the files and links of a tree and of those in it.
func gitBlobs(tree string, flags ...string) ([]gitBlob, error) {
	// Without --full-tree git leaves out what is not below the directory that it runs in, also of
	// a tree that is that directory already.
	list, err := git(slices.Concat([]string{"ls-tree", "-r", "-z", "--full-tree"}, flags, []string{tree})...)
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

// renaming writes with one text in place of another, for names that a reader does not know.
type renaming struct {
	to       io.Writer
	old, new string
}

func (r renaming) Write(text []byte) (int, error) {
	_, err := r.to.Write(bytes.ReplaceAll(text, []byte(r.old), []byte(r.new)))
	return len(text), err
}
