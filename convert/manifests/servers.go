package manifests

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/serverside"
)

// all are the fields of the servers of a role; what all roles have alike is said once.
func (r role) all(made object) [][]proposal {
	to := "spec." + r.name + "."
	replicas := at(r.what, "spec", "replicas")
	out := [][]proposal{one(to+"replicas", replicas)}
	if r.variant == "" && !r.bundled {
		out = append(out, one(to+"name", text(r.what, "metadata", "name")))
	}
	out = append(out, r.parallelism(to), r.accelerators())
	out = append(out,
		r.both("resources", r.resources()),
		r.both("image", at(r.main, "image")),
		one("spec.server.sharedMemory", r.memories()...),
		one("spec.server.terminationGracePeriodSeconds", r.grace()),
		one("spec.server.serviceAccountName", at(r.pod, "spec", "serviceAccountName")),
		one("spec.server.lifecycle", at(r.main, "lifecycle")),
	)
	out = append(out, r.rollout(to))
	out = append(out, r.settings()...)
	out = append(out, r.extras(made)...)
	return append(out, podFields(to, r.pod, r.main)...)
}

// grace is the time to end that somebody chose: an object of a cluster has the default of 30 s
// where nobody did.
func (r role) grace() any {
	seconds := at(r.pod, "spec", "terminationGracePeriodSeconds")
	if seconds == 30 && !r.own() {
		return nil
	}
	return seconds
}

// rollout is how the workload replaces its pods.
func (r role) rollout(to string) []proposal {
	chosen := r.what
	if !r.own() {
		chosen = serverside.Without(r.what)
	}
	rolling := at(chosen, "spec", "strategy", "rollingUpdate")
	if rolling == nil {
		rolling = at(chosen, "spec", "rolloutStrategy", "rollingUpdateConfiguration")
	}
	out := one(to+"rollout.type", at(chosen, "spec", "strategy", "type"))
	if m := mapping(freeform.Copy(rolling)); m != nil {
		out = append(out, proposal{to + "rollout": m})
	}
	return out
}

// own reports whether a stack made the workload.
func (r role) own() bool { return text(r.what, "metadata", "labels", managedBy) == "inferstack" }

// both are a field of the server section and of the role.
func (r role) both(field string, values ...any) []proposal {
	return append(one("spec.server."+field, values...), one("spec."+r.name+"."+field, values...)...)
}

// resources are those of the container without its accelerators.
func (r role) resources() any {
	out := mapping(freeform.Copy(r.main["resources"]))
	for _, part := range out {
		for name := range mapping(part) {
			if strings.Contains(name, "/") {
				delete(mapping(part), name)
			}
		}
	}
	delete(out, "claims")
	if len(out) == 0 {
		return nil
	}
	return out
}

func (r role) memories() []any {
	return lists.Map(list(at(r.pod, "spec", "volumes")), func(v any) any { return at(v, "emptyDir", "sizeLimit") })
}

// parallelism are the ranks that the command line or the group says.
func (r role) parallelism(to string) []proposal {
	p := object{}
	for field, v := range map[string]any{
		"tensor":   r.number("tensor-parallel-size", "tp", "tp-size", "tp_size"),
		"pipeline": r.number("pipeline-parallel-size", "pp-size", "pp_size"), "data": r.number("data-parallel-size", "dp-size"),
		"dataLocal": r.number("data-parallel-size-local"), "nodes": at(r.what, "spec", "leaderWorkerTemplate", "size"),
	} {
		if v != nil {
			p[field] = v
		}
	}
	if strings.Contains(strings.Join(r.words, " "), "--enable-expert-parallel") {
		p["expert"] = true
		if backend := r.flag("all2all-backend"); len(backend) > 0 {
			p["all2allBackend"] = backend[0]
		}
	}
	nodes, local := at(p, "nodes"), at(p, "dataLocal")
	if n, ok := nodes.(int); ok && n > 1 && p["data"] == nil {
		if l, ok := local.(int); ok {
			p["data"] = l * n
		}
	}
	out := []proposal{{to + "parallelism": p}}
	if nodes != nil && p["data"] == nil {
		for _, field := range []string{"data", "pipeline"} {
			alone := freeform.Copy(p).(object)
			alone[field] = nodes
			out = append(out, proposal{to + "parallelism": alone})
		}
	}
	for field, v := range sorted(p) {
		out = append(out, proposal{to + "parallelism." + field: v})
	}
	if l, ok := local.(int); ok {
		if n, ok := nodes.(int); ok {
			whole := freeform.Copy(p).(object)
			whole["data"] = l * n
			out = append(out, proposal{to + "parallelism": whole})
		}
	}
	return out
}

// accelerators are the devices of the container, and where the pod is to find them.
func (r role) accelerators() (out []proposal) {
	at1 := func(field string, v any) { out = append(out, r.both("accelerator."+field, v)...) }
	for _, typ := range r.devices() {
		at1("type", typ)
	}
	at1("tolerate", false)
	for name, n := range sorted(mapping(at(r.main, "resources", "limits"))) {
		if strings.Contains(name, "/") {
			at1("resourceName", name)
			at1("count", numeric(text(n)))
		}
	}
	selector := mapping(at(r.pod, "spec", "nodeSelector"))
	if tpu := text(selector, "cloud.google.com/gke-tpu-accelerator"); tpu != "" {
		for _, to := range []string{"spec.server.accelerator", "spec." + r.name + ".accelerator"} {
			out = append(out, proposal{to: object{"type": "google-tpu", "tpu": object{"accelerator": tpu, "topology": text(selector, "cloud.google.com/gke-tpu-topology")}}})
		}
	}
	required := at(r.pod, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms", "", "matchExpressions")
	for _, e := range list(required) {
		at1("nodeLabel", object{"key": at(e, "key"), "values": at(e, "values")})
	}
	return out
}

// devices are the kinds of accelerator that the container could have by the resource that it asks
// for; a CPU for one that asks for none.
func (r role) devices() []string {
	for name := range mapping(at(r.main, "resources", "limits")) {
		switch vendor, _, extended := strings.Cut(name, "/"); {
		case vendor == "amd.com":
			return []string{"amd"}
		case vendor == "habana.ai":
			return []string{"intel-gaudi"}
		case vendor == "gpu.intel.com":
			return []string{"intel-xpu"}
		case extended:
			return nil
		}
	}
	if at(r.pod, "spec", "resourceClaims") != nil {
		return nil
	}
	return []string{"cpu"}
}

// settings are the flags with a field of their own.
func (r role) settings() [][]proposal {
	fields := []struct{ field, flag string }{
		{"sglang.contextLength", "context-length"}, {"sglang.memFractionStatic", "mem-fraction-static"}, {"sglang.maxRunningRequests", "max-running-requests"},
		{"trtllm.maxSeqLen", "max_seq_len"}, {"trtllm.maxBatchSize", "max_batch_size"}, {"trtllm.freeGpuMemoryFraction", "free_gpu_memory_fraction"},
		{"simulator.maxModelLen", "max-model-len"}, {"simulator.maxNumSeqs", "max-num-seqs"}, {"simulator.kvCacheSize", "kv-cache-size"}, {"simulator.verbosity", "v"},
	}
	out := [][]proposal{
		one("spec.server.launch", "image"),
		one("spec.server.simulator.mode", "echo"),
		{{"spec.server.simulator.dummyTokenizer": false}},
	}
	out = append(out, r.vllm()...)
	for _, f := range fields {
		out = append(out, one("spec.server."+f.field, r.number(f.flag), r.number(argv.Hyphened(f.flag))))
	}
	return out
}

// ranks are the parallelism of all roles at once, since rules hold one against another.
func (s *sources) ranks() proposal {
	p := proposal{}
	for _, r := range s.roles {
		to := "spec." + r.name + "."
		p[to+"parallelism"] = r.parallelism(to)[0][to+"parallelism"]
	}
	return p
}

// extras are the words, variables, volumes and mounts of the container that nothing makes
// so far, one by one.
func (r role) extras(made object) [][]proposal {
	have := flat{}
	if all := templates(made); len(all) > 0 {
		have.value("", all[0])
	}
	want := flat{}
	want.value("", r.pod)
	missing := func(field string, e any) bool {
		for path, v := range want {
			if other, ok := have[path]; (!ok || other != v) && strings.Contains(path, "."+field+"[") && strings.Contains(path, "["+entry(0, e)+"]") {
				return true
			}
		}
		return false
	}
	var out [][]proposal
	args := list(r.main["args"])
	for i, w := range args {
		if word, ok := w.(string); ok && strings.HasPrefix(word, "-") {
			end := i + 1
			for end < len(args) && !strings.HasPrefix(text(args[end]), "-") {
				end++
			}
			if missing("args", word) {
				out = append(out, r.added("args", args[i:end]...))
			}
		}
	}
	for field, l := range sorted(map[string]any{"env": r.main["env"], "envFrom": r.main["envFrom"], "volumeMounts": r.main["volumeMounts"], "volumes": at(r.pod, "spec", "volumes")}) {
		for _, e := range list(l) {
			if missing(field, e) {
				out = append(out, r.added(field, e))
			}
		}
	}
	return out
}

// more is a proposal to add to a list.
type more []any

// also is a proposal to add to a mapping.
type also object

func (r role) added(field string, e ...any) []proposal {
	return []proposal{{"spec.server." + field: more(e)}, {"spec." + r.name + "." + field: more(e)}}
}

// model are the fields of the model.
func (s *sources) model(r role) [][]proposal {
	var tokens []any
	for _, e := range list(r.main["env"]) {
		if name := text(e, "valueFrom", "secretKeyRef", "name"); name != "" {
			tokens = append(tokens, object{"name": name, "key": text(e, "valueFrom", "secretKeyRef", "key")})
		}
	}
	out := [][]proposal{
		one("spec.model.tokenSecret", tokens...),
		one("spec.model.servedNames", anyList(r.flag("served-model-name"))),
	}
	out = append(out, r.adapters(), s.options())
	var storage []proposal
	for _, v := range list(at(r.pod, "spec", "volumes")) {
		if claim := text(v, "persistentVolumeClaim", "claimName"); claim != "" {
			base := object{"type": "pvc", "existingClaim": claim}
			storage = append(storage, proposal{"spec.model.storage": base}, proposal{"spec.model.storage": object{"type": "pvc", "existingClaim": claim, "readOnly": true}})
		}
		storage = append(storage, one("spec.model.storage.size", at(v, "emptyDir", "sizeLimit"))...)
	}
	for _, m := range s.g.of("PersistentVolumeClaim") {
		made := object{"type": "pvc", "size": at(m.what, "spec", "resources", "requests", "storage"), "name": m.ref.Name}
		if class := at(m.what, "spec", "storageClassName"); class != nil {
			made["storageClassName"] = class
		}
		if mode := at(m.what, "spec", "accessModes", ""); mode != nil {
			made["accessMode"] = mode
		}
		storage = append(storage, proposal{"spec.model.storage": made})
	}
	for _, v := range list(r.main["volumeMounts"]) {
		out = append(out, one("spec.model.storage.mountPath", at(v, "mountPath")))
	}
	return append(out, storage)
}

func anyList(all []string) any {
	if len(all) == 0 {
		return nil
	}
	return anys(all)
}

// adapters are the LoRA adapters of the command line.
func (r role) adapters() []proposal {
	var all []any
	for _, module := range r.flag("lora-modules") {
		name, path, _ := strings.Cut(module, "=")
		source := "hf://" + path
		if claim, ok := strings.CutPrefix(path, "/adapters/pvc/"); ok {
			source = "pvc://" + claim
		}
		all = append(all, object{"name": name, "source": source})
	}
	if all == nil {
		return nil
	}
	lora := object{"adapters": all}
	for flag, field := range map[string]string{"max-lora-rank": "maxRank", "max-loras": "maxAdapters", "max-cpu-loras": "maxCpuAdapters"} {
		if n := r.number(flag); n != nil {
			lora[field] = n
		}
	}
	return []proposal{{"spec.model.lora": lora}}
}

// options are TensorRT-LLM's, in a ConfigMap.
func (s *sources) options() (out []proposal) {
	for _, m := range s.g.of("ConfigMap") {
		var options object
		if yaml.Unmarshal([]byte(text(m.what, "data", "llm_api_options.yaml")), &options) == nil && len(options) > 0 {
			out = append(out, proposal{"spec.server.trtllm.extraLlmApiOptions": options})
			for key, v := range sorted(options) {
				out = append(out, proposal{"spec.server.trtllm.extraLlmApiOptions": object{key: v}})
			}
		}
	}
	return out
}
