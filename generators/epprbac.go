package generators

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// eppRBAC lets the EPP watch the pool, its servers and the objectives, in the pool's
// namespace wherever the EPP is. The lease of its leader election is there too (both
// lines set LeaderElectionNamespace to the pool's, pkg/epp/server/controller_manager.go).
func eppRBAC(s *Stack) []Object {
	objects := []Object{eppRole(s), eppRoleBinding(s, s.eppName())}
	if s.Spec.Scheduler.LeaderElection() {
		objects = append(objects, eppElectionRole(s), eppRoleBinding(s, s.electionRoleName()))
	}
	if s.Spec.Scheduler.MetricsAuth {
		objects = append(objects, eppClusterRole(s), eppClusterRoleBinding(s))
	}
	return objects
}

func (s *Stack) electionRoleName() string {
	return derived(s.eppName(), "leader-election", maxLabel)
}

// clusterRoleName carries the namespace: two stacks of one name would share the role
// otherwise (kubernetes-sigs/gateway-api-inference-extension#1393).
func (s *Stack) clusterRoleName() string {
	return derived(s.eppNamespace()+"-"+s.eppName(), "metrics", 2*maxLabel)
}

func eppRole(s *Stack) *rbacv1.Role {
	rules := make([]rbacv1.PolicyRule, 0, len(s.Line.EPP.WatchRules))
	for _, r := range s.Line.EPP.WatchRules {
		rules = append(rules, rbacv1.PolicyRule{
			Verbs:     slices.Clone(r.Verbs),
			APIGroups: slices.Clone(r.APIGroups),
			Resources: slices.Clone(r.Resources),
		})
	}
	return &rbacv1.Role{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "Role"},
		ObjectMeta: s.meta(componentEPP, s.eppName()),
		Rules:      rules,
	}
}

func eppElectionRole(s *Stack) *rbacv1.Role {
	return &rbacv1.Role{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "Role"},
		ObjectMeta: s.meta(componentEPP, s.electionRoleName()),
		Rules: []rbacv1.PolicyRule{
			{Verbs: []string{"get", "list", "watch", "create", "update", "patch", "delete"}, APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}},
			{Verbs: []string{"create", "patch"}, APIGroups: []string{""}, Resources: []string{"events"}},
		},
	}
}

// eppRoleBinding binds the EPP to a Role of the same name as the binding.
func eppRoleBinding(s *Stack, role string) *rbacv1.RoleBinding {
	return &rbacv1.RoleBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "RoleBinding"},
		ObjectMeta: s.meta(componentEPP, role),
		Subjects:   eppSubjects(s),
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role},
	}
}

func eppSubjects(s *Stack) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: s.eppName(), Namespace: s.eppNamespace()}}
}

// eppClusterRole lets the EPP ask who reads its metrics, and lets its own token read
// them. The reviews are cluster-wide; in a Role they have no effect (llm-d-router#2370).
func eppClusterRole(s *Stack) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole"},
		ObjectMeta: s.metaIn("", componentEPP, s.clusterRoleName()),
		Rules: []rbacv1.PolicyRule{
			{Verbs: []string{"create"}, APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"tokenreviews"}},
			{Verbs: []string{"create"}, APIGroups: []string{"authorization.k8s.io"}, Resources: []string{"subjectaccessreviews"}},
			{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}},
		},
	}
}

func eppClusterRoleBinding(s *Stack) *rbacv1.ClusterRoleBinding {
	return &rbacv1.ClusterRoleBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRoleBinding"},
		ObjectMeta: s.metaIn("", componentEPP, s.clusterRoleName()),
		Subjects:   eppSubjects(s),
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: s.clusterRoleName()},
	}
}
