package assets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/modfile"
)

// Component is one program that is built from Go modules.
type Component struct {
	// Name is the folder under build/ and the program's name.
	Name string
	// Module is the upstream module whose version the component is known by.
	Module string
	// Stamp is a linker variable that upstream's release build sets to the version.
	Stamp string
	// Library is a C library that the program links and that no module carries: stub/<Library>.c stands for it.
	Library string
	// Package is a pkg-config package whose headers and library the program needs beyond what its modules ask for.
	Package string
}

// Components are all programs, cheapest first.
var Components = []Component{
	{Name: "etcd", Module: "go.etcd.io/etcd/server/v3"},
	// Unstamped, the server reports v0.0.0-master+$Format:%H$, which clients cannot parse.
	{Name: "kube-apiserver", Module: "k8s.io/kubernetes", Stamp: "k8s.io/component-base/version.gitVersion"},
	// Its go.mod is the API server's, so that most of it is compiled already.
	{Name: "kube-controller-manager", Module: "k8s.io/kubernetes", Stamp: "k8s.io/component-base/version.gitVersion"},
	{Name: "kustomize", Module: "sigs.k8s.io/kustomize/kustomize/v5"},
	{Name: "flux-build", Module: "github.com/fluxcd/pkg/kustomize"},
	{Name: "argocd-cmp-server", Module: "github.com/argoproj/argo-cd/v3"},
	// The pickers and the sidecar have one version of each module that several need, so that most of it is compiled once.
	{Name: "epp-gie-1.5", Module: "sigs.k8s.io/gateway-api-inference-extension"},
	{Name: "epp-gie-1.4", Module: "sigs.k8s.io/gateway-api-inference-extension"},
	{Name: "epp-gie-1.3", Module: "sigs.k8s.io/gateway-api-inference-extension"},
	{Name: "epp-gie-1.2", Module: "sigs.k8s.io/gateway-api-inference-extension"},
	{Name: "epp-gie-1.1", Module: "sigs.k8s.io/gateway-api-inference-extension"},
	{Name: "epp-gie-1.0", Module: "sigs.k8s.io/gateway-api-inference-extension"},
	{Name: "epp-llmd-0.7", Module: "github.com/llm-d/llm-d-inference-scheduler"},
	// Needs Debian's libzmq3-dev and python3-dev: its KV-cache library has Python's headers among its own.
	{Name: "epp-llmd-0.4", Module: "github.com/llm-d/llm-d-inference-scheduler", Library: "tokenizers", Package: "python3-embed"},
	{Name: "pd-sidecar", Module: "github.com/llm-d/llm-d-inference-scheduler"},
	{Name: "llm-d-sim", Module: "github.com/llm-d/llm-d-inference-sim"},
	{Name: "istio-pilot", Module: "istio.io/istio"},
	{Name: "kserve-llmisvc", Module: "github.com/kserve/kserve"},
}

func find(name string) (Component, error) {
	for _, c := range Components {
		if c.Name == name {
			return c, nil
		}
	}
	return Component{}, fmt.Errorf("no component is called %q", name)
}

// Version returns the pinned version of the component of that name.
func Version(name string) (string, error) {
	c, err := find(name)
	if err != nil {
		return "", err
	}
	return c.version()
}

func (c Component) version() (string, error) {
	source, err := c.source()
	if err != nil {
		return "", err
	}
	return required(filepath.Join(source, "go.mod"), c.Module)
}

// Required returns the version of a module that the conformance module itself requires.
func Required(module string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	return required(filepath.Join(root, "go.mod"), module)
}

func required(path, module string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	file, err := modfile.ParseLax(path, content, nil)
	if err != nil {
		return "", err
	}
	for _, r := range file.Require {
		if r.Mod.Path == module {
			return r.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s does not require %s", path, module)
}

func (c Component) source() (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "build", c.Name), nil
}

// Root returns the folder of the conformance module.
func Root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		content, readErr := os.ReadFile(filepath.Join(dir, "go.mod"))
		if readErr == nil && modfile.ModulePath(content) == "github.com/inferstack/inferstack/conformance" {
			return dir, nil
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return "", fmt.Errorf("run inside the conformance module")
	}
	return "", err
}

// key names the version for people and hashes everything that decides the binary for machines.
func (c Component) key(source string) (string, error) {
	version, err := c.version()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", []string{runtime.Version(), runtime.GOOS, runtime.GOARCH, c.Name, c.Stamp, c.Library})
	if c.Package != "" {
		fmt.Fprintln(sum, c.Package)
	}
	err = filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", strings.TrimPrefix(path, source), len(content), content)
		return err
	})
	return c.Name + "-" + version + "-" + hex.EncodeToString(sum.Sum(nil))[:12], err
}

func (c Component) linkFlags() (string, error) {
	if c.Stamp == "" {
		return "-s -w", nil
	}
	version, err := c.version()
	return "-s -w -X " + c.Stamp + "=" + version, err
}
