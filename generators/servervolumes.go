package generators

import (
	"cmp"
	"path"

	corev1 "k8s.io/api/core/v1"
)

// Volumes of the model servers.
const (
	volumeModel = "model"
	volumeHome  = "home"
	volumeShm   = "shm"
)

// modelToLoad is what vLLM is told to load: a name on Hugging Face, or a path in the
// model volume.
func (s *Stack) modelToLoad() string {
	source := s.Spec.Model.ParsedSource()
	switch source.Scheme {
	case "pvc":
		return path.Join(s.Spec.Model.Storage.MountPath, source.Path)
	case "oci":
		return s.Spec.Model.Storage.MountPath
	default:
		return source.Model
	}
}

// serverVolumes returns the volumes of the role's pods. The simulator loads no weights.
func (s server) serverVolumes() []corev1.Volume {
	var volumes []corev1.Volume
	if !s.simulated() {
		volumes = append(volumes,
			corev1.Volume{Name: volumeModel, VolumeSource: s.modelVolume()},
			corev1.Volume{Name: volumeHome, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
		if s.sharesMemory() {
			volumes = append(volumes, corev1.Volume{Name: volumeShm, VolumeSource: s.sharedMemory()})
		}
	}
	return append(append(volumes, clones(s.Spec.Server.Volumes)...), clones(s.own.Volumes)...)
}

func (s *Stack) modelVolume() corev1.VolumeSource {
	source, storage := s.Spec.Model.ParsedSource(), &s.Spec.Model.Storage
	if source.Scheme == "oci" {
		return corev1.VolumeSource{Image: &corev1.ImageVolumeSource{
			Reference:  source.Image,
			PullPolicy: s.pullPolicy(),
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
func (s *Stack) modelClaim() string {
	source, storage := s.Spec.Model.ParsedSource(), &s.Spec.Model.Storage
	switch {
	case source.Claim != "":
		return source.Claim
	case storage.Type == "pvc":
		return cmp.Or(storage.ExistingClaim, s.storageName())
	default:
		return ""
	}
}

// sharesMemory says whether the pod has a /dev/shm of its own: the container runtime's
// 64 MB are too few for tensor parallelism.
func (s *Stack) sharesMemory() bool { return !s.Spec.Server.SharedMemory.IsZero() }

func (s *Stack) sharedMemory() corev1.VolumeSource {
	return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{
		Medium:    corev1.StorageMediumMemory,
		SizeLimit: new(s.Spec.Server.SharedMemory.DeepCopy()),
	}}
}

func (s server) serverMounts() []corev1.VolumeMount {
	var mounts []corev1.VolumeMount
	if !s.simulated() {
		storage := &s.Spec.Model.Storage
		mounts = append(mounts,
			corev1.VolumeMount{Name: volumeModel, ReadOnly: storage.ReadOnly, MountPath: storage.MountPath},
			corev1.VolumeMount{Name: volumeHome, MountPath: homeDir})
		if s.sharesMemory() {
			mounts = append(mounts, corev1.VolumeMount{Name: volumeShm, MountPath: "/dev/shm"})
		}
	}
	return append(append(mounts, clones(s.Spec.Server.VolumeMounts)...), clones(s.own.VolumeMounts)...)
}
