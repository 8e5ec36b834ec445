package convert

import (
	"strings"
	"testing"
)

// TestSeveralInstalls holds what two SchedulerInstalls of one scheduler namespace may share.
func TestSeveralInstalls(t *testing.T) {
	const on = "epp: {enabled: true}, gateway: {enabled: true}, routing: {enabled: true}"
	for name, c := range map[string]struct{ second, says, seen string }{
		"one Gateway, two routes": {on, "error input.yaml:11:60: spec.gateway.name: the Gateway infra-inference-scheduling-inference-gateway is that of the SchedulerInstall a too", ""},
		"the name written":        {strings.Replace(on, "gateway: {", "gateway: {name: infra-inference-scheduling-inference-gateway, ", 1), "spec.gateway.name: the Gateway", ""},
		"a route to the other's":  {strings.Replace(on, "gateway: {enabled: true}", "gateway: {enabled: false}", 1), "spec.routing.parentGateway.name: the Gateway", ""},
		"one Gateway, one route":  {"epp: {enabled: true}, gateway: {enabled: true}", "info input.yaml:11:60: spec.gateway: the SchedulerInstall a makes the Gateway", "existing: true"},
		"two Gateways":            {strings.Replace(on, "gateway: {", "gateway: {name: other, ", 1), "", "name: other"},
		"another namespace":       {"schedulerNamespace: else, " + on, "", "namespace: else"},
	} {
		t.Run(name, func(t *testing.T) {
			const head = "apiVersion: sim.llm-d.io/v1alpha1\nkind: SchedulerInstall\nmetadata: {name: NAME, namespace: sched}\nspec:\n  "
			input := strings.Replace(head, "NAME", "a", 1) + "{simulatorNamespace: one, " + on + "}\n---\n" +
				strings.Replace(head, "NAME", "b", 1) + "{simulatorNamespace: two, " + c.second + "}\n"
			r := documentsInput(t, []byte(input)).result
			said := string(results(r.Problems))
			if !strings.Contains(said, c.says) {
				t.Errorf("nothing says %q in\n%s", c.says, said)
			}
			if c.seen == "" {
				return
			}
			if len(r.Stacks) != 2 || !strings.Contains(string(r.Stacks[1].YAML()), c.seen) {
				t.Errorf("no %q in\n%s%s", c.seen, stacksYAML(r), said)
			}
		})
	}
}
