package manifests

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
)

// proposals are what the fields of a stack could say, the choices of a field together.
func (s *sources) proposals(t *trial) [][]proposal {
	out := lists.Map(s.roles, func(r role) []proposal {
		return one("spec.model.label", at(r.pod, "metadata", "labels", "llm-d.ai/model"))
	})
	out = append(out, one("metadata.name", anys(s.names())...), one("spec.model.name", anys(s.models())...))
	out = append(out, s.gateways()...)
	out = append(out, s.pool()...)
	out = append(out, []proposal{s.ranks()})
	for _, r := range s.roles {
		out = append(out, s.offloads(t, r)...)
	}
	out = append(out, s.parts()...)
	for _, r := range s.roles {
		out = append(out, s.model(r)...)
	}
	made := render(t.stack)
	out = append(out, s.picker(find(made, s.epp.what))...)
	for _, r := range s.roles {
		out = append(out, r.all(find(made, r.what))...)
	}
	out = append(out, s.operations()...)
	for _, r := range s.roles {
		out = append(out, s.metadata("spec."+r.name+".", r.what)...)
	}
	if set := s.g.set(); set != nil {
		out = append(out, s.metadata("spec.server.", set.rest(""))...)
	}
	if s.g.poolless {
		return out
	}
	return append(out, s.metadata("spec.scheduler.", s.epp.what)...)
}

// one are the values that a field could have.
func one(path string, values ...any) (out []proposal) {
	for _, v := range values {
		if v != nil && v != "" {
			out = append(out, proposal{path: v})
		}
	}
	return out
}

func anys(all []string) []any {
	out := make([]any, len(all))
	for i, s := range all {
		out[i] = s
	}
	return out
}

// pool are the fields of the InferencePool.
func (s *sources) pool() [][]proposal {
	if s.g.poolless {
		return [][]proposal{one("spec.server.port", s.ports()...)}
	}
	spec := s.g.pool.what["spec"]
	ports := lists.Map(list(at(spec, "targetPorts")), func(p any) any { return at(p, "number") })
	out := [][]proposal{
		one("spec.pool.name", text(s.g.pool.what, "metadata", "name")),
		one("spec.server.port", at(spec, "targetPorts", "", "number"), at(spec, "targetPortNumber")),
		one("spec.pool.targetPorts", ports),
		one("spec.pool.selector", at(spec, "selector", "matchLabels")),
		s.certificate(),
		one("spec.scheduler.failureMode", at(spec, "endpointPickerRef", "failureMode"), "FailClose"), // the API's default
	}
	return out
}

// certificate is the Secret by which the servers speak TLS.
func (s *sources) certificate() (out []proposal) {
	for _, r := range s.roles {
		for _, v := range list(at(r.pod, "spec", "volumes")) {
			out = append(out, one("spec.server.certSecret", at(v, "secret", "secretName"))...)
		}
	}
	return out
}

// picker are the fields of the EPP, of which made is what a stack has so far.
func (s *sources) picker(made object) [][]proposal {
	if s.g.poolless {
		return nil
	}
	template := templates(s.goalOf(s.epp))[0]
	out := [][]proposal{
		one("spec.scheduler.name", s.epp.ref.Name),
		one("spec.scheduler.preset", "default", "predicted-latency", "load-aware", "queue", "prefix-aware", "precise-prefix", "pd-disaggregation", "random", "simulator"),
		one("spec.kvCache.blockSize", 8, 16, 32, 64, 128),
		one("spec.scheduler.disaggregation.decider", "prefix-based", "always"),
	}
	out = append(out, s.predictor(template)...)
	out = append(out, s.config()...)
	out = append(out,
		one("spec.kvCache.events.port", s.eventsPorts("endpoint", "kv-events")...),
		one("spec.kvCache.events.replayPort", s.eventsPorts("replay_endpoint", "kv-replay")...),
		one("spec.scheduler.replicas", at(s.epp.what, "spec", "replicas")),
		one("spec.scheduler.highAvailability", "active-active"),
		one("spec.scheduler.image", at(s.pick, "image")),
		one("spec.scheduler.verbosity", 0, 1, 3, 4, 5),
		[]proposal{{"spec.scheduler.secureServing": false}}, []proposal{{"spec.scheduler.metricsAuth": true}},
		one("spec.scheduler.port", at(s.g.pool.what, "spec", "endpointPickerRef", "port", "number")),
		one("spec.scheduler.resources", at(s.pick, "resources")))
	out = append(out, s.flags(made)...)
	return append(out, podFields("spec.scheduler.", template, s.pick)...)
}

// eventsPorts are those of KV-cache events, by their setting in --kv-events-config or by their name.
func (s *sources) eventsPorts(setting, name string) (out []any) {
	for _, r := range s.roles {
		for _, value := range r.flag("kv-events-config") {
			var config map[string]any
			if err := json.Unmarshal([]byte(value), &config); err == nil {
				port, _ := strings.CutPrefix(text(config[setting]), "tcp://*:")
				if n, err := strconv.Atoi(port); err == nil {
					out = append(out, n)
				}
			}
		}
		for _, p := range list(r.main["ports"]) {
			if text(p, "name") == name {
				out = append(out, at(p, "containerPort"))
			}
		}
	}
	return out
}

// flags are those of the EPP that nothing makes so far, one by one.
func (s *sources) flags(made object) (out [][]proposal) {
	var have []any
	if all := templates(made); len(all) > 0 {
		have = list(main(all[0])["args"])
	}
	for _, w := range list(s.pick["args"]) {
		name, value, valued := strings.Cut(strings.TrimLeft(text(w), "-"), "=")
		if valued && !slices.Contains(have, w) {
			out = append(out, one("spec.scheduler.flags", also{name: value}))
		}
	}
	return out
}

// predictor are the servers beside the EPP that predict latencies.
func (s *sources) predictor(template object) [][]proposal {
	const to = "spec.scheduler.latencyPredictor"
	found := map[string]object{}
	count := 0
	for _, c := range list(at(template, "spec", "containers")) {
		name := text(c, "name")
		if strings.HasPrefix(name, "prediction-server") {
			count, name = count+1, "prediction-server"
		}
		found[name] = mapping(c)
	}
	training, prediction := found["training-server"], found["prediction-server"]
	if training == nil || prediction == nil {
		return nil
	}
	whole := func(more object) proposal {
		more["predictionServers"] = count
		return proposal{to: more}
	}
	out := [][]proposal{
		{whole(object{}), whole(object{"slo": true}), {to: object{"predictionServers": count}, "spec.scheduler.preset": nil}},
		one(to+".streaming", true, false),
	}
	for field, c := range sorted(mapping(object{"training": training, "prediction": prediction})) {
		out = append(out, one(to+"."+field+".image", at(c, "image")), one(to+"."+field+".resources", at(c, "resources")))
	}
	for _, v := range list(at(template, "spec", "volumes")) {
		if size := at(v, "emptyDir", "sizeLimit"); size != nil {
			out = append(out, one(to+".training.volumeSize", size), one(to+".prediction.volumeSize", size))
		}
	}
	return out
}

// config are the EndpointPickerConfigs among the ConfigMaps.
func (s *sources) config() (out [][]proposal) {
	for _, m := range s.g.of("ConfigMap") {
		for key, v := range sorted(mapping(m.what["data"])) {
			var config object
			data, _ := v.(string)
			if yaml.Unmarshal([]byte(data), &config) != nil || text(config, "kind") != "EndpointPickerConfig" {
				continue
			}
			var tokens []any
			for _, p := range list(config["plugins"]) {
				for _, n := range sorted(mapping(at(p, "parameters"))) {
					if i, ok := n.(int); ok {
						tokens = append(tokens, i)
					}
				}
			}
			body := without(config, object{"apiVersion": config["apiVersion"], "kind": config["kind"]})
			grouped := without(config, object{"kind": config["kind"]}) // for an EPP of another group
			out = append(out,
				one("spec.scheduler.disaggregation.nonCachedTokens", tokens...),
				s.whole(body, grouped),
				one("spec.scheduler.configMap.key", key), one("spec.scheduler.configMap.name", m.ref.Name))
		}
	}
	return out
}

// whole are configurations as they are, each alone and with the ports of KV-cache events, without
// which EPP and servers would not meet.
func (s *sources) whole(configs ...object) (out []proposal) {
	events := object{}
	for field, ports := range map[string][]any{"port": s.eventsPorts("endpoint", "kv-events"), "replayPort": s.eventsPorts("replay_endpoint", "kv-replay")} {
		if len(ports) > 0 {
			events[field] = ports[0]
		}
	}
	for _, config := range configs {
		p := proposal{"spec.scheduler.config": config, "spec.scheduler.preset": nil, "spec.scheduler.disaggregation": nil}
		out = append(out, p)
		if len(events) > 0 {
			p = maps.Clone(p)
			p["spec.kvCache.events"] = events
			out = append(out, p)
		}
	}
	return out
}

// metadata are the labels and annotations that a workload has and the pool has not.
func (s *sources) metadata(to string, workload object) (out [][]proposal) {
	for _, field := range []string{"labels", "annotations"} {
		own := object{}
		for key, v := range sorted(mapping(at(workload, "metadata", field))) {
			if !strings.HasPrefix(key, "app.kubernetes.io/") && (s.g.poolless || text(s.g.pool.what, "metadata", field, key) != fmt.Sprint(v)) {
				own[key] = v
			}
		}
		if len(own) > 0 {
			out = append(out, one(to+field, own))
		}
	}
	return out
}

// podFields are the fields of a pod that are taken over as they are.
func podFields(to string, template, c object) (out [][]proposal) {
	for _, field := range []string{"nodeSelector", "tolerations", "affinity", "topologySpreadConstraints", "priorityClassName", "runtimeClassName", "schedulerName", "initContainers"} {
		v := at(template, "spec", field)
		out = append(out, one(to+field, v, unselective(v)))
	}
	for from, field := range sorted(map[string]string{"labels": "podLabels", "annotations": "podAnnotations"}) {
		for key, v := range sorted(mapping(at(template, "metadata", from))) {
			out = append(out, one(to+field, also{key: v}))
		}
	}
	beside := lists.Where(list(at(template, "spec", "containers")), func(other any) bool { return text(other, "name") != text(c, "name") })
	out = append(out, one(to+"containers", orNothing(beside)))
	return out
}

func orNothing(l []any) any {
	if len(l) == 0 {
		return nil
	}
	return l
}

// unselective are constraints without what they select.
func unselective(v any) any {
	out := list(freeform.Copy(v))
	for _, e := range out {
		delete(mapping(e), "labelSelector")
	}
	return orNothing(out)
}
