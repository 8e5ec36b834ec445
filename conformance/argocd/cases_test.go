package argocd

const (
	pool = "inference.networking.k8s.io_InferencePool"
	lws  = "leaderworkerset.x-k8s.io_LeaderWorkerSet"

	backendPolicy     = "networking.gke.io_GCPBackendPolicy"
	healthCheckPolicy = "networking.gke.io_HealthCheckPolicy"
)

// The conditions are those of InferencePool v1 (Gateway API Inference Extension v1.5.0,
// api/v1/inferencepool_types.go) and of the LeaderWorkerSet controller v0.7.0 (updateConditions);
// GKE's policies have the condition Attached.
var cases = []struct{ kind, name, object, status, message string }{
	{pool, "without a gateway", `{metadata: {generation: 1}, spec: {}}`, "Healthy", "no Gateway refers"},
	{pool, "with an empty list of parents", `{metadata: {generation: 1}, status: {parents: []}}`, "Healthy", "no Gateway refers"},
	{pool, "with a placeholder", `{metadata: {generation: 1}, status: {parents: [
		{parentRef: {kind: Status, name: default}, conditions: [{type: Accepted, status: Unknown, reason: Pending}]}]}}`, "Healthy", "no Gateway refers"},
	{pool, "taken", `{metadata: {generation: 2}, status: {parents: [
		{parentRef: {kind: Gateway, name: gw}, conditions: [
			{type: Accepted, status: "True", observedGeneration: 2}, {type: ResolvedRefs, status: "True", observedGeneration: 2}]}]}}`, "Healthy", "taken by 1"},
	{pool, "taken, without generations", `{metadata: {generation: 2}, status: {parents: [
		{parentRef: {name: gw}, conditions: [{type: Accepted, status: "True"}]}]}}`, "Healthy", "taken by 1"},
	{pool, "pending", `{metadata: {generation: 1}, status: {parents: [
		{parentRef: {name: gw}, conditions: [{type: Accepted, status: Unknown, reason: Pending}]}]}}`, "Progressing", "waiting for gw"},
	{pool, "listed without conditions", `{metadata: {generation: 1}, status: {parents: [{parentRef: {name: gw}}]}}`, "Progressing", "waiting for gw"},
	{pool, "changed since", `{metadata: {generation: 3}, status: {parents: [
		{parentRef: {name: gw}, conditions: [{type: Accepted, status: "True", observedGeneration: 2}]}]}}`, "Progressing", "last change"},
	{pool, "one gateway of two", `{metadata: {generation: 1}, status: {parents: [
		{parentRef: {name: a}, conditions: [{type: Accepted, status: "True"}]}, {parentRef: {name: b}}]}}`, "Progressing", "waiting for b"},
	{pool, "refused", `{metadata: {generation: 1}, status: {parents: [
		{parentRef: {name: gw}, conditions: [{type: Accepted, status: "False", reason: HTTPRouteNotAccepted}]}]}}`, "Degraded", "gw: HTTPRouteNotAccepted"},
	{pool, "without its EPP", `{metadata: {generation: 1}, status: {parents: [
		{parentRef: {name: gw}, conditions: [
			{type: Accepted, status: "True"}, {type: ResolvedRefs, status: "False", reason: InvalidExtensionRef, message: no Service qwen-epp}]}]}}`, "Degraded", "gw: no Service qwen-epp"},

	{lws, "new", `{spec: {replicas: 2}}`, "Progressing", "0 of 2 groups ready"},
	{lws, "ready", `{spec: {replicas: 2}, status: {readyReplicas: 2, conditions: [
		{type: Available, status: "True"}, {type: Progressing, status: "False"}]}}`, "Healthy", "2 of 2"},
	{lws, "without replicas", `{spec: {}, status: {readyReplicas: 1, conditions: [{type: Available, status: "True"}]}}`, "Healthy", "1 of 1"},
	{lws, "scaled to nothing", `{spec: {replicas: 0}, status: {conditions: [{type: Available, status: "True"}]}}`, "Healthy", "0 of 0"},
	{lws, "crashing", `{spec: {replicas: 2}, status: {readyReplicas: 1, conditions: [
		{type: Progressing, status: "True"}, {type: Available, status: "False"}]}}`, "Progressing", "1 of 2"},
	{lws, "scaled up a moment ago", `{spec: {replicas: 3}, status: {readyReplicas: 2, conditions: [{type: Available, status: "True"}]}}`, "Progressing", "2 of 3"},
	{lws, "updated", `{spec: {replicas: 2}, status: {readyReplicas: 2, conditions: [
		{type: Available, status: "True"}, {type: UpdateInProgress, status: "True"}]}}`, "Progressing", "update in progress"},

	{backendPolicy, "new", `{spec: {}}`, "Progressing", "waiting for GKE"},
	{backendPolicy, "attached", `{status: {conditions: [{type: Attached, status: "True", reason: Attached}]}}`, "Healthy", "attached"},
	{backendPolicy, "unknown", `{status: {conditions: [{type: Attached, status: Unknown}]}}`, "Progressing", "waiting for GKE"},
	{backendPolicy, "refused", `{status: {conditions: [{type: Attached, status: "False", reason: Conflicted, message: another policy}]}}`, "Degraded", "another policy"},
	{healthCheckPolicy, "attached", `{status: {conditions: [{type: Attached, status: "True", reason: Attached}]}}`, "Healthy", "attached"},
	{healthCheckPolicy, "refused", `{status: {conditions: [{type: Attached, status: "False", reason: Invalid}]}}`, "Degraded", "Invalid"},
}
