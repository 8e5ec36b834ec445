package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

// TestMatrixRoads proves that every road of an example ends in the same objects.
func TestMatrixRoads(t *testing.T) {
	for _, example := range examples(t) {
		t.Run(filepath.Base(example), func(t *testing.T) {
			long.Case(t, 8)
			want := byID(objectsIn(t, call(t, "", "render", example).out))
			var docs []string
			for _, text := range files(t, example) {
				if strings.Contains(text, "\nkind: InferenceStack\n") {
					docs = append(docs, text)
				}
			}
			if len(docs) == 1 {
				config := call(t, resources(docs[0], docs[0]))
				if diff := cmp.Diff(want, byID(parseList(t, config.out).Items)); diff != "" {
					t.Errorf("render and the generator disagree:\n%s", diff)
				}
			}
			once := call(t, resources("", docs...))
			if diff := cmp.Diff(want, byID(withoutNotes(parseList(t, once.out).Items))); diff != "" {
				t.Errorf("render and the function in place disagree:\n%s", diff)
			}
			twice := call(t, again(t, once.out))
			if diff := cmp.Diff(parseList(t, once.out).Items, parseList(t, twice.out).Items); diff != "" {
				t.Errorf("the second run changes something:\n%s", diff)
			}
		})
	}
}

// withoutNotes leaves the objects that were made, without what only a package needs.
func withoutNotes(items []map[string]any) []map[string]any {
	var out []map[string]any
	for _, item := range items {
		annotations := annotationsOf(item)
		if annotations[generatedBy] == nil {
			continue
		}
		for _, key := range []string{generatedBy, "internal.config.kubernetes.io/path", "internal.config.kubernetes.io/index"} {
			delete(annotations, key)
		}
		if len(annotations) == 0 {
			delete(item["metadata"].(map[string]any), "annotations")
		}
		out = append(out, item)
	}
	return out
}

func TestMatrixFunctionConfig(t *testing.T) {
	long := strings.Repeat("a", 64)
	for name, c := range map[string]struct {
		config string
		says   string // nothing when it is to succeed
	}{
		"empty mapping":        {"{}\n", ""},
		"ConfigMap":            {"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: function-input\ndata: {}\n", ""},
		"ConfigMap with data":  {"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: b\n", "a ConfigMap cannot hold settings"},
		"List":                 {"apiVersion: v1\nkind: List\nitems: []\n", `kind must be InferenceStack, or a ConfigMap (got "List")`},
		"other kind":           {"apiVersion: x/v1\nkind: Other\nmetadata:\n  name: o\n", `(got "Other")`},
		"wrong apiVersion":     {strings.Replace(small, "v1alpha1", "v1", 1), "apiVersion: must be inferstack.dev/v1alpha1"},
		"integer annotation":   {annotated("note: 5"), "metadata.annotations.note"},
		"boolean annotation":   {annotated("note: true"), "metadata.annotations.note"},
		"string annotation":    {annotated("note: 'true'"), ""},
		"1 for 1.0":            {small + "  decode: {replicas: 1.0}\n", ""},
		"1e3":                  {small + "  decode: {replicas: 1e3}\n", ""},
		"a port as text":       {small + "  server: {port: \"8000\"}\n", "spec.server.port"},
		"octal":                {small + "  decode: {replicas: 0644}\n", "without the zero in front"},
		"duplicate key":        {small + "  decode: {replicas: 1}\n  decode: {replicas: 2}\n", "spec.decode"},
		"anchor":               {small + "  decode: &d {replicas: 2}\n  prefill: *d\n", ""},
		"merge key":            {small + "  decode: &d {replicas: 2}\n  prefill: {<<: *d, replicas: 3}\n", ""},
		"unknown at the root":  {small + "status: {}\n", "status: "},
		"unknown in metadata":  {strings.Replace(small, "  namespace", "  namspace", 1), "metadata.namspace: "},
		"unknown in spec":      {small + "  modle: {}\n", "spec.modle: "},
		"unknown below":        {small + "  decode: {parallelism: {tensr: 1}}\n", "spec.decode.parallelism.tensr: "},
		"name too long":        {strings.Replace(small, "name: llama", "name: "+long, 1), "metadata.name: "},
		"name of other script": {strings.Replace(small, "name: llama", "name: лама", 1), "metadata.name: "},
		"a very long value":    {annotated("note: " + strings.Repeat("x", 3<<20)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			input := strings.Replace(resources("", small), "items:\n", "functionConfig:\n"+indent(c.config, "  ")+"items:\n", 1)
			got := call(t, input)
			if c.says == "" && got.code != exitOK || c.says != "" && (got.code != exitError || !strings.Contains(got.errors, c.says)) {
				t.Errorf("exit %d: %.300s", got.code, got.errors)
			}
			if l := parseList(t, got.out); got.code == exitError && len(l.Items) != 1 {
				t.Errorf("%d items come back", len(l.Items))
			}
		})
	}
}

func annotated(annotation string) string {
	return strings.Replace(small, "metadata:\n", "metadata:\n  annotations:\n    "+annotation+"\n", 1)
}

func TestMatrixInput(t *testing.T) {
	valid := resources("", foreign, small)
	for name, c := range map[string]struct {
		input string
		code  int
	}{
		"CRLF":            {strings.ReplaceAll(valid, "\n", "\r\n"), exitOK},
		"BOM":             {"\ufeff" + valid, exitOK},
		"v1beta1":         {strings.Replace(valid, "kubernetes.io/v1", "kubernetes.io/v1beta1", 1), exitOK},
		"separator":       {"---\n" + valid, exitOK},
		"no metadata":     {resources("", "apiVersion: v1\nkind: ConfigMap\n", small), exitOK},
		"odd annotations": {resources("", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  annotations: {a: 5, b: true, c: null, d: [x]}\n", small), exitOK},
		"odd metadata":    {resources("", "apiVersion: v1\nkind: ConfigMap\nmetadata: text\n", small), exitError},
		"not UTF-8":       {strings.Replace(valid, "name: llama", "name: \xff\xfe", 1), exitError},
		"tab":             {strings.Replace(valid, "  metadata:", "\tmetadata:", 1), exitError},
		"two lists":       {valid + "---\n" + valid, exitUsage},
		"results":         {valid + "results:\n- message: old\n  severity: error\n", exitOK},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, c.input)
			if got.code != c.code {
				t.Fatalf("exit %d: %s", got.code, got.errors)
			}
			if c.code == exitUsage {
				return
			}
			l := parseList(t, got.out)
			if l.Kind != "ResourceList" || c.code == exitOK && len(l.Items) < 3 {
				t.Errorf("%d items in a %s", len(l.Items), l.Kind)
			}
			for _, r := range l.Results {
				if r.Message == "old" {
					t.Error("results of another function come back as ours")
				}
			}
		})
	}
}

func TestMatrixTwoStacks(t *testing.T) {
	other := strings.ReplaceAll(small, "name: llama", "name: qwen")
	gateway := "  gateway: {class: istio, name: shared%s}\n"
	attached := strings.Replace(gateway, "%s", ", existing: true", 1)
	owned := strings.Replace(gateway, "%s", "", 1)
	further := strings.Replace(small, "name: llama\n", "name: further\n", 1) + "  scheduler: {enabled: false}\n"
	shared := func(stack, served string) string {
		return strings.Replace(stack, "name: meta", "servedNames: "+served+"\n    name: meta", 1) + "  pool: {selector: {team: x}}\n"
	}
	for name, c := range map[string]struct {
		a, b string
		says string
	}{
		"side by side":                 {small, other, ""},
		"one name":                     {small, small, `metadata.name: InferenceStack inference/llama (a.yaml) has the same name; a name is taken once in a namespace`},
		"one name, apart":              {small, strings.Replace(small, "namespace: inference", "namespace: other", 1), ""},
		"two own one gateway":          {small + owned, other + owned, `is made by InferenceStack inference/llama (a.yaml) as well, and differently; let one of them attach to it with gateway.existing: true`},
		"colliding routes":             {small + owned, other + attached, `spec.route: claims the same host and path of Gateway "shared" as InferenceStack inference/llama (a.yaml); set route.hostnames or route.matches to tell the two models apart`},
		"routes by host":               {small + owned + "  route: {hostnames: [a.example.com]}\n", other + attached + "  route: {hostnames: [b.example.com]}\n", ""},
		"routes by path":               {small + owned + "  route: {matches: [{path: {value: /a}}]}\n", other + attached + "  route: {matches: [{path: {type: PathPrefix, value: /b}}]}\n", ""},
		"same path, spelled":           {small + owned + "  route: {matches: [{path: {value: /}}]}\n", other + attached, "spec.route: claims"},
		"overlapping pool":             {small + "  pool: {selector: {team: x}}\n", other + "  pool: {selector: {team: x}}\n", `spec.pool.selector: selects the decode servers of InferenceStack inference/llama (a.yaml) too; name a label that only this stack's servers have`},
		"more servers":                 {small + "  pool: {selector: {team: x}}\n", strings.Replace(small, "name: llama\n", "name: further\n", 1) + "  pool: {selector: {team: x}}\n  scheduler: {enabled: false}\n", ""},
		"more servers, of a fine-tune": {shared(small, "[chat, chat-v2]"), shared(strings.Replace(further, "8B-Instruct", "8B-Tuned", 1), "[chat-v2, chat]"), ""},
		"more servers, other names":    {shared(small, "[chat]"), shared(further, "[chat, code]"), `spec.pool.selector: selects the decode servers of InferenceStack inference/further (b.yaml) too, which serve chat, code, and those of this stack chat: a request for a name would fail on the others; give both the same model.servedNames, or name a label that only this stack's servers have`},
		"pools in two places":          {small + "  pool: {selector: {team: x}}\n", strings.Replace(other, "namespace: inference", "namespace: other", 1) + "  pool: {selector: {team: x}}\n", ""},
		"errors in each":               {small + "  a: 1\n", other + "  b: 1\n", "spec.a"},
		"errors in each, too":          {small + "  a: 1\n", other + "  b: 1\n", "spec.b"},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, resources("", inFile(c.a, "a.yaml"), inFile(c.b, "b.yaml")))
			if c.says == "" && got.code != exitOK || c.says != "" && (got.code != exitError || !strings.Contains(got.errors, c.says)) {
				t.Errorf("exit %d: %s", got.code, got.errors)
			}
			l := parseList(t, got.out)
			paths := map[any]bool{}
			for _, item := range l.Items {
				path := annotationsOf(item)["internal.config.kubernetes.io/path"]
				if paths[path] {
					t.Errorf("two items go to %v", path)
				}
				paths[path] = true
			}
		})
	}
}

// TestMatrixLines looks at what an error says of its place, on each road.
func TestMatrixLines(t *testing.T) {
	bad := "# comment\n" + strings.Replace(small, "model:", "modle:", 1)
	const at = `spec.modle: unknown field; did you mean "model"?`
	dir := t.TempDir()
	write(t, dir, map[string]string{"app/stack.yaml": bad, "changed.yaml": strings.Replace(bad, "Llama-3.1", "Llama-3.2", 1)})
	t.Chdir(dir)
	for name, c := range map[string]struct{ config, item, want string }{
		"the file is there":       {"", inFile(bad, "app/stack.yaml"), "app/stack.yaml:8:3: " + at},
		"another says the path":   {"", inFile(bad, "changed.yaml"), "changed.yaml: " + at},
		"the file is not there":   {"", inFile(bad, "none.yaml"), "none.yaml: " + at},
		"the path leads out":      {"", inFile(bad, "../"+filepath.Base(dir)+"/app/stack.yaml"), "../" + filepath.Base(dir) + "/app/stack.yaml: " + at},
		"no path, nothing nearby": {bad, bad, "error: " + at},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, resources(c.config, c.item))
			if !strings.Contains("\n"+got.errors, "\n"+c.want+"\n") {
				t.Errorf("%q is not in\n%s", c.want, got.errors)
			}
		})
	}
	t.Run("named by the kustomization", func(t *testing.T) {
		write(t, dir, map[string]string{"kustomization.yaml": "generators:\n- app/stack.yaml\n"})
		sorted := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata:\n  name: llama\n  namespace: inference\nspec:\n  modle:\n    name: meta-llama/Llama-3.1-8B-Instruct\n"
		if got := call(t, resources(sorted, sorted)); !strings.Contains(got.errors, "app/stack.yaml:8:3: "+at) {
			t.Error(got.errors)
		}
	})
	if err := os.Remove("kustomization.yaml"); err != nil {
		t.Fatal(err)
	}
}
