package explain

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema/document"
)

const top = "GROUP:      inferstack.dev\nKIND:       InferenceStack\nVERSION:    v1alpha1\n\n"

func TestField(t *testing.T) {
	for _, tt := range []struct{ name, path, want string }{
		{"a number", "spec.decode.parallelism.tensor", `FIELD: spec.decode.parallelism.tensor <integer>
DEFAULT: 1
ALLOWED: an integer from 1 to 1024

DESCRIPTION:
    Tensor parallelism: accelerators that share one copy of the model. With
    data: 1 and several nodes, the copy is spread over the nodes, and only the
    first of them serves.
`},
		{"a section", "spec.scheduler.disaggregation", `FIELD: spec.scheduler.disaggregation <Object>

DESCRIPTION:
    When the decode server asks a prefill server, with the presets
    pd-disaggregation and e-disaggregation.
    When prefill is done by a prefill server.

FIELDS:
  decider	<string>
    prefix-based: when at least nonCachedTokens tokens of the prompt are not in
    the decode server's cache. always: for every request. Default: prefix-based;
    always with server.engine: sglang, whose decode servers take no request that
    a prefill server has not begun.
    Allowed: one of prefix-based, always

  nonCachedTokens	<integer>
    Threshold of the prefix-based decider, in tokens.
    Allowed: an integer of at least 0
    Default: 16
`},
		{"the kind first, positions of lists, a required field", "InferenceStack.spec.extraGateways[0].listeners[].port", `FIELD: spec.extraGateways.listeners.port <integer>
REQUIRED
ALLOWED: an integer from 1 to 65535

DESCRIPTION:
`},
		{"a list of numbers", "spec.pool.targetPorts", `FIELD: spec.pool.targetPorts <[]integer>
ALLOWED: 1 to 8 items, each an integer from 1 to 65535

DESCRIPTION:
    Ports of the servers. Default: server.port, and one more for each
    data-parallel rank of a pod.
`},
		{"a map", "spec.decode.podLabels", `FIELD: spec.decode.podLabels <map[string]string>

DESCRIPTION:
    Labels of the pods. Labels that selectors use cannot be changed here.
`},
		{"two types", "spec.decode.disruptionBudget.minAvailable", `FIELD: spec.decode.disruptionBudget.minAvailable <string|integer>
ALLOWED: an integer of at least 0 or a number or a percentage of at most 100%, such as 50%

DESCRIPTION:
    Servers that must stay, as a number or a percentage.
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := document.Describe(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(top+tt.want, Field(d)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestUpstream goes on into the types of Kubernetes. Its texts are not ours to hold to the
// word; that there are some, and their fields, is.
func TestUpstream(t *testing.T) {
	for path, want := range map[string][]string{
		"spec.decode.env":                                        {"FIELD: spec.decode.env <[]EnvVar (core/v1)>", "replaces it.", "\n  name\t<string> -required-\n    Name of the", "\n  valueFrom\t<EnvVarSource>\n"},
		"spec.decode.env.valueFrom.secretKeyRef":                 {"<SecretKeySelector>", "\n  key\t<string> -required-\n", "\n  name\t<string>\n"},
		"spec.decode.volumes[0].emptyDir.sizeLimit":              {"<Quantity>", "    sizeLimit is the total amount"},
		"spec.decode.podTemplatePatch":                           {"merge patch", "\n  metadata\t<ObjectMeta>\n", "\n  spec\t<PodSpec>\n"},
		"spec.decode.podTemplatePatch.spec.containers.resources": {"<ResourceRequirements>", "\n  limits\t<map[string]Quantity>\n"},
		"spec.decode.autoscaling.metrics.external":               {"\n  metric\t<MetricIdentifier> -required-\n"},
		"spec.route.matches.headers":                             {"\n  name\t<string> -required-\n"},
	} {
		d, err := document.Describe(path)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, part := range want {
			if !strings.Contains(Field(d), part) {
				t.Errorf("%s: no %q in\n%s", path, part, Field(d))
			}
		}
	}
	d, err := document.Describe("spec.decode.podTemplatePatch.spec")
	if err != nil {
		t.Fatal(err)
	}
	if text := Tree(d); !strings.Contains(text, "\n  affinity\t<Affinity>\n    nodeAffinity\t<NodeAffinity>\n") || strings.Contains(text, "-required-") {
		t.Errorf("a patch requires something, or goes no deeper:\n%s", text)
	}
}

func TestTree(t *testing.T) {
	d, err := document.Describe("spec.model")
	if err != nil {
		t.Fatal(err)
	}
	want := top + `FIELD: spec.model <Object>
REQUIRED

DESCRIPTION:
    The model that is served.
    The model, where its weights come from and where they are kept.

FIELDS:
  name	<string> -required-
  servedNames	<[]string>
  label	<string>
  source	<string>
  download	<Object>
    image	<string>
    credentialsSecret	<string>
    endpoint	<string>
    region	<string>
  tokenSecret	<Object>
    name	<string> -required-
    key	<string> = "HF_TOKEN"
  storage	<Object>
    type	<string> = "emptyDir"
    size	<Quantity>
    name	<string>
    existingClaim	<string>
    storageClassName	<string>
    accessMode	<string> = "ReadWriteMany"
    readOnly	<boolean> = false
    mountPath	<string> = "/model-cache"
  lora	<Object>
    adapters	<[]Object>
      name	<string> -required-
      source	<string> -required-
      rank	<integer>
    resolveFrom	<string>
    runtimeUpdating	<boolean> = false
    maxRank	<integer>
    maxAdapters	<integer>
    maxCpuAdapters	<integer>
`
	if diff := cmp.Diff(want, Tree(d)); diff != "" {
		t.Error(diff)
	}
}

func TestWrongPaths(t *testing.T) {
	for path, want := range map[string]string{
		"spec.decode.replica":           `spec.decode.replica: unknown field; did you mean "spec.decode.replicas"?`,
		"decode":                        `decode: unknown field; did you mean "spec.decode"?`,
		"spec.decode.replicas.min":      `spec.decode.replicas.min: unknown field: spec.decode.replicas is integer, without fields of its own here`,
		"spec.decode.tolerations.effct": `spec.decode.tolerations.effct: unknown field; did you mean "spec.decode.tolerations.effect"?`,
		"spec.decode.parallelism.zzz":   `spec.decode.parallelism.zzz: unknown field; there are tensor, pipeline, data, dataLocal, nodes, expert, all2allBackend`,
		"xyzzy":                         `xyzzy: unknown field; there are apiVersion, kind, metadata, spec`,
	} {
		if _, err := document.Describe(path); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Every field has a type and a path of its own, and no line but a word that is longer
// passes the width.
func TestEveryField(t *testing.T) {
	d, err := document.Describe("")
	if err != nil {
		t.Fatal(err)
	}
	var count, silent int
	var visit func(document.Description)
	visit = func(d document.Description) {
		count++
		if d.Type == "" || !strings.HasSuffix("."+d.Path, "."+d.Name) {
			t.Errorf("%+v", d)
		}
		if d.Text == "" {
			silent++
		}
		for line := range strings.Lines(Field(d)) {
			if n := len([]rune(strings.TrimSpace(line))); n > width && strings.HasPrefix(line, "    ") && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: %d letters: %s", d.Path, n, line)
			}
		}
		for _, f := range d.Fields {
			visit(f)
		}
	}
	visit(d)
	if count < 400 || silent*5 > count {
		t.Errorf("%d fields, %d without a text", count, silent)
	}
}
