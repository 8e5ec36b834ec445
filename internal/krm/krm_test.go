package krm

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// lists are what orchestrators send, in forms that people write.
var lists = []string{
	head + "items: []\n",
	head + "items:\nfunctionConfig:\n",
	head + "functionConfig: {}\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n",
	head + `# of the list
functionConfig: # of the key
  # of the configuration
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: c, annotations: {a: "1"}}
  data: {lossy: "true"}
items:
# of the first
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: a # of a name
    namespace: n
    labels: {l: "yes"}
    annotations:
  data: &data {text: "a\nb"}
- kind: Service
  metadata: {annotations: {config.kubernetes.io/path: x.yaml}}
  data: *data
`,
	strings.ReplaceAll(head+"items:\n- kind: A\n  data: |\n    one\n    two\n", "\n", "\r\n"),
	head + "items: [{kind: A, metadata: {name: 5, namespace: null}}]\n",
	"{\"apiVersion\": \"config.kubernetes.io/v1alpha1\", \"kind\": \"ResourceList\", \"items\": [{\"kind\": \"A\"}]}",
}

// TestAsKyaml reads, annotates and writes objects as kyaml does, by which most functions are
// written.
func TestAsKyaml(t *testing.T) {
	for _, text := range lists {
		list, err := Parse([]byte(text))
		if err != nil || list == nil {
			t.Fatalf("%s: %v, %v", text, list, err)
		}
		theirs := kio.ByteReadWriter{Reader: strings.NewReader(text), OmitReaderAnnotations: true, KeepReaderAnnotations: true}
		items, err := theirs.Read()
		if err != nil {
			t.Fatal(err)
		}
		if len(items) != len(list.Items) {
			t.Fatalf("%s: %d items, not %d", text, len(list.Items), len(items))
		}
		for i, item := range items {
			same(t, list.Items[i], item)
		}
		if (list.FunctionConfig == nil) != theirs.FunctionConfig.IsNilOrEmpty() {
			t.Errorf("%s: functionConfig %v", text, list.FunctionConfig)
		} else if list.FunctionConfig != nil {
			same(t, list.FunctionConfig, theirs.FunctionConfig)
		}
	}
}

func same(t *testing.T, ours *Object, theirs *kyaml.RNode) {
	t.Helper()
	copied := ours.Copy()
	before := theirs.MustString()
	for what, pair := range map[string][2]string{
		"apiVersion": {ours.APIVersion(), theirs.GetApiVersion()},
		"kind":       {ours.Kind(), theirs.GetKind()},
		"name":       {ours.Name(), theirs.GetName()},
		"namespace":  {ours.Namespace(), theirs.GetNamespace()},
		"label":      {ours.Label("l"), theirs.GetLabels()["l"]},
		"annotation": {ours.Annotation("a"), theirs.GetAnnotations()["a"]},
		"text":       {kyaml.NewRNode(ours.Node).MustString(), before},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, not %q, of\n%s", what, pair[0], pair[1], before)
		}
	}
	for range 2 {
		ours.Annotate("a", "true")
		if err := theirs.PipeE(kyaml.SetAnnotation("a", "true")); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := kyaml.NewRNode(ours.Node).MustString(), theirs.MustString(); got != want {
		t.Errorf("annotated, it is\n%s, not\n%s", got, want)
	}
	if got := kyaml.NewRNode(copied.Node).MustString(); got != before {
		t.Errorf("the copy changed with the object:\n%s", got)
	}
}

// TestEmptyDocuments reads a list between documents without content.
func TestEmptyDocuments(t *testing.T) {
	list, err := Parse([]byte("---\n" + head + "items: [{kind: A}]\n---\n# nothing\n"))
	if err != nil || list == nil || len(list.Items) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestNotAList passes by what is something else.
func TestNotAList(t *testing.T) {
	for _, text := range []string{"", "---\n", "a", "- a\n", "kind: List\nitems: []\n", "kind: Deployment\n", head + "items: []\n---\nkind: A\n", "null"} {
		if list, err := Parse([]byte(text)); list != nil || err != nil {
			t.Errorf("%q is %v, %v", text, list, err)
		}
	}
	if _, err := Parse([]byte("a: [")); err == nil {
		t.Error("broken YAML is no error")
	}
}
