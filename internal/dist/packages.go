package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template" //nolint:depguard // this program is in no release
)

// download is where the workflow puts the files of a release.
func (r release) download(name string) string {
	return source + "/releases/download/" + r.version + "/" + name
}

// deb is a Debian package (deb(5), format 2.0) with the files of an archive, and with the directories
// that they are in, which dpkg does not make by itself.
func (r release) deb(arch string, files []file) ([]byte, error) {
	var data []file
	size := 0
	for _, f := range files {
		size += len(f.data)
		dir := "./usr/share/doc/" + program + "/"
		if slices.Contains(programs, f.name) {
			dir = "./usr/bin/"
		}
		data = append(data, file{dir + f.name, f.mode, f.data})
	}
	control := fmt.Sprintf("Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: The Inferstack authors\nInstalled-Size: %d\nSection: utils\nPriority: optional\nHomepage: %s\nDescription: compiler of llm-d serving stacks\n", program, r.debVersion(), arch, size/1024, source)
	head, err := tarball([]file{{"./control", 0o644, []byte(control)}})
	if err != nil {
		return nil, err
	}
	body, err := tarball(withDirectories(data))
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("!<arch>\n")
	for _, f := range []file{{"debian-binary", 0, []byte("2.0\n")}, {"control.tar.gz", 0, head}, {"data.tar.gz", 0, body}} {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", f.name, 0, 0, 0, "100644", len(f.data))
		out.Write(f.data)
		if len(f.data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// debFile is the name of a Debian package.
func (r release) debFile(arch string) string {
	return program + "_" + r.debVersion() + "_" + arch + ".deb"
}

// debVersion is the version as Debian orders them: it begins with a digit, a pre-release is before
// its release, and what git describe adds comes after it.
func (r release) debVersion() string {
	version := strings.TrimPrefix(r.version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		version = "0~" + version
	}
	base, rest, ok := strings.Cut(version, "-")
	switch {
	case !ok:
		return version
	case strings.HasPrefix(rest, "rc") || strings.HasPrefix(rest, "beta") || strings.HasPrefix(rest, "alpha"):
		return base + "~" + strings.ReplaceAll(rest, "-", "+")
	}
	return base + "+" + strings.ReplaceAll(rest, "-", "+")
}

// A packaged is an archive as package managers name it.
type packaged struct{ OS, Arch, Bin, URL, Digest string }

// packagings are the texts of package managers, by file.
var packagings = map[string]string{
	program + ".rb": `class Inferstack < Formula
  desc "Compiler of llm-d serving stacks to Kubernetes manifests"
  homepage "{{.Source}}"
  version "{{.Number}}"
  license "Apache-2.0"
{{range .Archives}}{{if ne .OS "windows"}}
  on_{{if eq .OS "darwin"}}macos{{else}}linux{{end}} do
    on_{{if eq .Arch "arm64"}}arm{{else}}intel{{end}} do
      url "{{.URL}}"
      sha256 "{{.Digest}}"
    end
  end
{{end}}{{end}}
  def install
    bin.install {{.Programs}}
  end

  test do
    system bin/"inferstack", "version"
  end
end
`,
	"krew.yaml": `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: inferstack
spec:
  version: {{.Version}}
  homepage: {{.Source}}
  shortDescription: Compile llm-d serving stacks to manifests
  description: |
    Compiles a short InferenceStack file into the Kubernetes objects of an llm-d serving
    stack, and checks, draws and compares manifests.
  platforms:
{{- range .Archives}}
  - selector:
      matchLabels: {os: {{.OS}}, arch: {{.Arch}}}
    uri: {{.URL}}
    sha256: {{.Digest}}
    bin: {{.Bin}}
{{- end}}
`,
}

// packages are the files of package managers, by name: they hold the digests of the archives.
func (r release) packages(all sums) (map[string][]byte, error) {
	values := struct {
		Source, Version, Number, Programs string
		Archives                          []packaged
	}{source, r.version, strings.TrimPrefix(r.version, "v"), `"` + strings.Join(programs, `", "`) + `"`, nil}
	for _, f := range all {
		base, archive := strings.CutSuffix(f.name, ".tar.gz")
		if zipped, isZip := strings.CutSuffix(f.name, ".zip"); isZip {
			base, archive = zipped, true
		}
		platform, ours := strings.CutPrefix(base, program+"_"+r.version+"_")
		if !archive || !ours {
			continue
		}
		goos, goarch, _ := strings.Cut(platform, "_")
		values.Archives = append(values.Archives, packaged{goos, goarch, program + builder{goos: goos}.suffix(), r.download(f.name), f.digest})
	}
	out := map[string][]byte{}
	for name, text := range packagings {
		var made bytes.Buffer
		if err := template.Must(template.New(name).Parse(text)).Execute(&made, values); err != nil {
			return nil, err
		}
		out[filepath.Base(name)] = made.Bytes()
	}
	return out, nil
}
