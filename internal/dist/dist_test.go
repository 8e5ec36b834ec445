package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var packed = []file{{"inferstack", 0o755, []byte("program")}, {"LICENSE", 0o644, []byte("text")}}

// TestArchivesSayNoMore reads the archives back: the files are there, the program can be
// started, and nothing of the machine that packed them is in it.
func TestArchivesSayNoMore(t *testing.T) {
	tarred, err := tarball(packed)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := tarball(packed)
	if !bytes.Equal(tarred, again) {
		t.Error("two tarballs differ")
	}
	zr, err := gzip.NewReader(bytes.NewReader(tarred))
	if err != nil {
		t.Fatal(err)
	}
	var got []file
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(epoch) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%+v", h)
		}
		data, _ := io.ReadAll(tr)
		got = append(got, file{h.Name, fs.FileMode(h.Mode), data})
	}
	if diff := cmp.Diff(packed, got, cmp.AllowUnexported(file{})); diff != "" {
		t.Error(diff)
	}

	zipped, err := zipball(packed)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, f := range r.File {
		data, err := fs.ReadFile(r, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, file{f.Name, f.Mode(), data})
	}
	if diff := cmp.Diff(packed, got, cmp.AllowUnexported(file{})); diff != "" {
		t.Error(diff)
	}
}

func TestChecksumsAndProvenance(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.tar.gz"), []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	sums, err := checksums(dir)
	if err != nil {
		t.Fatal(err)
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2
	if got := string(sums.text()); got != abc+"  a.tar.gz\n" {
		t.Error(got)
	}
	text, err := release{version: "v1.2.3", commit: "c0ffee", builder: "b"}.provenance(sums)
	if err != nil {
		t.Fatal(err)
	}
	var s statement
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	def := s.Predicate.BuildDefinition
	if s.Subject[0].Digest["sha256"] != abc || def.ResolvedDependencies[0].Digest["gitCommit"] != "c0ffee" || def.ExternalParameters["version"] != "v1.2.3" {
		t.Errorf("%s", text)
	}
}

// TestLicencesArePassedOn needs a licence text of every module that is linked in.
func TestLicencesArePassedOn(t *testing.T) {
	t.Chdir("../..")
	files, err := builder{goos: "windows", goarch: "amd64"}.licences()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range files {
		names[filepath.Dir(f.name)] = len(f.data) > 0
	}
	// Cobra brings it in on Windows only.
	if len(files) < 30 || !names["licenses/github.com/inconshreveable/mousetrap@v1.1.0"] {
		t.Errorf("%d licences: %v", len(files), names)
	}
}

// TestReproducible builds the commit twice, in different directories, with nothing shared
// but the downloaded modules: the same bytes. It compiles everything anew, so it runs only
// when it is asked for: make reproducible.
func TestReproducible(t *testing.T) {
	if os.Getenv("REPRODUCIBLE") == "" {
		t.Skip("REPRODUCIBLE is not set")
	}
	t.Chdir("../..")
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	var built [2][]byte
	for i, where := range []string{"a", "another/longer-one"} {
		dir := filepath.Join(t.TempDir(), where)
		if out, err := exec.Command("git", "worktree", "add", "--detach", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("git", "worktree", "remove", "--force", dir).Run() })
		t.Setenv("TZ", []string{"UTC", "Asia/Kathmandu"}[i])
		// The first build may use what is there, the second is cold.
		t.Setenv("GOCACHE", []string{strings.TrimSpace(string(cache)), filepath.Join(t.TempDir(), "cache")}[i])
		out := filepath.Join(t.TempDir(), "inferstack")
		b := builder{goos: runtime.GOOS, goarch: runtime.GOARCH, dir: dir}
		if err := b.build(program, out, "v1.2.3"); err != nil {
			t.Fatal(err)
		}
		built[i], _ = os.ReadFile(out)
	}
	if len(built[0]) == 0 || !bytes.Equal(built[0], built[1]) {
		t.Errorf("%d and %d bytes, which differ", len(built[0]), len(built[1]))
	}
}

// TestOneGo holds together the places that name the Go that releases are built with.
func TestOneGo(t *testing.T) {
	t.Chdir("../..")
	text := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	_, rest, _ := strings.Cut(text("Makefile"), "RELEASE_GO = go")
	version, _, _ := strings.Cut(rest, "\n")
	for name, want := range map[string]string{
		"Dockerfile":                    "golang:" + version + " ",
		".github/workflows/release.yml": `go-version: "` + version + `"`,
		".github/workflows/ci.yml":      `go-version: "` + version + `"`,
	} {
		if version == "" || !strings.Contains(text(name), want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
}
