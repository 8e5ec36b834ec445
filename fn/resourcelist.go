package fn

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema/document"
)

// A resourceList is what a KRM function is handed and hands back (KRM Functions
// Specification v1).
type resourceList struct {
	apiVersion string
	config     *krm.Object   // nil when absent
	items      []*krm.Object // as they were read
	made       []placed      // what comes behind them
	results    []result
	// from are of which files items were made, and file is where those are from of which nothing
	// else says it, as far as that is known.
	from []lineage
	file string
}

// readResourceList returns nil when the input is not a ResourceList.
func readResourceList(r io.Reader) (*resourceList, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	in, err := krm.Parse(document.JSONAsYAML(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if in == nil || err != nil {
		return nil, err
	}
	return &resourceList{apiVersion: in.APIVersion, config: in.FunctionConfig, items: in.Items}, nil
}

// write writes the list. What it holds becomes text item by item, as it is written, so that
// many stacks take little memory; all that could still be refused comes before the first
// byte.
func (l *resourceList) write(w io.Writer) error {
	config, err := l.configText()
	if err != nil {
		return fmt.Errorf("write ResourceList: %w", err)
	}
	out := &lastLine{w: bufio.NewWriterSize(w, 16<<10)}
	if err := l.writeItems(out); err != nil {
		return err
	}
	_, _ = out.Write(config) // Flush returns the error
	if err := l.writeResults(out); err != nil {
		return err
	}
	return out.w.Flush()
}

// writeItems writes all but the tail. There are always items: kustomize takes a
// ResourceList without them for a resource and deploys it.
func (l *resourceList) writeItems(out *lastLine) error {
	head := mapping("apiVersion", l.apiVersion, "kind", krm.ListKind)
	if len(l.items)+len(l.made) == 0 {
		head.Content = append(head.Content, krm.Word("items"), sequence())
		return encode(out, head)
	}
	if err := encode(out, head); err != nil {
		return err
	}
	_, _ = out.Write([]byte("items:\n"))
	for _, item := range l.items {
		if err := encode(out, sequence(item.Node)); err != nil {
			return err
		}
		out.endComment()
	}
	for _, p := range l.made {
		_, _ = out.Write(manifest.AppendYAML(nil, sequence(p.node())))
	}
	return nil
}

// configText is the functionConfig, as it came.
func (l *resourceList) configText() ([]byte, error) {
	if l.config == nil {
		return nil, nil
	}
	config := mapping()
	config.Content = append(config.Content, krm.Word("functionConfig"), l.config.Node)
	var text bytes.Buffer
	err := encode(&text, config)
	return text.Bytes(), err
}

func (l *resourceList) writeResults(out *lastLine) error {
	if len(l.results) == 0 {
		return nil
	}
	out.endComment()
	_, _ = out.Write([]byte("results:\n"))
	for some := range slices.Chunk(l.results, 100) {
		var n yaml.Node
		if err := n.Encode(some); err != nil {
			return err
		}
		if err := encode(out, &n); err != nil {
			return err
		}
	}
	return nil
}

// A lastLine remembers the last line that went through it.
type lastLine struct {
	w    *bufio.Writer
	line []byte
}

func (l *lastLine) Write(text []byte) (int, error) {
	if start := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1; start > 0 || bytes.HasSuffix(l.line, []byte("\n")) {
		l.line = append(l.line[:0], text[start:]...)
	} else {
		l.line = append(l.line, text...)
	}
	return l.w.Write(text)
}

// endComment keeps a comment at the end from becoming that of what follows.
func (l *lastLine) endComment() {
	if bytes.HasPrefix(bytes.TrimLeft(l.line, " "), []byte("#")) {
		_, _ = l.Write([]byte("\n"))
	}
}

// encode writes a node with an encoder of its own, as one encoder keeps all that it has
// ever written (go.yaml.in/yaml v3.0.5 emitterc.go, yaml_emitter_emit). A sequence looks as
// it does in a mapping.
func encode(w io.Writer, n *yaml.Node) error {
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	return errors.Join(enc.Encode(n), enc.Close())
}

func sequence(items ...*yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Content: items}
	if len(items) == 0 {
		n.Style = yaml.FlowStyle // []
	}
	return n
}

func mapping(pairs ...string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, s := range pairs {
		n.Content = append(n.Content, krm.Word(s))
	}
	return n
}

// legacyPath is where kustomize before 4.5 and kpt before 1.0 wrote the path
// (kyaml v0.21 kio/kioutil LegacyPathAnnotation).
const legacyPath = "config.kubernetes.io/path"

// pathOf is the file that an orchestrator read the item from, or "".
func pathOf(item *krm.Object) string {
	return cmp.Or(item.Annotation(krm.PathAnnotation), item.Annotation(legacyPath))
}
