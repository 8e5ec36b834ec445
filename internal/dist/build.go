package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A builder builds for one platform, in a directory: the current one when it is empty.
type builder struct{ goos, goarch, dir string }

func (b builder) suffix() string {
	if b.goos == "windows" {
		return ".exe"
	}
	return ""
}

// goTool runs the go command for the platform.
func (b builder) goTool(args ...string) ([]byte, error) {
	var out, wrong bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+b.goos, "GOARCH="+b.goarch)
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.dir, &out, &wrong
	if err := cmd.Run(); err != nil {
		return nil, errors.Join(err, errors.New(wrong.String()))
	}
	return out.Bytes(), nil
}

// build links the program: static, without the paths, the repository's state and the
// build ID, which would differ from one machine to the next.
func (b builder) build(program, out, version string) error {
	_, err := b.goTool("build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -buildid= -X github.com/inferstack/inferstack/fn.version="+version, "-o", out, "./cmd/"+program)
	return err
}

// bill writes the bill of materials, from what the linker noted in the binary. The tool
// is built for the machine that runs it, not for the platform.
func (b builder) bill(binary, version, out string) error {
	cmd := exec.Command("go", "tool", "-modfile=internal/tools/go.mod", "cyclonedx-gomod",
		"bin", "-json", "-std", "-noserial", "-notimestamp", "-version", version, "-output", out, binary)
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	if err := cmd.Run(); err != nil {
		return errors.Join(err, errors.New(wrong.String()))
	}
	return nil
}

// samples are what the README's commands read, and what a repository of manifests begins with.
var samples = []string{"examples", "components"}

// tracked are the files of the samples that are checked in.
func tracked() ([]file, error) {
	list, err := exec.Command("git", append([]string{"ls-files", "-z", "--"}, samples...)...).Output()
	if err != nil {
		return nil, err
	}
	var files []file
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, 0o644, data})
	}
	return files, nil
}

// writeLicences writes the licences to a directory, for an image.
func (b builder) writeLicences(dir string) error {
	files, err := b.licences()
	if err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.data, f.mode); err != nil {
			return err
		}
	}
	return nil
}

// licenceFile are the files that a licence asks to be passed on.
var licenceFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)([.-].*)?$`)

// licences are our own licence and those of the modules that are linked in.
func (b builder) licences() ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", "LICENSES.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, 0o644, data})
	}
	list, err := b.goTool("list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}", "./cmd/...")
	if err != nil {
		return nil, err
	}
	modules := strings.Split(strings.TrimSpace(string(list)), "\n")
	slices.Sort(modules)
	for _, line := range slices.Compact(modules) {
		module, dir, ok := strings.Cut(line, " ")
		if !ok {
			continue // the standard library
		}
		found, err := licencesIn(module, dir)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

func licencesIn(module, dir string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{path.Join("licenses", module, e.Name()), 0o644, data})
	}
	if len(files) == 0 {
		return nil, errors.New("no licence in " + module)
	}
	return files, nil
}
