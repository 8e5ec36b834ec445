package generators

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// servers makes the model servers of each role: a Deployment, or a LeaderWorkerSet when
// one server takes several nodes. It makes none where something else does.
func servers(s *Stack) []Object {
	if !s.Spec.Server.Create {
		return nil
	}
	objects := resourceClaimTemplates(s)
	for _, role := range s.roles() {
		if s.grouped(role) {
			objects = append(objects, serverGroups(s, role))
		} else {
			objects = append(objects, serverDeployment(s, role))
		}
	}
	return objects
}

// grouped says whether one server of the role is a group of pods.
func (s *Stack) grouped(role string) bool { return s.role(role).Parallelism.Nodes > 1 }

// serverDeployment has no strategy of its own: whether accelerators are spare for a
// surge is the cluster's to know.
func serverDeployment(s *Stack, role string) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: s.meta(role, s.roleName(role)),
		Spec: appsv1.DeploymentSpec{
			Replicas:                s.serverReplicas(role),
			Selector:                &metav1.LabelSelector{MatchLabels: s.selector(role)},
			Template:                s.serverTemplate(role),
			ProgressDeadlineSeconds: s.progressDeadline(),
		},
	}
}

// serverGroups lets a whole group start anew when one of its pods fails: the ranks of
// the others wait for it for ever.
func serverGroups(s *Stack, role string) *lwsv1.LeaderWorkerSet {
	p := &s.role(role).Parallelism
	template := lwsv1.LeaderWorkerTemplate{
		WorkerTemplate: s.serverTemplate(role),
		Size:           new(p.Nodes),
		RestartPolicy:  lwsv1.RecreateGroupOnPodRestart,
	}
	if p.SpansNodes() {
		leader := template.WorkerTemplate
		template.LeaderTemplate, template.WorkerTemplate = &leader, s.workerTemplate(role)
	}
	return &lwsv1.LeaderWorkerSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "leaderworkerset.x-k8s.io/v1", Kind: "LeaderWorkerSet"},
		ObjectMeta: s.meta(role, s.roleName(role)),
		Spec: lwsv1.LeaderWorkerSetSpec{
			Replicas:             s.serverReplicas(role),
			LeaderWorkerTemplate: template,
			RolloutStrategy:      lwsv1.RolloutStrategy{Type: lwsv1.RollingUpdateStrategyType},
			StartupPolicy:        lwsv1.LeaderCreatedStartupPolicy,
		},
	}
}

// serverReplicas is nothing where an autoscaler owns the number: every apply would set it
// back.
func (s *Stack) serverReplicas(role string) *int32 {
	if s.role(role).Autoscaling != nil {
		return nil
	}
	return new(s.role(role).Replicas)
}

// defaultProgressDeadline is the Deployment's own.
const defaultProgressDeadline = 600

// progressDeadline is longer than the pods may take to start, so that a large model's
// download is not reported as a failed rollout.
func (s *Stack) progressDeadline() *int32 {
	if startup := s.startupBudget(); startup >= defaultProgressDeadline {
		return new(startup + defaultProgressDeadline)
	}
	return nil
}
