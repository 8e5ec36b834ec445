package generators

import (
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/parallel"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// Made is a stack and what was made of it.
type Made struct {
	Spec    *schema.Stack
	Objects []manifest.Manifest
}

// Owner names the stack in the note on what it made: InferenceStack/namespace/name.
func (m Made) Owner() string {
	return schema.Kind + "/" + m.Spec.Metadata.Namespace + "/" + m.Spec.Metadata.Name
}

// Title names the stack in messages: InferenceStack namespace/name.
func (m Made) Title() string { return title(m.Spec) }

// Conflict is a problem of a stack that others, or its own objects, give it.
type Conflict struct {
	finding.Finding
	Spec *schema.Stack
}

func conflict(s *schema.Stack, path, format string, args ...any) Conflict {
	return Conflict{s.Problem(schema.Error, path, format, args...), s}
}

// GenerateAll generates several stacks that will live in one cluster and holds them
// against each other. An object that two stacks make alike is left to the first. There
// is nothing made when there is a problem. What each stack makes is shown to those who
// want to look.
func GenerateAll(specs []*schema.Stack, looks ...Look) ([]Made, []Conflict) {
	var problems []Conflict
	stacks := make([]*base.Stack, 0, len(specs))
	for _, spec := range specs {
		line, err := release.Load(spec.Spec.Release)
		if err != nil {
			problems = append(problems, conflict(spec, "spec.release", "%v", err))
			continue
		}
		stacks = append(stacks, &base.Stack{Stack: spec, Line: line})
	}
	problems = append(problems, conflicts(stacks)...)
	if len(problems) > 0 {
		return nil, problems
	}
	made := make([]Made, len(stacks))
	for _, found := range parallel.Map(len(stacks), func(i int) []Conflict {
		s := stacks[i]
		objects := Generate(s.Stack, s.Line)
		made[i] = Made{Spec: s.Stack, Objects: Manifests(s.Stack, objects)}
		return fenced(s.Stack, objects, made[i].Objects, looks)
	}) {
		problems = append(problems, found...)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	if problems := share(made); len(problems) > 0 {
		return nil, problems
	}
	return made, nil
}

// share leaves an object that several stacks make to the first of them, and reports
// those that differ.
func share(made []Made) (problems []Conflict) {
	type first struct {
		stack  Made
		object manifest.Manifest
	}
	seen := map[manifest.ID]first{}
	for i, m := range made {
		kept := make([]manifest.Manifest, 0, len(m.Objects))
		for _, o := range m.Objects {
			id := o.ID
			before, ok := seen[id]
			switch {
			case !ok:
				seen[id] = first{m, o}
				kept = append(kept, o)
			case before.stack.Spec == m.Spec:
				problems = append(problems, conflict(m.Spec, m.Spec.NamedAt(id.Name),
					"%s would be made twice by this stack; give one of the two another name", id))
			case !before.object.Equal(o):
				problems = append(problems, contested(before.stack.Spec, m.Spec, id))
			}
		}
		made[i].Objects = kept
	}
	return problems
}

// contested is the problem of an object that two stacks make differently.
func contested(a, b *schema.Stack, id manifest.ID) Conflict {
	path, remedy := b.NamedAt(id.Name), "give it another name in one of them"
	if id.Kind == "Gateway" {
		remedy = "let one of them attach to it with gateway.existing: true"
		if path == "metadata.name" {
			path = "spec.gateway"
		}
	}
	return conflict(b, path, "%s is made by %s as well, and differently; %s", id, where(a), remedy)
}

func title(s *schema.Stack) string {
	return schema.Kind + " " + strings.TrimPrefix(s.Metadata.Namespace+"/"+s.Metadata.Name, "/")
}

// where names a stack and its file.
func where(s *schema.Stack) string {
	name := title(s)
	if file := s.Source().File; file != "" {
		name += " (" + file + ")"
	}
	return name
}
