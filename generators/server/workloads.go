// Package server makes the model servers of a stack and what belongs to them: workloads,
// Services, the claim for the weights.
package server

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/lists"
)

// Objects makes the model servers of each role: a Deployment, or a LeaderWorkerSet when
// one server takes several nodes; or those of all roles in a DisaggregatedSet. It makes none
// where something else does.
func Objects(s *base.Stack) []base.Object {
	if !s.Spec.Server.Create {
		return nil
	}
	objects := resourceClaimTemplates(s)
	if s.Spec.DisaggregatedSet != nil {
		return append(objects, disaggregatedSet(s))
	}
	for _, server := range servers(s) {
		if server.Grouped() {
			objects = append(objects, groups(server))
		} else {
			objects = append(objects, deployment(server))
		}
	}
	return objects
}

func deployment(s server) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: s.workloadMeta(),
		Spec: appsv1.DeploymentSpec{
			Replicas:                s.replicas(),
			Selector:                &metav1.LabelSelector{MatchLabels: s.OwnSelector()},
			Template:                s.template(),
			Strategy:                s.strategy(),
			ProgressDeadlineSeconds: s.progressDeadline(),
		},
	}
}

func groups(s server) *lwsv1.LeaderWorkerSet {
	return &lwsv1.LeaderWorkerSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "leaderworkerset.x-k8s.io/v1", Kind: "LeaderWorkerSet"},
		ObjectMeta: s.workloadMeta(),
		Spec:       s.groupSpec(),
	}
}

// groupSpec lets a whole group start anew when one of its pods fails: the ranks of the others
// wait for it for ever. A container of a server that is one pod starts anew by itself.
func (s server) groupSpec() lwsv1.LeaderWorkerSetSpec {
	p := &s.Own.Parallelism
	template := lwsv1.LeaderWorkerTemplate{
		WorkerTemplate: s.template(),
		Size:           new(p.Nodes),
		RestartPolicy:  lwsv1.RecreateGroupOnPodRestart,
	}
	if !s.Grouped() {
		template.RestartPolicy = lwsv1.NoneRestartPolicy
	}
	if p.SpansNodes() {
		leader := template.WorkerTemplate
		template.LeaderTemplate, template.WorkerTemplate = &leader, s.workerTemplate()
	}
	return lwsv1.LeaderWorkerSetSpec{
		Replicas:             s.replicas(),
		LeaderWorkerTemplate: template,
		RolloutStrategy:      s.groupStrategy(),
		StartupPolicy:        lwsv1.LeaderCreatedStartupPolicy,
	}
}

func (s server) workloadMeta() metav1.ObjectMeta {
	return base.Described(s.OwnMeta(s.WorkloadName()), &s.Spec.Server.Pod, &s.Own.Pod)
}

// replicas is nothing where an autoscaler owns the number: every apply would set it
// back.
func (s server) replicas() *int32 {
	if s.Own.Autoscaling != nil {
		return nil
	}
	return new(s.Own.Replicas)
}

// defaultProgressDeadline is the Deployment's own.
const defaultProgressDeadline = 600

// progressDeadline is longer than the pods may take to start, so that a large model's
// download is not reported as a failed rollout.
func (s server) progressDeadline() *int32 {
	if startup := s.startupBudget(); startup >= defaultProgressDeadline {
		return new(startup + defaultProgressDeadline)
	}
	return nil
}

// A server is the model servers of one role, as this package sees them.
type server struct{ base.Server }

func servers(s *base.Stack) []server {
	return lists.Map(s.Servers(), func(own base.Server) server { return server{own} })
}

// roles are the servers of each role as a whole.
func roles(s *base.Stack) []server {
	return lists.Map(s.Roles(), func(own base.Server) server { return server{own} })
}
