package graph

import (
	"bytes"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/untrusted"
	"github.com/inferstack/inferstack/wiring"
)

// pageData is what the page's script reads.
type pageData struct {
	Nodes map[string]pageNode `json:"nodes"`
	Edges map[string]pageEdge `json:"edges"`
	Paths []pagePath          `json:"paths"`
}

type pageNode struct {
	Kind     string           `json:"kind"`
	Name     string           `json:"name"`
	Note     string           `json:"note"`
	Objects  []pageObject     `json:"objects"`
	Findings []wiring.Finding `json:"findings"`
}

type pageObject struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Where string `json:"where"`
	YAML  string `json:"yaml"`
}

type pageEdge struct {
	From string `json:"from"`
	To   string `json:"to"`
	How  string `json:"how"`
}

type pagePath struct {
	Title string     `json:"title"`
	Steps []pageStep `json:"steps"`
}

type pageStep struct {
	Number int      `json:"number"`
	Text   string   `json:"text"`
	Edges  []string `json:"edges"`
}

func dataOf(s *sheet) pageData {
	d := pageData{Nodes: map[string]pageNode{}, Edges: map[string]pageEdge{}, Paths: []pagePath{}}
	for _, n := range s.Nodes {
		node := pageNode{Kind: n.Kind, Name: n.Name, Note: n.note(), Objects: []pageObject{}, Findings: append([]wiring.Finding{}, wiring.Redacted(n.Findings)...)}
		if n.Object != nil {
			node.Objects = append(node.Objects, objectData(n.Object))
		}
		for _, o := range n.Holds {
			node.Objects = append(node.Objects, objectData(o))
		}
		d.Nodes[n.ID] = node
	}
	for _, e := range s.Edges {
		d.Edges[e.ID] = pageEdge{e.From.ID, e.To.ID, s.how(e)}
	}
	for _, p := range s.Paths {
		path := pagePath{Title: (&Band{Title: p.Title, Namespace: p.Namespace}).title()}
		for _, step := range p.Steps {
			to := pageStep{step.Number, step.Text, nil}
			for _, e := range step.Edges {
				to.Edges = append(to.Edges, e.ID)
			}
			path.Steps = append(path.Steps, to)
		}
		d.Paths = append(d.Paths, path)
	}
	return d
}

// note is said of a node that has no object.
func (n *Node) note() string {
	switch {
	case n.Role == Caller:
		return "Whoever sends requests."
	case n.State == wiring.Missing:
		return "Referred to, and missing."
	case n.State == wiring.Prerequisite:
		return "Not among these manifests; must already exist."
	default:
		return ""
	}
}

// how an edge refers, for a list of references.
func (s *sheet) how(e *Edge) string {
	parts := e.Types
	if e.Stage != none {
		parts = append([]string{"step " + strconv.Itoa(s.numbers[e.Stage])}, parts...)
	}
	return strings.Join(parts, ", ") + suffix(" :", e.Detail) + suffix("; back: ", strings.Join(e.Back, ", "))
}

func objectData(o *wiring.Object) pageObject {
	where := o.APIVersion
	if o.Namespace != "" {
		where += " · " + o.Namespace
	}
	if o.File != "" && o.File != "rendered" {
		where += " · " + o.File + ":" + strconv.Itoa(o.Line)
	}
	return pageObject{Kind: o.Kind, Name: o.Name, Where: where, YAML: text(o)}
}

// text is an object's YAML. The values of a Secret are not shown, nor are tokens in clear
// elsewhere: pages are passed on.
func text(o *wiring.Object) string {
	node := o.Node()
	if o.Kind == "Secret" {
		node = veiled(node)
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if encoder.Encode(node) != nil || encoder.Close() != nil {
		return "# cannot be written as YAML"
	}
	return untrusted.Redact(out.String())
}

// veiled is a Secret without what it keeps, also in the annotation that kubectl apply
// leaves.
func veiled(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return veiled(node.Alias)
	}
	if node.Kind != yaml.MappingNode {
		return node
	}
	out := *node
	out.Content = nil
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch key.Value {
		case "data", "stringData", "annotations":
			value = hidden(value)
		case "metadata":
			value = veiled(value)
		}
		out.Content = append(out.Content, key, value)
	}
	return &out
}

// hidden keeps the keys of a mapping.
func hidden(node *yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.MappingNode {
		return out
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: node.Content[i].Value}, &yaml.Node{Kind: yaml.ScalarNode, Value: "(not shown)"})
	}
	return out
}
