package fn

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// A lineage is of which files a kustomization has made a stack.
type lineage struct {
	kind, namespace, name string
	// texts are the patches, the last one first, and then the file of the stack.
	texts []ancestor
}

// An ancestor is one of the texts that a stack is made of.
type ancestor struct {
	file  string
	data  []byte
	first int // the line of a patch that is written out in a kustomization
}

// lineages reads the files of origins as long as they are there; what cannot be read is
// left out.
func lineages(all []origin.Origin) (out []lineage) {
	for _, o := range all {
		l := lineage{kind: o.Kind, namespace: o.Namespace, name: o.Name}
		for _, p := range slices.Backward(o.Patches) {
			l.add(ancestor{file: p.File, data: []byte(p.Text), first: p.Line})
		}
		l.add(ancestor{file: o.File})
		out = append(out, l)
	}
	return out
}

func (l *lineage) add(a ancestor) {
	if a.first == 0 {
		info, err := os.Stat(a.file)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxSearchedSize {
			return
		}
		if a.data, err = os.ReadFile(a.file); err != nil {
			return
		}
	}
	l.texts = append(l.texts, a)
}

// lineageOf is the only one that is a document's, if there is one.
func lineageOf(all []lineage, doc document.Document) (found *lineage) {
	for i, l := range all {
		if l.kind != doc.Kind || l.namespace != doc.Namespace || l.name != doc.Name || len(l.texts) == 0 {
			continue
		}
		if found != nil {
			return nil
		}
		found = &all[i]
	}
	return found
}

// traced tells stacks of one kustomization, or of none, of what they were made.
func traced(stacks []unit, sources []source) []unit {
	built := slices.DeleteFunc(slices.Clone(sources), func(src source) bool { return !src.built })
	for i, u := range stacks {
		stacks[i].root = sources[0].root
		for _, src := range built {
			if src.name == u.Source.File {
				stacks[i].made = lineageOf(src.lineages, u.Document)
			}
		}
	}
	return stacks
}

// placed puts problems of a stack where its field was written, as far as that can be told: a
// wrong line is worse than none.
func (l *lineage) placed(doc document.Document, problems schema.Problems) schema.Problems {
	out := slices.Clone(problems)
	for i := range out {
		p := &out[i]
		p.File, p.Line, p.Column = origin.Shown(l.texts[len(l.texts)-1].file), 0, 0
		if at, ok := l.find(doc, p.Path); ok {
			p.File, p.Line, p.Column = at.File, at.Line, at.Column
		}
		p.Message += " (" + l.title() + ")"
	}
	return out
}

// original is the document as it is in its file, if nothing has patched it.
func (l *lineage) original(doc document.Document) (document.Document, bool) {
	file := l.texts[len(l.texts)-1]
	docs, _ := document.Read(origin.Shown(file.file), file.data)
	return among(docs, doc)
}

// title names the stack and the files that it is made of.
func (l *lineage) title() string {
	var patches []string
	for _, a := range slices.Backward(l.texts[:len(l.texts)-1]) {
		if file := origin.Shown(a.file); !slices.Contains(patches, file) {
			patches = append(patches, file)
		}
	}
	ref := finding.Ref{Kind: l.kind, Namespace: l.namespace, Name: l.name}
	title := fmt.Sprintf("%s of %s", ref, origin.Shown(l.texts[len(l.texts)-1].file))
	if len(patches) == 0 {
		return title
	}
	return title + ", patched by " + list(patches)
}

// find is where the value of a field was written: in the last text that has that very value.
func (l *lineage) find(doc document.Document, path string) (finding.Finding, bool) {
	value := doc.At(path)
	if value == nil {
		return finding.Finding{}, false
	}
	for _, a := range l.texts {
		for _, at := range a.places(doc, path) {
			if sameValue(at.node, value) {
				return a.at(at), true
			}
		}
	}
	return finding.Finding{}, false
}

// at is a place in an ancestor's file.
func (a ancestor) at(w writtenAt) finding.Finding {
	f := finding.Finding{File: origin.Shown(a.file), Line: w.line, Column: w.column}
	if a.first > 0 {
		f.Line, f.Column = a.first+w.line-1, 0
	}
	return f
}

// A writtenAt is a value and where it stands.
type writtenAt struct {
	node         *yaml.Node
	line, column int
}

// places are where a text may say what a field is, the last one first.
func (a ancestor) places(doc document.Document, path string) (out []writtenAt) {
	var root yaml.Node
	if yaml.Unmarshal(a.data, &root) == nil && len(root.Content) == 1 && root.Content[0].Kind == yaml.SequenceNode {
		return operations(&root, path)
	}
	docs, _ := document.Read(a.file, a.data)
	for _, d := range slices.Backward(docs) {
		if d.Kind != doc.Kind {
			continue
		}
		if there := counterpart(doc, d, path); there != "" && d.At(there) != nil {
			p := d.Problem(finding.Error, there, "")
			out = append(out, writtenAt{d.At(there), p.Line, p.Column})
		}
	}
	return out
}

// operations are the values of a JSON patch (RFC 6902) that set a field or what it is in.
func operations(root *yaml.Node, path string) (out []writtenAt) {
	if document.Sound(root) != nil {
		return nil
	}
	for _, op := range slices.Backward(root.Content[0].Content) {
		pointer, value := krm.Field(op, "path"), krm.Field(op, "value")
		if pointer == nil || value == nil {
			continue
		}
		rest, within := strings.CutPrefix(path, dotted(pointer.Value))
		if rest != "" && within && (rest[0] == '.' || rest[0] == '[') {
			value = document.Document{Node: value}.At(strings.TrimPrefix(rest, "."))
		}
		if within && value != nil {
			out = append(out, writtenAt{value, value.Line, value.Column})
		}
	}
	return out
}

// dotted is a JSON pointer as a path of a message.
func dotted(pointer string) string {
	return finding.PathOf(strings.Split(strings.TrimPrefix(pointer, "/"), "/"))
}

// indexed is an entry of a list in a path.
var indexed = pattern.Lazy(`\[\d+\]`)

// counterpart is the path of a field in another document, where entries of lists that have names
// may be in other places; "" if it is not there.
func counterpart(doc, other document.Document, path string) string {
	var there strings.Builder
	done := 0
	for _, at := range indexed().FindAllStringIndex(path, -1) {
		there.WriteString(path[done:at[0]])
		done = at[1]
		name := krm.Field(doc.At(path[:at[1]]), "name")
		if name == nil {
			there.WriteString(path[at[0]:at[1]])
			continue
		}
		list := other.At(there.String())
		if list == nil {
			return ""
		}
		i := slices.IndexFunc(list.Content, func(n *yaml.Node) bool {
			named := krm.Field(n, "name")
			return named != nil && named.Value == name.Value
		})
		if i < 0 {
			return ""
		}
		there.WriteString("[" + strconv.Itoa(i) + "]")
	}
	return there.String() + path[done:]
}

// sameValue is same for values that are not objects.
func sameValue(a, b *yaml.Node) bool {
	var x, y any
	if document.Sound(a) != nil || document.Sound(b) != nil || a.Decode(&x) != nil || b.Decode(&y) != nil {
		return false
	}
	return reflect.DeepEqual(level(x), level(y))
}
