package fn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/internal/verdict"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// cueSuffix is that of files that are evaluated before they are read.
const cueSuffix = ".cue"

// mostPackage bounds the files of a CUE package.
const mostPackage = 100

// tagFlag is the flag for the tags of CUE files.
func tagFlag(flags *pflag.FlagSet, tags *[]string) {
	flags.StringArrayVarP(tags, "tag", "t", nil, "name=value for the fields with the attribute @tag(name) of CUE files")
}

// A cuePackage is what CUE files were evaluated to.
type cuePackage struct {
	source schema.Source
	nodes  []*yaml.Node
	wrong  schema.Problems
}

// openCUE evaluates a CUE file, with those beside it that are of the same package.
func openCUE(name string, tags []string) (source, error) {
	files, err := packageFiles(name)
	if err != nil {
		return source{}, err
	}
	answer, err := ask(verdict.Request{Package: &verdict.Package{Files: files, Tags: tags}})
	if err != nil {
		return source{}, err
	}
	p := &cuePackage{source: schema.Source{File: name, Lines: true}}
	for _, f := range files {
		p.source.Files = append(p.source.Files, f.File)
	}
	for _, text := range answer.Invalid {
		p.wrong = append(p.wrong, placedText(text))
	}
	var data []byte
	for _, n := range answer.Documents {
		node := yamlOf(n)
		p.nodes = append(p.nodes, node)
		text, err := yaml.Marshal(node)
		if err != nil {
			return source{}, err
		}
		data = slices.Concat(data, []byte("---\n"), text)
	}
	return source{name: name, data: data, named: true, built: true, cue: p}, nil
}

// read returns the objects.
func (p *cuePackage) read() ([]document.Document, schema.Problems) {
	if len(p.wrong) > 0 {
		return nil, p.wrong
	}
	return document.ReadNodes(p.source, p.nodes)
}

// packageFiles are a file and those that may be of its package, but no policy.
func packageFiles(name string) ([]verdict.Policy, error) {
	first, err := readPolicy(name)
	if err != nil {
		return nil, err
	}
	beside, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return nil, plain(err)
	}
	files := []verdict.Policy{first}
	for _, e := range beside {
		if filepath.Ext(e.Name()) != cueSuffix || !e.Type().IsRegular() || e.Name() == filepath.Base(name) || e.Name() == policyFile {
			continue
		}
		file, err := readPolicy(filepath.Join(filepath.Dir(name), e.Name()))
		if err != nil {
			return nil, err
		}
		if files = append(files, file); len(files) > mostPackage {
			return nil, fmt.Errorf("%s: more than %d CUE files in this directory", name, mostPackage)
		}
	}
	return files, nil
}

// yamlOf is a value as YAML.
func yamlOf(n verdict.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value, Line: schema.LineIn(n.File, n.Line), Column: n.Column}
	switch n.Tag {
	case "!!map":
		out.Kind = yaml.MappingNode
		for _, value := range n.Content {
			v := yamlOf(value)
			key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value.Key, Line: v.Line, Column: v.Column}
			out.Content = append(out.Content, key, v)
		}
	case "!!seq":
		out.Kind = yaml.SequenceNode
		for _, value := range n.Content {
			out.Content = append(out.Content, yamlOf(value))
		}
	case "!!str":
		out.Style = yaml.DoubleQuotedStyle
	}
	return out
}

// placeInText is the place that a message begins with.
var placeInText = pattern.Lazy(`^(.+?):(\d+):(\d+): (.*)$`)

// placedText is a problem whose place is in its text.
func placedText(text string) schema.Problem {
	p := schema.Problem{Severity: schema.Error, Message: text}
	if found := placeInText().FindStringSubmatch(text); found != nil {
		p.File, p.Message = found[1], found[4]
		p.Line, _ = strconv.Atoi(found[2])
		p.Column, _ = strconv.Atoi(found[3])
	}
	return p
}

// onlyCUE refuses tags where no file takes them.
func onlyCUE(names, tags []string) error {
	if len(tags) > 0 && !slices.ContainsFunc(names, func(name string) bool { return filepath.Ext(name) == cueSuffix }) {
		return fmt.Errorf("--tag has no effect: no CUE file (*%s) is named", cueSuffix)
	}
	return nil
}
