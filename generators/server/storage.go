package server

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
)

func storageName(s *base.Stack) string { return cmp.Or(s.Spec.Model.Storage.Name, s.Name("model")) }

// Storage makes the claim for the weights, unless it already exists, the source brings a
// volume of its own, or there are no weights to keep.
func Storage(s *base.Stack) []base.Object {
	spec := &s.Spec.Model.Storage
	switch {
	case !s.Spec.Server.Create, s.Simulated(), spec.Type != "pvc", spec.ExistingClaim != "", s.Spec.Model.ParsedSource().Scheme != "hf":
		return nil
	}
	claim := corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.PersistentVolumeAccessMode(spec.AccessMode)},
		Resources: corev1.VolumeResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceStorage: spec.Size.DeepCopy()},
		},
	}
	if spec.StorageClassName != "" {
		claim.StorageClassName = new(spec.StorageClassName)
	}
	return []base.Object{&corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: s.Meta("model", storageName(s)),
		Spec:       claim,
	}}
}
