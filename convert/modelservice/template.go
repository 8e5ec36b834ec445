package modelservice

import (
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/gotemplate"
)

// variables are what a base configuration's templates know
// (llm-d-model-service internal/controller/child_resources.go, v0.0.10).
type variables struct {
	ModelServiceName, ModelServiceNamespace     string
	ModelName, HFModelName, SanitizedModelName  string
	ModelPath, MountedModelPath                 string
	AuxiliaryPVCNames                           []string
	InferencePoolName, InferenceModelName       string
	DecodeDeploymentName, PrefillDeploymentName string
	DecodeServiceName, PrefillServiceName       string
	EPPDeploymentName, EPPServiceName           string
	EPPServiceAccountName, PDServiceAccountName string
	HTTPRouteName                               string
}

// modelRoot is where the controller mounts a model.
const modelRoot = "/model-cache"

// vars are the variables of one ModelService.
func (m *service) vars() variables {
	name := sanitized(m.Doc.Name)
	v := variables{
		ModelServiceName: m.Doc.Name, ModelServiceNamespace: m.Doc.Namespace,
		ModelName: m.spec.Routing.ModelName, SanitizedModelName: sanitized(m.spec.Routing.ModelName),
		InferencePoolName: poolName(m.Doc.Name), InferenceModelName: m.Doc.Name,
		DecodeDeploymentName: name + "-decode", PrefillDeploymentName: name + "-prefill",
		DecodeServiceName: serviceName(m.Doc.Name, "decode"), PrefillServiceName: serviceName(m.Doc.Name, "prefill"),
		EPPDeploymentName: name + "-epp", EPPServiceName: name + "-epp-service", HTTPRouteName: name + "-http-route",
		EPPServiceAccountName: name + "-epp-sa", PDServiceAccountName: name + "-sa",
	}
	scheme, rest, _ := strings.Cut(m.spec.ModelArtifacts.URI, "://")
	switch scheme {
	case "hf":
		v.HFModelName, v.MountedModelPath = rest, modelRoot
	case "pvc":
		_, v.ModelPath, _ = strings.Cut(rest, "/")
		v.MountedModelPath = path.Join(modelRoot, v.ModelPath)
	case "oci":
		_, v.ModelPath, _ = strings.Cut(rest, "::")
		v.MountedModelPath = path.Join(modelRoot, v.ModelPath)
	}
	return v
}

// data are the variables as templates see them.
func (v variables) data() map[string]any {
	return map[string]any{
		"ModelServiceName": v.ModelServiceName, "ModelServiceNamespace": v.ModelServiceNamespace,
		"ModelName": v.ModelName, "HFModelName": v.HFModelName, "SanitizedModelName": v.SanitizedModelName,
		"ModelPath": v.ModelPath, "MountedModelPath": v.MountedModelPath,
		"AuxiliaryPVCNames": v.AuxiliaryPVCNames,
		"InferencePoolName": v.InferencePoolName, "InferenceModelName": v.InferenceModelName,
		"DecodeDeploymentName": v.DecodeDeploymentName, "PrefillDeploymentName": v.PrefillDeploymentName,
		"DecodeServiceName": v.DecodeServiceName, "PrefillServiceName": v.PrefillServiceName,
		"EPPDeploymentName": v.EPPDeploymentName, "EPPServiceName": v.EPPServiceName,
		"EPPServiceAccountName": v.EPPServiceAccountName, "PDServiceAccountName": v.PDServiceAccountName,
		"HTTPRouteName": v.HTTPRouteName,
	}
}

// evaluate runs the templates in a text, in which a port is found by its name.
func (m *service) evaluate(text string) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	var missing error
	funcs := maps.Clone(serving.Functions)
	funcs["getPort"] = gotemplate.Unary(func(name string) int32 {
		for _, p := range m.spec.Routing.Ports {
			if p.Name == name {
				return p.Port
			}
		}
		missing = fmt.Errorf("asks for the port %q, which routing.ports does not have", name)
		return 0
	})
	t, err := gotemplate.Parse(text, funcs)
	if err != nil {
		return "", err
	}
	if text, err = t.Execute(m.vars().data()); err != nil {
		return "", err
	}
	return text, missing
}

// sanitized makes a name of lower case letters, digits and dashes, as the controller
// does.
func sanitized(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(s)) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	out := strings.Trim(b.String(), "-")
	return strings.TrimRight(out[:min(len(out), 63)], "-")
}

func poolName(name string) string          { return sanitized(name + "-inference-pool") }
func serviceName(name, role string) string { return sanitized(name + "-service-" + role) }
