package rules

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// A share is a resource of which a role's autoscaler follows how much of the request is used:
// in one container, or in all if none is named.
type share struct {
	field, container string
	resource         corev1.ResourceName
}

// scaledShares wants requests where the autoscaler measures by them: it adds up those of all
// containers that run beside each other, and does nothing if one has none (kubernetes v1.36
// pkg/controller/podautoscaler/replica_calculator.go, calculatePodRequestsFromContainers).
func (s stack) scaledShares(r schema.Workload) (out []schema.Problem) {
	for _, share := range sharesOf(r.Autoscaling) {
		at := r.Path + ".autoscaling." + share.field
		if share.resource != corev1.ResourceCPU && share.resource != corev1.ResourceMemory {
			out = append(out, s.Problem(schema.Error, at, "follows the use of %s, and Kubernetes measures cpu and memory only; follow a metric of type Pods, Object or External", share.resource))
			continue
		}
		if (share.container == "" || share.container == serverContainer) && !s.requests(r, share.resource) {
			out = append(out, s.Problem(schema.Error, at, "is a share of what the container requests; set %s", schema.Path(r.Path+".resources.requests."+string(share.resource))))
		}
		for _, c := range s.beside(r) {
			if (share.container == "" || share.container == c.Name) && !requestsOf(&c.Resources, share.resource) {
				out = append(out, s.Problem(schema.Error, at, "is a share of what all containers of the pods request, and %s requests no %s; set its resources.requests.%s", c.Name, share.resource, share.resource))
			}
		}
	}
	return out
}

// beside are the user's containers that run as long as the server does.
func (s stack) beside(r schema.Workload) []corev1.Container {
	out := slices.Concat(s.Spec.Server.Containers, r.Containers)
	for _, c := range slices.Concat(s.Spec.Server.InitContainers, r.InitContainers) {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			out = append(out, c)
		}
	}
	return out
}

func sharesOf(a *schema.Autoscaling) (out []share) {
	if a.TargetCPUUtilization != nil {
		out = append(out, share{field: "targetCPUUtilization", resource: corev1.ResourceCPU})
	}
	if a.Type == "keda" {
		return append(out, triggerShares(a)...)
	}
	for i, m := range a.Metrics {
		at := finding.Indexed("metrics", i)
		if m.Resource != nil && m.Resource.Target.Type == autoscalingv2.UtilizationMetricType {
			out = append(out, share{at, "", m.Resource.Name})
		}
		if c := m.ContainerResource; c != nil && c.Target.Type == autoscalingv2.UtilizationMetricType {
			out = append(out, share{at, c.Container, c.Name})
		}
	}
	return out
}

// triggerShares are those of KEDA's triggers; the other kind of autoscaler has none.
func triggerShares(a *schema.Autoscaling) (out []share) {
	for i, written := range a.Triggers {
		t := triggerOf(i, written)
		if metadata, _ := written["metadata"].(map[string]any); t.OfPods() && t.MetricType == string(autoscalingv2.UtilizationMetricType) {
			container, _ := metadata["containerName"].(string)
			out = append(out, share{t.At.String(), container, corev1.ResourceName(t.Type)})
		}
	}
	return out
}

// requests reports whether the role's servers request the resource. The simulator requests CPU
// and memory by default.
func (s stack) requests(r schema.Workload, name corev1.ResourceName) bool {
	resources, _ := s.resourcesOf(r)
	if resources == nil {
		return s.Simulated()
	}
	_, requested := resources.Requests[string(name)]
	_, limited := resources.Limits[string(name)] // the request defaults to the limit
	return requested || limited
}

func requestsOf(r *corev1.ResourceRequirements, name corev1.ResourceName) bool {
	_, requested := r.Requests[name]
	_, limited := r.Limits[name]
	return requested || limited
}
