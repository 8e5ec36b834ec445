package fn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// writeNew writes a file that must not be there yet, unless forced.
func writeNew(name string, text []byte, force bool) error {
	info, err := os.Lstat(name)
	switch {
	case err == nil && !force:
		return failure{fmt.Errorf("%s: there already; --force overwrites it", name)}
	case err == nil && !info.Mode().IsRegular():
		return failure{fmt.Errorf("%s: is not a regular file", name)}
	}
	return writeFile(name, text)
}

// printed reports whether a file that is to be written stands for standard output.
func printed(file string) bool { return file == "" || file == "-" }

// put writes to a file, or prints.
func (s streams) put(file string, text []byte) error {
	if !printed(file) {
		return writeFile(file, text)
	}
	if _, err := s.out.Write(text); err != nil {
		return failure{err}
	}
	return nil
}

// writeFile writes a file whole or not at all: beside its place first, so that an old one
// is not lost to a full disk. A link stays one, and what is not a regular file, as
// /dev/stdout, is written to as it is.
func writeFile(name string, text []byte) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		err = writeTo(name, text)
	case err == nil:
		err = replaceFile(name, text, info.Mode().Perm())
	case errors.Is(err, fs.ErrNotExist):
		err = replaceFile(name, text, 0o644)
	}
	if err != nil {
		return failure{plain(err)}
	}
	return nil
}

// writeTo writes to a device or a pipe. A pipe that nobody reads is an error: to wait for
// a reader could take for ever.
func writeTo(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

func replaceFile(name string, text []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".inferstack-new-")
	if err != nil {
		var made *fs.PathError
		if errors.As(err, &made) {
			made.Path = name // the user's, and not that of the file beside it
		}
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Chmod(mode), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
