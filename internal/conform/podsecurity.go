package conform

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// PodSecurity asks the evaluator of Kubernetes's own admission plugin whether the pods of
// a workload hold a Pod Security Standard, "restricted", "baseline" or "privileged". Other objects do.
func PodSecurity(object any, level string) error {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return err
	}
	u, err := generic(object)
	if err != nil {
		return err
	}
	templates, err := podTemplates(u.GetKind(), u)
	var errs []error
	for _, t := range templates {
		results := evaluator.EvaluatePod(api.LevelVersion{Level: api.Level(level), Version: api.LatestVersion()}, &t.ObjectMeta, &t.Spec)
		for _, r := range results {
			if !r.Allowed {
				errs = append(errs, fmt.Errorf("%s: %s", r.ForbiddenReason, r.ForbiddenDetail))
			}
		}
	}
	return named(u, append(errs, err))
}

// podTemplates returns the pod templates of a workload.
func podTemplates(kind string, object any) ([]corev1.PodTemplateSpec, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "Deployment":
		var d appsv1.Deployment
		err := json.Unmarshal(data, &d)
		return []corev1.PodTemplateSpec{d.Spec.Template}, err
	case "Job":
		var j batchv1.Job
		err := json.Unmarshal(data, &j)
		return []corev1.PodTemplateSpec{j.Spec.Template}, err
	case "StatefulSet":
		var s appsv1.StatefulSet
		err := json.Unmarshal(data, &s)
		return []corev1.PodTemplateSpec{s.Spec.Template}, err
	case "LeaderWorkerSet":
		var l lwsv1.LeaderWorkerSet
		err := json.Unmarshal(data, &l)
		return groupTemplates(&l.Spec), err
	case "DisaggregatedSet":
		var d struct {
			Spec struct {
				Roles []struct{ Spec lwsv1.LeaderWorkerSetSpec }
			}
		}
		err := json.Unmarshal(data, &d)
		var templates []corev1.PodTemplateSpec
		for i := range d.Spec.Roles {
			templates = append(templates, groupTemplates(&d.Spec.Roles[i].Spec)...)
		}
		return templates, err
	default:
		return nil, nil
	}
}

// groupTemplates returns the pod templates of a LeaderWorkerSet.
func groupTemplates(s *lwsv1.LeaderWorkerSetSpec) []corev1.PodTemplateSpec {
	templates := []corev1.PodTemplateSpec{s.LeaderWorkerTemplate.WorkerTemplate}
	if leader := s.LeaderWorkerTemplate.LeaderTemplate; leader != nil {
		templates = append(templates, *leader)
	}
	return templates
}
