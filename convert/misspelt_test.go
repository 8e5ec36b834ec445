package convert

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// TestMisspelt holds that a kind or an apiVersion that is one letter off is refused rather
// than passed over, and that other kinds are left alone.
func TestMisspelt(t *testing.T) {
	for _, c := range []struct{ apiVersion, kind, want string }{
		{"sim.llm-d.io/v1alpha1", "SimulatorDeploymnt", `x.yaml:2:7: kind: must be SchedulerInstall or SimulatorDeployment, which are the kinds of sim.llm-d.io (got "SimulatorDeploymnt"); did you mean SimulatorDeployment?`},
		{"sim.llm-d.io/v1alpha1", "Gateway", `kind: must be SchedulerInstall or SimulatorDeployment, which are the kinds of sim.llm-d.io (got "Gateway")`},
		{"sim.llmd.io/v1alpha1", "SimulatorDeployment", `x.yaml:1:13: apiVersion: must be sim.llm-d.io/v1alpha1 with kind: SimulatorDeployment (got "sim.llmd.io/v1alpha1")`},
		{"llm.llm-d.io/v1", "InferenceScheduler", `apiVersion: must be llm.llm-d.io/v1alpha1 with kind: InferenceScheduler (got "llm.llm-d.io/v1")`},
		{"llm.llm-d.io/v1alpha1", "inferencescheduler", `did you mean InferenceScheduler?`},
		{"llm-d.ai/v1alpha1", "ModelServices", `kind: must be ModelService (got "ModelServices"); did you mean ModelService?`},
		{"llm-d.ai/v1", "ModelService", `apiVersion: must be llm-d.ai/v1alpha1 with kind: ModelService (got "llm-d.ai/v1")`},
		{"llmd.opendatahub.io/v1alpha1", "LLMd", `did you mean LLMD?`},
		{"inferstack.dev/v1alpha1", "InferenceStacks", `kind: must be InferenceStack (got "InferenceStacks"); did you mean InferenceStack?`},
		{"llm-d.ai/v1alpha2", "InferenceObjective", ""},
		{"inferstack.dev/v1alpha1", "Rewire", ""},
		{"inferstack.dev/v2", "InferenceStack", ""}, // Parse says it
		{"models.example.com/v1", "ModelService", ""},
		{"v1", "Service", ""},
	} {
		t.Run(c.apiVersion+" "+c.kind, func(t *testing.T) {
			docs, problems := document.Read("x.yaml", []byte("apiVersion: "+c.apiVersion+"\nkind: "+c.kind+"\nmetadata: {name: a}\n"))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			r := Convert(docs, Options{Lossy: true})
			if said := string(results(r.Problems)); !strings.Contains(said, c.want) || c.want == "" && said != "" {
				t.Errorf("%q, not %q", said, c.want)
			}
		})
	}
}
