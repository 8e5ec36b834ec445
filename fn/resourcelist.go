package fn

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/inferstack/inferstack/schema"
)

// A resourceList is what a KRM function is handed and hands back (KRM Functions
// Specification v1). It is read by kyaml but written here: kyaml's writer drops empty
// annotations of items that are none of our business.
type resourceList struct {
	apiVersion string
	config     *yaml.RNode   // nil when absent
	items      []*yaml.RNode // as they were read
	made       []placed      // what comes behind them
	results    []result
}

// readResourceList returns nil when the input is not a ResourceList.
func readResourceList(r io.Reader) (*resourceList, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	data = schema.JSONAsYAML(bytes.TrimPrefix(data, []byte("\ufeff")))
	in := kio.ByteReadWriter{Reader: bytes.NewReader(data), OmitReaderAnnotations: true, KeepReaderAnnotations: true}
	nodes, err := readNodes(&in)
	if err != nil {
		return nil, err
	}
	list := &resourceList{apiVersion: in.WrappingAPIVersion, config: in.FunctionConfig, items: nodes}
	switch {
	case in.WrappingKind == kio.ResourceListKind:
	case in.WrappingKind == "" && len(nodes) == 1 && nodes[0].YNode().Kind == yaml.MappingNode && nodes[0].GetKind() == kio.ResourceListKind:
		list.apiVersion, list.items = nodes[0].GetApiVersion(), nil // neither items nor functionConfig
	default:
		return nil, nil
	}
	if !slices.Contains(resourceListVersions, list.apiVersion) {
		return nil, fmt.Errorf("apiVersion of a ResourceList must be %s (got %q)", kio.ResourceListAPIVersion, list.apiVersion)
	}
	if err := checkLists(data, list, in.Results); err != nil {
		return nil, err
	}
	if list.config.IsNilOrEmpty() {
		list.config = nil
	}
	return list, list.checkShape()
}

// resourceListVersions are the versions that orchestrators have sent, all of one form
// (kustomize v4.0 sent v1alpha1, kpt before 1.0 v1beta1).
var resourceListVersions = []string{kio.ResourceListAPIVersion, "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"}

// checkLists refuses items and results that are no lists, which kyaml takes for none.
func checkLists(data []byte, list *resourceList, results *yaml.RNode) error {
	if !results.IsNilOrEmpty() && results.YNode().Kind != yaml.SequenceNode {
		return errors.New("results must be a list")
	}
	var wrapper yaml.Node
	if len(list.items) > 0 || yaml.Unmarshal(data, &wrapper) != nil || len(wrapper.Content) == 0 {
		return nil
	}
	for _, name := range []string{"items", "results"} {
		if n := fieldOf(wrapper.Content[0], name); n != nil && n.Kind != yaml.SequenceNode && n.ShortTag() != yaml.NodeTagNull {
			return fmt.Errorf("%s must be a list", name)
		}
	}
	return nil
}

// readNodes turns into errors the panics of kyaml on what is not an object at all.
func readNodes(in *kio.ByteReadWriter) (nodes []*yaml.RNode, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not a ResourceList: %v", p)
		}
	}()
	return in.Read()
}

// checkShape refuses what kyaml would stumble over: whatever is not a mapping where an
// object, its metadata, labels or annotations belong.
func (l *resourceList) checkShape() error {
	if l.config != nil {
		if err := checkObject("functionConfig", l.config.YNode()); err != nil {
			return err
		}
	}
	for i, item := range l.items {
		if err := checkObject(fmt.Sprintf("items[%d]", i), item.YNode()); err != nil {
			return err
		}
	}
	return nil
}

func checkObject(where string, n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s: must be an object", where)
	}
	for _, path := range [][]string{{"metadata"}, {"metadata", "annotations"}, {"metadata", "labels"}} {
		field := n
		for _, name := range path {
			field = fieldOf(field, name)
		}
		if field != nil && field.Kind != yaml.MappingNode && field.ShortTag() != yaml.NodeTagNull {
			return fmt.Errorf("%s: %s must be a mapping", where, strings.Join(path, "."))
		}
	}
	return nil
}

// fieldOf returns a field of a mapping, or nil.
func fieldOf(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// write writes the list. What it holds becomes text item by item, as it is written, so that
// many stacks take little memory; all that could still be refused comes before the first
// byte.
func (l *resourceList) write(w io.Writer) error {
	config, err := l.configText()
	if err != nil {
		return fmt.Errorf("write ResourceList: %w", err)
	}
	out := &lastLine{w: bufio.NewWriterSize(w, 64<<10)}
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
	head := mapping("apiVersion", l.apiVersion, "kind", kio.ResourceListKind)
	if len(l.items)+len(l.made) == 0 {
		head.Content = append(head.Content, word("items"), sequence())
		return encode(out, head)
	}
	if err := encode(out, head); err != nil {
		return err
	}
	_, _ = out.Write([]byte("items:\n"))
	for _, item := range l.items {
		if err := encode(out, sequence(item.YNode())); err != nil {
			return err
		}
		out.endComment()
	}
	for _, p := range l.made {
		if err := encode(out, sequence(p.node())); err != nil {
			return err
		}
	}
	return nil
}

// configText is the functionConfig, as it came.
func (l *resourceList) configText() ([]byte, error) {
	if l.config == nil {
		return nil, nil
	}
	config := mapping()
	config.Content = append(config.Content, word("functionConfig"), l.config.YNode())
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

func word(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

func mapping(pairs ...string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, s := range pairs {
		n.Content = append(n.Content, word(s))
	}
	return n
}

// legacyPath is where kustomize before 4.5 and kpt before 1.0 wrote the path
// (kyaml v0.21 kio/kioutil LegacyPathAnnotation).
const legacyPath = "config.kubernetes.io/path"

// pathOf is the file that an orchestrator read the item from, or "".
func pathOf(item *yaml.RNode) string {
	annotations := item.GetAnnotations()
	if path := annotations[kioutil.PathAnnotation]; path != "" {
		return path
	}
	return annotations[legacyPath]
}
