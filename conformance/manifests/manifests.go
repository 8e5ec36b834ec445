// Package manifests reads Kubernetes objects from YAML in the order in which they stand there.
package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Parse returns the objects in input.
func Parse(t testing.TB, input []byte) []*unstructured.Unstructured {
	t.Helper()
	var list []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(input), 4096)
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("read manifests: %v", err)
		}
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		// Through the type's own decoder, which keeps whole numbers whole.
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(raw); err != nil {
			t.Fatalf("read manifests: %v", err)
		}
		list = append(list, object)
	}
}

// File returns the objects in the file at path.
func File(t testing.TB, path string) []*unstructured.Unstructured {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(t, content)
}

// Of returns the objects of that kind.
func Of(objects []*unstructured.Unstructured, kind string) []*unstructured.Unstructured {
	var list []*unstructured.Unstructured
	for _, object := range objects {
		if object.GetKind() == kind {
			list = append(list, object)
		}
	}
	return list
}

// Name returns how people call an object: kind, namespace, name.
func Name(object *unstructured.Unstructured) string {
	if object.GetNamespace() == "" {
		return object.GetKind() + " " + object.GetName()
	}
	return object.GetKind() + " " + object.GetNamespace() + "/" + object.GetName()
}
