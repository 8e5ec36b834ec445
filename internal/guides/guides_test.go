package guides

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/explain"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/graph"
	"github.com/inferstack/inferstack/internal/likeness"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
	"github.com/inferstack/inferstack/wiring"
)

const stacksDir = "../../testdata/guides/stacks/"

// A guide is a stack, and the objects that its guide applies.
type guide struct {
	name, whose string
	document    document.Document
	spec        *schema.Stack
	ours        []byte
	theirs      []byte
}

// TestGuides compares what each stack makes with the objects of its guide. Every difference has its reason in
// differences.yaml, and every reason a difference. make test tries a part.
func TestGuides(t *testing.T) {
	reasons := reasonsOf(t, "differences.yaml")
	warnings := reasonsOf(t, "warnings.yaml")
	for _, file := range files(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			long.Case(t, 4)
			g := read(t, name, warnings)
			for _, d := range g.differences(t) {
				if reasons.Of(d) == nil {
					t.Errorf("without a reason: %s", d)
				}
			}
			g.inFields(t)
			g.check(t, warnings)
			g.explain(t)
			g.draw(t)
		})
	}
	unused(t, "differences.yaml", reasons)
	unused(t, "warnings.yaml", warnings)
}

func files(t *testing.T) []string {
	t.Helper()
	found, _ := filepath.Glob(stacksDir + "*/stack.yaml")
	if len(found) == 0 {
		t.Fatal("no stacks")
	}
	return found
}

func reasonsOf(t *testing.T, file string) likeness.Reasons {
	t.Helper()
	reasons, err := likeness.ReadReasons(content(t, stacksDir+file))
	if err != nil {
		t.Fatal(file, err)
	}
	return reasons
}

func unused(t *testing.T, file string, reasons likeness.Reasons) {
	t.Helper()
	if t.Failed() || !long.All() {
		return
	}
	for _, match := range reasons.Unused() {
		t.Errorf("%s: nothing is like %q any more", file, match)
	}
}

// read compiles a stack.
func read(t *testing.T, name string, warnings likeness.Reasons) *guide {
	t.Helper()
	g := &guide{name: name, whose: "llm-d", theirs: content(t, stacksDir+name+"/guide.yaml")}
	if strings.HasPrefix(name, "kserve-") {
		g.whose = "KServe"
	}
	docs, problems := document.Read("stack.yaml", content(t, stacksDir+name+"/stack.yaml"))
	if len(docs) != 1 || len(problems) > 0 {
		t.Fatal(len(docs), problems)
	}
	g.document = docs[0]
	g.spec, problems = rules.Parse(docs[0].Node, docs[0].Source)
	for _, p := range problems {
		if p.Severity != schema.Info && warnings.Of(name+": "+p.Path+": "+p.Message) == nil {
			t.Errorf("without a reason: %s: %s: %s", name, p.Path, p.Message)
		}
	}
	if g.spec == nil {
		t.FailNow()
	}
	made, conflicts := generators.GenerateAll([]*schema.Stack{g.spec})
	if len(conflicts) > 0 {
		t.Fatal(conflicts)
	}
	var out bytes.Buffer
	if err := manifest.WriteYAML(&out, made[0].Objects); err != nil {
		t.Fatal(err)
	}
	g.ours = out.Bytes()
	return g
}

// differences are those between the guide's objects and the stack's.
func (g *guide) differences(t *testing.T) []string {
	t.Helper()
	theirs, err := likeness.Read(g.theirs)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := likeness.Read(g.ours)
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours = likeness.Workloads(theirs), likeness.Workloads(ours)
	if g.whose == "KServe" {
		names := likeness.KServe(g.spec.Metadata.Name)
		names.Meaning = true
		return likeness.Differences(likeness.Of(theirs, names), likeness.Of(ours, names), g.whose)
	}
	return likeness.Differences(likeness.Of(theirs, g.names(theirs)), likeness.Of(ours, g.names(ours)), g.whose)
}

// parts end the names of objects that guides and stacks name after different things.
var parts = regexp.MustCompile(`-(epp|decode|prefill|gateway|render|epp-config)$`)

// names are those of llm-d's guides, or of a stack.
func (g *guide) names(objects []*likeness.Object) likeness.Names {
	names := likeness.Names{Meaning: true, Containers: map[string]string{"vllm": "modelserver"}, Values: map[string]string{}}
	names.Object = func(kind, name string) string {
		if part := parts.FindStringSubmatch(name); part != nil {
			return kind + " " + part[1]
		}
		if name == g.spec.Metadata.Name {
			return kind + " N"
		}
		return kind + " " + name
	}
	for _, o := range objects {
		_, names.Values[o.GetName()], _ = strings.Cut(names.Object(o.GetKind(), o.GetName()), " ")
	}
	return names
}

// check runs the rules of inferstack check over the stack's objects.
func (g *guide) check(t *testing.T, warnings likeness.Reasons) {
	t.Helper()
	objects, err := wiring.Read("objects.yaml", g.ours)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range wiring.Check(objects, wiring.Options{}) {
		if f.Severity != schema.Info && warnings.Of(g.name+": "+f.Message) == nil {
			t.Errorf("without a reason: %s: %s", g.name, f.Message)
		}
	}
}

// explain asks for the text of every field that is written.
func (g *guide) explain(t *testing.T) {
	t.Helper()
	for _, path := range fields(g.document.Node) {
		d, err := document.Describe(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if explain.Field(d) == "" {
			t.Errorf("%s: no explanation", path)
		}
	}
}

// leftOver are fields that hold a text of another program, or a piece of a pod. A stack after a guide says what it
// means in others; variables of libraries that no field speaks of stand in env.
var leftOver = regexp.MustCompile(`(^|\.)(args|command|launch|podTemplatePatch|initContainers|containers|volumes|volumeMounts|flags|prefillConfig)$|^spec\.kvTransfer\.config$`)

// inFields refuses what is said other than in fields.
func (g *guide) inFields(t *testing.T) {
	t.Helper()
	for _, path := range fields(g.document.Node) {
		if leftOver.MatchString(path) {
			t.Errorf("%s: is not said in a field", path)
		}
	}
}

// draw makes a picture with each object.
func (g *guide) draw(t *testing.T) {
	t.Helper()
	objects, err := wiring.Read("objects.yaml", g.ours)
	if err != nil {
		t.Fatal(err)
	}
	p := graph.Draw(objects, graph.Options{})
	if err := graph.SVG(io.Discard, p); err != nil {
		t.Fatal(err)
	}
	if len(p.Nodes) < 3 || len(p.Edges) == 0 {
		t.Errorf("%d nodes, %d edges", len(p.Nodes), len(p.Edges))
	}
}

// fields are the paths of the fields that a stack writes, those of Kubernetes' own types and of free mappings left out.
func fields(n *yaml.Node) []string {
	var out []string
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			below := strings.TrimPrefix(path+"."+n.Content[i].Value, ".")
			d, err := document.Describe(below)
			if err != nil && !strings.HasPrefix(below, "spec") {
				continue
			}
			out = append(out, below)
			if len(d.Fields) > 0 {
				walk(n.Content[i+1], below)
			}
		}
		if n.Kind == yaml.SequenceNode {
			for _, e := range n.Content {
				walk(e, path)
			}
		}
	}
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	walk(n, "")
	slices.Sort(out)
	return slices.Compact(out)
}

func content(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
