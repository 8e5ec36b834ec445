package wiring

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A lifecycle says which versions of a component serve an API version of a kind.
type lifecycle struct {
	component string
	// from is the first version that serves it, until the first that does not any more.
	from, until string
	// instead is what to write.
	instead string
}

// Components whose versions --platform names.
const (
	kubernetes = "kubernetes"
	gatewayAPI = "gateway-api"
	extension  = "inference-extension"
	istio      = "istio"
)

// Platforms are the components that Options.Platform may name.
func Platforms() []string {
	found := map[string]bool{}
	for _, l := range lifecycles {
		found[l.component] = l.component != ""
	}
	delete(found, "")
	return slices.Sorted(maps.Keys(found))
}

// CheckPlatform refuses what no version can be compared with.
func CheckPlatform(platform map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(platform)) {
		if !slices.Contains(Platforms(), name) {
			return fmt.Errorf("--platform knows %s (got %q)", strings.Join(Platforms(), ", "), name)
		}
		if _, _, ok := parseVersion(platform[name]); !ok {
			return fmt.Errorf("--platform %s needs a version such as 1.31 (got %q)", name, platform[name])
		}
	}
	return nil
}

// parseVersion reads 1.31, v1.31.2 or 1.31.2-gke.100.
func parseVersion(text string) (major, minor int, ok bool) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) < 2 {
		return 0, 0, false
	}
	major, err := strconv.Atoi(parts[0])
	digits, _, _ := strings.Cut(parts[1], "+") // EKS says 1.31+
	minor, err2 := strconv.Atoi(digits)
	return major, minor, err == nil && err2 == nil
}

func older(a, b string) bool {
	major, minor, _ := parseVersion(a)
	thanMajor, thanMinor, _ := parseVersion(b)
	return major < thanMajor || major == thanMajor && minor < thanMinor
}

// lifecycles by apiVersion and kind. Sources, each held to by a test where a module has it:
//   - kubernetes: k8s.io/api, APILifecycleIntroduced and …Removed; for what its present
//     version has no types of any more, the Kubernetes deprecated API migration guide;
//   - gateway-api: config/crd of the releases; v0.6.0 (istio/istio#41259) for v1alpha2 of
//     Gateway and HTTPRoute, v1.2.0's notes for v1alpha2 of GRPCRoute and ReferenceGrant,
//     v1.5.0's for v1 of ReferenceGrant;
//   - inference-extension: config/crd of v1.1.0, v1.2.0 and v1.5.0; InferenceModel became
//     InferenceObjective in v1.0.0;
//   - istio: the announcement of v1 APIs in 1.22; EnvoyFilter never left v1alpha3 (istio/api,
//     kubernetes/customresourcedefinitions.gen.yaml);
//   - llm-d-router v0.10 apix/config: group of EndpointPickerConfig; LeaderWorkerSet v0.3.0,
//     KEDA 2.0 and agentgateway: their groups and versions of today.
var lifecycles = map[string]lifecycle{
	"autoscaling/v2 HorizontalPodAutoscaler":               {kubernetes, "1.23", "", ""},
	"autoscaling/v2beta1 HorizontalPodAutoscaler":          {kubernetes, "1.8", "1.25", "autoscaling/v2"},
	"autoscaling/v2beta2 HorizontalPodAutoscaler":          {kubernetes, "1.12", "1.26", "autoscaling/v2"},
	"policy/v1 PodDisruptionBudget":                        {kubernetes, "1.21", "", ""},
	"policy/v1beta1 PodDisruptionBudget":                   {kubernetes, "1.5", "1.25", "policy/v1"},
	"batch/v1 CronJob":                                     {kubernetes, "1.21", "", ""},
	"batch/v1beta1 CronJob":                                {kubernetes, "1.8", "1.25", "batch/v1"},
	"extensions/v1beta1 Deployment":                        {kubernetes, "1.1", "1.16", "apps/v1"},
	"rbac.authorization.k8s.io/v1beta1 Role":               {kubernetes, "1.6", "1.22", "rbac.authorization.k8s.io/v1"},
	"rbac.authorization.k8s.io/v1beta1 RoleBinding":        {kubernetes, "1.6", "1.22", "rbac.authorization.k8s.io/v1"},
	"resource.k8s.io/v1 ResourceClaimTemplate":             {kubernetes, "1.34", "", ""},
	"resource.k8s.io/v1beta2 ResourceClaimTemplate":        {kubernetes, "1.33", "1.39", "resource.k8s.io/v1"},
	"resource.k8s.io/v1beta1 ResourceClaimTemplate":        {kubernetes, "1.32", "1.38", "resource.k8s.io/v1"},
	"resource.k8s.io/v1alpha3 ResourceClaimTemplate":       {kubernetes, "1.31", "1.34", "resource.k8s.io/v1"},
	gatewayGroup + "/v1 Gateway":                           {gatewayAPI, "1.0", "", ""},
	gatewayGroup + "/v1 HTTPRoute":                         {gatewayAPI, "1.0", "", ""},
	gatewayGroup + "/v1 GRPCRoute":                         {gatewayAPI, "1.1", "", ""},
	gatewayGroup + "/v1 ReferenceGrant":                    {gatewayAPI, "1.5", "", ""},
	gatewayGroup + "/v1alpha2 Gateway":                     {gatewayAPI, "0.4", "0.6", gatewayGroup + "/v1"},
	gatewayGroup + "/v1alpha2 HTTPRoute":                   {gatewayAPI, "0.4", "0.6", gatewayGroup + "/v1"},
	gatewayGroup + "/v1alpha2 GRPCRoute":                   {gatewayAPI, "0.6", "1.2", gatewayGroup + "/v1"},
	gatewayGroup + "/v1alpha2 ReferenceGrant":              {gatewayAPI, "0.5", "1.2", gatewayGroup + "/v1beta1"},
	poolGroup + "/v1 InferencePool":                        {extension, "1.0", "", ""},
	poolGroupOld + "/v1alpha2 InferencePool":               {extension, "0.1", "1.5", poolGroup + "/v1"},
	poolGroupOld + "/v1alpha1 InferencePool":               {extension, "0.0", "0.1", poolGroup + "/v1"},
	poolGroupOld + "/v1alpha2 InferenceObjective":          {extension, "1.0", "", ""},
	poolGroupOld + "/v1alpha2 InferenceModelRewrite":       {extension, "1.2", "", ""},
	poolGroupOld + "/v1alpha1 InferenceModel":              {extension, "0.0", "0.1", "InferenceObjective of llm-d.ai/v1alpha2"},
	poolGroupOld + "/v1alpha2 InferenceModel":              {extension, "0.1", "1.0", "InferenceObjective of llm-d.ai/v1alpha2"},
	"networking.istio.io/v1 DestinationRule":               {istio, "1.22", "", ""},
	"telemetry.istio.io/v1 Telemetry":                      {istio, "1.22", "", ""},
	"networking.istio.io/v1beta1 EnvoyFilter":              {istio, "", "0.0", "networking.istio.io/v1alpha3"},
	"networking.istio.io/v1 EnvoyFilter":                   {istio, "", "0.0", "networking.istio.io/v1alpha3"},
	"config.x-k8s.io/v1alpha1 EndpointPickerConfig":        {"", "", "0.0", "llm-d.ai/v1alpha1"},
	"leaderworkerset.x-k8s.io/v1alpha1 LeaderWorkerSet":    {"", "", "0.0", "leaderworkerset.x-k8s.io/v1"},
	"keda.k8s.io/v1alpha1 ScaledObject":                    {"", "", "0.0", "keda.sh/v1alpha1"},
	"gateway.kgateway.dev/v1alpha1 AgentgatewayParameters": {"", "", "0.0", "agentgateway.dev/v1alpha1"},
}

// leaving are API versions that are served still, and why nobody should start with them.
var leaving = map[string]string{
	"resource.k8s.io/v1alpha3 ResourceClaimTemplate": "resource.k8s.io/v1, from Kubernetes 1.34 on",
	poolGroupOld + "/v1alpha2 InferencePool":         poolGroup + "/v1",
	gatewayGroup + "/v1beta1 HTTPRoute":              gatewayGroup + "/v1",
	gatewayGroup + "/v1beta1 Gateway":                gatewayGroup + "/v1",
	"networking.istio.io/v1alpha3 DestinationRule":   "networking.istio.io/v1",
	"resource.k8s.io/v1beta2 ResourceClaimTemplate":  "resource.k8s.io/v1, from Kubernetes 1.34 on",
	"resource.k8s.io/v1beta1 ResourceClaimTemplate":  "resource.k8s.io/v1, from Kubernetes 1.34 on",
}
