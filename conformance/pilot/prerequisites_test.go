package pilot

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "conformance"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(kind string, der []byte) string {
		return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls",
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"data":     map[string]any{"tls.crt": encode("CERTIFICATE", signed), "tls.key": encode("EC PRIVATE KEY", private)},
	}}
}
