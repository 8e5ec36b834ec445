package fn

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/wiring"
)

// A manifestSet is what the manifests that are named hold, the stacks among them compiled.
type manifestSet struct {
	objects []*wiring.Object
	// refs are those of the objects, once the set is one of several.
	refs map[wiring.Ref]bool
	// from is where the stack is that an object's File stands for.
	from map[string]stackPlace
	// built are the names of kustomizations, whose objects have no lines of a file.
	built map[string]bool
	// unread is what could not be read, said what the compilation says but for what is only
	// worth knowing.
	unread, said schema.Problems
	// root is the kustomization that it is of.
	root string
}

// A stackPlace is where a stack is, and what it silences.
type stackPlace struct {
	schema.Problem
	exceptions []finding.Exception
}

// readManifests reads and compiles, each kustomization by itself. What a directory holds besides
// need be no object, but what could not be read may have been one, so that nothing is ignored in
// silence.
func readManifests(names []string, std streams) (together, error) {
	var sources []source
	for _, name := range names {
		more, err := openAll(name, std)
		if err != nil {
			return nil, err
		}
		sources = append(sources, more...)
	}
	var all together
	some := 0
	for _, part := range byRoot(sources) {
		set, err := readSet(part)
		if err != nil {
			return nil, err
		}
		some += len(set.objects) + len(set.unread) + len(set.said)
		all = all.add(set)
	}
	if some == 0 {
		return nil, fmt.Errorf("no Kubernetes objects found in %s", list(names))
	}
	return all, nil
}

// readSet reads and compiles sources that belong together.
func readSet(sources []source) (*manifestSet, error) {
	set := &manifestSet{from: map[string]stackPlace{}, built: map[string]bool{}, root: sources[0].root}
	var parts []part
	for _, src := range sources {
		p, err := set.read(src)
		if err != nil {
			return nil, err
		}
		if p.holds != nothing {
			parts = append(parts, p)
		}
	}
	return set, set.compile(set.documents(parts), sources)
}

// A part is a file that may hold something to compile.
type part struct {
	source
	holds holding
}

// What a file holds for a compilation.
type holding int

const (
	nothing    holding = iota
	references         // what others may refer to
	stacks             // what is compiled, or refused for a kind that it should have had
)

// read takes the objects of a file, and reports whether there is something to compile in it.
func (s *manifestSet) read(src source) (part, error) {
	p := part{source: src}
	s.built[src.name] = src.built
	if src.cue != nil && len(src.cue.wrong) > 0 {
		s.unread = append(s.unread, src.cue.wrong...)
		return p, nil
	}
	read, err := wiring.ReadAll(src.name, src.data)
	var problems schema.Problems
	switch {
	case errors.As(err, &problems):
		s.unread = append(s.unread, problems...)
		return p, nil
	case err != nil:
		return p, err
	}
	for _, o := range read {
		if o.Name != "" && !compiles(o.APIVersion, o.Kind) {
			s.objects = append(s.objects, o)
		}
		p.holds = max(p.holds, holdingOf(o))
	}
	if !mentions(src.data) {
		p.holds = nothing
	}
	return p, nil
}

func holdingOf(o *wiring.Object) holding {
	ours, _, _ := strings.Cut(schema.APIVersion, "/")
	switch {
	case compiles(o.APIVersion, o.Kind) || o.Group == ours:
		return stacks
	case o.Kind == "ConfigMap":
		return references
	default:
		return nothing
	}
}

// documents reads the files anew for those who compile, if there is anything to compile.
func (s *manifestSet) documents(parts []part) (all []document.Document) {
	if !slices.ContainsFunc(parts, func(p part) bool { return p.holds == stacks }) {
		return nil
	}
	for _, p := range parts {
		docs, problems := p.source.read()
		if slices.ContainsFunc(docs, func(d document.Document) bool { return compiles(d.APIVersion, d.Kind) }) {
			s.said = append(s.said, problems.Errors()...)
		}
		all = append(all, docs...)
	}
	return all
}

// compile adds what the stacks are made into. An object that is also written out, as where stack
// and rendering are kept together, is taken as it is written: that is what will be applied.
func (s *manifestSet) compile(docs []document.Document, sources []source) error {
	stacks, found := units(docs, convert.Options{})
	stacks = traced(stacks, sources)
	found = append(found, unknownKinds(docs)...)
	made, more := compile(stacks)
	s.said = append(s.said, append(found, more...).WithoutInfos()...)
	written := map[wiring.Ref]bool{}
	for _, o := range s.objects {
		written[o.Ref] = true
	}
	for _, m := range made {
		file := "rendered from " + m.Title()
		if s.root != "" {
			file += " in " + s.root
		}
		s.from[file] = stackPlace{m.Spec.Problem(schema.Error, "", ""), finding.Exceptions(m.Spec.Metadata.Annotations[finding.Ignore])}
		var out bytes.Buffer
		if err := manifest.WriteYAML(&out, m.Objects); err != nil {
			return err
		}
		objects, err := wiring.Read(file, out.Bytes())
		if err != nil {
			return err
		}
		s.objects = append(s.objects, slices.DeleteFunc(objects, func(o *wiring.Object) bool { return written[o.Ref] })...)
	}
	return nil
}
