package admission

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// groups judges the spec of a LeaderWorkerSet.
func (j *judge) groups(at *field.Path, s *lwsv1.LeaderWorkerSetSpec) {
	if update := s.RolloutStrategy.RollingUpdateConfiguration; update != nil {
		j.groupRollout(at.Child("rolloutStrategy").Child("rollingUpdateConfiguration"), update, s.Replicas)
	}
	if s.Replicas != nil {
		least(j, at.Child("replicas"), *s.Replicas, 0)
	}
	at = at.Child("leaderWorkerTemplate")
	j.groupSize(at, &s.LeaderWorkerTemplate)
	if t := s.LeaderWorkerTemplate.LeaderTemplate; t != nil {
		j.groupTemplate(at.Child("leaderTemplate"), t)
	}
	j.groupTemplate(at.Child("workerTemplate"), &s.LeaderWorkerTemplate.WorkerTemplate)
}

// groupSize judges how many pods a group has, and how they are divided (lws v0.7.0,
// pkg/webhooks/leaderworkerset_webhook.go, validateUpdateSubGroupPolicy).
func (j *judge) groupSize(at *field.Path, t *lwsv1.LeaderWorkerTemplate) {
	size := int32(1)
	if t.Size != nil {
		size = *t.Size
		least(j, at.Child("size"), size, 1)
	}
	sub := t.SubGroupPolicy
	if sub == nil || sub.SubGroupSize == nil {
		return
	}
	at = at.Child("subGroupPolicy").Child("subGroupSize")
	switch n := *sub.SubGroupSize; {
	case n < 1:
		least(j, at, n, 1)
	case n > size:
		j.bad(at, "must not be above the size of a group, %d (got %d)", size, n)
	case (size-1)%n != 0 && (size%n != 0 || sub.Type != nil && *sub.Type == lwsv1.SubGroupPolicyTypeLeaderExcluded):
		j.bad(at, "must divide the size of a group, %d, or its workers, %d (got %d)", size, size-1, n)
	}
}

// groupRollout judges how many groups are replaced at once: a share of few groups may come to none
// (lws v0.7.0 to v0.9.0, pkg/webhooks/leaderworkerset_webhook.go, validateGeneral).
func (j *judge) groupRollout(at *field.Path, update *lwsv1.RollingUpdateConfiguration, replicas *int32) {
	before := len(j.flaws)
	j.share100(at.Child("maxSurge"), &update.MaxSurge)
	j.share100(at.Child("maxUnavailable"), &update.MaxUnavailable)
	if len(j.flaws) > before || replicas == nil || *replicas == 0 {
		return
	}
	surge, _ := intstr.GetScaledValueFromIntOrPercent(&update.MaxSurge, int(*replicas), true)
	unavailable, _ := intstr.GetScaledValueFromIntOrPercent(&update.MaxUnavailable, int(*replicas), false)
	if surge == 0 && unavailable == 0 {
		j.bad(at.Child("maxUnavailable"), "must not come to 0 beside maxSurge: %s, which would let no server be replaced (got %s of %d replicas)",
			update.MaxSurge.String(), update.MaxUnavailable.String(), *replicas)
	}
}

// groupTemplate judges a pod template of a LeaderWorkerSet. Its CRD repeats the fields of pods as an
// older Kubernetes had them, and wants keys of lists to differ where the API server only warns
// (lws v0.7.0, config/crd/bases).
func (j *judge) groupTemplate(at *field.Path, t *corev1.PodTemplateSpec) {
	j.template(at, t)
	s, at := &t.Spec, at.Child("spec")
	if s.HostnameOverride != nil {
		j.unknownToGroups(at.Child("hostnameOverride"))
	}
	distinct(j, at.Child("imagePullSecrets"), s.ImagePullSecrets, func(r corev1.LocalObjectReference) string { return r.Name })
	distinct(j, at.Child("hostAliases"), s.HostAliases, func(a corev1.HostAlias) string { return a.IP })
	for _, list := range []containerList{{"containers", s.Containers}, {"initContainers", s.InitContainers}} {
		for i := range list.items {
			j.groupContainer(at.Child(list.name).Index(i), &list.items[i])
		}
	}
}

func (j *judge) groupContainer(at *field.Path, c *corev1.Container) {
	if len(c.RestartPolicyRules) > 0 {
		j.unknownToGroups(at.Child("restartPolicyRules"))
	}
	for i, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.FileKeyRef != nil {
			j.unknownToGroups(at.Child("env").Index(i).Child("valueFrom").Child("fileKeyRef"))
		}
	}
	distinct(j, at.Child("env"), c.Env, func(e corev1.EnvVar) string { return e.Name })
	distinct(j, at.Child("ports"), c.Ports, func(p corev1.ContainerPort) string {
		return fmt.Sprintf("%d/%s", p.ContainerPort, protocolOf(p.Protocol))
	})
}

func (j *judge) unknownToGroups(at *field.Path) {
	j.bad(at, "is not supported for servers of several nodes or in a DisaggregatedSet: a LeaderWorkerSet does not know the field")
}

// distinct refuses an item whose key an earlier one has.
func distinct[T any](j *judge, at *field.Path, items []T, key func(T) string) {
	seen := map[string]bool{}
	for i, item := range items {
		k := key(item)
		if seen[k] {
			j.bad(at.Index(i), "%s is there twice, which a LeaderWorkerSet refuses", k)
		}
		seen[k] = true
	}
}
