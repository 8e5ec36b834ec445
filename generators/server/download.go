package server

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/schema"
)

// The key file of a service account of Google Cloud, and where KServe mounts it (kserve v0.20.0
// pkg/credentials/gcs).
const (
	volumeCredentials = "model-credentials"
	credentialsDir    = "/var/secrets"
	credentialsFile   = "gcloud-application-credentials.json"
)

// downloadResources are those that KServe gives its storage initializer (kserve v0.20.0
// config/configmap/inferenceservice.yaml).
var downloadResources = base.Amounts("100m", "100Mi", "1Gi")

// downloads is the init container that fetches weights from a bucket. An init container serves
// every engine, and fails by itself where something is wrong; a streamer such as vLLM's is one
// engine's alone, and then what waits is an accelerator.
func (s server) downloads() []corev1.Container {
	if s.Simulated() || !s.Spec.Model.ParsedSource().InBucket() {
		return nil
	}
	spec := s.download()
	storage := &s.Spec.Model.Storage
	mounts := []corev1.VolumeMount{{Name: volumeModel, MountPath: storage.MountPath}}
	if s.hasKeyFile() {
		mounts = append(mounts, corev1.VolumeMount{Name: volumeCredentials, ReadOnly: true, MountPath: credentialsDir})
	}
	return []corev1.Container{{
		Name:            "storage-initializer",
		Image:           cmp.Or(spec.Image, s.Line.Images.StorageInitializer),
		Args:            []string{s.Spec.Model.Source, storage.MountPath},
		Env:             s.downloadEnv(spec),
		Resources:       *downloadResources.DeepCopy(),
		VolumeMounts:    mounts,
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.ContainerSecurityContext(),
	}}
}

func (s server) download() *schema.Download {
	if spec := s.Spec.Model.Download; spec != nil {
		return spec
	}
	return &schema.Download{}
}

// downloadEnv is what the storage initializer reads (kserve v0.20.0 pkg/credentials/s3 and
// python/storage/kserve_storage).
func (s server) downloadEnv(spec *schema.Download) []corev1.EnvVar {
	vars := []corev1.EnvVar{{Name: "HOME", Value: "/tmp"}}
	if s.hasKeyFile() {
		return append(vars, corev1.EnvVar{Name: "GOOGLE_APPLICATION_CREDENTIALS", Value: credentialsDir + "/" + credentialsFile})
	}
	if spec.CredentialsSecret != "" {
		for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
			vars = append(vars, base.SecretEnv(name, &schema.SecretKey{Name: spec.CredentialsSecret, Key: name}))
		}
	}
	if spec.Endpoint != "" {
		vars = append(vars, corev1.EnvVar{Name: "AWS_ENDPOINT_URL", Value: spec.Endpoint})
	}
	if spec.Region != "" {
		vars = append(vars, corev1.EnvVar{Name: "AWS_DEFAULT_REGION", Value: spec.Region})
	}
	return vars
}

// hasKeyFile reports whether the credentials are a file, as those of Google Cloud are.
func (s server) hasKeyFile() bool {
	return s.Spec.Model.ParsedSource().Scheme == "gs" && s.download().CredentialsSecret != ""
}

func (s server) credentialVolumes() []corev1.Volume {
	if !s.hasKeyFile() {
		return nil
	}
	return []corev1.Volume{{Name: volumeCredentials, VolumeSource: corev1.VolumeSource{
		Secret: &corev1.SecretVolumeSource{SecretName: s.download().CredentialsSecret},
	}}}
}
