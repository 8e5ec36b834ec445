package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// released writes a release whose programs are empty, and returns its directory.
func released(t *testing.T, version string) (release, sums) {
	t.Helper()
	r := release{version: version, commit: "c0ffee", builder: "b", out: t.TempDir()}
	for platform := range strings.SplitSeq(platforms, ",") {
		goos, goarch, _ := strings.Cut(platform, "/")
		b := builder{goos: goos, goarch: goarch}
		pack, suffix := tarball, ".tar.gz"
		if goos == "windows" {
			pack, suffix = zipball, ".zip"
		}
		archive, err := pack([]file{{program + b.suffix(), 0o755, []byte(platform)}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.file(program, b)+suffix, archive, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := checksums(r.out)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.out, checksumsFile), all.text(), 0o600); err != nil {
		t.Fatal(err)
	}
	return r, all
}

var address = regexp.MustCompile(`https://github\.com/inferstack/inferstack/releases/download/([^/\s"]+)/([^\s"]+)`)

// TestAddressesAreOfARelease holds each address that a package manager, a page or an example
// names to the files that a release has.
func TestAddressesAreOfARelease(t *testing.T) {
	const version = "v1.0.0"
	r, all := released(t, version)
	files := []string{checksumsFile}
	for _, f := range all {
		files = append(files, f.name)
	}
	packages, err := r.packages(all)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, arch := range []string{"amd64", "arm64"} {
		files = append(files, r.debFile(arch))
	}
	for name := range packagings {
		files = append(files, name)
	}
	for name, text := range packages {
		texts[name] = string(text)
	}
	for _, pattern := range []string{"../../README.md", "../../docs/*.md", "../../docs/*/*.md", "../../examples/*/*/*"} {
		found, _ := filepath.Glob(pattern)
		for _, name := range found {
			if text, err := os.ReadFile(name); err == nil {
				texts[name] = string(text)
			}
		}
	}
	seen := 0
	for name, text := range texts {
		for _, found := range address.FindAllStringSubmatch(text, -1) {
			seen++
			if found[1] != version || !slices.Contains(files, found[2]) {
				t.Errorf("%s: no release has %s; %s has %v", name, found[0], version, files)
			}
		}
	}
	if seen < 12 {
		t.Errorf("only %d addresses", seen)
	}
}

// TestPackagesNameArchives reads krew's manifest, and the formula by its form.
func TestPackagesNameArchives(t *testing.T) {
	r, all := released(t, "v1.2.3")
	packages, err := r.packages(all)
	if err != nil {
		t.Fatal(err)
	}
	var plugin struct {
		Spec struct {
			Version   string
			Platforms []struct{ URI, SHA256, Bin string }
		}
	}
	if err := yaml.UnmarshalStrict(packages["krew.yaml"], &map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(packages["krew.yaml"], &plugin); err != nil {
		t.Fatal(err)
	}
	if len(plugin.Spec.Platforms) != len(strings.Split(platforms, ",")) || plugin.Spec.Version != "v1.2.3" {
		t.Errorf("%s", packages["krew.yaml"])
	}
	for _, p := range plugin.Spec.Platforms {
		if !strings.Contains(string(all.text()), p.SHA256+"  "+filepath.Base(p.URI)) || p.Bin != program && !strings.HasSuffix(p.URI, ".zip") {
			t.Errorf("%+v", p)
		}
	}
	formula := string(packages["inferstack.rb"])
	if strings.Count(formula, "sha256 \"") != 4 || strings.Count(formula, " do\n") != strings.Count(formula, "\n  end")+strings.Count(formula, "\n    end")-1 {
		t.Error(formula)
	}
	for _, name := range programs {
		if !strings.Contains(formula, `"`+name+`"`) {
			t.Errorf("the formula does not install %s", name)
		}
	}
}

// TestDeb reads a package with dpkg, where there is one, and by its form.
func TestDeb(t *testing.T) {
	deb, err := release{version: "v1.2.3-rc.1"}.deb("arm64", packed)
	if err != nil || !bytes.HasPrefix(deb, []byte("!<arch>\ndebian-binary   ")) {
		t.Fatalf("%v %.80q", err, deb)
	}
	dpkg, err := exec.LookPath("dpkg-deb")
	if err != nil {
		t.Skip(err)
	}
	name := filepath.Join(t.TempDir(), "a.deb")
	if err := os.WriteFile(name, deb, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--info", "--contents"} {
		out, err := exec.Command(dpkg, flag, name).CombinedOutput()
		want := map[string]string{"--info": "Version: 1.2.3~rc.1\n", "--contents": "./usr/bin/inferstack"}[flag]
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestDebVersion(t *testing.T) {
	for version, want := range map[string]string{"v1.2.3": "1.2.3", "v1.2.3-rc.1": "1.2.3~rc.1", "v1.2.3-4-gabc": "1.2.3+4+gabc", "abc-dirty": "0~abc+dirty"} {
		if got := (release{version: version}).debVersion(); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// TestActionInstalls runs the action with a curl that has a release, and refuses one that was changed.
func TestActionInstalls(t *testing.T) {
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct{ Steps []struct{ Run string } }
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	r, _ := released(t, "v1.2.3")
	curl := "#!/bin/sh\nfor last; do :; done\ncp \"" + r.out + "/${last#" + r.download("") + "}\" .\n"
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "curl"), []byte(curl), 0o700); err != nil {
		t.Fatal(err)
	}
	install := func(runnerOS, arch string) ([]byte, error) {
		dir := t.TempDir()
		cmd := exec.Command("bash", "-c", action.Runs.Steps[0].Run)
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "VERSION=v1.2.3", "RUNNER_OS="+runnerOS, "RUNNER_ARCH="+arch, "RUNNER_TEMP="+dir, "GITHUB_PATH="+filepath.Join(dir, "path"))
		if out, err := cmd.CombinedOutput(); err != nil {
			return out, err
		}
		path, err := os.ReadFile(filepath.Join(dir, "path"))
		if err != nil {
			return nil, err
		}
		return os.ReadFile(filepath.Join(strings.TrimSpace(string(path)), program))
	}
	for name, want := range map[[2]string]string{{"Linux", "X64"}: "linux/amd64", {"Linux", "ARM64"}: "linux/arm64", {"macOS", "ARM64"}: "darwin/arm64"} {
		if got, err := install(name[0], name[1]); err != nil || string(got) != want {
			t.Errorf("%v: %v\n%s", name, err, got)
		}
	}
	name := r.file(program, builder{goos: "linux", goarch: "amd64"}) + ".tar.gz"
	if err := os.WriteFile(name, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := install("Linux", "X64"); err == nil {
		t.Errorf("a changed archive is installed\n%s", out)
	}
}
