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
	for _, server := range s.servers() {
		if server.grouped() {
			objects = append(objects, serverGroups(server))
		} else {
			objects = append(objects, serverDeployment(server))
		}
	}
	return objects
}

// grouped says whether one server of the role is a group of pods.
func (s server) grouped() bool { return s.own.Parallelism.Nodes > 1 }

// serverDeployment has no strategy of its own: whether accelerators are spare for a
// surge is the cluster's to know.
func serverDeployment(s server) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: s.meta(s.role, s.roleName()),
		Spec: appsv1.DeploymentSpec{
			Replicas:                s.serverReplicas(),
			Selector:                &metav1.LabelSelector{MatchLabels: s.selector(s.role)},
			Template:                s.serverTemplate(),
			ProgressDeadlineSeconds: s.progressDeadline(),
		},
	}
}

// serverGroups lets a whole group start anew when one of its pods fails: the ranks of
// the others wait for it for ever.
func serverGroups(s server) *lwsv1.LeaderWorkerSet {
	p := &s.own.Parallelism
	template := lwsv1.LeaderWorkerTemplate{
		WorkerTemplate: s.serverTemplate(),
		Size:           new(p.Nodes),
		RestartPolicy:  lwsv1.RecreateGroupOnPodRestart,
	}
	if p.SpansNodes() {
		leader := template.WorkerTemplate
		template.LeaderTemplate, template.WorkerTemplate = &leader, s.workerTemplate()
	}
	return &lwsv1.LeaderWorkerSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "leaderworkerset.x-k8s.io/v1", Kind: "LeaderWorkerSet"},
		ObjectMeta: s.meta(s.role, s.roleName()),
		Spec: lwsv1.LeaderWorkerSetSpec{
			Replicas:             s.serverReplicas(),
			LeaderWorkerTemplate: template,
			RolloutStrategy:      lwsv1.RolloutStrategy{Type: lwsv1.RollingUpdateStrategyType},
			StartupPolicy:        lwsv1.LeaderCreatedStartupPolicy,
		},
	}
}

// serverReplicas is nothing where an autoscaler owns the number: every apply would set it
// back.
func (s server) serverReplicas() *int32 {
	if s.own.Autoscaling != nil {
		return nil
	}
	return new(s.own.Replicas)
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
