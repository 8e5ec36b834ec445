package helm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
)

// usualEnvoy names the fields of a proxy that say what a stack's Envoy does by itself, where
// a values file spells out the chart's own: an Envoy that asks the EPP and sends requests to
// the server of its answer, started with that configuration and probed at its ready port
// (gateway-api-inference-extension config/charts/epplib/values.yaml, v1.5.0).
func (r *release) usualEnvoy(p *draft.Part, to string, x *proxy) []string {
	field, text := x.configuration()
	if !strings.Contains(text, "envoy.filters.http.ext_proc") || !strings.Contains(text, "ORIGINAL_DST") {
		return nil
	}
	p.On(to, x.section+"."+field).Dropped().Warn("the stack writes the configuration of an Envoy that asks the EPP and follows its answer, as this one does; what yours says otherwise, as timeouts and limits of connections, is left out: route.timeouts, scheduler.failureMode and gateway.envoy change the stack's")
	spelt := []string{field, "readinessProbe", "livenessProbe", "startupProbe", "volumes", "volumeMounts"}
	if command := x.Command; command == "" || command == "envoy" || strings.HasSuffix(command, "/envoy") {
		spelt = append(spelt, "command")
	}
	if fromPod(x.Env) {
		spelt = append(spelt, "env")
	}
	listens := p.Text(to + ".envoy.listenPort")
	if !slices.ContainsFunc(x.Ports, func(c corev1.ContainerPort) bool {
		number := fmt.Sprint(c.ContainerPort)
		return number != listens && !strings.Contains(text, "port_value: "+number)
	}) {
		spelt = append(spelt, "ports")
	}
	return spelt
}

// configuration is the text of the proxy's configuration, and its field.
func (x *proxy) configuration() (field, text string) {
	data, _ := x.ConfigMap["data"].(map[string]any)
	field = "configMap"
	if len(data) == 0 {
		data, field = x.ConfigMapData, "configMapData"
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if file, _ := data[name].(string); strings.Contains(file, "static_resources") {
			return field, file
		}
	}
	return field, ""
}

// fromPod reports whether all variables are fields of the pod, which an Envoy of a stack has
// no use for.
func fromPod(env []corev1.EnvVar) bool {
	return !slices.ContainsFunc(env, func(e corev1.EnvVar) bool { return e.ValueFrom == nil || e.ValueFrom.FieldRef == nil })
}
