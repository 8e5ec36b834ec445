package modelservice

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
)

// volume finds the volume that holds the model: the controller's own, or an emptyDir of
// the base configuration that Hugging Face's cache is pointed at.
func (m *service) volume(s *pods.Servers) {
	for _, r := range s.Roles {
		main := mainContainer(r)
		if main == nil {
			continue
		}
		for _, mount := range main.VolumeMounts {
			if mount.Name == "model-storage" {
				s.MountPath = mount.MountPath
			}
			if v := cacheVolume(r, main, mount); v != nil {
				s.MountPath = mount.MountPath
				s.ModelVolumes = append(s.ModelVolumes, v.Name)
				if v.EmptyDir.SizeLimit != nil && !m.Has("spec.model.storage.size") {
					m.Set("spec.model.storage.size", v.EmptyDir.SizeLimit, fromBase)
				}
			}
		}
	}
	m.Set("spec.model.storage.mountPath", s.MountPath, "")
}

// cacheVolume is the emptyDir of a mount at which HF_HOME or HF_HUB_CACHE points.
func cacheVolume(r *pods.Role, main *corev1.Container, mount corev1.VolumeMount) *corev1.Volume {
	cache := slices.ContainsFunc(main.Env, func(e corev1.EnvVar) bool {
		return (e.Name == "HF_HOME" || e.Name == "HF_HUB_CACHE") && e.Value == mount.MountPath
	})
	i := slices.IndexFunc(r.Pod.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name && v.EmptyDir != nil })
	if !cache || i < 0 {
		return nil
	}
	return &r.Pod.Volumes[i]
}

// mainContainer is the one that serves.
func mainContainer(r *pods.Role) *corev1.Container {
	if len(r.Pod.Containers) == 0 {
		return nil
	}
	i := max(0, slices.IndexFunc(r.Pod.Containers, func(c corev1.Container) bool { return c.Name == r.Main }))
	return &r.Pod.Containers[i]
}

func mainImage(r *pods.Role) string {
	if c := mainContainer(r); c != nil {
		return c.Image
	}
	return ""
}

func text(v any) string { return fmt.Sprint(v) }
