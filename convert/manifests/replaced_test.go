package manifests

import (
	"bytes"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
)

// TestReplaced has objects that nothing refers to by name, called otherwise than a stack calls them: they
// are in the stack under its names.
func TestReplaced(t *testing.T) {
	const stack = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: a, namespace: m}
spec:
  model: {name: a/b}
  gateway: {class: istio}
  networkPolicy: {monitoringNamespaces: [monitoring]}
  monitoring: {}
  decode:
    autoscaling: {min: 2, max: 8, metrics: [{type: Pods, pods: {metric: {name: running}, target: {type: AverageValue, averageValue: "10"}}}]}
    disruptionBudget: {maxUnavailable: 1}
`
	objects := made(t, []byte(stack))
	for kind, name := range map[string]string{
		"HorizontalPodAutoscaler": "a-decode", "PodDisruptionBudget": "a-decode", "PodMonitor": "a-servers", "ServiceMonitor": "a-epp", "NetworkPolicy": "a-servers",
	} {
		t.Run(kind, func(t *testing.T) {
			long.Case(t, 3)
			t.Parallel()
			was := []byte("kind: " + kind + "\nmetadata:\n  name: " + name + "\n")
			if !bytes.Contains(objects, was) {
				t.Fatalf("no %s %s", kind, name)
			}
			r := converted(t, bytes.Replace(objects, was, []byte("kind: "+kind+"\nmetadata:\n  name: mine\n"), 1), Options{})
			said := problem(r, kind+" mine is called "+name)
			if said == nil || said.Severity != schema.Info {
				t.Errorf("said: %v", r.Problems)
			}
			for _, d := range r.Stacks[0].Left {
				if d.ID.Kind != kind {
					t.Errorf("differs: %v", d)
				}
			}
			if got, want := len(r.Stacks[0].Left), 2; got != want {
				t.Errorf("%d differ, not %d: %v", got, want, r.Stacks[0].Left)
			}
		})
	}
}

// TestNotReplaced says why an object is not in the stack.
func TestNotReplaced(t *testing.T) {
	const stack = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: m}\nspec:\n  model: {name: a/b}\n  gateway: {class: istio}\n"
	for why, more := range map[string]string{
		"spec.decode.autoscaling":    `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: mine, namespace: m}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a-decode}, maxReplicas: 0, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}]}}`,
		"it is for Deployment a-epp": `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: mine, namespace: m}, spec: {maxUnavailable: 1, selector: {matchLabels: {app.kubernetes.io/component: epp}}}}`,
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			r := converted(t, append(made(t, []byte(stack)), []byte("---\n"+more+"\n")...), Options{})
			if p := problem(r, "mine is not in the stack: "+why); p == nil || p.Severity != schema.Warning {
				t.Errorf("said: %v", r.Problems)
			}
		})
	}
}

// TestOtherMetric has an autoscaler with the annotations of the workload variant autoscaler that follows
// another metric: it does not come to follow that one's.
func TestOtherMetric(t *testing.T) {
	long.Skip(t)
	was := []byte("name: " + schema.WVAMetric)
	objects := content(t, goldenDir+"/variant-autoscaling.yaml")
	if !bytes.Contains(objects, was) {
		t.Fatal("no metric")
	}
	r := converted(t, bytes.ReplaceAll(objects, was, []byte("name: mine")), Options{})
	if p := problem(r, "does not follow "+schema.WVAMetric); p == nil || p.Severity != schema.Warning {
		t.Errorf("said: %v", r.Problems)
	}
	for _, d := range r.Stacks[0].Left {
		for _, c := range d.Changes {
			if !strings.HasPrefix(c.Path, "metadata.annotations") {
				t.Errorf("%s: %v", d.ID, c)
			}
		}
	}
}

// problem is what is said with some words, or nil.
func problem(r Result, words string) *schema.Problem {
	for i, p := range r.Problems {
		if strings.Contains(p.Message, words) {
			return &r.Problems[i]
		}
	}
	return nil
}
