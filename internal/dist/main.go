// Command dist builds a release: for each platform an archive with static binaries, the
// licences of what is linked into them and the examples, their bills of materials, and for all of them the
// checksums and a provenance statement. Two runs on one commit write the same bytes: there
// is not a clock in it, no user and no directory name.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	program = "inferstack"
	source  = "https://github.com/inferstack/inferstack"

	checksumsFile  = "SHA256SUMS"
	provenanceFile = "provenance.intoto.json"
)

// programs are what an archive holds.
var programs = []string{program, "inferstack-build", "inferstack-policy"}

// platforms are what a release is built for unless -platforms says otherwise.
const platforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	var r release
	flag.StringVar(&r.version, "version", "", "version to stamp, as git describe prints it")
	flag.StringVar(&r.commit, "commit", "", "commit that is built, for the provenance statement")
	flag.StringVar(&r.builder, "builder", source+"/blob/main/docs/releasing.md#local", "who builds, for the provenance statement")
	flag.StringVar(&r.out, "out", "dist", "directory to write; what is in it is removed")
	list := flag.String("platforms", platforms, "GOOS/GOARCH, separated by commas")
	licences := flag.String("licences", "", "only write the licences of what is linked in for a platform to this directory")
	onlyNotes := flag.Bool("notes", false, "only print what CHANGELOG.md says of the version")
	flag.Parse()
	var err error
	switch {
	case *onlyNotes:
		err = r.notes(os.Stdout)
	case *licences != "":
		goos, goarch, _ := strings.Cut(*list, "/")
		err = builder{goos: goos, goarch: goarch}.writeLicences(*licences)
	default:
		err = r.make(strings.Split(*list, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// A release is one run of the program.
type release struct {
	version string
	commit  string
	builder string
	out     string
}

// make writes the whole release.
func (r release) make(list []string) error {
	if r.version == "" || r.commit == "" {
		return errors.New("-version and -commit are needed")
	}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for _, name := range list {
		if err := r.platform(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return r.describe()
}

// describe writes what says which files there are: for package managers, the checksums, which are
// also of those, and the statement.
func (r release) describe() error {
	archives, err := checksums(r.out)
	if err != nil {
		return err
	}
	packages, err := r.packages(archives)
	if err != nil {
		return err
	}
	for name, text := range packages {
		if err := os.WriteFile(filepath.Join(r.out, name), text, 0o644); err != nil {
			return err
		}
	}
	all, err := checksums(r.out)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.out, checksumsFile), all.text(), 0o644); err != nil {
		return err
	}
	statement, err := r.provenance(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, provenanceFile), statement, 0o644)
}

// platform writes the archive of one platform, and the bills of materials of what is in it.
func (r release) platform(name string) (err error) {
	goos, goarch, ok := strings.Cut(name, "/")
	if !ok {
		return errors.New("a platform is GOOS/GOARCH")
	}
	tmp, err := os.MkdirTemp("", program+"-dist-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	b := builder{goos: goos, goarch: goarch}
	var files []file
	for _, name := range programs {
		data, err := r.program(b, name, tmp)
		if err != nil {
			return err
		}
		files = append(files, file{name + b.suffix(), 0o755, data})
	}
	licences, err := b.licences()
	if err != nil {
		return err
	}
	examples, err := tracked()
	if err != nil {
		return err
	}
	files = slices.Concat(files, licences, examples)
	if goos == "linux" {
		deb, err := r.deb(goarch, files)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, r.debFile(goarch)), deb, 0o644); err != nil {
			return err
		}
	}
	base := r.file(program, b)
	pack, suffix := tarball, ".tar.gz"
	if goos == "windows" {
		pack, suffix = zipball, ".zip"
	}
	archive, err := pack(files)
	if err != nil {
		return err
	}
	return os.WriteFile(base+suffix, archive, 0o644)
}

// program builds a program, writes its bill of materials and returns it.
func (r release) program(b builder, name, dir string) ([]byte, error) {
	binary := filepath.Join(dir, name+b.suffix())
	if err := b.build(name, binary, r.version); err != nil {
		return nil, err
	}
	if err := b.bill(binary, r.version, r.file(name, b)+".cdx.json"); err != nil {
		return nil, err
	}
	return os.ReadFile(binary)
}

// file is the path of what a release has of a program, without its suffix.
func (r release) file(name string, b builder) string {
	return filepath.Join(r.out, strings.Join([]string{name, r.version, b.goos, b.goarch}, "_"))
}

// sums are the SHA-256 digests of files, by name and in its order.
type sums []struct{ name, digest string }

func checksums(dir string) (sums, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out sums
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, struct{ name, digest string }{e.Name(), fmt.Sprintf("%x", sha256.Sum256(data))})
	}
	return slices.Clip(out), nil
}

// text is what sha256sum --check takes.
func (s sums) text() (out []byte) {
	for _, f := range s {
		out = fmt.Appendf(out, "%s  %s\n", f.digest, f.name)
	}
	return out
}
