package kustomization

import (
	"path/filepath"
	"sync"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// prepare has kustomize read its defaults while kustomizations are read and stacks compiled: it does so once,
// and that takes as long as half of a usual build. The function that it returns waits until what
// is prepared shares nothing with another build but those defaults.
func prepare() (wait func()) {
	shared := make(chan struct{})
	alone := sync.OnceFunc(func() { close(shared) })
	go func() {
		defer alone()
		_ = readDefaults(alone) // ends with an error in any case
	}()
	return func() { <-shared }
}

// readDefaults builds a kustomization of which kustomize reads an empty resource, when it has set what it knows of
// types, then its defaults, and last a configuration that is not there (api v0.21.2
// internal/target/kusttarget.go accumulateTarget).
func readDefaults(alone func()) error {
	files := watched{filesys.MakeFsInMemory(), alone}
	for name, text := range map[string]string{
		konfig.DefaultKustomizationFileName(): "resources: [" + emptyFile + "]\nconfigurations: [" + noFile + "]\n",
		emptyFile:                             "# Nothing\n",
	} {
		if err := files.WriteFile(name, []byte(text)); err != nil {
			return err
		}
	}
	_, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, ".")
	return err
}

const (
	emptyFile = "empty.yaml"
	noFile    = "none.yaml"
)

// watched are files, with what is done when the empty one is read.
type watched struct {
	filesys.FileSystem
	reached func()
}

func (w watched) ReadFile(name string) ([]byte, error) {
	if filepath.Base(name) == emptyFile {
		w.reached()
	}
	return w.FileSystem.ReadFile(name)
}
