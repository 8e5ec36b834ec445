package server

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/schema"
)

const (
	volumeCert    = "tls"
	certDirectory = schema.CertDirectory
)

// certArgs have the model server speak TLS.
func (s server) certArgs(a *args.List) {
	if s.ServesTLS() {
		a.Add("certFile", certDirectory+"/"+corev1.TLSCertKey)
		a.Add("keyFile", certDirectory+"/"+corev1.TLSPrivateKeyKey)
		a.On("certReload")
	}
}

// sidecarTLSArgs have the routing sidecar speak TLS on all sides. It asks the model server of
// its pod by localhost and other servers by address, and certificates name neither. Each
// release line has one of the two spellings.
func (s server) sidecarTLSArgs(a *args.List) {
	if !s.ServesTLS() {
		return
	}
	a.Add("certPath", certDirectory)
	stages := "prefiller,decoder"
	if s.Spec.Encode != nil {
		stages += ",encoder"
	}
	for _, what := range []string{"enableTLS", "skipVerify"} {
		a.Add(what, stages)
	}
	for _, what := range []string{"prefillerTLS", "prefillerSkipVerify", "decoderTLS", "decoderSkipVerify"} {
		a.Add(what, true)
	}
}

func (s server) certVolumes() []corev1.Volume {
	if !s.ServesTLS() {
		return nil
	}
	return []corev1.Volume{{Name: volumeCert, VolumeSource: corev1.VolumeSource{
		Secret: &corev1.SecretVolumeSource{SecretName: s.Spec.Server.CertSecret},
	}}}
}

func (s server) certMounts() []corev1.VolumeMount {
	if !s.ServesTLS() {
		return nil
	}
	return []corev1.VolumeMount{{Name: volumeCert, ReadOnly: true, MountPath: certDirectory}}
}
