package rules

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// Labels of the server pods that other things rely on.
const (
	labelInstance  = "app.kubernetes.io/instance"
	labelComponent = "app.kubernetes.io/component"
	labelRole      = "llm-d.ai/role"
)

// poolSelector checks that the pool's selector finds the servers, all of them and nothing
// else. Labels in it are put on the servers, so they must not be any that tells pods apart.
func poolSelector(s stack) (out []schema.Problem) {
	at, selector := "spec.pool.selector", s.Spec.Pool.Selector
	if !s.Spec.Server.Create {
		if len(selector) == 0 && s.Spec.Scheduler.Enabled {
			return []schema.Problem{s.Problem(schema.Error, at, "is required when server.create is false: it says which servers the EPP picks from")}
		}
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(selector)) {
		field := finding.Join(at, key, 0)
		switch value := selector[key]; {
		case key == labelComponent:
			out = append(out, s.Problem(schema.Error, field, "tells the roles' pods apart, which are in one pool; leave it out"))
		case key == schema.VariantLabel:
			out = append(out, s.Problem(schema.Error, field, "would leave out the servers of other variants; leave it out"))
		case key == labelInstance && value != s.Metadata.Name:
			out = append(out, s.Problem(schema.Error, field, "must be %s, by which the workloads select their pods (got %q)", s.Metadata.Name, value))
		case key == labelRole && (s.Disaggregated() || value != schema.RoleDecode):
			out = append(out, s.Problem(schema.Error, field, "would leave out servers: the EPP's filters tell roles apart, not the pool"))
		}
	}
	if len(selector) > 0 && len(out) == 0 && s.selectsEPP() {
		out = append(out, s.Problem(schema.Error, at, "matches the EPP's own pods too; add a label that only the servers have, such as llm-d.ai/inference-serving: \"true\""))
	}
	return out
}

// selectsEPP reports whether the selector holds for what every pod of the stack carries and
// the labels that the user gives to the EPP's.
func (s stack) selectsEPP() bool {
	helper := map[string]string{}
	maps.Copy(helper, s.Spec.Scheduler.PodLabels)
	maps.Copy(helper, s.Spec.Scheduler.Selector)
	if len(s.Spec.Scheduler.Selector) == 0 {
		maps.Copy(helper, s.commonLabels())
	}
	for key, value := range s.Spec.Pool.Selector {
		if helper[key] != value {
			return false
		}
	}
	return true
}

// commonLabels are those of every pod of the stack that was not there before it.
func (s stack) commonLabels() map[string]string {
	return map[string]string{
		labelInstance:                  s.Metadata.Name,
		"app.kubernetes.io/name":       "llm-d",
		"app.kubernetes.io/part-of":    "llm-d",
		"app.kubernetes.io/managed-by": "inferstack",
	}
}

// poolPorts checks that the servers answer on the ports that the pool names.
func poolPorts(s stack) (out []schema.Problem) {
	ports := s.Spec.Pool.TargetPorts
	at := "spec.pool.targetPorts"
	for i, p := range ports {
		if slices.Contains(ports[:i], p) {
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "%d is listed twice", p))
		}
	}
	if len(out) > 0 || len(ports) == 0 || !s.Spec.Server.Create || s.Spec.Server.Launch == "custom" {
		return out
	}
	first, last := s.Spec.Server.Port, s.Spec.Server.Port
	for _, r := range s.decodes() {
		last = max(last, first+s.rankPorts(r.Role)-1)
	}
	for i, p := range ports {
		if p < first || p > last {
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "the servers answer on %s (%s), not on %d", portRange(first, last), schema.Path("spec.server.port"), p))
		}
	}
	return out
}

func portRange(first, last int32) string {
	if first == last {
		return strconv.Itoa(int(first))
	}
	return strconv.Itoa(int(first)) + "-" + strconv.Itoa(int(last))
}

// withoutPool checks what needs the InferencePool when it is not made.
func withoutPool(s stack) []schema.Problem {
	made := s.Spec.Pool.Create && s.Spec.Scheduler.Enabled
	if made {
		return nil
	}
	why := "pool.create is false"
	if !s.Spec.Scheduler.Enabled {
		why = "scheduler.enabled is false, and the pool is made with the EPP"
	}
	var out []schema.Problem
	if !s.Spec.Scheduler.Enabled && s.Spec.Prefill != nil {
		out = append(out, s.Problem(schema.Warning, "spec.prefill", "stands idle unless an EPP from elsewhere picks the prefill server of each request: set scheduler.enabled: true, or remove the section"))
	}
	if !s.Spec.Scheduler.Enabled && s.Spec.Encode != nil {
		out = append(out, s.Problem(schema.Warning, "spec.encode", "stands idle unless an EPP from elsewhere picks the encode server of each request: set scheduler.enabled: true, or remove the section"))
	}
	if len(s.Spec.Objectives) > 0 {
		out = append(out, s.Problem(schema.Error, "spec.objectives", "need the InferencePool: %s", why))
	}
	if len(s.Spec.ModelRewrites) > 0 {
		out = append(out, s.Problem(schema.Error, "spec.modelRewrites", "need the InferencePool: %s", why))
	}
	for _, g := range s.Gateways() {
		if s.Spec.Scheduler.Enabled && s.Spec.Route.Enabled && s.Leads(schema.BackendPool) && !g.Standalone() && !g.UsesEnvoyFilter() {
			out = append(out, s.Problem(schema.Error, "spec.pool.create", "must be true for gateway class %s, whose route names the InferencePool; only class envoy, or an EnvoyFilter, works without", g.Class))
			break
		}
	}
	return out
}

// objectiveNames refuses two objectives of one name.
func objectiveNames(s stack) (out []schema.Problem) {
	var seen []string
	for i, o := range s.Spec.Objectives {
		if slices.Contains(seen, o.Name) {
			out = append(out, s.Problem(schema.Error, finding.Indexed("spec.objectives", i)+".name", "%s is listed twice", o.Name))
		}
		seen = append(seen, o.Name)
	}
	return out
}

// eppNamespace checks what follows from the EPP's namespace.
func eppNamespace(s stack) []schema.Problem {
	sched := &s.Spec.Scheduler
	if !sched.Enabled {
		return nil
	}
	at := schedulerPath + ".namespace"
	own := sched.Namespace
	if own == "" {
		own = s.Metadata.Namespace
	}
	var out []schema.Problem
	switch {
	case sched.Namespace != "" && s.Metadata.Namespace == "":
		return []schema.Problem{s.Problem(schema.Error, "metadata.namespace", "is required because scheduler.namespace is set: the EPP must be told where the servers are")}
	case own == "" && sched.MetricsAuth:
		out = append(out, s.Problem(schema.Error, "metadata.namespace", "is required because of scheduler.metricsAuth: a ClusterRoleBinding names the namespace of its ServiceAccount"))
	case own == "":
		out = append(out, s.Problem(schema.Info, "metadata.namespace", "is not set: kustomize and kpt fill it in, but kubectl apply refuses the EPP's RoleBinding without"))
	}
	if own == s.Metadata.Namespace {
		return out
	}
	for _, g := range s.Gateways() {
		if s.Spec.Route.Enabled && s.Leads(schema.BackendPool) && !g.Standalone() && !g.UsesEnvoyFilter() {
			return append(out, s.Problem(schema.Error, at, "must be the stack's, %s, where a gateway of class %s looks for the EPP (got %q); %s",
				s.Metadata.Namespace, g.Class, own, elsewhereAdvice(g)))
		}
	}
	return out
}

func elsewhereAdvice(g *schema.Gateway) string {
	options := []string{"move the EPP", "use class envoy"}
	if g.Row().EnvoyFilter {
		options = append(options, "set gateway.extProc: envoyFilter")
	}
	return strings.Join(options, ", or ")
}
