package epp

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// rBAC lets the EPP watch the pool, its servers and the objectives, in the pool's
// namespace wherever the EPP is. The lease of its leader election is there too (both
// lines set LeaderElectionNamespace to the pool's, pkg/epp/server/controller_manager.go).
func rBAC(s *base.Stack) []base.Object {
	objects := []base.Object{role(s), roleBinding(s, s.EPPName())}
	if s.Spec.Scheduler.LeaderElection() {
		objects = append(objects, electionRole(s), roleBinding(s, electionRoleName(s)))
	}
	if s.Spec.Scheduler.MetricsAuth {
		objects = append(objects, clusterRole(s), clusterRoleBinding(s))
	}
	return objects
}

func electionRoleName(s *base.Stack) string {
	return base.Derived(s.EPPName(), "leader-election", base.MaxLabel)
}

// clusterRoleName carries the namespace, and a dot, which no namespace has, between it and
// the rest: two stacks of one name, or a-b in c and b in c-a, would share the role
// otherwise (kubernetes-sigs/gateway-api-inference-extension#1393).
func clusterRoleName(s *base.Stack) string {
	return base.Derived(s.EPPNamespace()+"."+s.EPPName(), "metrics", 2*base.MaxLabel)
}

func role(s *base.Stack) *rbacv1.Role {
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
		ObjectMeta: s.Meta(base.ComponentEPP, s.EPPName()),
		Rules:      rules,
	}
}

func electionRole(s *base.Stack) *rbacv1.Role {
	return &rbacv1.Role{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "Role"},
		ObjectMeta: s.Meta(base.ComponentEPP, electionRoleName(s)),
		Rules: []rbacv1.PolicyRule{
			{Verbs: []string{"get", "list", "watch", "create", "update", "patch", "delete"}, APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}},
			{Verbs: []string{"create", "patch"}, APIGroups: []string{""}, Resources: []string{"events"}},
		},
	}
}

// roleBinding binds the EPP to a Role of the same name as the binding.
func roleBinding(s *base.Stack, role string) *rbacv1.RoleBinding {
	return &rbacv1.RoleBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "RoleBinding"},
		ObjectMeta: s.Meta(base.ComponentEPP, role),
		Subjects:   subjects(s),
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role},
	}
}

func subjects(s *base.Stack) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: s.EPPName(), Namespace: s.EPPNamespace()}}
}

// clusterRole lets the EPP ask who reads its metrics, and lets its own token read
// them. The reviews are cluster-wide; in a Role they have no effect (llm-d-router#2370).
func clusterRole(s *base.Stack) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole"},
		ObjectMeta: s.MetaIn("", base.ComponentEPP, clusterRoleName(s)),
		Rules: []rbacv1.PolicyRule{
			{Verbs: []string{"create"}, APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"tokenreviews"}},
			{Verbs: []string{"create"}, APIGroups: []string{"authorization.k8s.io"}, Resources: []string{"subjectaccessreviews"}},
			{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}},
		},
	}
}

func clusterRoleBinding(s *base.Stack) *rbacv1.ClusterRoleBinding {
	return &rbacv1.ClusterRoleBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRoleBinding"},
		ObjectMeta: s.MetaIn("", base.ComponentEPP, clusterRoleName(s)),
		Subjects:   subjects(s),
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: clusterRoleName(s)},
	}
}
