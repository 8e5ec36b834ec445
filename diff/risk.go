package diff

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// rule names the fields of a kind that the API server does not let change.
type rule struct {
	fixed []string // these and all below them
	free  []string // but not these
}

// immutables are the rules by kind.group. Sources: Kubernetes 1.36
// pkg/apis/*/validation (ValidateDeploymentUpdate, ValidateStatefulSetUpdate,
// ValidateJobUpdate, ValidatePersistentVolumeClaimUpdate, ValidateRoleBindingUpdate,
// ValidateResourceClaimTemplateUpdate), LeaderWorkerSet 0.7.0
// pkg/webhooks/leaderworkerset_webhook.go, Gateway API 1.6.0 apis/v1/gatewayclass_types.go.
var immutables = map[string]rule{
	"Deployment.apps": {fixed: []string{"spec.selector"}},
	"DaemonSet.apps":  {fixed: []string{"spec.selector"}},
	"ReplicaSet.apps": {fixed: []string{"spec.selector"}},
	"StatefulSet.apps": {fixed: []string{"spec"}, free: []string{
		"spec.minReadySeconds", "spec.ordinals", "spec.persistentVolumeClaimRetentionPolicy", "spec.replicas",
		"spec.revisionHistoryLimit", "spec.template", "spec.updateStrategy"}},
	"Job.batch":                             {fixed: []string{"spec.completionMode", "spec.completions", "spec.podFailurePolicy", "spec.selector", "spec.template"}},
	"PersistentVolumeClaim.":                {fixed: []string{"spec"}, free: []string{"spec.resources", "spec.volumeAttributesClassName"}},
	"Service.":                              {fixed: []string{"spec.clusterIP", "spec.clusterIPs"}},
	"RoleBinding.rbac.authorization.k8s.io": {fixed: []string{"roleRef"}},
	"ClusterRoleBinding.rbac.authorization.k8s.io": {fixed: []string{"roleRef"}},
	"ResourceClaim.resource.k8s.io":                {fixed: []string{"spec"}},
	"ResourceClaimTemplate.resource.k8s.io":        {fixed: []string{"spec"}},
	"PriorityClass.scheduling.k8s.io":              {fixed: []string{"value", "preemptionPolicy"}},
	"GatewayClass.gateway.networking.k8s.io":       {fixed: []string{"spec.controllerName"}},
	"LeaderWorkerSet.leaderworkerset.x-k8s.io":     {fixed: []string{"spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"}},
	"Secret.": {fixed: []string{"type"}},
}

// templates are the fields that pods are made from, by kind.group. A LeaderWorkerSet makes
// a new revision of its whole leaderWorkerTemplate and networkConfig (0.7.0
// pkg/utils/revision); a DisaggregatedSet one of all its roles, of the leaderWorkerTemplate of
// each (0.9.0 pkg/utils/disaggregatedset).
var templates = map[string][]string{
	"Deployment.apps":                          {"spec.template"},
	"DaemonSet.apps":                           {"spec.template"},
	"StatefulSet.apps":                         {"spec.template"},
	"LeaderWorkerSet.leaderworkerset.x-k8s.io": {"spec.leaderWorkerTemplate", "spec.networkConfig"},
	// A role that comes or goes is an entry of spec.roles.
	"DisaggregatedSet.disaggregatedset.x-k8s.io": {"spec.roles.spec.leaderWorkerTemplate"},
}

// amounts are the numbers of pods of kinds that have several.
var amounts = map[string][]string{
	"DisaggregatedSet.disaggregatedset.x-k8s.io": {"spec.slices", "spec.roles.spec.replicas"},
}

func kindOf(id ID) string { return id.Kind + "." + id.Group }

// immutable reports whether the API server refuses a change.
func immutable(id ID, p path, objects [2]Object) bool {
	keys := p.keys()
	if frozen(id, objects[0]) && under(keys, []string{"data", "binaryData", "stringData", "immutable"}) {
		return true
	}
	if shrinks(id, keys, objects) {
		return true
	}
	r := immutables[kindOf(id)]
	return under(keys, r.fixed) && !under(keys, r.free)
}

// frozen reports whether a ConfigMap or Secret says itself that it does not change.
func frozen(id ID, old Object) bool {
	return id.Group == "" && (id.Kind == "ConfigMap" || id.Kind == "Secret") && old["immutable"] == true
}

// shrinks reports whether a claim asks for less than before; it can only grow.
func shrinks(id ID, keys string, objects [2]Object) bool {
	if kindOf(id) != "PersistentVolumeClaim." || keys != "spec.resources.requests.storage" {
		return false
	}
	var sizes [2]resource.Quantity
	for i, o := range objects {
		requests := mapping(mapping(mapping(o["spec"])["resources"])["requests"])
		size, err := resource.ParseQuantity(fmt.Sprint(requests["storage"]))
		if err != nil {
			return false
		}
		sizes[i] = size
	}
	return sizes[1].Cmp(sizes[0]) < 0
}

func under(keys string, tops []string) bool {
	return slices.ContainsFunc(tops, func(top string) bool {
		return keys == top || strings.HasPrefix(keys, top+".")
	})
}

// removal is the risk of an object that goes.
func removal(o Object) Risk {
	id := o.ID()
	switch kindOf(id) {
	case "PersistentVolumeClaim.", "PersistentVolume.", "Namespace.":
		return LosesData
	}
	if templates[kindOf(id)] != nil && accelerated(o["spec"]) {
		return StopsGPU
	}
	return Removes
}

// riskOf is the greatest risk of the changes of an object.
func riskOf(id ID, objects [2]Object, changes []Change) Risk {
	risk := Changes
	gpu := accelerated(objects[0]["spec"]) || accelerated(objects[1]["spec"])
	for _, c := range changes {
		if r := riskOfChange(id, objects[0], gpu, c); slices.Index(Risks, r) < slices.Index(Risks, risk) {
			risk = r
		}
	}
	return risk
}

// riskOfChange is the risk of a change of an object, whose pods may hold devices.
func riskOfChange(id ID, old Object, gpu bool, c Change) Risk {
	switch keys := c.path.keys(); {
	case c.Immutable && removal(old) == LosesData:
		return LosesData
	case c.Immutable:
		return Replaces
	case under(keys, templates[kindOf(id)]) || keys == "spec.roles" && templates[kindOf(id)] != nil:
		if gpu {
			return RestartsGPU
		}
		return Restarts
	case gpu && scalesDown(id, c):
		return StopsGPU
	case readdresses(id, c):
		return Readdresses
	}
	return Changes
}

// accelerated reports whether pods made from a spec hold devices: an extended resource, or a
// claim of Dynamic Resource Allocation.
func accelerated(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, accelerated)
	case map[string]any:
		for key, value := range v {
			switch {
			case key == "resourceClaims" && value != nil:
				return true
			case (key == "limits" || key == "requests") && extended(mapping(value)):
				return true
			case accelerated(value):
				return true
			}
		}
	}
	return false
}

// extended reports whether resources are more than those of every node, whose names have no
// domain.
func extended(resources map[string]any) bool {
	for name, amount := range resources {
		if strings.Contains(name, "/") && fmt.Sprint(amount) != "0" {
			return true
		}
	}
	return false
}
