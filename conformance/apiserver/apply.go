// Package apiserver applies what Inferstack emits to a real API server.
package apiserver

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// standard returns the labels of a namespace whose Pods must hold a Pod Security Standard.
func standard(level string) map[string]string {
	return map[string]string{
		"pod-security.kubernetes.io/enforce": level,
		"pod-security.kubernetes.io/warn":    level,
		"pod-security.kubernetes.io/audit":   level,
	}
}

// apply applies the objects in their order and returns what the API server holds.
func apply(t *testing.T, client *cluster.Client, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	var live []*unstructured.Unstructured
	for _, object := range objects {
		result := client.Apply(t.Context(), object)
		if result.Err != nil {
			t.Errorf("%s: %v", manifests.Name(object), result.Err)
			continue
		}
		for _, warning := range result.Warnings {
			if reason := expected(warning); reason == "" {
				t.Errorf("%s: the API server warns: %s", manifests.Name(object), warning)
			}
		}
		live = append(live, result.Object)
	}
	return live
}
