package helm

import (
	"github.com/inferstack/inferstack/convert/draft"
)

// origins says where a role's values have what becomes fields of the stack, where they
// have it at all.
func (r *release) origins(p *draft.Part, role string) map[string]string {
	out := map[string]string{}
	main := role + ".containers[0]"
	say := func(field string, places ...string) {
		for _, from := range places {
			if p.Doc.Has(from) {
				out[field] = from
				return
			}
		}
	}
	for _, field := range []string{"image", "args", "command", "env", "envFrom", "resources", "volumeMounts"} {
		say(field, main+"."+field, main+".extraConfig."+field)
	}
	for field, probe := range map[string]string{"startup": "startupProbe", "readiness": "readinessProbe", "liveness": "livenessProbe"} {
		say("probes."+field, main+"."+probe, main+".extraConfig."+probe)
	}
	for _, field := range []string{
		"nodeSelector", "tolerations", "affinity", "topologySpreadConstraints", "runtimeClassName", "volumes", "initContainers",
		"imagePullSecrets", "terminationGracePeriodSeconds", "priorityClassName",
	} {
		say(field, role+".extraConfig."+field, role+"."+field)
	}
	say("schedulerName", role+".schedulerName", "schedulerName")
	say("serviceAccountName", role+".extraConfig.serviceAccountName", "serviceAccountOverride")
	say("launch", main+".modelCommand")
	say("accelerator.type", role+".accelerator.type", "accelerator.type")
	say("accelerator.count", main+".resources", role+".parallelism")
	say("accelerator.resourceName", "accelerator.resources")
	say("accelerator.dra", role+".accelerator.dra", "accelerator.resourceClaimTemplates", "accelerator.dra")
	say("accelerator.nodeLabel", role+".acceleratorTypes")
	say("accelerator.tpu", role+".extraConfig.nodeSelector", role+".nodeSelector", role+".affinity")
	return out
}
