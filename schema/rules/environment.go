package rules

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// visibleDevices are the variables by which a process sees a part of its pod's devices.
var visibleDevices = map[string][]string{
	"nvidia": {"CUDA_VISIBLE_DEVICES"},
	"amd":    {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"},
}

// devicesSeen refuses a variable that hides devices that the ranks of a pod need.
func devicesSeen(s stack) (out []schema.Problem) {
	if s.Simulated() {
		return nil
	}
	for _, r := range s.Workloads() {
		for _, name := range visibleDevices[s.AcceleratorOf(r.Role).Type] {
			value, at := s.variable(r, name)
			seen := int32(len(strings.Split(strings.Trim(value, ", "), ",")))
			if need := r.Parallelism.Devices(); at != "" && s.Spec.Server.Launch != "custom" && value != "all" && !strings.Contains(value, "$(") && seen < need {
				out = append(out, s.Problem(schema.Error, at, "%s shows %d devices, and %s needs %d in a pod", name, seen, schema.Path(r.Path+".parallelism"), need))
			}
		}
	}
	return out
}

// offline refuses to keep the servers from Hugging Face where nothing else has their model
// (huggingface_hub constants.py: HF_HUB_OFFLINE; transformers reads TRANSFORMERS_OFFLINE).
func offline(s stack) (out []schema.Problem) {
	if s.Simulated() || s.Spec.Server.Launch == "custom" || !s.fetchesModel() {
		return nil
	}
	for _, r := range s.Workloads() {
		if len(s.Spec.Server.InitContainers)+len(r.InitContainers)+len(s.Spec.Server.VolumeMounts)+len(r.VolumeMounts) > 0 {
			continue // which may bring the model
		}
		for _, name := range []string{"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} {
			value, at := s.variable(r, name)
			if slices.Contains([]string{"1", "ON", "YES", "TRUE"}, strings.ToUpper(value)) {
				out = append(out, s.Problem(schema.Error, at, "%s keeps the servers from downloading the model, and nothing else brings it; leave it out, or name a claim that has it, by model.source: pvc+hf://claim/path/organisation/model", name))
			}
		}
	}
	return out
}

// fetchesModel reports whether each server downloads the model from Hugging Face at its start.
func (s stack) fetchesModel() bool {
	source := s.Spec.Model.Source
	return (source == "" || strings.HasPrefix(source, "hf://")) && s.Spec.Model.Storage.ExistingClaim == ""
}

// variable is the value of a variable of the workload's servers, and where it is written; neither
// where it comes from elsewhere.
func (s stack) variable(r schema.Workload, name string) (value, at string) {
	for _, list := range []variableList{{r.Path + ".env", r.Env}, {"spec.server.env", s.Spec.Server.Env}} {
		for i, e := range slices.Backward(list.vars) {
			if e.Name == name {
				if e.ValueFrom != nil {
					return "", ""
				}
				return e.Value, finding.Indexed(list.path, i)
			}
		}
	}
	return "", ""
}
