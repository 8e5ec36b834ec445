package wiring

import (
	"fmt"
	"strings"
	"testing"

	batchv1beta1 "k8s.io/api/batch/v1beta1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"

	"github.com/inferstack/inferstack/release"
)

// TestLifecycles holds the table to Kubernetes' own, as far as there are types.
func TestLifecycles(t *testing.T) {
	type lived interface {
		APILifecycleIntroduced() (major, minor int)
		APILifecycleRemoved() (major, minor int)
	}
	for key, object := range map[string]lived{
		"policy/v1beta1 PodDisruptionBudget":            &policyv1beta1.PodDisruptionBudget{},
		"batch/v1beta1 CronJob":                         &batchv1beta1.CronJob{},
		"resource.k8s.io/v1beta1 ResourceClaimTemplate": &resourcev1beta1.ResourceClaimTemplate{},
		"resource.k8s.io/v1beta2 ResourceClaimTemplate": &resourcev1beta2.ResourceClaimTemplate{},
	} {
		version := func(major, minor int) string { return fmt.Sprintf("%d.%d", major, minor) }
		apiVersion, kind, _ := strings.Cut(key, " ")
		l, _ := release.ServedBy(apiVersion, kind)
		if from, until := version(object.APILifecycleIntroduced()), version(object.APILifecycleRemoved()); l.Since != from || l.Until != until {
			t.Errorf("%s is served from %s until %s, not from %s until %s", key, from, until, l.Since, l.Until)
		}
	}
	for _, l := range release.AllServed() {
		if l.Until != "" && l.Instead == "" || !strings.Contains(l.APIVersion, "/") || l.Since != "" && l.Until != "" && !older(l.Since, l.Until) {
			t.Errorf("%+v", l)
		}
	}
}

func TestPlatform(t *testing.T) {
	for _, test := range []struct{ name, version, want string }{
		{"kubernetes", "1.31", ""},
		{"kubernetes", "v1.31.4-gke.118", ""},
		{"kubernetes", "1.31+", ""},
		{"kubernetes", "1", "needs a version"},
		{"kubernetes", "latest", "needs a version"},
		{"kube", "1.31", "knows gateway-api, inference-extension, istio, kubernetes"},
	} {
		err := CheckPlatform(map[string]string{test.name: test.version})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%s: %v", test.name, test.version, err)
		}
	}
}
