// Package pilot asks Istio's own control plane what it makes of manifests: what a gateway's proxy would be sent and
// which conditions the Gateway API objects get.
package pilot

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/assets"
)

// InferenceExtension is the istiod environment that makes it understand InferencePool as a route's backend.
const InferenceExtension = "ENABLE_GATEWAY_API_INFERENCE_EXTENSION=true"

// Result is what build/istio-pilot prints, as far as the tests look at it.
type Result struct {
	Refused  []Refusal `json:"refused"`
	Proxies  []Proxy   `json:"proxies"`
	Statuses []Status  `json:"statuses"`
}

// Refusal is an object that Istio's admission webhook refuses.
type Refusal struct{ Object, Error string }

// Status is what pilot writes about one object.
type Status struct {
	Kind, Namespace, Name string
	Status                map[string]any
}

// Condition is one condition anywhere in a status.
type Condition struct{ Type, Status, Reason, Message string }

// Run starts pilot over the objects, with istiod's environment.
func Run(t testing.TB, objects []*unstructured.Unstructured, env ...string) *Result {
	t.Helper()
	var input bytes.Buffer
	for _, object := range objects {
		document, err := yaml.Marshal(object.Object)
		if err != nil {
			t.Fatal(err)
		}
		input.WriteString("---\n")
		input.Write(document)
	}
	cmd := exec.CommandContext(t.Context(), assets.Binary(t, "istio-pilot"))
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = &input
	var output, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("pilot: %v\n%s", err, tail(log.String()))
	}
	result := &Result{}
	if err := json.Unmarshal(output.Bytes(), result); err != nil {
		t.Fatalf("pilot's answer: %v", err)
	}
	return result
}

func tail(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// Conditions returns every condition in the status of the object, those of its listeners and parents included.
func (r *Result) Conditions(kind, namespace, name string) []Condition {
	var list []Condition
	for _, status := range r.Statuses {
		if status.Kind == kind && status.Namespace == namespace && status.Name == name {
			collect(status.Status, &list)
		}
	}
	slices.SortFunc(list, func(a, b Condition) int { return strings.Compare(a.Type, b.Type) })
	return list
}

func collect(value any, list *[]Condition) {
	switch v := value.(type) {
	case map[string]any:
		if reason, ok := v["reason"].(string); ok && v["type"] != nil {
			message, _ := v["message"].(string)
			*list = append(*list, Condition{Type: v["type"].(string), Status: v["status"].(string), Reason: reason, Message: message})
			return
		}
		for _, item := range v {
			collect(item, list)
		}
	case []any:
		for _, item := range v {
			collect(item, list)
		}
	}
}
