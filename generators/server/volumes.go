package server

import (
	"cmp"
	"path"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// Volumes of the model servers.
const (
	volumeModel = "model"
	volumeHome  = "home"
	volumeShm   = "shm"
)

// modelToLoad is what vLLM is told to load: a name on Hugging Face, or a path in the
// model volume.
func (s server) modelToLoad() string {
	source := s.Spec.Model.ParsedSource()
	switch source.Scheme {
	case "pvc":
		return path.Join(s.Spec.Model.Storage.MountPath, source.Path)
	case "oci", "s3", "gs":
		return s.Spec.Model.Storage.MountPath
	default:
		return source.Model
	}
}

// volumes returns the volumes of the role's pods. The simulator loads no weights.
func (s server) volumes() []corev1.Volume {
	var volumes []corev1.Volume
	if !s.Simulated() {
		volumes = append(volumes,
			corev1.Volume{Name: volumeModel, VolumeSource: s.modelVolume()},
			corev1.Volume{Name: volumeHome, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
		volumes = append(volumes, s.credentialVolumes()...)
		if s.sharesMemory() {
			volumes = append(volumes, corev1.Volume{Name: volumeShm, VolumeSource: s.sharedMemory()})
		}
		volumes = append(volumes, s.optionsVolumes()...)
		volumes = append(volumes, s.adapterVolumes()...)
		volumes = append(volumes, s.offloadVolumes()...)
		volumes = append(volumes, s.ecVolumes()...)
	}
	volumes = append(volumes, s.certVolumes()...)
	return append(append(volumes, base.Clones(s.Spec.Server.Volumes)...), base.Clones(s.Own.Volumes)...)
}

func (s server) modelVolume() corev1.VolumeSource {
	source, storage := s.Spec.Model.ParsedSource(), &s.Spec.Model.Storage
	if source.Scheme == "oci" {
		return corev1.VolumeSource{Image: &corev1.ImageVolumeSource{
			Reference:  source.Image,
			PullPolicy: s.PullPolicy(),
		}}
	}
	if claim := s.modelClaim(); claim != "" {
		return corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{
			ClaimName: claim,
			ReadOnly:  storage.ReadOnly,
		}}
	}
	empty := &corev1.EmptyDirVolumeSource{}
	if storage.Size != nil {
		empty.SizeLimit = new(storage.Size.DeepCopy())
	}
	return corev1.VolumeSource{EmptyDir: empty}
}

// modelClaim returns the claim that holds the weights, or "" for a volume of the pod.
func (s server) modelClaim() string {
	source, storage := s.Spec.Model.ParsedSource(), &s.Spec.Model.Storage
	switch {
	case source.Claim != "":
		return source.Claim
	case storage.Type == "pvc":
		return cmp.Or(storage.ExistingClaim, storageName(s.Stack))
	default:
		return ""
	}
}

// sharesMemory reports whether the pod has a /dev/shm of its own: the container runtime's
// 64 MB are too few for tensor parallelism.
func (s server) sharesMemory() bool { return !s.Spec.Server.SharedMemory.IsZero() }

func (s server) sharedMemory() corev1.VolumeSource {
	return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{
		Medium:    corev1.StorageMediumMemory,
		SizeLimit: new(s.SharedMemory(s.Own)),
	}}
}

func (s server) mounts() []corev1.VolumeMount {
	var mounts []corev1.VolumeMount
	if !s.Simulated() {
		storage := &s.Spec.Model.Storage
		mounts = append(mounts,
			corev1.VolumeMount{Name: volumeModel, ReadOnly: storage.ReadOnly, MountPath: storage.MountPath},
			corev1.VolumeMount{Name: volumeHome, MountPath: s.homeDir()})
		if s.sharesMemory() {
			mounts = append(mounts, corev1.VolumeMount{Name: volumeShm, MountPath: "/dev/shm"})
		}
		mounts = append(mounts, s.optionsMounts()...)
		mounts = append(mounts, s.adapterMounts()...)
		mounts = append(mounts, s.offloadMounts()...)
		mounts = append(mounts, s.ecMounts()...)
	}
	mounts = append(mounts, s.certMounts()...)
	return append(append(mounts, base.Clones(s.Spec.Server.VolumeMounts)...), base.Clones(s.Own.VolumeMounts)...)
}
