// Package origin is how inferstack-build tells inferstack of which files a kustomization has made
// a stack. kustomize hands on the result alone, in which no line is that of a file.
package origin

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// Env is the variable in which a function that is run finds the origins of what it may be given.
const Env = "INFERSTACK_ORIGINS"

// dirEnv is the variable for the directory from which it shows files: kustomize runs functions in
// that of their kustomization.
const dirEnv = "INFERSTACK_ORIGINS_FROM"

// mostEnv keeps the variable below what systems take (Linux: 128 KiB, MAX_ARG_STRLEN).
const mostEnv = 96 << 10

// An Origin is the file of a stack, and what has patched it.
type Origin struct {
	Kind      string  `json:"kind"`
	Namespace string  `json:"namespace,omitempty"` // after the patches, as the name
	Name      string  `json:"name"`
	File      string  `json:"file"` // absolute, as all names here
	Patches   []Patch `json:"patches,omitempty"`
}

// A Patch is a file of patches, or one that is written out in a kustomization.
type Patch struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // of Text in File
	Text string `json:"text,omitempty"`
}

// Export puts origins into the environment of what is started, and returns what takes them out.
// More than fit are left out: then messages have no places.
func Export(all []Origin) (undo func(), err error) {
	text, err := json.Marshal(all)
	if err != nil || len(text) > mostEnv {
		return func() {}, err
	}
	here, err := os.Getwd()
	undo = func() {
		_ = os.Unsetenv(Env)
		_ = os.Unsetenv(dirEnv)
	}
	return undo, errors.Join(err, os.Setenv(Env, string(text)), os.Setenv(dirEnv, here))
}

// Imported are those that Export put there.
func Imported() (all []Origin) {
	if json.Unmarshal([]byte(os.Getenv(Env)), &all) != nil {
		return nil
	}
	return all
}

// Shown is how a message names a file: from the working directory, where that is shorter.
func Shown(file string) string {
	here, err := os.Getenv(dirEnv), error(nil)
	if here == "" {
		here, err = os.Getwd()
	}
	if err != nil || !filepath.IsAbs(file) {
		return file
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return file
	}
	near, err := filepath.Rel(here, file)
	if err != nil || len(near) >= len(file) {
		return file
	}
	return near
}
