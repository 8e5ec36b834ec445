package kubelet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Certificate returns what a Secret of type kubernetes.io/tls holds, by key: a certificate that signs itself.
func Certificate(t testing.TB) map[string][]byte {
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
	return map[string][]byte{
		corev1.TLSCertKey:       pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}),
		corev1.TLSPrivateKeyKey: pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}),
	}
}

// WithSecrets writes the Secrets that a container of the Pod mounts to folders of the test, each as a certificate, and
// returns the container with arguments that lead there.
func WithSecrets(t testing.TB, spec corev1.PodSpec, container corev1.Container) corev1.Container {
	t.Helper()
	secrets := map[string]bool{}
	for _, volume := range spec.Volumes {
		secrets[volume.Name] = volume.Secret != nil
	}
	for _, mount := range container.VolumeMounts {
		if !secrets[mount.Name] {
			continue
		}
		dir := t.TempDir()
		for name, content := range Certificate(t) {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		container.Args = moved(container.Args, mount.MountPath, dir)
	}
	return container
}

func moved(args []string, from, to string) []string {
	var list []string
	for _, arg := range args {
		list = append(list, strings.ReplaceAll(arg, from, to))
	}
	return list
}
