package rules

import (
	"cmp"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// kueueLabels are the labels by which Kueue admits a workload as a whole. It reads them on the
// workload, and takes pods that have them alone for pods of nobody (kueue
// pkg/controller/jobs/deployment, leaderworkerset and pod; pkg/controller/constants).
var kueueLabels = []string{"kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class"}

// workloadMetadata checks the labels and annotations of the workloads.
func workloadMetadata(s stack) []schema.Problem {
	out := slices.Concat(s.metadataOf("spec.server", &s.Spec.Server.Pod), s.metadataOf(schedulerPath, &s.Spec.Scheduler.Pod))
	for _, r := range s.Workloads() {
		out = append(out, s.metadataOf(r.Path, &r.Pod)...)
		out = append(out, s.placement(r)...)
	}
	return append(out, s.queues()...)
}

func (s stack) metadataOf(at string, p *schema.Pod) []schema.Problem {
	out := labelKeys(s, at+".labels", p.Labels)
	for _, key := range slices.Sorted(maps.Keys(p.Annotations)) {
		path := finding.Join(at+".annotations", key, 0)
		switch field := writes(&s.Spec.Delivery, key); {
		case field != "":
			out = append(out, s.Problem(schema.Error, path, "is written by %s; set that to false to write your own", schema.Path("spec.delivery."+field)))
		case hasReservedPrefix(key):
			out = append(out, s.Problem(schema.Error, path, "is written by inferstack itself; use an annotation of your own"))
		}
	}
	return out
}

// placement reports annotations of a LeaderWorkerSet on a role that is none.
func (s stack) placement(r schema.Workload) (out []schema.Problem) {
	if s.Spec.DisaggregatedSet != nil {
		return nil // a LeaderWorkerSet for each role
	}
	for _, from := range []struct {
		at   string
		keys map[string]string
	}{{r.Path, r.Annotations}, {"spec.server", s.Spec.Server.Annotations}} {
		for _, key := range admission.ExclusivePlacement {
			if _, written := from.keys[key]; written && r.Parallelism.Nodes < 2 {
				out = append(out, s.Problem(schema.Warning, finding.Join(from.at+".annotations", key, 0),
					"has no effect on the Deployment of %s: a LeaderWorkerSet, of several nodes for each server, reads it", schema.Path(r.Path)))
			}
		}
	}
	return out
}

// queues reports labels of Kueue that stand on the pods alone.
func (s stack) queues() (out []schema.Problem) {
	shared := &s.Spec.Server.Pod
	type part struct {
		at  string
		pod *schema.Pod
		on  map[string]string
	}
	parts := []part{{"spec.server", shared, shared.Labels}}
	for _, r := range s.Workloads() {
		parts = append(parts, part{r.Path, &r.Pod, r.Labels})
	}
	for _, part := range append(parts, part{schedulerPath, &s.Spec.Scheduler.Pod, s.Spec.Scheduler.Labels}) {
		for _, key := range kueueLabels {
			_, onPods := part.pod.PodLabels[key]
			if queue := cmp.Or(part.on[key], shared.Labels[key]); onPods && (queue == "" || part.at == schedulerPath && part.on[key] == "") {
				out = append(out, s.Problem(schema.Warning, finding.Join(part.at+".podLabels", key, 0),
					"stands on the pods alone, where Kueue queues each by itself and only with its integration for pods; write it as %s, which admits the workload", schema.Path(finding.Join(part.at+".labels", key, 0))))
			}
		}
	}
	return out
}
