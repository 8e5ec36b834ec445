package conform

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// A crdFile is where a module keeps the CRD of a kind.
type crdFile struct{ module, path string }

const (
	gatewayAPI = "sigs.k8s.io/gateway-api"
	inference  = "sigs.k8s.io/gateway-api-inference-extension"
	istio      = "istio.io/api"
	kgateway   = "github.com/kgateway-dev/kgateway/v2"
	prometheus = "github.com/prometheus-operator/prometheus-operator"
)

// crdFiles finds the CRD of a kind by group/Kind.
var crdFiles = map[string]crdFile{
	"gateway.networking.k8s.io/Gateway":        {gatewayAPI, "config/crd/standard/gateway.networking.k8s.io_gateways.yaml"},
	"gateway.networking.k8s.io/HTTPRoute":      {gatewayAPI, "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"},
	"gateway.networking.k8s.io/ReferenceGrant": {gatewayAPI, "config/crd/standard/gateway.networking.k8s.io_referencegrants.yaml"},

	"inference.networking.k8s.io/InferencePool":        {inference, "config/crd/bases/inference.networking.k8s.io_inferencepools.yaml"},
	"inference.networking.x-k8s.io/InferenceObjective": {inference, "config/crd/bases/inference.networking.x-k8s.io_inferenceobjectives.yaml"},
	// llm-d-router took the kind over with its fields unchanged (llm-d-router
	// config/crd/bases/llm-d.ai_inferenceobjectives.yaml); its module is not published.
	"inference.networking.x-k8s.io/InferenceModelRewrite": {inference, "config/crd/bases/inference.networking.x-k8s.io_inferencemodelrewrites.yaml"},
	"llm-d.ai/InferenceModelRewrite":                      {inference, "config/crd/bases/inference.networking.x-k8s.io_inferencemodelrewrites.yaml"},
	"llm-d.ai/InferenceObjective":                         {inference, "config/crd/bases/inference.networking.x-k8s.io_inferenceobjectives.yaml"},

	"gateway.networking.k8s.io/GRPCRoute": {gatewayAPI, "config/crd/standard/gateway.networking.k8s.io_grpcroutes.yaml"},

	"networking.istio.io/DestinationRule": {istio, "kubernetes/customresourcedefinitions.gen.yaml"},
	"networking.istio.io/EnvoyFilter":     {istio, "kubernetes/customresourcedefinitions.gen.yaml"},

	"gateway.kgateway.dev/GatewayParameters":     {kgateway, "install/helm/kgateway-crds/templates/gateway.kgateway.dev_gatewayparameters.yaml"},
	"gateway.kgateway.dev/TrafficPolicy":         {kgateway, "install/helm/kgateway-crds/templates/gateway.kgateway.dev_trafficpolicies.yaml"},
	"gateway.kgateway.dev/BackendConfigPolicy":   {kgateway, "install/helm/kgateway-crds/templates/gateway.kgateway.dev_backendconfigpolicies.yaml"},
	"agentgateway.dev/AgentgatewayPolicy":        {kgateway, "install/helm/agentgateway-crds/templates/agentgateway.dev_agentgatewaypolicies.yaml"},
	"agentgateway.dev/AgentgatewayParameters":    {kgateway, "install/helm/agentgateway-crds/templates/agentgateway.dev_agentgatewayparameters.yaml"},
	"disaggregatedset.x-k8s.io/DisaggregatedSet": {"sigs.k8s.io/lws", "config/crd/bases/disaggregatedset.x-k8s.io_disaggregatedsets.yaml"},
	"leaderworkerset.x-k8s.io/LeaderWorkerSet":   {"sigs.k8s.io/lws", "config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml"},
	"keda.sh/ScaledObject":                       {"github.com/kedacore/keda/v2", "config/crd/bases/keda.sh_scaledobjects.yaml"},
	"keda.sh/TriggerAuthentication":              {"github.com/kedacore/keda/v2", "config/crd/bases/keda.sh_triggerauthentications.yaml"},

	"monitoring.coreos.com/PodMonitor":     {prometheus, "example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml"},
	"monitoring.coreos.com/ServiceMonitor": {prometheus, "example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml"},
	"monitoring.coreos.com/PrometheusRule": {prometheus, "example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml"},
}

func (f crdFile) read() ([]byte, error) {
	dirs, err := moduleDirs()
	if err != nil {
		return nil, err
	}
	dir, ok := dirs[f.module]
	if !ok {
		return nil, fmt.Errorf("module %s is not listed in crds/go.mod", f.module)
	}
	return os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.path)))
}

// moduleDirs returns the folders of the modules that crds/go.mod requires, which are
// fetched if they are not in the module cache. Each is asked for with its version, so
// that their dependencies are not looked at.
var moduleDirs = sync.OnceValues(func() (map[string]string, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/inferstack/inferstack").Output()
	if err != nil {
		return nil, err
	}
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := goJSON(&mod, "mod", "edit", "-json", filepath.Join(strings.TrimSpace(string(root)), "internal", "conform", "crds", "go.mod")); err != nil {
		return nil, err
	}
	dirs := map[string]string{}
	for _, m := range mod.Require {
		var got struct{ Dir, Error string }
		if err := goJSON(&got, "mod", "download", "-json", m.Path+"@"+m.Version); err != nil {
			return nil, fmt.Errorf("%s: %w %s", m.Path, err, got.Error)
		}
		dirs[m.Path] = got.Dir
	}
	return dirs, nil
})

// goJSON runs the go command outside of any module.
func goJSON(out any, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = os.TempDir()
	data, err := cmd.Output()
	if len(data) > 0 {
		if err := json.Unmarshal(data, out); err != nil {
			return err
		}
	}
	return err
}

// EachCRD visits every version that is served of the kinds in crdFiles, and of some older
// ones.
func EachCRD(visit func(apiVersion, kind string, schema *apiextensionsv1.JSONSchemaProps) error) error {
	for name, file := range crdFiles {
		// The experimental channel has the fields of the standard one, and more.
		file.path = strings.Replace(file.path, "/standard/", "/experimental/", 1)
		data, err := file.read()
		if err != nil {
			return err
		}
		group, kind, _ := strings.Cut(name, "/")
		if err := eachVersion(data, group, kind, visit); err != nil {
			return fmt.Errorf("%s: %w", file.path, err)
		}
	}
	for _, old := range olderCRDs {
		data, err := old.read()
		if err != nil {
			return err
		}
		if err := eachVersion(data, old.group, old.kind, visit); err != nil {
			return fmt.Errorf("%s: %w", old.path, err)
		}
	}
	return nil
}

// newer adds to a CRD what is in no module yet that is published.
func newer(kind string, props *apiextensionsv1.JSONSchemaProps) {
	unreleased(kind, props)
	newerTargets(kind, props)
}

// newerTargets lets an AgentgatewayPolicy name what it can name since agentgateway 1.2, whose module
// is not published (controller/api/v1alpha1/agentgateway/agentgateway_policy_types.go).
func newerTargets(kind string, props *apiextensionsv1.JSONSchemaProps) {
	const known = "(r.kind == 'Service' && r.group == '')"
	const since = known + " || (r.kind == 'InferencePool' && r.group == 'inference.networking.k8s.io')" +
		" || (r.kind in ['GRPCRoute', 'ListenerSet'] && r.group == 'gateway.networking.k8s.io')"
	if kind != "AgentgatewayPolicy" {
		return
	}
	for _, field := range []string{"targetRefs", "targetSelectors"} {
		for i := range props.Properties["spec"].Properties[field].XValidations {
			rule := &props.Properties["spec"].Properties[field].XValidations[i]
			rule.Rule = strings.Replace(rule.Rule, known, since, 1)
			rule.Message = strings.Replace(rule.Message, "AgentgatewayBackend resources", "AgentgatewayBackend resources, or GRPCRoute, ListenerSet and InferencePool since 1.2", 1)
		}
	}
}

// unreleased adds the fields of a DisaggregatedSet that LeaderWorkerSet has in no release yet (branch
// main after v0.9.0, api/disaggregatedset/v1/disaggregatedset_types.go).
func unreleased(kind string, props *apiextensionsv1.JSONSchemaProps) {
	if kind != "DisaggregatedSet" {
		return
	}
	text := func(values ...string) apiextensionsv1.JSONSchemaProps {
		out := apiextensionsv1.JSONSchemaProps{Type: "string"}
		for _, v := range values {
			out.Enum = append(out.Enum, apiextensionsv1.JSON{Raw: []byte(`"` + v + `"`)})
		}
		return out
	}
	object := func(fields map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: fields}
	}
	spec := props.Properties["spec"].Properties
	spec["slices"] = apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int32", Minimum: new(1.0), Maximum: new(100.0)}
	spec["placementPolicy"] = object(map[string]apiextensionsv1.JSONSchemaProps{
		"type": text("None", "ExclusiveSlice", "ExclusiveTopology"), "topology": text(),
	})
	spec["roles"].Items.Schema.Properties["scaling"] = object(map[string]apiextensionsv1.JSONSchemaProps{"mode": text("Static", "External")})
}

// olderCRDs are in older versions of a module.
var olderCRDs = []olderCRD{
	{inference + "@v1.1.0", "config/crd/bases/inference.networking.x-k8s.io_inferencepools.yaml", "inference.networking.x-k8s.io", "InferencePool"},
}

type olderCRD struct{ module, path, group, kind string }

func (o olderCRD) read() ([]byte, error) {
	var got struct{ Dir, Error string }
	if err := goJSON(&got, "mod", "download", "-json", o.module); err != nil {
		return nil, fmt.Errorf("%s: %w %s", o.module, err, got.Error)
	}
	return os.ReadFile(filepath.Join(got.Dir, filepath.FromSlash(o.path)))
}

// eachVersion visits the versions of a kind in a file. llm-d's group has the kinds of the
// file's under another name.
func eachVersion(data []byte, group, kind string, visit func(string, string, *apiextensionsv1.JSONSchemaProps) error) error {
	found := false
	for doc := range strings.SplitSeq(string(data), "\n---") {
		if !strings.Contains(doc, "kind: "+kind+"\n") {
			continue
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal([]byte(doc), &crd); err != nil {
			return err
		}
		for _, v := range crd.Spec.Versions {
			if crd.Spec.Names.Kind != kind || v.Schema == nil {
				continue
			}
			found = true
			newer(kind, v.Schema.OpenAPIV3Schema)
			if err := visit(group+"/"+v.Name, kind, v.Schema.OpenAPIV3Schema); err != nil {
				return err
			}
		}
	}
	if !found {
		return fmt.Errorf("no %s", kind)
	}
	return nil
}
