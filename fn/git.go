package fn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// gitSources reads REV[:PATH] with git: a file, or the manifests of a directory. Without a
// path it is the one on the other side of the diff.
func gitSources(rev, other string, std streams) ([]source, error) {
	rev, name, named := strings.Cut(rev, ":")
	if rev == "" || strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("git:%s: a revision is needed, as in git:main:stack.yaml", rev)
	}
	if !named {
		name = other
		if rest, ok := strings.CutPrefix(other, "git:"); ok {
			_, name, _ = strings.Cut(rest, ":")
		}
	}
	if name == "-" {
		return nil, fmt.Errorf("git:%s: a path is needed, as in git:%s:stack.yaml", rev, rev)
	}
	if path.Ext(name) == cueSuffix {
		return nil, fmt.Errorf("git:%s: CUE of a revision is not supported; compare what inferstack render -o makes of both", rev)
	}
	name, err := relative(name)
	if err != nil {
		return nil, err
	}
	at := rev + ":" + name
	kind, object, err := gitFollow(at)
	if err != nil {
		// A path that is outside the repository, or a revision that is not there, is not a path
		// that the revision lacks: git says so here.
		if listed, wrong := git("ls-tree", "--name-only", rev, "--", name); wrong == nil && len(listed) == 0 {
			return nil, fmt.Errorf("git:%s: %w", at, fs.ErrNotExist)
		}
		return nil, fmt.Errorf("git:%s: %w", at, err)
	}
	if kind != "tree" {
		contents, err := gitFiles([]string{at})
		if err != nil {
			return nil, err
		}
		return []source{{name: "git:" + at, data: contents[0], named: true}}, nil
	}
	files, err := gitBlobs("-r", object)
	if err != nil {
		return nil, fmt.Errorf("git:%s: %w", at, err)
	}
	if slices.ContainsFunc(files, gitBlob.kustomizes) {
		return gitBuilt(rev, name, std)
	}
	return gitTree(at, files)
}

// linkMode is the mode of a link in a tree.
const linkMode = "120000"

// gitTree reads the manifests of a directory as openTree does.
func gitTree(at string, files []gitBlob) ([]source, error) {
	var sources []source
	var objects []string
	for _, f := range files {
		if f.hidden() || !slices.Contains(manifestSuffixes, path.Ext(f.name)) {
			continue
		}
		in, object := strings.TrimSuffix(at, "/")+"/"+f.name, f.hash
		if f.mode == linkMode { // a link, which is followed from where it is
			object = in
		}
		sources, objects = append(sources, source{name: "git:" + in}), append(objects, object)
	}
	contents, err := gitFiles(objects)
	if err != nil {
		return nil, err
	}
	for i := range sources {
		sources[i].data = contents[i]
	}
	return withoutCharts(sources), nil
}

// relative is a path as git takes it behind a revision: ./ stands for the directory that
// git runs in, as in gitrevisions(7).
func relative(name string) (string, error) {
	if filepath.IsAbs(name) {
		here, err := os.Getwd()
		if err != nil {
			return "", err
		}
		if here, err = filepath.EvalSymlinks(here); err != nil {
			return "", err
		}
		if name, err = filepath.Rel(here, name); err != nil {
			return "", err
		}
	}
	name = path.Clean(filepath.ToSlash(name))
	if name == "." || name == ".." { // without the slash they are names in the revision's root
		return name + "/", nil
	}
	if strings.HasPrefix(name, "../") {
		return name, nil
	}
	return "./" + name, nil
}

// gitEnv keeps git to the objects that are in the repository. A repository can name a promisor
// remote from which git fetches what is missing, by a program of the repository's choice.
var gitEnv = []string{"GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0"}

// git runs git and returns what it says.
func git(args ...string) ([]byte, error) { return gitWith(nil, args...) }

// gitWith is git with something to read.
func gitWith(in io.Reader, args ...string) ([]byte, error) {
	var out, wrong bytes.Buffer
	cmd := exec.Command("git", args...)
	cmd.Env = append(cmd.Environ(), gitEnv...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &wrong
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, errors.New(strings.TrimPrefix(strings.TrimSpace(wrong.String()), "fatal: "))
	}
	return out.Bytes(), err
}
