package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/argv"
)

// A difference between a pod of the chart and the stack's, and the reason for it.
type difference struct {
	Match string `json:"match"`
	Why   string `json:"why"`
}

// TestChart compares the pods that llm-d-modelservice renders from its examples
// (chart.yaml) with the stack's (rendered.yaml), by meaning. Every difference has its
// reason in chart-differences.yaml, and every reason a difference.
func TestChart(t *testing.T) {
	data, err := os.ReadFile("../testdata/convert/chart-differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var reasons []difference
	if err := sigsyaml.UnmarshalStrict(data, &reasons); err != nil {
		t.Fatal(err)
	}
	used := make([]bool, len(reasons))
	dirs, _ := filepath.Glob("../testdata/convert/helm/chart-*/chart.yaml")
	if len(dirs) == 0 {
		t.Fatal("nothing to compare")
	}
	for _, chart := range dirs {
		dir := filepath.Dir(chart)
		theirs, ours := podsIn(t, chart), podsIn(t, filepath.Join(dir, "rendered.yaml"))
		for _, role := range slices.Sorted(maps.Keys(theirs)) {
			for _, d := range compare(meaning(theirs[role]), meaning(ours[role])) {
				i := slices.IndexFunc(reasons, func(r difference) bool { return regexp.MustCompile("^(?:" + r.Match + ")$").MatchString(d) })
				if i < 0 || reasons[i].Why == "" {
					t.Errorf("%s, %s: without a reason: %s", filepath.Base(dir), role, d)
					continue
				}
				used[i] = true
			}
		}
	}
	for i, r := range reasons {
		if !used[i] {
			t.Errorf("chart-differences.yaml: nothing differs like %q any more", r.Match)
		}
	}
}

// podsIn reads the Deployments of a file by role.
func podsIn(t *testing.T, file string) map[string]*corev1.PodSpec {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*corev1.PodSpec{}
	dec := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var d appsv1.Deployment
		switch err := dec.Decode(&d); {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			t.Fatalf("%s: %v", file, err)
		}
		for _, role := range []string{"decode", "prefill"} {
			if d.Kind == "Deployment" && strings.HasSuffix(d.Name, "-"+role) {
				out[role] = &d.Spec.Template.Spec
			}
		}
	}
}

// meaning lists what a pod amounts to, by what is said.
func meaning(pod *corev1.PodSpec) map[string]string {
	out := map[string]string{}
	main := &pod.Containers[0]
	describe(out, "", main)
	for i := range pod.InitContainers {
		describe(out, "init "+pod.InitContainers[i].Name+" ", &pod.InitContainers[i])
	}
	for _, m := range main.VolumeMounts {
		for _, v := range pod.Volumes {
			if v.Name == m.Name {
				out["volume at "+m.MountPath] = volume(v, m.ReadOnly)
			}
		}
	}
	for _, c := range pod.ResourceClaims {
		out["pod claim "+c.Name] = "template"
	}
	if pod.Affinity != nil {
		out["affinity"] = asText(pod.Affinity)
	}
	for name, probe := range map[string]*corev1.Probe{"startup": main.StartupProbe, "readiness": main.ReadinessProbe, "liveness": main.LivenessProbe} {
		if probe != nil {
			out[name+" probe"] = "there"
		}
	}
	return out
}

func describe(out map[string]string, prefix string, c *corev1.Container) {
	out[prefix+"image"] = c.Image
	args := slices.Concat(c.Command, c.Args)
	if len(args) > 1 && args[0] == "vllm" && args[1] == "serve" {
		out[prefix+"command"] = "vllm serve"
		args = args[2:]
	}
	for i, f := range argv.Split(args) {
		if i == 0 && !strings.HasPrefix(f.Name, "-") {
			f.Name, f.Value = "--model", f.Name
		}
		out[prefix+"argument "+f.Name] = strings.ReplaceAll(f.Value, " ", "")
	}
	for _, e := range c.Env {
		out[prefix+"variable "+e.Name] = e.Value + asText(e.ValueFrom)
	}
	for _, p := range c.Ports {
		out[fmt.Sprintf("%sport %d", prefix, p.ContainerPort)] = "open"
	}
	for kind, list := range map[string]corev1.ResourceList{"limit": c.Resources.Limits, "request": c.Resources.Requests} {
		for name, q := range list {
			out[prefix+kind+" "+string(name)] = q.String()
		}
	}
	for _, claim := range c.Resources.Claims {
		out[prefix+"claim "+claim.Name] = "used"
	}
}

func volume(v corev1.Volume, readOnly bool) string {
	switch {
	case v.PersistentVolumeClaim != nil:
		return fmt.Sprintf("claim %s, read-only %t", v.PersistentVolumeClaim.ClaimName, readOnly)
	case v.EmptyDir != nil && v.EmptyDir.SizeLimit != nil:
		return fmt.Sprintf("empty %s %s", v.EmptyDir.Medium, v.EmptyDir.SizeLimit)
	case v.EmptyDir != nil:
		return "empty"
	}
	return "other"
}

func asText(v any) string {
	data, _ := json.Marshal(v) // Kubernetes structs are plain data
	if string(data) == "null" {
		return ""
	}
	return string(data)
}

// compare lists the differences, in a fixed order.
func compare(theirs, ours map[string]string) []string {
	var out []string
	for k, v := range theirs {
		switch o, ok := ours[k]; {
		case !ok:
			out = append(out, k+" "+v+": only the chart's")
		case o != v:
			out = append(out, k+": "+v+" of the chart, "+o+" of the stack")
		}
	}
	for k, v := range ours {
		if _, ok := theirs[k]; !ok {
			out = append(out, k+" "+v+": only the stack's")
		}
	}
	slices.Sort(out)
	return out
}
