package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/wiring"
)

// compiledObjects reads the manifests that are named and compiles the stacks among them;
// the stacks themselves are left out.
func compiledObjects(names []string, std streams) ([]*wiring.Object, error) {
	var others []*wiring.Object
	var docs []schema.Document
	var found []finding
	for _, name := range names {
		sources, err := open(name, std.in)
		if err != nil {
			return nil, err
		}
		for _, src := range sources {
			read, err := wiring.Read(src.name, src.data)
			switch {
			case err != nil && src.named:
				return nil, err
			case err != nil:
				_, _ = fmt.Fprintln(std.err, "left out:", err) // nothing is left to tell it to
				continue
			}
			others = append(others, slices.DeleteFunc(read, func(o *wiring.Object) bool { return compiles(o.APIVersion, o.Kind) })...)
			if mentions(src.data) {
				more, wrong := schema.Read(src.name, src.data)
				docs = append(docs, more...)
				found = append(found, findings(wrong, nil)...)
			}
		}
	}
	made, err := compiled(docs, found, std)
	if err != nil {
		return nil, err
	}
	if len(made)+len(others) == 0 {
		return nil, fmt.Errorf("no Kubernetes objects found in %s", list(names))
	}
	return append(made, others...), nil
}

// compiled is what the stacks among the documents are made into. Warnings are for those
// who render.
func compiled(docs []schema.Document, found []finding, std streams) ([]*wiring.Object, error) {
	stacks, more := units(docs, convert.Options{})
	found = append(found, more...)
	made, more := compile(stacks)
	found = append(found, more...)
	report(std.err, slices.DeleteFunc(found, func(f finding) bool { return f.Severity != schema.Error }))
	if failed(found) {
		return nil, errReported
	}
	if len(made) == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	if err := generators.WriteYAML(&out, objects(made)); err != nil {
		return nil, err
	}
	return wiring.Read("rendered", out.Bytes())
}
