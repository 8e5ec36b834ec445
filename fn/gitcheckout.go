package fn

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mostCheckedOut bounds what is written of a revision, in bytes.
const mostCheckedOut = 256 << 20

// gitCheckout writes the files of a revision below a new directory, by reading them from the
// repository: git's own checkout runs the filters that the repository's configuration names.
func gitCheckout(rev string) (dir string, remove func(), err error) {
	list, err := git("ls-tree", "-r", "-z", "-l", "--full-tree", rev)
	if err != nil {
		return "", nil, err
	}
	var names, objects []string
	total := 0
	for line := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		what, name, _ := strings.Cut(line, "\t")
		words := strings.Fields(what) // mode, type, hash and size
		if len(words) != 4 || words[1] != "blob" || words[0] == linkMode || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		size, err := strconv.Atoi(words[3])
		if err != nil {
			return "", nil, err
		}
		total += size
		names, objects = append(names, name), append(objects, words[2])
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

// renaming writes with one text in place of another, for names that a reader does not know.
type renaming struct {
	to       io.Writer
	old, new string
}

func (r renaming) Write(text []byte) (int, error) {
	_, err := r.to.Write(bytes.ReplaceAll(text, []byte(r.old), []byte(r.new)))
	return len(text), err
}
