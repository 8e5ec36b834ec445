package fn

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/inferstack/inferstack/generators"
)

// errStale is the error of a directory that is not what the stacks generate.
var errStale = errors.New("not up to date")

// checkDir compares a directory with what writeDir would make of it and writes nothing but
// a line for each file that differs.
func checkDir(dir string, made []generators.Made, w io.Writer) error {
	files, err := dirContent(objects(made))
	if err != nil {
		return err
	}
	changed, stale, there, err := compareDir(dir, files)
	if err != nil {
		return err
	}
	for _, name := range changed {
		state := "missing"
		if there(name) {
			state = "differs"
		}
		_, _ = fmt.Fprintf(w, "%s: %s\n", filepath.Join(dir, name), state)
	}
	for _, name := range stale {
		_, _ = fmt.Fprintf(w, "%s: no longer generated\n", filepath.Join(dir, name))
	}
	if len(changed)+len(stale) > 0 {
		return fmt.Errorf("%s is %w; run inferstack render -o %s", dir, errStale, dir)
	}
	return nil
}

// compareDir returns the files to write and to remove, and which files there are.
func compareDir(dir string, files map[string][]byte) (changed, stale []string, there func(string) bool, err error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []string{kustomizationFile}, nil, func(string) bool { return false }, nil
	}
	if err != nil {
		return nil, nil, nil, plain(err)
	}
	defer root.Close()
	changed, stale, err = plan(root, files)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	present := map[string]bool{}
	for _, name := range changed {
		_, err := root.Lstat(name)
		present[name] = err == nil
	}
	return changed, stale, func(name string) bool { return present[name] }, nil
}
