package admission

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A projection collects what stands in one volume.
type projection struct {
	*judge
	taken map[string]bool
}

func (j *judge) projected(at *field.Path, v *corev1.ProjectedVolumeSource) {
	j.mode(at.Child("defaultMode"), v.DefaultMode)
	p := projection{j, map[string]bool{}}
	for i := range v.Sources {
		p.source(at.Child("sources").Index(i), &v.Sources[i])
	}
}

func (p projection) source(at *field.Path, s *corev1.VolumeProjection) {
	p.members(at, []string{"secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"},
		s.Secret != nil, s.ConfigMap != nil, s.DownwardAPI != nil, s.ServiceAccountToken != nil, s.ClusterTrustBundle != nil, s.PodCertificate != nil)
	if s.Secret != nil {
		p.from(at.Child("secret"), s.Secret.Name, s.Secret.Items)
	}
	if s.ConfigMap != nil {
		p.from(at.Child("configMap"), s.ConfigMap.Name, s.ConfigMap.Items)
	}
	if d := s.DownwardAPI; d != nil {
		for i := range d.Items {
			at := at.Child("downwardAPI").Child("items").Index(i)
			p.downwardFile(at, &d.Items[i])
			p.once(at.Child("path"), d.Items[i].Path)
		}
	}
	if t := s.ServiceAccountToken; t != nil {
		at := at.Child("serviceAccountToken")
		p.file(at.Child("path"), t.Path)
		if t.ExpirationSeconds != nil {
			ranged(p.judge, at.Child("expirationSeconds"), *t.ExpirationSeconds, 600, 1<<32)
		}
	}
	if b := s.ClusterTrustBundle; b != nil {
		p.bundle(at.Child("clusterTrustBundle"), b)
	}
	if c := s.PodCertificate; c != nil {
		p.certificate(at.Child("podCertificate"), c)
	}
}

// once refuses a file that another source of the volume writes.
func (p projection) once(at *field.Path, path string) {
	if path != "" && p.taken[path] {
		p.bad(at, "%s is written by another source of the volume", path)
	}
	p.taken[path] = true
}

func (p projection) from(at *field.Path, name string, items []corev1.KeyToPath) {
	p.text(at.Child("name"), name, dnsSubdomain)
	p.items(at.Child("items"), items)
	for i, item := range items {
		p.once(at.Child("items").Index(i).Child("path"), item.Path)
	}
}

func (p projection) bundle(at *field.Path, b *corev1.ClusterTrustBundleProjection) {
	p.members(at, []string{"name", "signerName"}, b.Name != nil, b.SignerName != nil)
	if b.Name != nil {
		p.text(at.Child("name"), *b.Name, bundleName)
		if b.LabelSelector != nil {
			p.bad(at.Child("labelSelector"), "goes with signerName only")
		}
	}
	if b.SignerName != nil {
		p.text(at.Child("signerName"), *b.SignerName, signerName)
	}
	p.selector(at.Child("labelSelector"), b.LabelSelector)
	p.file(at.Child("path"), b.Path)
	p.once(at.Child("path"), b.Path)
}

func (p projection) certificate(at *field.Path, c *corev1.PodCertificateProjection) {
	p.text(at.Child("signerName"), c.SignerName, signerName)
	need(p.judge, at.Child("keyType"), c.KeyType, "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519")
	if c.MaxExpirationSeconds != nil {
		ranged(p.judge, at.Child("maxExpirationSeconds"), *c.MaxExpirationSeconds, 3600, 7862400)
	}
	some := false
	for _, f := range []struct{ name, path string }{
		{"credentialBundlePath", c.CredentialBundlePath}, {"keyPath", c.KeyPath}, {"certificateChainPath", c.CertificateChainPath},
	} {
		if f.path != "" {
			some = true
			p.file(at.Child(f.name), f.path)
			p.once(at.Child(f.name), f.path)
		}
	}
	if !some {
		p.bad(at, "needs credentialBundlePath, keyPath or certificateChainPath")
	}
}
