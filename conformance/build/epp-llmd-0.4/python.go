package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"syscall"
)

//go:embed stub/render_jinja_template_wrapper.py
var wrapper []byte

// withoutPython gives the precise prefix scorer a module in the place of the one that it imports, and returns a function
// that removes it. What the scorer's C code prints goes to standard error: standard output is for verdicts.
func withoutPython() (remove func(), err error) {
	verdicts, err := syscall.Dup(1)
	if err != nil {
		return nil, err
	}
	if err := syscall.Dup3(2, 1, 0); err != nil {
		return nil, err
	}
	os.Stdout = os.NewFile(uintptr(verdicts), "verdicts")
	dir, err := os.MkdirTemp("", "epp-llmd")
	if err != nil {
		return nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if err := os.WriteFile(filepath.Join(dir, "render_jinja_template_wrapper.py"), wrapper, 0o600); err != nil {
		return remove, err
	}
	return remove, os.Setenv("PYTHONPATH", dir)
}
