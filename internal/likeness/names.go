package likeness

import "strings"

// Names are names of one side for which the other has others.
type Names struct {
	// Object returns what an object is known by.
	Object func(kind, name string) string
	// Containers are names of containers.
	Containers map[string]string
	// Values are names to which objects refer.
	Values map[string]string
	// Meaning has volumes stand where they are mounted and ports by their numbers, whatever their names, and flags in
	// one spelling.
	Meaning bool
}

// renamed is a value with the names to which it refers.
func (n Names) renamed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			v[key] = n.renamed(e)
		}
		if n.Meaning {
			mounted(v)
		}
	case []any:
		for i, e := range v {
			v[i] = n.renamed(e)
		}
	case string:
		if own, ok := n.Values[v]; ok {
			return own
		}
	}
	return v
}

// mounted puts the volumes of a pod into the mounts of its containers.
func mounted(pod map[string]any) {
	containers, ok := pod["containers"].([]any)
	if !ok {
		return
	}
	volumes := map[any]map[string]any{}
	list, _ := pod["volumes"].([]any)
	for _, e := range list {
		if v, ok := e.(map[string]any); ok {
			volumes[v["name"]] = v
			v["name"] = nil
		}
	}
	first, _ := pod["initContainers"].([]any)
	for _, c := range append(first, containers...) {
		m, _ := c.(map[string]any)
		mounts, _ := m["volumeMounts"].([]any)
		for _, e := range mounts {
			if mount, ok := e.(map[string]any); ok {
				mount["volume"] = volumes[mount["name"]]
				delete(mount, "name")
			}
		}
	}
	delete(pod, "volumes")
}

// kserveObjects are what KServe calls the objects of a stack, N being its name, and those of a stack that convert makes.
var kserveObjects = map[string]string{
	"Deployment N-epp-service":     "Deployment N-kserve-router-scheduler",
	"ServiceAccount N-epp-service": "ServiceAccount N-epp-sa",
	"RoleBinding N-epp-service":    "RoleBinding N-epp-rb",
	"Role N-epp-service":           "Role N-epp-role",

	"Deployment N-epp":         "Deployment N-kserve-router-scheduler",
	"ServiceAccount N-epp":     "ServiceAccount N-epp-sa",
	"RoleBinding N-epp":        "RoleBinding N-epp-rb",
	"Role N-epp":               "Role N-epp-role",
	"Service N-epp":            "Service N-epp-service",
	"Deployment N-decode":      "Deployment N-kserve",
	"Deployment N-prefill":     "Deployment N-kserve-prefill",
	"LeaderWorkerSet N-decode": "LeaderWorkerSet N-kserve-mn",
	"Workload N-decode":        "Workload N-kserve",
	"Workload N-prefill":       "Workload N-kserve-prefill",
	"Workload N-kserve-mn":     "Workload N-kserve",
	"InferencePool N":          "InferencePool N-inference-pool",
	"HTTPRoute N":              "HTTPRoute N-kserve-route",
	"Service N":                "Service N-kserve-workload-svc",
	"DestinationRule N-epp":    "DestinationRule N-epp-service",

	"HorizontalPodAutoscaler N-kserve":         "HorizontalPodAutoscaler N-kserve-hpa",
	"HorizontalPodAutoscaler N-kserve-prefill": "HorizontalPodAutoscaler N-kserve-prefill-hpa",
	"ScaledObject N-kserve":                    "ScaledObject N-kserve-keda",
	"ScaledObject N-kserve-prefill":            "ScaledObject N-kserve-prefill-keda",
}

// KServe are the names of what KServe makes of a service, and of the stack that says the same.
func KServe(service string) Names {
	return Names{
		Object: func(kind, name string) string {
			known := kind + " " + strings.Replace(name, service, "N", 1)
			if theirs, ok := kserveObjects[known]; ok {
				return theirs
			}
			return known
		},
		Containers: map[string]string{"modelserver": "main", "epp": "main", "routing-proxy": "llm-d-routing-sidecar"},
	}
}
