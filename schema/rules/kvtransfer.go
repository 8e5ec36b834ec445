package rules

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/schema"
)

// kvTransferFits checks the transfer of KV cache against engine and release line.
func kvTransferFits(s stack) []schema.Problem {
	const at = "spec.kvTransfer"
	transfer, line := &s.Spec.KVTransfer, s.line()
	var out []schema.Problem
	if s.Spec.Prefill == nil && s.Has(at) && transfer.Config == nil {
		out = append(out, s.Problem(schema.Warning, at, "has no effect without a prefill section"))
	}
	if line != nil && s.Spec.Prefill != nil && line.Sidecar.Connectors[s.Connector()] == "" {
		out = append(out, s.Problem(schema.Error, at+".connector", "the routing sidecar of release %s does not know %s", s.Spec.Release, s.Connector()))
	}
	if transfer.PrefillConfig != nil && (s.Spec.Prefill == nil || transfer.Config == nil) {
		out = append(out, s.Problem(schema.Error, at+".prefillConfig", "goes with a prefill section, and with config for the decode servers"))
	}
	if !s.RunsVLLM() && transfer.Config != nil {
		out = append(out, s.Problem(schema.Error, at+".config", "is vLLM's, and %s is %s", schema.Path(enginePath), s.Spec.Server.Engine))
	}
	if s.Spec.Prefill != nil && s.RunsVLLM() && (s.Connector() == "shared-storage" || s.Connector() == "offloading") && transfer.Config == nil {
		out = append(out, s.Problem(schema.Error, at+".config", "is required with connector: %s: name vLLM's connector and its path here, and mount the storage by %s and volumeMounts", s.Connector(), schema.Path("spec.server.volumes")))
	}
	out = append(out, s.tensorsFit()...)
	out = append(out, s.connectorOfEngine()...)
	out = append(out, s.connectorFits()...)
	return append(out, s.kvRoles()...)
}

// tensorsFit warns of prefill servers that some decode servers cannot read from.
func (s stack) tensorsFit() (out []schema.Problem) {
	if s.Spec.Prefill == nil || !s.RunsVLLM() || s.Connector() != "nixlv2" || s.Spec.KVTransfer.Config != nil {
		return nil
	}
	for _, p := range s.prefills() {
		for _, d := range s.decodes() {
			if p.Parallelism.Tensor > d.Parallelism.Tensor {
				out = append(out, s.Problem(schema.Warning, p.Path+".parallelism.tensor", "is above that of %s, %d, which NIXL cannot serve for models whose KV heads are replicated (got %d)",
					schema.Path(d.Path), d.Parallelism.Tensor, p.Parallelism.Tensor))
				break
			}
		}
	}
	return out
}

// connectorOfEngine refuses a connector of another engine, and settings that only one of them
// reads.
func (s stack) connectorOfEngine() (out []schema.Problem) {
	const at = "spec.kvTransfer."
	if s.Spec.Prefill == nil || s.Simulated() {
		return nil
	}
	sglang := s.Spec.Server.Engine == "sglang"
	switch connector := s.Connector(); {
	case sglang && connector != "sglang":
		out = append(out, s.Problem(schema.Error, at+"connector", "must be sglang with engine: sglang (got %s); transferBackend says how the KV cache is moved", connector))
	case !sglang && connector == "sglang":
		out = append(out, s.Problem(schema.Error, at+"connector", "must not be sglang: %s is %s", schema.Path(enginePath), s.Spec.Server.Engine))
	}
	nixl, whole := s.RunsVLLM() && s.Connector() == "nixlv2", s.Spec.KVTransfer.Config != nil
	for _, f := range []struct {
		name string
		used bool
		why  string
	}{
		{"transferBackend", sglang, "with engine: sglang only"},
		{"bootstrapPort", s.Bootstraps(), "with connectors sglang and mooncake only"},
		{"sideChannelPort", nixl, "with connector nixlv2 only"},
		{"bufferDevice", nixl && !whole, "with connector nixlv2 and without config only"},
		{"backends", nixl && !whole, "with connector nixlv2 and without config only"},
		{"loadFailurePolicy", s.RunsVLLM() && !whole, "with vLLM and without config only"},
	} {
		if s.Has(at+f.name) && !f.used {
			out = append(out, s.Problem(schema.Info, at+f.name, "has no effect: it counts %s", f.why))
		}
	}
	return out
}

// kvRoles refuses roles of KV transfer with which the servers of a side do not do their part.
func (s stack) kvRoles() (out []schema.Problem) {
	for _, r := range s.Workloads() {
		at := r.Path + ".kvRole"
		switch decodes := r.RoleName == schema.RoleDecode; {
		case r.KVRole == "", r.RoleName == schema.RoleEncode: // which another rule says
		case !s.RunsVLLM():
			out = append(out, s.Problem(schema.Error, at, "is vLLM's, and %s is %s", schema.Path(enginePath), s.Spec.Server.Engine))
		case s.Spec.Prefill == nil:
			out = append(out, s.Problem(schema.Info, at, "has no effect without a prefill section"))
		case s.Spec.KVTransfer.Config != nil:
			out = append(out, s.Problem(schema.Error, at, "cannot be combined with %s, which is the whole configuration; write kv_role there", schema.Path("spec.kvTransfer.config")))
		case decodes && r.KVRole == "kv_producer":
			out = append(out, s.Problem(schema.Error, at, "must be kv_consumer or kv_both: decode servers read the KV cache, and with kv_producer they only write"))
		case !decodes && r.KVRole == "kv_consumer":
			out = append(out, s.Problem(schema.Error, at, "must be kv_producer or kv_both: prefill servers write the KV cache, and with kv_consumer they only read"))
		}
	}
	return out
}

// connectorFits refuses the connector's own configuration on accelerators whose images
// have not been shown to load it.
func (s stack) connectorFits() []schema.Problem {
	const at = "spec.kvTransfer.config"
	line, transfer := s.line(), &s.Spec.KVTransfer
	if line == nil || s.Spec.Prefill == nil || !s.RunsVLLM() || transfer.Config != nil || s.Spec.Server.Launch == "custom" {
		return nil
	}
	name := line.VLLM.Connectors[s.Connector()]
	for _, r := range s.Workloads() {
		vendor := s.AcceleratorOf(r.Role).Type
		if vendor == "cpu" && cmp.Or(r.Image, s.Spec.Server.Image) != "" {
			continue // vLLM knows NIXL's buffers there; the image may bring the library
		}
		if name != "" && !slices.Contains(line.VLLM.ConnectorAccelerators, vendor) {
			return []schema.Problem{s.Problem(schema.Error, at, "is required for %s on %s: %s is proven on %s only; write the --kv-transfer-config that the image knows", schema.Path(r.Path), vendor, name, strings.Join(line.VLLM.ConnectorAccelerators, ", "))}
		}
	}
	return nil
}

// hostMemoryFits compares what a pod keeps in memory with what its container may use:
// /dev/shm counts against the limit.
func hostMemoryFits(s stack) (out []schema.Problem) {
	if s.Simulated() {
		return nil
	}
	for _, r := range s.Workloads() {
		offload, shm, need := s.OffloadBytes(r.Role), s.SharedMemory(r.Role), s.HostMemory(r.Role)
		if kept := s.KeptInShm(r.Role); kept > shm.Value() {
			need, what := resource.NewQuantity(kept, resource.BinarySI), "the KV cache that a %s pod offloads"
			if offload == 0 {
				what = "the embeddings of the %s pods"
			}
			out = append(out, s.Problem(schema.Error, "spec.server.sharedMemory", "must be above %s: vLLM keeps "+what+" in /dev/shm (got %s)", need, r.Path[len("spec."):], shm.String()))
		}
		section, at := s.resourcesOf(r)
		if section == nil {
			continue
		}
		at += ".limits.memory"
		limit, limited := section.Limits["memory"]
		switch {
		case !limited || need.Cmp(limit) < 0:
		case offload > 0:
			out = append(out, s.Problem(schema.Error, at, "must be above %s: the shared memory of a %s pod and the KV cache that it offloads are in it (got %s)", need.String(), r.Path[len("spec."):], limit.String()))
		case s.EmbeddingBytes(r.Role) >= limit.Value():
			out = append(out, s.Problem(schema.Error, at, "must be above %s: vLLM keeps the embeddings of each %s pod in /dev/shm, which counts against it (got %s)", resource.NewQuantity(s.EmbeddingBytes(r.Role), resource.BinarySI), r.Path[len("spec."):], limit.String()))
		case limit.Value() >= schema.LeastMemory && (r.RoleName != schema.RoleEncode || s.Has("spec.server.sharedMemory")):
			out = append(out, s.Problem(schema.Warning, at, "is not above %s, %s, which counts against it: a %s server that uses it all is killed (got %s)", schema.Path("spec.server.sharedMemory"), shm.String(), r.Path[len("spec."):], limit.String()))
		}
	}
	return out
}
