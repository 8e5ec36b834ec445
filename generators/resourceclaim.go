package generators

import (
	"cmp"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// resourceClaimTemplates makes the template of each role's DRA claim. A role without one,
// or with a template that exists already, needs none.
func resourceClaimTemplates(s *Stack) []Object {
	var objects []Object
	for _, role := range s.roles() {
		if s.usesClaim(role) && s.AcceleratorOf(s.role(role)).DRA.ClaimTemplateName == "" {
			objects = append(objects, resourceClaimTemplate(s, role))
		}
	}
	return objects
}

func resourceClaimTemplate(s *Stack, role string) *resourcev1.ResourceClaimTemplate {
	dra := s.AcceleratorOf(s.role(role)).DRA
	var selectors []resourcev1.DeviceSelector
	for _, expression := range dra.Selectors {
		selectors = append(selectors, resourcev1.DeviceSelector{CEL: &resourcev1.CELDeviceSelector{Expression: expression}})
	}
	return &resourcev1.ResourceClaimTemplate{
		TypeMeta:   metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: "ResourceClaimTemplate"},
		ObjectMeta: s.meta(role, s.claimTemplateName(role)),
		Spec: resourcev1.ResourceClaimTemplateSpec{
			Spec: resourcev1.ResourceClaimSpec{
				Devices: resourcev1.DeviceClaim{
					Requests: []resourcev1.DeviceRequest{{
						Name: claimName,
						Exactly: &resourcev1.ExactDeviceRequest{
							DeviceClassName: cmp.Or(dra.DeviceClassName, s.accelerator(role).deviceClass),
							Selectors:       selectors,
							AllocationMode:  resourcev1.DeviceAllocationModeExactCount,
							Count:           int64(s.acceleratorCount(role)),
						},
					}},
				},
			},
		},
	}
}

func (s *Stack) claimTemplateName(role string) string {
	dra := s.AcceleratorOf(s.role(role)).DRA
	return cmp.Or(dra.ClaimTemplateName, derived(s.roleName(role), claimName, maxLabel))
}
