package pilot

import (
	"encoding/base64"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/kubelet"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// prerequisites are what the manifests name and somebody else makes: the Secrets with the certificates of listeners.
func prerequisites(t *testing.T, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	var list []*unstructured.Unstructured
	for _, gateway := range manifests.Of(objects, "Gateway") {
		listeners, _, _ := unstructured.NestedSlice(gateway.Object, "spec", "listeners")
		for _, listener := range listeners {
			refs, _, _ := unstructured.NestedSlice(listener.(map[string]any), "tls", "certificateRefs")
			for _, ref := range refs {
				list = append(list, certificate(t, gateway.GetNamespace(), ref.(map[string]any)["name"].(string)))
			}
		}
	}
	return list
}

// certificate is a Secret with a certificate that signs itself.
func certificate(t *testing.T, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	data := map[string]any{}
	for key, content := range kubelet.Certificate(t) {
		data[key] = base64.StdEncoding.EncodeToString(content)
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls",
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"data":     data,
	}}
}
