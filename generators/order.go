package generators

import (
	"slices"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/manifest"
)

// applyOrder lists the kinds so that each comes after what it needs: what pods mount
// and run as first, then what the EPP watches, then the pods, then what sends traffic to
// them, then what observes and scales them. NetworkPolicies precede the pods, which so
// never run unprotected. The pool precedes the EPP, which is not ready without it.
var applyOrder = []string{
	"ServiceAccount",
	"Role",
	"ClusterRole",
	"RoleBinding",
	"ClusterRoleBinding",
	"Secret",
	"ConfigMap",
	"PersistentVolumeClaim",
	"ResourceClaimTemplate",
	"NetworkPolicy",
	"Service",
	"InferencePool",
	"InferenceObjective",
	"InferenceModelRewrite",
	"Deployment",
	"StatefulSet",
	"LeaderWorkerSet",
	"DisaggregatedSet",
	"PodDisruptionBudget",
	"GatewayParameters",
	"AgentgatewayParameters",
	"Gateway",
	"ReferenceGrant",
	"HTTPRoute",
	"EnvoyFilter",
	"DestinationRule",
	"BackendConfigPolicy",
	"AgentgatewayPolicy",
	"HealthCheckPolicy",
	"GCPBackendPolicy",
	"TriggerAuthentication",
	"HorizontalPodAutoscaler",
	"ScaledObject",
	"PodMonitor",
	"ServiceMonitor",
	"PrometheusRule",
	"Job",
}

// sortForApply orders the objects so that each comes after what it needs. Objects of one
// kind stay in the order in which the generators made them.
func sortForApply(objects []base.Object) {
	slices.SortStableFunc(objects, func(a, b base.Object) int { return applyRank(a) - applyRank(b) })
}

// applyRank puts a kind that the list does not know last.
func applyRank(o base.Object) int {
	if i := slices.Index(applyOrder, manifest.KindOf(o)); i >= 0 {
		return i
	}
	return len(applyOrder)
}
