package redis

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// TestRedis holds that the password stays in its Secret, and that data outlives the pod
// only where that was asked for.
func TestRedis(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
kvCache: {redis: {passwordSecret: {name: r, key: password}}}`)
	deployment := Objects(s)[1].(*appsv1.Deployment)
	c := deployment.Spec.Template.Spec.Containers[0]
	if d := cmp.Diff([]string{"--dir", "/data", "--save", "", "--requirepass", "$(REDIS_PASSWORD)"}, c.Args); d != "" {
		t.Error(d)
	}
	if ref := c.Env[0].ValueFrom.SecretKeyRef; ref.Name != "r" || ref.Key != "password" {
		t.Error(ref)
	}
	set := Objects(stacktest.Parse(t, `
model: {name: m}
kvCache: {redis: {persistence: {size: 1Gi, storageClassName: fast}}}`))[1].(*appsv1.StatefulSet)
	claim := set.Spec.VolumeClaimTemplates[0].Spec
	if *claim.StorageClassName != "fast" || claim.Resources.Requests.Storage().String() != "1Gi" {
		t.Error(claim)
	}
	kept := Objects(stacktest.Parse(t, `
model: {name: m}
kvCache: {redis: {name: redis, persistence: {size: 1Gi, storageClassName: fast, claimName: redis-data}}}`))
	pvc, named := kept[0].(*corev1.PersistentVolumeClaim), kept[2].(*appsv1.Deployment)
	if pvc.Name != "redis-data" || *pvc.Spec.StorageClassName != "fast" || named.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName != "redis-data" {
		t.Errorf("the claim of its own name is not mounted: %v, %v", pvc, named.Spec.Template.Spec.Volumes)
	}
	if objects := Objects(stacktest.Parse(t, `
model: {name: m}
kvCache: {redis: {address: "redis:6379"}}`)); objects != nil {
		t.Error(objects)
	}
}
