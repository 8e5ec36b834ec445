package kustomization

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"
)

// files is a file system in which a file reads the same each time, so that what was judged
// is what runs, and in which the functions of inferstack are those of this run.
type files struct {
	filesys.FileSystem
	function string
	read     map[string][]byte // by clean, absolute path
	instead  map[string][]byte // kustomizations of our own, in the place of the user's, for a while
	made     map[string][]byte // for good: what generators have made, and kustomizations without those
	// annotations are those of the user, by the ones that stand in for them.
	annotations map[string]string
}

func newFiles(disk filesys.FileSystem, function string) *files {
	return &files{FileSystem: disk, function: function, read: map[string][]byte{}, made: map[string][]byte{}, annotations: map[string]string{}}
}

// madeFolder is the name of a directory, in that of a kustomization, which is not on disk and holds
// what its generators have made.
const madeFolder = ".inferstack-made"

// CleanedAbs splits a path, also one in a folder of what was made.
func (f *files) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	dir, file := filepath.Split(name)
	if dir = filepath.Clean(dir); filepath.Base(dir) == madeFolder && f.made[name] != nil {
		return filesys.ConfirmedDir(dir), file, nil
	}
	if file == madeFolder && f.made[filepath.Join(name, konfig.DefaultKustomizationFileName())] != nil {
		return filesys.ConfirmedDir(name), "", nil
	}
	return f.FileSystem.CleanedAbs(name)
}

// ReadFile returns the content of a file, its functions replaced.
func (f *files) ReadFile(name string) ([]byte, error) {
	name = f.clean(name)
	for _, ours := range []map[string][]byte{f.instead, f.made} {
		if data, ok := ours[name]; ok {
			return slices.Clone(data), nil
		}
	}
	data, err := f.user(name)
	if f.instead != nil && err == nil && slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(name)) {
		data = withoutVars(data)
	}
	return slices.Clone(data), err
}

// withoutVars is a kustomization below generators as kustomize reads it, which resolves no variables in
// what it runs (api v0.21.2 internal/target/kusttarget.go configureExternalGenerators).
func withoutVars(data []byte) []byte {
	var k types.Kustomization
	if k.Unmarshal(data) != nil || len(k.Vars) == 0 { //nolint:staticcheck // users have vars
		return data
	}
	k.Vars = nil //nolint:staticcheck // users have vars
	text, err := sigsyaml.Marshal(k)
	if err != nil {
		return data
	}
	return text
}

// user returns the content of a file, its functions replaced, also where a kustomization of our
// own is in its place.
func (f *files) user(name string) ([]byte, error) {
	name = f.clean(name)
	if data, ok := f.read[name]; ok {
		return data, nil
	}
	data, err := f.FileSystem.ReadFile(name)
	if err != nil {
		return nil, err
	}
	data = f.replace(data)
	f.read[name] = data
	return data, nil
}

// clean is the one name of a file.
func (f *files) clean(name string) string {
	dir, file, err := f.CleanedAbs(name)
	if err != nil {
		return name
	}
	return dir.Join(file)
}

// kustomization returns the kustomization file of a directory, or "".
func (f *files) kustomization(dir string) string {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if file := filepath.Join(dir, name); f.Exists(file) && !f.IsDir(file) {
			return file
		}
	}
	return ""
}

// restore gives the resources that are printed, rather than run, their annotations back.
func (f *files) restore(made resmap.ResMap) error {
	for _, res := range made.Resources() {
		if err := f.restoreIn(res); err != nil {
			return fmt.Errorf("%s: %w", name(res.CurId()), err)
		}
	}
	return nil
}

func (f *files) restoreIn(res *resource.Resource) error {
	for _, key := range functionKeys {
		original, ok := f.annotations[res.GetAnnotations(key)[key]]
		if !ok {
			continue
		}
		if err := res.PipeE(yaml.SetAnnotation(key, original)); err != nil {
			return err
		}
	}
	return nil
}

// name is how a message names a resource.
func name(id resid.ResId) string { return id.Kind + " " + id.Name }
