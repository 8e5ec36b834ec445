package fn

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema/document"
)

// A convertOutput is where convert writes: a file, or standard output without one. It is
// written once all is well, and then whole.
type convertOutput struct {
	file string
	std  streams
}

func (o convertOutput) printed() bool { return printed(o.file) }

// spare refuses to overwrite what is converted. In a directory that is named, the file of
// an earlier run may stand beside the others: it holds nothing that is converted, as reads
// says of a document.
func (o convertOutput) spare(names []string, docs []document.Document, reads func(document.Document) bool) error {
	if o.printed() {
		return nil
	}
	for _, name := range names {
		if info, err := os.Stat(name); name == "-" || err == nil && !info.IsDir() {
			if err := o.overwrites(name); err != nil {
				return err
			}
		}
	}
	if len(names) == 0 {
		return o.overwrites("-")
	}
	for i := range docs {
		if err := o.overwrites(docs[i].Source.File); err != nil && reads(docs[i]) {
			return err
		}
	}
	return nil
}

// isConverted reports whether a document is of another system, or what that refers to.
func isConverted(doc document.Document) bool {
	return convert.Known(doc.APIVersion, doc.Kind) || doc.Kind == "ConfigMap"
}

// overwrites is an error when an input is the file to write, by whatever name.
func (o convertOutput) overwrites(input string) error {
	output, err := os.Stat(o.file)
	if err != nil || !output.Mode().IsRegular() {
		return nil
	}
	read, err := os.Stat(input)
	if stdin, ok := o.std.in.(*os.File); ok && input == "-" {
		read, err = stdin.Stat()
	}
	if err != nil || !os.SameFile(read, output) {
		return nil
	}
	return failure{fmt.Errorf("%s: is what is converted; --output must name another file", o.file)}
}

// write says on standard error what there is to say on what was converted, and writes
// it. What would not compile is not written, and where there is nothing to write, a file
// stays as it is.
func (o convertOutput) write(r convert.Result) error {
	made, found := compile(unitsOf(r))
	found = slices.Concat(r.Problems, found)
	if !failed(found) {
		more, err := rewired(r, made)
		if err != nil {
			return failure{err}
		}
		found = append(found, more...)
	}
	report(o.std.err, found)
	if failed(found) {
		return errReported
	}
	text, err := converted(r)
	switch {
	case err != nil:
		return failure{err}
	case len(text) == 0 && o.printed() && len(found) > 0:
		return nil // what is said on standard error is all there is
	case len(text) == 0:
		return failure{fmt.Errorf("nothing to write: what was read makes no stack by itself")}
	}
	return o.std.put(o.file, text)
}

// converted is the stacks and further objects as YAML.
func converted(r convert.Result) ([]byte, error) {
	parts := lists.Map(r.Stacks, convert.Stack.YAML)
	for _, o := range r.Objects {
		text, err := indented(o)
		if err != nil {
			return nil, err
		}
		parts = append(parts, text)
	}
	return bytes.Join(parts, []byte("---\n")), nil
}

// indented is a value as YAML, in the way that stacks are written.
func indented(v any) ([]byte, error) {
	var text bytes.Buffer
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	err := enc.Encode(v)
	return text.Bytes(), err
}
