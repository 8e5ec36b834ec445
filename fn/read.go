package fn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/fn/rewire"
	"github.com/inferstack/inferstack/internal/parallel"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// manifestSuffixes are the names under which a directory holds manifests, as for
// kubectl apply -f DIR.
var manifestSuffixes = []string{".yaml", ".yml", ".json"}

// readStacks returns what is to be compiled in the files, directories and standard
// input that are named; other objects in them are left out. No names means standard
// input.
func readStacks(names []string, opts convert.Options, stdin io.Reader, tags ...string) ([]unit, finding.List, error) {
	docs, problems, err := readDocuments(names, stdin, tags...)
	if err != nil {
		return nil, nil, err
	}
	stacks, found := units(docs, opts)
	problems = append(problems, found...)
	problems = append(problems, unknownKinds(docs)...)
	if len(stacks) == 0 && len(problems) == 0 {
		if len(names) == 0 {
			names = []string{"-"}
		}
		problems = append(problems, problem("no %s found in %s", schema.Kind, list(names)))
	}
	return stacks, problems, nil
}

// unknownKinds are documents of our group whose kind there is not.
func unknownKinds(docs []document.Document) finding.List {
	ours, _, _ := strings.Cut(schema.APIVersion, "/")
	var problems schema.Problems
	for _, d := range docs {
		group, _, _ := strings.Cut(d.APIVersion, "/")
		if group != ours || d.Kind == rewire.Kind || compiles(d.APIVersion, d.Kind) {
			continue
		}
		p := schema.Problem{Severity: schema.Error, File: d.Source.File, Path: "kind", Message: fmt.Sprintf("must be %s (got %q)", schema.Kind, d.Kind)}
		if d.Source.Lines {
			p.File, p.Line = d.Source.At(d.Node.Line)
			p.Column = d.Node.Column
		}
		problems = append(problems, p)
	}
	return problems
}

// namesOr is standard input where nothing is named, unless nobody pipes anything in: then the
// program would wait for what a person does not know that it wants.
func namesOr(names []string, stdin io.Reader) ([]string, error) {
	if len(names) > 0 {
		return names, nil
	}
	if isTerminal(stdin) {
		return nil, errors.New("nothing to read: name a file or a directory, or pipe something in")
	}
	return []string{"-"}, nil
}

// A source is one file's content.
type source struct {
	name string
	data []byte
	// named says that the user named this file, rather than its directory.
	named bool
	// built says that a kustomization makes it: its lines are those of no file.
	built bool
	// stacks are those that it compiles, functions the places of those that kustomize does.
	stacks    []product
	functions []string
	// root is the directory of the kustomization that it is of, within its name from the
	// directory that the user named, lineages of what it has made the stacks in it.
	root, within string
	lineages     []lineage
	// cue is what a CUE file was evaluated to.
	cue *cuePackage
}

// open reads what a name on the command line stands for.
func open(name string, stdin io.Reader, tags ...string) ([]source, error) {
	return openWith(openDir, name, stdin, tags...)
}

// openAll is open with the directories in directories, and with what kustomizations make in
// place of theirs.
func openAll(name string, std streams) ([]source, error) {
	if made, ok, err := kustomized(name, std); ok || err != nil {
		return made, err
	}
	return openWith(func(dir string) ([]source, error) { return openForest(dir, std) }, name, std.in)
}

func openWith(dir func(string) ([]source, error), name string, stdin io.Reader, tags ...string) ([]source, error) {
	if name == "-" {
		data, err := io.ReadAll(stdin)
		return []source{{name: "<stdin>", data: data, named: true}}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, plain(err)
	}
	if !info.IsDir() && filepath.Ext(name) == cueSuffix {
		src, err := openCUE(name, tags)
		return []source{src}, err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(name)
		return []source{{name: name, data: data, named: true}}, plain(err)
	}
	return dir(name)
}

// openEach is open for several names.
func openEach(names []string, stdin io.Reader, tags ...string) ([]source, error) {
	var sources []source
	for _, name := range names {
		more, err := open(name, stdin, tags...)
		if err != nil {
			return nil, err
		}
		sources = append(sources, more...)
	}
	return sources, nil
}

// openDir reads the manifests of a directory, not those of the ones in it.
func openDir(dir string) ([]source, error) { return openDirs(dir, func(string) bool { return false }) }

// openTree reads the manifests of a directory and of those in it.
func openTree(dir string) ([]source, error) {
	sources, err := openDirs(dir, func(within string) bool { return !hidden(within) })
	return withoutCharts(sources), err
}

// withoutCharts drops the files of Helm charts, whose templates are no YAML; what they
// become is for helm template to say.
func withoutCharts(sources []source) []source {
	var charts []string
	for _, src := range sources {
		if name := filepath.ToSlash(src.name); path.Base(name) == "Chart.yaml" {
			charts = append(charts, path.Dir(name)+"/")
		}
	}
	return slices.DeleteFunc(sources, func(src source) bool {
		return slices.ContainsFunc(charts, func(chart string) bool { return strings.HasPrefix(filepath.ToSlash(src.name), chart) })
	})
}

// hidden reports whether a directory is a tool's own, such as .git; links to directories,
// which can make a circle, are not followed either.
func hidden(dir string) bool { return strings.HasPrefix(path.Base(filepath.ToSlash(dir)), ".") }

func openDirs(dir string, enter func(within string) bool) ([]source, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, plain(err)
	}
	var sources []source
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() && enter(name) {
			more, err := openDirs(name, enter)
			if err != nil {
				return nil, err
			}
			sources = append(sources, more...)
		}
		if e.IsDir() || !slices.Contains(manifestSuffixes, filepath.Ext(e.Name())) {
			continue
		}
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			continue // a pipe would be waited for
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, plain(err)
		}
		sources = append(sources, source{name: name, data: data})
	}
	return sources, nil
}

// documents returns the objects of a source. What else a directory holds, such as a
// chart's templates, need not be YAML.
func (s source) documents() ([]document.Document, schema.Problems) {
	if !s.named && !mentions(s.data) {
		return nil, nil
	}
	return s.read()
}

// read returns all objects of a source, also those that mention no stack.
func (s source) read() ([]document.Document, schema.Problems) {
	if s.cue != nil {
		return s.cue.read()
	}
	docs, problems := document.Read(s.name, s.data)
	if s.built {
		for i := range docs {
			docs[i].Source.Lines = false
		}
	}
	if len(docs) > 0 || len(problems) == 0 {
		return docs, problems
	}
	return nil, s.values(problems)
}

// values says of a chart's values what takes them, instead of that they are no objects.
func (s source) values(problems schema.Problems) schema.Problems {
	flag, chart := convert.HelmFlag(s.data)
	if flag == "" {
		return problems
	}
	p, name := problems[0], s.name
	if name == "<stdin>" {
		name = "-"
	}
	p.Message = fmt.Sprintf("no Kubernetes object, but what seem to be values of the chart %s: inferstack convert helm %s %s", chart, flag, name)
	return schema.Problems{p}
}

// readEach reads the objects of sources, and what is wrong with them.
func readEach(sources []source, read func(source) ([]document.Document, schema.Problems)) ([]document.Document, finding.List) {
	var docs []document.Document
	var found finding.List
	type result struct {
		docs  []document.Document
		wrong schema.Problems
	}
	for _, r := range parallel.Map(len(sources), func(i int) (r result) {
		r.docs, r.wrong = read(sources[i])
		return r
	}) {
		docs = append(docs, r.docs...)
		found = append(found, r.wrong...)
	}
	return docs, found
}

// plain drops the name of the system call from an error on a file.
func plain(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return fmt.Errorf("%s: %w", pathError.Path, pathError.Err)
	}
	return err
}

// list joins names for a message.
func list(names []string) string {
	var out bytes.Buffer
	for i, name := range names {
		switch name {
		case "-":
			name = "standard input"
		case ".":
			name = "the current directory"
		}
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(name)
	}
	return out.String()
}
