package fn

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// overlay changes everything that an overlay usually changes.
const overlay = `resources:
- base
components:
- ../components/wiring
namespace: team-a
namePrefix: canary-
nameSuffix: -b
images:
- name: docker.io/vllm/vllm-openai
  newName: registry.example.com/vllm
  newTag: v9
SCALE
patches:
- target: {kind: Deployment, labelSelector: app.kubernetes.io/component=epp}
  patch: |
    - op: add
      path: /spec/template/spec/priorityClassName
      value: high
`

const rewireConfig = `apiVersion: inferstack.dev/v1alpha1
kind: Rewire
metadata:
  name: rewire
  annotations:
    config.kubernetes.io/function: |
      exec: {path: inferstack}
`

// TestOverlayEveryExample puts the overlay on every example that is one stack.
func TestOverlayEveryExample(t *testing.T) {
	root := copyExamples(t)
	t.Setenv("PATH", filepath.Dir(binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	for i, example := range examples(t) {
		if !long.Part(i, 12) {
			continue
		}
		if _, err := os.Stat(filepath.Join(example, "kustomization.yaml")); err != nil {
			continue
		}
		t.Run(filepath.Base(example), func(t *testing.T) {
			base := filepath.Join(root, filepath.Base(example))
			plain := call(t, "", "render", base)
			dir := filepath.Join(root, "..", "overlay-"+filepath.Base(example))
			write(t, dir, map[string]string{
				"kustomization.yaml": overlayOf(t, plain.out) + "transformers:\n- rewire.yaml\n",
				"rewire.yaml":        rewireConfig,
			})
			if err := os.Symlink(base, filepath.Join(dir, "base")); err != nil {
				t.Fatal(err)
			}
			built, err := kustomize(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			checkRenamed(t, objectsIn(t, plain.out), built)
			if !strings.Contains(built, "replicas: 9") || !strings.Contains(built, "priorityClassName: high") {
				t.Error("replicas or patch of the overlay did not arrive")
			}
			if strings.Contains(plain.out, "docker.io/vllm/vllm-openai:") && !strings.Contains(built, "registry.example.com/vllm:v9") {
				t.Error("image of the overlay did not arrive")
			}
		})
	}
}

// overlayOf is the overlay with the scaling of the first workload of decode servers, of which
// there are several where the role has variants.
func overlayOf(t *testing.T, rendered string) string {
	t.Helper()
	for _, o := range objectsIn(t, rendered) {
		name := o["metadata"].(map[string]any)["name"].(string)
		switch kind := o["kind"]; {
		case (kind == "Deployment" || kind == "LeaderWorkerSet") && strings.Contains(name, "-decode"):
			return strings.Replace(overlay, "SCALE\n", "replicas:\n- name: "+name+"\n  count: 9\n", 1)
		case kind == "DisaggregatedSet":
			// kustomize's replicas do not reach the roles of a set
			return strings.Replace(overlay, "SCALE\n", "", 1) + scaleOfRole
		}
	}
	t.Fatal("no workload of decode servers")
	return ""
}

const scaleOfRole = `- target: {kind: DisaggregatedSet}
  patch: |
    - op: replace
      path: /spec/roles/0/replicas
      value: 9
`

// Where an old name may stand after renaming: labels and selectors that hold the
// stack's name rather than an object's, names that only Envoy or Prometheus know, and
// what stands for the model, and paths and host names of a route, which are the user's.
var harmless = regexp.MustCompile(`^\s*- (sim|qwen)-gateway$|app.kubernetes.io/instance|inferencestack|inferstack\.|^\s*"(title|uid|tags)|^\s+- name: \S+$|replacement:|--service-(node|cluster)|llm-d-\S+\.json|cluster(_name)?: |stat_prefix|model|/\S*v\d|^\s*(- )?/|^\s*value: /|^\s*- \S+\.example\.com$`)

// checkRenamed looks for the name of any object as it was before.
func checkRenamed(t *testing.T, before []map[string]any, built string) {
	t.Helper()
	for _, o := range before {
		meta := o["metadata"].(map[string]any)
		old := regexp.MustCompile(`(^|[^-a-z0-9])` + regexp.QuoteMeta(meta["name"].(string)) + `($|[^-a-z0-9])`)
		for line := range strings.SplitSeq(built, "\n") {
			if old.MatchString(line) && !harmless.MatchString(line) {
				t.Errorf("%v %v is still known by its old name: %s", o["kind"], meta["name"], strings.TrimSpace(line))
			}
		}
	}
	if strings.Contains(built, ".llm-d.svc") || strings.Contains(built, "--pool-namespace=llm-d") {
		t.Error("the old namespace is still in a host name or argument")
	}
	if strings.Contains(built, "config.kubernetes.io/") {
		t.Error("annotations of tools leak")
	}
}

// TestOverlayOfARenderedDirectory is the road of those who may run no functions.
func TestOverlayOfARenderedDirectory(t *testing.T) {
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("kubectl is not here: what it makes of a rendered directory is not tested")
	}
	root := copyExamples(t)
	dir := filepath.Join(root, "..", "deploy")
	stack := filepath.Join(root, "multi-node")
	if got := call(t, "", "render", stack, "-o", filepath.Join(dir, "base")); got.code != exitOK {
		t.Fatal(got.errors)
	}
	write(t, dir, map[string]string{"kustomization.yaml": overlayOf(t, call(t, "", "render", stack).out)})
	out, err := exec.Command(kubectl, "kustomize", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	built := string(out)
	for _, want := range []string{
		"name: canary-deepseek-epp-b", "registry.example.com/vllm:v9",
		"    name: canary-deepseek-gateway-b\n", "replicas: 9", "priorityClassName: high",
	} {
		if !strings.Contains(built, want) {
			t.Errorf("%q is not in what kubectl kustomize prints", want)
		}
	}
	whole, err := exec.Command(kubectl, "kustomize", filepath.Join(dir, "base")).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := byID(objectsIn(t, string(whole))), byID(objectsIn(t, call(t, "", "render", stack).out)); len(got) != len(want) {
		t.Errorf("kubectl kustomize sees %d objects of %d", len(got), len(want))
	}
}

func TestOverlayPatchesTheStack(t *testing.T) {
	root := copyExamples(t)
	dev, err := kustomize(t, filepath.Join(root, "overlays", "dev"))
	if err != nil {
		t.Fatal(err)
	}
	prod, err := kustomize(t, filepath.Join(root, "overlays", "prod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(dev, "llm-d-inference-sim") || !strings.Contains(dev, "namespace: qwen-dev") || strings.Contains(dev, "kind: InferenceStack") {
		t.Error("dev is not the simulator in qwen-dev")
	}
	if !strings.Contains(prod, "qwen-prefill") || !strings.Contains(prod, "replicas: 4") || !strings.Contains(prod, "kind: PodDisruptionBudget") {
		t.Error("prod has not what its patch asks for")
	}
}

func TestRewireRefusesWhatItCannotFollow(t *testing.T) {
	epp := `apiVersion: apps/v1
kind: Deployment
metadata:
  name: new-epp
  namespace: ns
  labels: {app.kubernetes.io/managed-by: inferstack}
  annotations:
    internal.config.kubernetes.io/previousNames: epp
    internal.config.kubernetes.io/previousNamespaces: ns
spec:
  template:
    spec:
      containers:
      - name: epp
        args: [--pool-name=llama, --pool-namespace=ns]
`
	config := "apiVersion: inferstack.dev/v1alpha1\nkind: Rewire\nmetadata:\n  name: r\n"
	for name, c := range map[string]struct{ input, want string }{
		"pool elsewhere": {resources(config, epp), "Deployment ns/new-epp: has moved, but its InferencePool ns/llama is not in this build; rename both or neither"},
		"no stack":       {resources(config, foreign), "no object of an InferenceStack (label app.kubernetes.io/managed-by: inferstack) among the 1 items"},
		"a spec":         {resources(config+"spec: {}\n", epp), "functionConfig: Rewire has no spec"},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, c.input)
			if got.code != exitError || !strings.Contains(got.errors, c.want) {
				t.Errorf("exit %d: %s", got.code, got.errors)
			}
			if !strings.Contains(got.out, "items:\n") {
				t.Errorf("no items in\n%s", got.out)
			}
		})
	}
}
