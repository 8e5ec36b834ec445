package kubeschema

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestCheck(t *testing.T) {
	const pool = "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: a}\nspec: "
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: ["
	tests := map[string]struct {
		object string
		want   []string
	}{
		"sound":             {pool + "{selector: {matchLabels: {app: a}}, targetPorts: [{number: 8000}], endpointPickerRef: {name: epp, port: {number: 9002}}}", nil},
		"nothing":           {pool + "{}", []string{"spec.endpointPickerRef: is required", "spec.selector: is required", "spec.targetPorts: is required"}},
		"unknown":           {pool + "{selector: {matchLabels: {}}, targetPorts: [{number: 1}], endpointPickerRef: {name: a}, extensionRef: {}}", []string{"spec.extensionRef: unknown field"}},
		"type":              {pool + "{selector: {matchLabels: {app: true}}, targetPorts: 8000, endpointPickerRef: {name: a, port: 9002}}", []string{"spec.selector.matchLabels.app: must be a string (got the boolean true)", "spec.targetPorts: must be a list (got 8000)", "spec.endpointPickerRef.port: must be a mapping (got 9002)"}},
		"range":             {pool + "{selector: {matchLabels: {a: b}}, targetPorts: [{number: 70000}], endpointPickerRef: {name: a}}", []string{"spec.targetPorts[0].number: must be at most 65535 (got 70000)"}},
		"items":             {pool + "{selector: {matchLabels: {a: b}}, targetPorts: [], endpointPickerRef: {name: a}}", []string{"spec.targetPorts: must have at least 1 items (got 0)"}},
		"enum":              {pool + "{selector: {matchLabels: {a: b}}, targetPorts: [{number: 1}], endpointPickerRef: {name: a, failureMode: FailClosed}}", []string{"spec.endpointPickerRef.failureMode: must be one of FailOpen, FailClose (got FailClosed)"}},
		"filled in later":   {pool + "{selector: {matchLabels: {a: b}}, targetPorts: [{number: '${PORT}'}], endpointPickerRef: '${REF}'}", nil},
		"null":              {pool + "{selector: {matchLabels: {a: b}}, targetPorts: [{number: 1}], endpointPickerRef: {name: a, port: null}}", nil},
		"built in":          {pod + "{name: c, image: x, resources: {limits: {cpu: 1, memory: 1Gi}}, ports: [{containerPort: 80}], livenessProbe: {httpGet: {port: http}}}]}", nil},
		"number for text":   {pod + "{name: c, env: [{name: A, value: 120}]}]}", []string{"spec.containers[0].env[0].value: must be a string (got 120)"}},
		"yes for text":      {pod + "{name: c, env: [{name: A, value: yes}, {name: B, value: 'yes'}]}]}", []string{"spec.containers[0].env[0].value: must be a string (got the boolean yes)"}},
		"text for a number": {pod + "{name: c, ports: [{containerPort: '80'}]}]}", []string{`spec.containers[0].ports[0].containerPort: must be a whole number (got the string "80")`}},
		"misspelt":          {pod + "{name: c, imagePullPolcy: Always}]}", []string{"spec.containers[0].imagePullPolcy: unknown field"}},
		"of every object":   {"apiVersion: v1\nkind: Service\nmetadata: {name: a, annotatons: {}}\nspec: {port: 80}", []string{"metadata.annotatons: unknown field", "spec.port: unknown field"}},
		"a group's pods":    {"apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: a}\nspec: {leaderWorkerTemplate: {workerTemplate: {spec: {containers: [{name: c, imagee: x}]}}}}", []string{"spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].imagee: unknown field"}},
	}
	for name, tt := range tests {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(tt.object), &doc); err != nil {
			t.Fatal(name, err)
		}
		var identity struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal([]byte(strings.Replace(tt.object, "apiVersion", "apiversion", 1)), &identity); err != nil {
			t.Fatal(name, err)
		}
		s := Of(identity.APIVersion, identity.Kind)
		if s == nil {
			t.Fatalf("%s: no schema of %v", name, identity)
		}
		var got []string
		for _, p := range Check(doc.Content[0], s, func(text string) bool { return strings.HasPrefix(text, "${") }) {
			if p.Node == nil || p.Node.Line == 0 {
				t.Errorf("%s: %s has no place", name, p.Path)
			}
			got = append(got, p.Path+": "+p.Message)
		}
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestUnknownKind(t *testing.T) {
	if Of("example.com/v1", "Widget") != nil {
		t.Error("there is a schema")
	}
}
