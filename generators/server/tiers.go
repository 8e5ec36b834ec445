package server

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/schema"
)

// componentCache is that of what keeps KV blocks.
const componentCache = "kv-cache"

// Offloading makes what servers keep KV blocks in: the claims that all servers of a role share,
// and the ConfigMaps by which they find a store.
func Offloading(s *base.Stack) []base.Object {
	if !s.Spec.Server.Create || s.Simulated() {
		return nil
	}
	var claims, files []base.Object
	made := map[string]bool{}
	for _, each := range s.Servers() {
		one := server{each}
		for _, claim := range one.tierClaims() {
			if !made[claim.GetName()] {
				claims = append(claims, claim)
			}
			made[claim.GetName()] = true
		}
		if one.mooncake() != nil {
			files = append(files, &corev1.ConfigMap{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
				ObjectMeta: s.Meta(componentCache, one.mooncakeName()),
				Data:       map[string]string{mooncakeFile: one.mooncakeText()},
			})
		}
	}
	return append(claims, files...)
}

// tierClaims are the claims that are made for the role's tiers.
func (s server) tierClaims() (out []base.Object) {
	tiers := s.SecondaryTiers(s.Own)
	for i := range tiers {
		if t := &tiers[i]; t.Type == "pvc" && t.ExistingClaim == "" {
			out = append(out, &corev1.PersistentVolumeClaim{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
				ObjectMeta: s.Meta(componentCache, s.tierClaim(i, t)),
				Spec:       tierClaimSpec(t, corev1.ReadWriteMany),
			})
		}
	}
	return out
}

// tierClaim is the name of the claim of the role's i-th tier.
func (s server) tierClaim(i int, t *schema.SecondaryTier) string {
	part := ""
	switch {
	case s.Variant != nil && s.Variant.Offload != nil:
		part = s.Part()
	case s.Own.Offload != nil:
		part = s.Role
	}
	return cmp.Or(t.ExistingClaim, t.Name, s.Name(schema.TierClaim(part, i)))
}

func tierClaimSpec(t *schema.SecondaryTier, mode corev1.PersistentVolumeAccessMode) corev1.PersistentVolumeClaimSpec {
	claim := corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{cmp.Or(corev1.PersistentVolumeAccessMode(t.AccessMode), mode)},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: t.Size.DeepCopy()}},
	}
	if t.StorageClassName != "" {
		claim.StorageClassName = new(t.StorageClassName)
	}
	return claim
}

// offloadVolumes are those of the tiers and of Mooncake's file.
func (s server) offloadVolumes() (out []corev1.Volume) {
	tiers := s.SecondaryTiers(s.Own)
	for i := range tiers {
		out = append(out, corev1.Volume{Name: schema.TierVolumeName(i), VolumeSource: s.tierVolume(i, &tiers[i])})
	}
	if s.mooncake() != nil {
		out = append(out, corev1.Volume{Name: volumeMooncake, VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: s.mooncakeName()},
		}}})
	}
	return out
}

func (s server) tierVolume(i int, t *schema.SecondaryTier) corev1.VolumeSource {
	switch t.Type {
	case "emptyDir":
		return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: new(t.Size.DeepCopy())}}
	case "ephemeral":
		return corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
			VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: tierClaimSpec(t, corev1.ReadWriteOnce)},
		}}
	default:
		return corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: s.tierClaim(i, t)}}
	}
}

func (s server) offloadMounts() (out []corev1.VolumeMount) {
	tiers := s.SecondaryTiers(s.Own)
	for i := range tiers {
		out = append(out, corev1.VolumeMount{Name: schema.TierVolumeName(i), MountPath: tiers[i].Mount(i), SubPath: tiers[i].Path})
	}
	if s.mooncake() != nil {
		out = append(out, corev1.VolumeMount{Name: volumeMooncake, ReadOnly: true, MountPath: mooncakeDir})
	}
	return out
}

// keepsClaims reports whether the pods mount a claim that outlives them.
func (s server) keepsClaims() bool {
	return slices.ContainsFunc(s.SecondaryTiers(s.Own), func(t schema.SecondaryTier) bool { return t.Type == "pvc" })
}

// nodeStorage asks for the disk that tiers take on the node, unless the user has said how much
// the container has.
func (s server) nodeStorage(r corev1.ResourceRequirements) corev1.ResourceRequirements {
	bytes := s.NodeStorage(s.Own)
	_, requested := r.Requests[corev1.ResourceEphemeralStorage]
	_, limited := r.Limits[corev1.ResourceEphemeralStorage]
	if bytes == 0 || requested || limited {
		return r
	}
	if r.Requests == nil {
		r.Requests = corev1.ResourceList{}
	}
	r.Requests[corev1.ResourceEphemeralStorage] = *resource.NewQuantity(bytes, resource.BinarySI)
	return r
}
