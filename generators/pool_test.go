package generators

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	igwv1 "sigs.k8s.io/gateway-api-inference-extension/api/v1"
	"sigs.k8s.io/gateway-api-inference-extension/apix/v1alpha2"
)

func TestInferencePool(t *testing.T) {
	s := parse(t, `
model: {name: m}
server: {engine: simulator}
decode: {parallelism: {data: 2}}
pool: {name: p, selector: {llm-d.ai/inference-serving: "true", team: a}}
scheduler: {name: picker, port: 9100, failureMode: FailOpen}`)
	want := igwv1.InferencePoolSpec{
		Selector:    igwv1.LabelSelector{MatchLabels: map[igwv1.LabelKey]igwv1.LabelValue{"llm-d.ai/inference-serving": "true", "team": "a"}},
		TargetPorts: []igwv1.Port{{Number: 8000}, {Number: 8001}},
		EndpointPickerRef: igwv1.EndpointPickerRef{
			Group: new(igwv1.Group("")), Kind: "Service", Name: "picker",
			Port: &igwv1.Port{Number: 9100}, FailureMode: igwv1.EndpointPickerFailOpen,
		},
	}
	if d := cmp.Diff(want, inferencePool(s).Spec); d != "" {
		t.Error(d)
	}
}

func TestObjectivesFollowTheLine(t *testing.T) {
	for line, want := range map[string]string{"0.4": "inference.networking.x-k8s.io/v1alpha2", "0.10": "llm-d.ai/v1alpha2"} {
		s := parse(t, `
release: "`+line+`"
model: {name: m}
objectives: [{name: batch, priority: -10}]`)
		o := objectives(s)[0].(*v1alpha2.InferenceObjective)
		if o.APIVersion != want || *o.Spec.Priority != -10 || o.Spec.PoolRef.Name != "demo" {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

// TestRedis holds that the password stays in its Secret, and that data outlives the pod
// only where that was asked for.
func TestRedis(t *testing.T) {
	s := parse(t, `
model: {name: m}
kvCache: {redis: {passwordSecret: {name: r, key: password}}}`)
	deployment := redis(s)[1].(*appsv1.Deployment)
	c := deployment.Spec.Template.Spec.Containers[0]
	if d := cmp.Diff([]string{"--dir", "/data", "--save", "", "--requirepass", "$(REDIS_PASSWORD)"}, c.Args); d != "" {
		t.Error(d)
	}
	if ref := c.Env[0].ValueFrom.SecretKeyRef; ref.Name != "r" || ref.Key != "password" {
		t.Error(ref)
	}
	set := redis(parse(t, `
model: {name: m}
kvCache: {redis: {persistence: {size: 1Gi, storageClassName: fast}}}`))[1].(*appsv1.StatefulSet)
	claim := set.Spec.VolumeClaimTemplates[0].Spec
	if *claim.StorageClassName != "fast" || claim.Resources.Requests.Storage().String() != "1Gi" {
		t.Error(claim)
	}
	kept := redis(parse(t, `
model: {name: m}
kvCache: {redis: {name: redis, persistence: {size: 1Gi, storageClassName: fast, claimName: redis-data}}}`))
	pvc, named := kept[0].(*corev1.PersistentVolumeClaim), kept[2].(*appsv1.Deployment)
	if pvc.Name != "redis-data" || *pvc.Spec.StorageClassName != "fast" || named.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName != "redis-data" {
		t.Errorf("the claim of its own name is not mounted: %v, %v", pvc, named.Spec.Template.Spec.Volumes)
	}
	if objects := redis(parse(t, `
model: {name: m}
kvCache: {redis: {address: "redis:6379"}}`)); objects != nil {
		t.Error(objects)
	}
}

// TestHelpersAreNotInThePool holds that the pool's selector finds servers only.
func TestHelpersAreNotInThePool(t *testing.T) {
	s := parse(t, `
model: {name: m}
scheduler: {preset: precise-prefix}
kvCache: {redis: {index: true}}`)
	for name, labels := range map[string]map[string]string{
		"epp":    eppDeployment(s).Spec.Template.Labels,
		"render": renderDeployment(s).Spec.Template.Labels,
		"redis":  redisDeployment(s, &corev1.VolumeSource{}).Spec.Template.Labels,
	} {
		matches := true
		for key, value := range s.poolSelector() {
			matches = matches && labels[key] == value
		}
		if matches {
			t.Errorf("the pool selects %s", name)
		}
	}
}
