package server

import (
	"cmp"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/lists"
)

// resourceClaimTemplates makes the template of each role's DRA claim. A role without one,
// or with a template that already exists, needs none.
func resourceClaimTemplates(s *base.Stack) (objects []base.Object) {
	for _, server := range servers(s) {
		if server.usesClaim() && s.AcceleratorOf(server.Own).DRA.ClaimTemplateName == "" {
			objects = append(objects, resourceClaimTemplate(server))
		}
	}
	return objects
}

func resourceClaimTemplate(s server) *resourcev1.ResourceClaimTemplate {
	dra := s.AcceleratorOf(s.Own).DRA
	selectors := lists.Map(dra.Selectors, func(expression string) resourcev1.DeviceSelector {
		return resourcev1.DeviceSelector{CEL: &resourcev1.CELDeviceSelector{Expression: expression}}
	})
	return &resourcev1.ResourceClaimTemplate{
		TypeMeta:   metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: "ResourceClaimTemplate"},
		ObjectMeta: s.OwnMeta(s.claimTemplateName()),
		Spec: resourcev1.ResourceClaimTemplateSpec{
			Spec: resourcev1.ResourceClaimSpec{
				Devices: resourcev1.DeviceClaim{
					Requests: []resourcev1.DeviceRequest{{
						Name: claimName,
						Exactly: &resourcev1.ExactDeviceRequest{
							DeviceClassName: cmp.Or(dra.DeviceClassName, s.accelerator().deviceClass),
							Selectors:       selectors,
							AllocationMode:  resourcev1.DeviceAllocationModeExactCount,
							Count:           int64(s.acceleratorCount()),
						},
					}},
				},
			},
		},
	}
}

func (s server) claimTemplateName() string {
	dra := s.AcceleratorOf(s.Own).DRA
	return cmp.Or(dra.ClaimTemplateName, base.Derived(s.WorkloadName(), claimName, base.MaxLabel))
}
