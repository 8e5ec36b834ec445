package modelservice

import (
	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/release"
)

// controllerImage is llmd-operator's default.
var controllerImage = release.DefaultImage("llmd-operator/controller")

// controller is the ModelService controller, for those who have ModelServices that are
// not converted. It is kept only when asked for.
func (l *llmd) controller(p *draft.Part, opt Options) []*yaml.Node {
	const from = "spec.modelServiceController"
	c := l.spec.ModelServiceController
	if c == nil || !c.on() {
		return nil
	}
	if !opt.KeepController {
		p.On("", from).Dropped().Note("the ModelService controller is left out: ModelServices become stacks without it; --keep-controller keeps it for those that are not converted")
		return nil
	}
	name, namespace := l.doc.Name+"-modelservice-controller", l.namespace()
	if namespace == "" {
		p.On("", "metadata.namespace").Fail("required to keep the controller: a ClusterRoleBinding names the namespace of its ServiceAccount")
	}
	meta := metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: controllerLabels(l.doc.Name)}
	cluster := metav1.ObjectMeta{Name: namespace + "-" + name, Labels: controllerLabels(l.doc.Name)}
	subject := rbacv1.Subject{Kind: "ServiceAccount", Name: name, Namespace: namespace}
	eppRole := metav1.ObjectMeta{Name: cluster.Name + "-epp", Labels: cluster.Labels}
	return []*yaml.Node{
		draft.Node(&corev1.ServiceAccount{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"}, ObjectMeta: meta}),
		draft.Node(&rbacv1.ClusterRole{TypeMeta: rbacType("ClusterRole"), ObjectMeta: cluster, Rules: controllerRules(eppRole.Name)}),
		draft.Node(&rbacv1.ClusterRole{TypeMeta: rbacType("ClusterRole"), ObjectMeta: eppRole, Rules: eppRules()}),
		draft.Node(&rbacv1.ClusterRoleBinding{
			TypeMeta: rbacType("ClusterRoleBinding"), ObjectMeta: cluster, Subjects: []rbacv1.Subject{subject},
			RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: cluster.Name},
		}),
		draft.Node(controllerDeployment(meta, c, eppRole.Name)),
	}
}

func rbacType(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind}
}

func controllerLabels(instance string) map[string]string {
	return map[string]string{
		"app.kubernetes.io/name": "modelservice-controller", "app.kubernetes.io/instance": instance,
		"app.kubernetes.io/managed-by": "inferstack",
	}
}

func controllerDeployment(meta metav1.ObjectMeta, c *Controller, eppRole string) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{
			Replicas: new(c.replicas()),
			Selector: &metav1.LabelSelector{MatchLabels: meta.Labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: meta.Labels},
				Spec: corev1.PodSpec{
					ServiceAccountName: meta.Name,
					NodeSelector:       c.NodeSelector,
					Tolerations:        c.Tolerations,
					SecurityContext:    &corev1.PodSecurityContext{RunAsNonRoot: new(true), SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}},
					Containers: []corev1.Container{{
						Name: "manager", Image: draft.Unless(c.Image, controllerImage),
						Resources:      c.Resources,
						Args:           []string{"run", "--epp-cluster-role=" + eppRole, "--leader-elect=false", "--health-probe-bind-address=:8081"},
						LivenessProbe:  healthProbe("/healthz"),
						ReadinessProbe: healthProbe("/readyz"),
						SecurityContext: &corev1.SecurityContext{
							Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}, AllowPrivilegeEscalation: new(false),
						},
					}},
				},
			},
		},
	}
}

func (c *Controller) replicas() int32 {
	if c.Replicas == nil {
		return 1
	}
	return *c.Replicas
}

func healthProbe(path string) *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt32(8081)}}}
}

// controllerRules are what the controller does (llm-d-model-service
// config/rbac/role.yaml), and the right to hand the EPPs' role on.
func controllerRules(eppRole string) []rbacv1.PolicyRule {
	own := []string{"create", "delete", "get", "list", "patch", "update", "watch"}
	read := []string{"get", "list", "watch"}
	return []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"configmaps", "serviceaccounts", "services"}, Verbs: own},
		{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: read},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: own},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments/scale"}, Verbs: []string{"patch", "update"}},
		{APIGroups: []string{"gateway.networking.k8s.io"}, Resources: []string{"httproutes"}, Verbs: own},
		{APIGroups: []string{"inference.networking.x-k8s.io"}, Resources: []string{"inferencemodels", "inferencepools"}, Verbs: own},
		{APIGroups: []string{"llm-d.ai"}, Resources: []string{"modelservices"}, Verbs: own},
		{APIGroups: []string{"llm-d.ai"}, Resources: []string{"modelservices/finalizers"}, Verbs: []string{"update"}},
		{APIGroups: []string{"llm-d.ai"}, Resources: []string{"modelservices/status"}, Verbs: []string{"get", "patch", "update"}},
		{APIGroups: []string{rbacv1.GroupName}, Resources: []string{"rolebindings"}, Verbs: own},
		{APIGroups: []string{rbacv1.GroupName}, Resources: []string{"clusterroles"}, ResourceNames: []string{eppRole}, Verbs: []string{"bind"}},
	}
}

// eppRules are what the EPPs of that time read.
func eppRules() []rbacv1.PolicyRule {
	read := []string{"get", "list", "watch"}
	return []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: read},
		{APIGroups: []string{"inference.networking.x-k8s.io"}, Resources: []string{"inferencemodels", "inferencepools"}, Verbs: read},
	}
}
