package admission

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// mount judges a mount by itself.
func (j *judge) mount(at *field.Path, m *corev1.VolumeMount) {
	j.there(at.Child("name"), m.Name)
	j.there(at.Child("mountPath"), m.MountPath)
	j.below(at.Child("subPath"), m.SubPath)
	j.below(at.Child("subPathExpr"), m.SubPathExpr)
	if m.SubPath != "" && m.SubPathExpr != "" {
		j.bad(at.Child("subPathExpr"), "must not stand beside subPath; remove one of them")
	}
	if p := m.MountPropagation; p != nil {
		need(j, at.Child("mountPropagation"), *p, corev1.MountPropagationNone, corev1.MountPropagationHostToContainer, corev1.MountPropagationBidirectional)
	}
	if r := m.RecursiveReadOnly; r != nil {
		need(j, at.Child("recursiveReadOnly"), *r, corev1.RecursiveReadOnlyDisabled, corev1.RecursiveReadOnlyIfPossible, corev1.RecursiveReadOnlyEnabled)
		on := *r != corev1.RecursiveReadOnlyDisabled
		if on && !m.ReadOnly {
			j.bad(at.Child("recursiveReadOnly"), "needs readOnly: true")
		}
		if p := m.MountPropagation; on && p != nil && *p != corev1.MountPropagationNone {
			j.bad(at.Child("recursiveReadOnly"), "needs mountPropagation: None")
		}
	}
}

// mounts judges the mounts and devices of a container, each and against each other.
func (j *judge) mounts(at *field.Path, c *corev1.Container) {
	paths, named := map[string]string{}, map[string]bool{}
	privileged := c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged
	for i := range c.VolumeMounts {
		m, at := &c.VolumeMounts[i], at.Child("volumeMounts").Index(i)
		j.mount(at, m)
		if m.MountPropagation != nil && *m.MountPropagation == corev1.MountPropagationBidirectional && !privileged {
			j.bad(at.Child("mountPropagation"), "Bidirectional needs securityContext.privileged: true")
		}
		if other, taken := paths[m.MountPath]; taken && m.MountPath != "" {
			j.bad(at.Child("mountPath"), "%s is taken by the mount of %s", m.MountPath, other)
		}
		paths[m.MountPath], named[m.Name] = m.Name, true
	}
	devices := map[string]bool{}
	for i, d := range c.VolumeDevices {
		at := at.Child("volumeDevices").Index(i)
		j.there(at.Child("name"), d.Name)
		j.there(at.Child("devicePath"), d.DevicePath)
		j.noBacksteps(at.Child("devicePath"), d.DevicePath)
		if other, taken := paths[d.DevicePath]; taken && d.DevicePath != "" {
			j.bad(at.Child("devicePath"), "%s is taken by the mount of %s", d.DevicePath, other)
		}
		if named[d.Name] || devices[d.Name] {
			j.bad(at.Child("name"), "%q is mounted already", d.Name)
		}
		paths[d.DevicePath], devices[d.Name] = d.Name, true
	}
}
