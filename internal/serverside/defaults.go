package serverside

import "sync"

type mapping = map[string]any

// templates are where kinds have pods.
var templates = map[string][]string{
	"Deployment": {"spec.template"}, "StatefulSet": {"spec.template"}, "DaemonSet": {"spec.template"}, "ReplicaSet": {"spec.template"}, "Job": {"spec.template"},
	"LeaderWorkerSet":  {"spec.leaderWorkerTemplate.leaderTemplate", "spec.leaderWorkerTemplate.workerTemplate"},
	"DisaggregatedSet": {"spec.roles[].spec.leaderWorkerTemplate.leaderTemplate", "spec.roles[].spec.leaderWorkerTemplate.workerTemplate"},
}

// defaults are the fields of kinds and what the API server writes for them. The number of
// replicas is none of them: what nobody writes may be an autoscaler's. Sources: Kubernetes 1.36
// pkg/apis/{apps,autoscaling,core,rbac}/*/defaults.go; Gateway API 1.6 apis/v1 and Inference
// Extension 1.5 api/v1, kubebuilder:default; LeaderWorkerSet 0.7
// api/leaderworkerset/v1/leaderworkerset_types.go and pkg/webhooks, whose defaults the CRD of a
// DisaggregatedSet has for each role.
var defaults = sync.OnceValue(func() map[string]mapping {
	return map[string]mapping{
		"Deployment": {
			"spec.progressDeadlineSeconds": 600, "spec.revisionHistoryLimit": 10,
			"spec.strategy": mapping{}, "spec.strategy.type": "RollingUpdate", "spec.strategy.rollingUpdate": mapping{},
			"spec.strategy.rollingUpdate.maxSurge": "25%", "spec.strategy.rollingUpdate.maxUnavailable": "25%",
		},
		"StatefulSet": {
			"spec.podManagementPolicy": "OrderedReady", "spec.revisionHistoryLimit": 10,
			"spec.updateStrategy": mapping{}, "spec.updateStrategy.type": "RollingUpdate", "spec.updateStrategy.rollingUpdate": mapping{}, "spec.updateStrategy.rollingUpdate.partition": 0,
			"spec.persistentVolumeClaimRetentionPolicy": mapping{}, "spec.persistentVolumeClaimRetentionPolicy.whenDeleted": "Retain", "spec.persistentVolumeClaimRetentionPolicy.whenScaled": "Retain",
		},
		"DaemonSet": {
			"spec.revisionHistoryLimit": 10, "spec.updateStrategy": mapping{}, "spec.updateStrategy.type": "RollingUpdate",
			"spec.updateStrategy.rollingUpdate": mapping{}, "spec.updateStrategy.rollingUpdate.maxSurge": 0, "spec.updateStrategy.rollingUpdate.maxUnavailable": 1,
		},
		"Service": {
			"spec.type": "ClusterIP", "spec.sessionAffinity": "None", "spec.internalTrafficPolicy": "Cluster", "spec.externalTrafficPolicy": "Cluster",
			"spec.ipFamilyPolicy": "SingleStack", "spec.allocateLoadBalancerNodePorts": true, "spec.ports[].protocol": "TCP",
		},
		"PersistentVolumeClaim":   {"spec.volumeMode": "Filesystem"},
		"HorizontalPodAutoscaler": {"spec.minReplicas": 1},
		"RoleBinding":             {"roleRef.apiGroup": "rbac.authorization.k8s.io"},
		"ClusterRoleBinding":      {"roleRef.apiGroup": "rbac.authorization.k8s.io"},
		"InferencePool": {
			"spec.endpointPickerRef.group": "", "spec.endpointPickerRef.kind": "Service", "spec.endpointPickerRef.failureMode": "FailClose",
		},
		"HTTPRoute": {
			"spec.parentRefs[].group": "gateway.networking.k8s.io", "spec.parentRefs[].kind": "Gateway",
			"spec.rules[].matches[].path.type": "PathPrefix", "spec.rules[].matches[].path.value": "/", "spec.rules[].matches[].path": mapping{},
			"spec.rules[].matches[].headers[].type": "Exact", "spec.rules[].matches[].queryParams[].type": "Exact",
			"spec.rules[].backendRefs[].group": "", "spec.rules[].backendRefs[].kind": "Service", "spec.rules[].backendRefs[].weight": 1,
			"spec.rules[].matches": []any{mapping{}},
		},
		"Gateway": {
			"spec.listeners[].allowedRoutes": mapping{}, "spec.listeners[].allowedRoutes.namespaces": mapping{}, "spec.listeners[].allowedRoutes.namespaces.from": "Same",
			"spec.listeners[].tls.mode": "Terminate", "spec.listeners[].tls.certificateRefs[].group": "", "spec.listeners[].tls.certificateRefs[].kind": "Secret",
		},
		"LeaderWorkerSet":  groups("spec."),
		"DisaggregatedSet": groups("spec.roles[].spec."),
	}
})

// groups are the defaults of a LeaderWorkerSet, whose spec is at a place.
func groups(at string) mapping {
	out := mapping{}
	for field, v := range (mapping{
		"leaderWorkerTemplate.restartPolicy": "RecreateGroupOnPodRestart", "leaderWorkerTemplate.size": 1, "startupPolicy": "LeaderCreated",
		"rolloutStrategy": mapping{}, "rolloutStrategy.type": "RollingUpdate", "rolloutStrategy.rollingUpdateConfiguration": mapping{},
		"rolloutStrategy.rollingUpdateConfiguration.maxSurge": 0, "rolloutStrategy.rollingUpdateConfiguration.maxUnavailable": 1, "rolloutStrategy.rollingUpdateConfiguration.partition": 0,
		"networkConfig": mapping{}, "networkConfig.subdomainPolicy": "Shared",
	}) {
		out[at+field] = v
	}
	return out
}

// pods are the defaults of a template.
var pods = sync.OnceValue(func() stripper { return stripper{defaults: pod()} })

func pod() mapping {
	out := mapping{
		"spec.restartPolicy": "Always", "spec.dnsPolicy": "ClusterFirst", "spec.schedulerName": "default-scheduler", "spec.terminationGracePeriodSeconds": 30,
		"spec.securityContext": mapping{}, "spec.enableServiceLinks": true,
		"spec.volumes[].configMap.defaultMode": 420, "spec.volumes[].secret.defaultMode": 420, "spec.volumes[].projected.defaultMode": 420,
		"spec.volumes[].downwardAPI.defaultMode": 420, "spec.volumes[].hostPath.type": "",
		"spec.volumes[].downwardAPI.items[].fieldRef.apiVersion":                     "v1",
		"spec.volumes[].projected.sources[].serviceAccountToken.expirationSeconds":   3600,
		"spec.volumes[].projected.sources[].downwardAPI.items[].fieldRef.apiVersion": "v1",
	}
	for _, list := range []string{"spec.containers[].", "spec.initContainers[]."} {
		container(out, list)
	}
	return out
}

func container(out mapping, at string) {
	for field, v := range (mapping{
		"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File", "resources": mapping{}, "securityContext": mapping{},
		"ports[].protocol": "TCP", "env[].valueFrom.fieldRef.apiVersion": "v1", "env[].value": "",
	}) {
		out[at+field] = v
	}
	for _, probe := range []string{"startupProbe.", "readinessProbe.", "livenessProbe."} {
		for field, v := range (mapping{
			"initialDelaySeconds": 0, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3,
			"httpGet.scheme": "HTTP", "httpGet.path": "/", "grpc.service": "",
		}) {
			out[at+probe+field] = v
		}
	}
	for _, hook := range []string{"lifecycle.preStop.", "lifecycle.postStart."} {
		out[at+hook+"httpGet.scheme"], out[at+hook+"httpGet.path"] = "HTTP", "/"
	}
}
