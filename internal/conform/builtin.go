package conform

import (
	"encoding/json"
	"errors"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	gwapiv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
	kjson "sigs.k8s.io/json"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// builtIn makes an empty object of each kind that an API server has without CRDs.
var builtIn = map[string]func() any{
	"v1 ConfigMap":                                    func() any { return new(corev1.ConfigMap) },
	"v1 PersistentVolumeClaim":                        func() any { return new(corev1.PersistentVolumeClaim) },
	"v1 Secret":                                       func() any { return new(corev1.Secret) },
	"v1 Service":                                      func() any { return new(corev1.Service) },
	"v1 ServiceAccount":                               func() any { return new(corev1.ServiceAccount) },
	"apps/v1 Deployment":                              func() any { return new(appsv1.Deployment) },
	"apps/v1 StatefulSet":                             func() any { return new(appsv1.StatefulSet) },
	"batch/v1 Job":                                    func() any { return new(batchv1.Job) },
	"autoscaling/v2 HorizontalPodAutoscaler":          func() any { return new(autoscalingv2.HorizontalPodAutoscaler) },
	"networking.k8s.io/v1 NetworkPolicy":              func() any { return new(networkingv1.NetworkPolicy) },
	"policy/v1 PodDisruptionBudget":                   func() any { return new(policyv1.PodDisruptionBudget) },
	"rbac.authorization.k8s.io/v1 ClusterRole":        func() any { return new(rbacv1.ClusterRole) },
	"rbac.authorization.k8s.io/v1 ClusterRoleBinding": func() any { return new(rbacv1.ClusterRoleBinding) },
	"rbac.authorization.k8s.io/v1 Role":               func() any { return new(rbacv1.Role) },
	"rbac.authorization.k8s.io/v1 RoleBinding":        func() any { return new(rbacv1.RoleBinding) },
	"resource.k8s.io/v1 ResourceClaimTemplate":        func() any { return new(resourcev1.ResourceClaimTemplate) },
}

// upstream makes an empty object of each kind of a CRD whose Go types are at hand.
var upstream = map[string]func() any{
	"gateway.networking.k8s.io/v1 Gateway":             func() any { return new(gwapiv1.Gateway) },
	"gateway.networking.k8s.io/v1 HTTPRoute":           func() any { return new(gwapiv1.HTTPRoute) },
	"gateway.networking.k8s.io/v1beta1 ReferenceGrant": func() any { return new(gwapiv1beta1.ReferenceGrant) },
	"leaderworkerset.x-k8s.io/v1 LeaderWorkerSet":      func() any { return new(lwsv1.LeaderWorkerSet) },
	"monitoring.coreos.com/v1 PodMonitor":              func() any { return new(monitoringv1.PodMonitor) },
	"monitoring.coreos.com/v1 ServiceMonitor":          func() any { return new(monitoringv1.ServiceMonitor) },
	"monitoring.coreos.com/v1 PrometheusRule":          func() any { return new(monitoringv1.PrometheusRule) },
}

func isBuiltIn(u *unstructured.Unstructured) bool { return builtIn[kindKey(u)] != nil }

// strictly decodes the object into its upstream type, which refuses unknown, repeated and
// differently cased fields and values of the wrong type.
func strictly(u *unstructured.Unstructured) error {
	create := builtIn[kindKey(u)]
	if create == nil {
		create = upstream[kindKey(u)]
	}
	if create == nil {
		return nil
	}
	data, err := json.Marshal(u)
	if err != nil {
		return err
	}
	strict, err := kjson.UnmarshalStrict(data, create())
	return errors.Join(append(strict, err)...)
}
