package wiring

import "strings"

// Labels that controllers put on pods (sigs.k8s.io/lws api/leaderworkerset/v1 and
// api/disaggregatedset/v1, k8s.io/api apps/v1 and batch/v1).
const (
	groupName        = "leaderworkerset.sigs.k8s.io/name"
	groupIndex       = "leaderworkerset.sigs.k8s.io/group-index"
	workerIndex      = "leaderworkerset.sigs.k8s.io/worker-index"
	setName          = "disaggregatedset.x-k8s.io/name"
	setRole          = "disaggregatedset.x-k8s.io/role"
	statefulPodName  = "statefulset.kubernetes.io/pod-name"
	statefulPodIndex = "apps.kubernetes.io/pod-index"
)

// hashes are labels whose values nobody knows before the pods are there.
var hashes = map[string]bool{
	"pod-template-hash": true, "controller-revision-hash": true, "disaggregatedset.x-k8s.io/revision": true,
	"leaderworkerset.sigs.k8s.io/group-key": true, "leaderworkerset.sigs.k8s.io/template-revision-hash": true,
	"leaderworkerset.sigs.k8s.io/subgroup-key": true,
}

// canonical is a label's value for what is written of one pod among many: the number of the
// first, and of a worker that does not lead 1; any hash is the same.
func canonical(key, value string) string {
	switch {
	case templated(value) || value == "":
		return value
	case key == statefulPodIndex || key == groupIndex:
		return "0"
	case key == workerIndex && value != "0":
		return "1"
	case key == statefulPodName:
		if i := strings.LastIndexByte(value, '-'); i > 0 && digits(value[i+1:]) == value[i+1:] && i+1 < len(value) {
			return value[:i] + "-0"
		}
	case hashes[key]:
		return "*"
	}
	return value
}

// numbered adds the labels of a StatefulSet's pods.
func (p *Pods) numbered() {
	p.labels[statefulPodName] = p.Name + "-0"
	p.labels[statefulPodIndex] = "0"
	p.labels["controller-revision-hash"] = "*"
}

// groupsOf are the leaders and the workers of a LeaderWorkerSet, or of each role of a
// DisaggregatedSet, whose roles are LeaderWorkerSets.
func groupsOf(o *Object) []*Pods {
	switch o.Kind {
	case "LeaderWorkerSet":
		return groupPods(o, o.at("spec"), map[string]string{groupName: o.Name})
	case "DisaggregatedSet":
		var all []*Pods
		for _, role := range o.at("spec", "roles").list() {
			spec := role.at("spec")
			if !spec.is() { // v1alpha1
				spec = role
			}
			all = append(all, groupPods(o, spec, map[string]string{setName: o.Name, setRole: role.at("name").text()})...)
		}
		return all
	default:
		return nil
	}
}

// groupPods are the leaders and the workers of one. Without a template of its own the leader
// is made from the workers', so these are the pods with index 0 as well.
func groupPods(o *Object, spec field, labels map[string]string) (all []*Pods) {
	template := spec.at("leaderWorkerTemplate")
	leader := podsFrom(o, template.at("leaderTemplate"))
	worker := podsFrom(o, template.at("workerTemplate"))
	for i, p := range []*Pods{leader, worker} {
		if p == nil {
			continue
		}
		for k, v := range labels {
			p.labels[k] = v
		}
		for k := range hashes {
			if strings.HasPrefix(k, "leaderworkerset.") || labels[setName] != "" && strings.HasPrefix(k, "disaggregatedset.") {
				p.labels[k] = "*"
			}
		}
		p.labels[groupIndex], p.labels[workerIndex] = "0", "0"
		if i == 1 && leader != nil {
			p.labels[workerIndex] = "1"
		}
		p.group = spec
		all = append(all, p)
	}
	return all
}

// size is the number of pods in a group; known is false when it cannot be told.
func (p *Pods) size() (n int, known bool) {
	size := p.group.at("leaderWorkerTemplate", "size")
	if !size.is() {
		return 1, true
	}
	return size.number()
}

// groupDevices are those of all pods of the group that a container is in.
func (p *Pods) groupDevices(c *container) int {
	size, _ := p.size()
	have, _ := devices(c)
	each := have
	if worker := podsFrom(p.Object, p.group.at("leaderWorkerTemplate", "workerTemplate")); worker != nil {
		each = 0
		for _, w := range worker.containers {
			n, _ := devices(w)
			each = max(each, n)
		}
	}
	return have + (size-1)*each
}
