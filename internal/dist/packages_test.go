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
	archives, err := checksums(r.out)
	if err == nil {
		err = r.describe()
	}
	if err != nil {
		t.Fatal(err)
	}
	return r, archives
}

var address = regexp.MustCompile(`https://github\.com/inferstack/inferstack/releases/download/([^/\s"]+)/([^\s"}]+)`)

// TestAddressesAreOfARelease holds each address that a package manager, a page or an example
// names to the files that a release has.
func TestAddressesAreOfARelease(t *testing.T) {
	const version = "v1.0.0"
	r, all := released(t, version)
	var files []string
	written, err := os.ReadDir(r.out)
	for _, f := range written {
		files = append(files, f.Name())
	}
	if err != nil {
		t.Fatal(err)
	}
	packages, err := r.packages(all)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, arch := range []string{"amd64", "arm64"} {
		files = append(files, r.debFile(arch))
	}
	for name, text := range packages {
		texts[name] = string(text)
	}
	for _, pattern := range []string{"../../README.md", "../../docs/*.md", "../../docs/*/*.md", "../../examples/*/*/*", "../../examples/*/*/*/*"} {
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
	if seen < 13 {
		t.Errorf("only %d addresses", seen)
	}
}

// TestVersionsArePinned looks for what installs inferstack, or others' actions, as of whatever day it runs.
func TestVersionsArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^v\d+(\.\d+\.\d+)?$|^VERSION$`)
	uses := regexp.MustCompile(`(?:inferstack/cmd/\S+|uses: \S+?|inferstack/inferstack(?:-argocd)?)[@:]([\w.$-]+)`)
	seen := 0
	for _, pattern := range []string{"../../README.md", "../../docs/*.md", "../../docs/*/*.md", "../../examples/*/*/*", "../../.github/workflows/*", "../../examples/*/*/.gitlab-ci.yml"} {
		found, _ := filepath.Glob(pattern)
		for _, name := range found {
			text, _ := os.ReadFile(name)
			for _, use := range uses.FindAllStringSubmatch(string(text), -1) {
				seen++
				if !pinned.MatchString(use[1]) {
					t.Errorf("%s: %s names no version", name, use[0])
				}
			}
		}
	}
	if seen < 15 {
		t.Errorf("only %d uses", seen)
	}
}

// TestDescribed holds the checksums to every file but those that come after them.
func TestDescribed(t *testing.T) {
	r, _ := released(t, "v1.2.3")
	text, err := os.ReadFile(filepath.Join(r.out, checksumsFile))
	if err != nil {
		t.Fatal(err)
	}
	written, _ := os.ReadDir(r.out)
	for _, f := range written {
		if later := f.Name() == checksumsFile || f.Name() == provenanceFile; strings.Contains(string(text), "  "+f.Name()+"\n") == later {
			t.Errorf("%s: %s", f.Name(), text)
		}
	}
}

// TestWorkflowPublishes runs the step that publishes, with a gh that says how it is called.
func TestWorkflowPublishes(t *testing.T) {
	text, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Name, Run string } }
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	steps := workflow.Jobs["release"].Steps
	publish := steps[len(steps)-1]
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\necho \"$*\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for version, pre := range map[string]bool{"v1.2.3": false, "v1.2.3-rc.1": true} {
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", publish.Run)
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GITHUB_REF_NAME="+version, "RUNNER_TEMP=/runner")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "release create "+version+" --verify-tag --notes-file /runner/notes.md") || strings.Contains(string(out), "--prerelease") != pre {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestNotes(t *testing.T) {
	const changelog = "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.2.3] - 2026-01-02\n\n### Added\n\n- a\n\n## [1.2.2]\n\n- old\n"
	for version, want := range map[string]string{"1.2.3": "### Added\n\n- a\n", "1.2.2": "- old\n", "1.3.0-rc.1": "- new\n", "1.3.0": ""} {
		if got, err := section(changelog, version); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q %v, want %q", version, got, err, want)
		}
	}
	t.Chdir("../..")
	var out bytes.Buffer
	if err := (release{version: "v99.0.0-rc.1"}).notes(&out); err != nil || out.Len() < 1000 {
		t.Errorf("%v: %s", err, &out)
	}
}

// TestREADMEWithAnArchive holds the paths in the README's commands to what an archive has beside the programs.
func TestREADMEWithAnArchive(t *testing.T) {
	t.Chdir("../..")
	files, err := tracked()
	if err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("`(?:inferstack|kpt|kustomize) [^`]*`")
	paths := regexp.MustCompile(`(?:examples|components)/[\w/.-]+`)
	seen := 0
	for _, command := range commands.FindAllString(string(text), -1) {
		for _, path := range paths.FindAllString(command, -1) {
			seen++
			if !slices.ContainsFunc(files, func(f file) bool { return f.name == path || strings.HasPrefix(f.name, path+"/") }) {
				t.Errorf("%s needs %s, which no archive has", command, path)
			}
		}
	}
	if seen < 2 {
		t.Errorf("only %d paths", seen)
	}
}

// TestImagesHaveLicences reads the Dockerfile: each image that is published has them.
func TestImagesHaveLicences(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range strings.Split(string(text), "\nFROM ")[2:] {
		if !strings.Contains(stage, "COPY --from=build /licences/ ") || !strings.Contains(stage, "org.opencontainers.image.source="+source+" ") {
			t.Error(stage)
		}
	}
	t.Chdir("../..")
	dir := t.TempDir()
	if err := (builder{goos: "linux", goarch: "arm64"}).writeLicences(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "LICENSE")); err != nil {
		t.Error(err)
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

// TestDeb reads a package with dpkg and installs it, where there is one, and by its form.
func TestDeb(t *testing.T) {
	long := "licenses/" + strings.Repeat("a-long-name", 10) + "/LICENSE"
	deb, err := release{version: "v1.2.3-rc.1"}.deb("arm64", append([]file{{long, 0o644, []byte("text")}}, packed...))
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
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg/updates"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, database := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", database), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("dpkg", "--force-not-root", "--force-architecture", "--root="+root, "--log=/dev/null", "--unpack", name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"usr/bin/inferstack", "usr/share/doc/inferstack/" + long} {
		if _, err := os.Stat(filepath.Join(root, want)); err != nil {
			t.Error(err)
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

// withShasum makes of a directory all that the action runs, with macOS's shasum in place of sha256sum.
func withShasum(t *testing.T, bin string) string {
	t.Helper()
	for name, as := range map[string]string{"sed": "sed", "mkdir": "mkdir", "cp": "cp", "grep": "grep", "tar": "tar", "gzip": "gzip", "bash": "bash", "sh": "sh", "sha256sum": "real-sha256sum"} {
		real, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(real, filepath.Join(bin, as))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "shasum"), []byte("#!/bin/sh\n[ \"$1 $2\" = \"-a 256\" ] || exit 9\nshift 2\nexec real-sha256sum \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return bin
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
	path := bin + ":" + os.Getenv("PATH")
	install := func(runnerOS, arch string) ([]byte, error) {
		dir := t.TempDir()
		cmd := exec.Command("bash", "-c", action.Runs.Steps[0].Run)
		cmd.Env = append(os.Environ(), "PATH="+path, "VERSION=v1.2.3", "RUNNER_OS="+runnerOS, "RUNNER_ARCH="+arch, "RUNNER_TEMP="+dir, "GITHUB_PATH="+filepath.Join(dir, "path"))
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
	path = withShasum(t, bin)
	if got, err := install("macOS", "ARM64"); err != nil || string(got) != "darwin/arm64" {
		t.Errorf("without sha256sum: %v\n%s", err, got)
	}
	name := r.file(program, builder{goos: "linux", goarch: "amd64"}) + ".tar.gz"
	if err := os.WriteFile(name, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := install("Linux", "X64"); err == nil {
		t.Errorf("a changed archive is installed\n%s", out)
	}
}
