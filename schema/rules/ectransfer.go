package rules

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

const (
	encodePath     = "spec.encode"
	ecTransferPath = "spec.ecTransfer"
)

// encodeFits checks encode servers, and the transfer of what they make, against engine and
// release line.
func encodeFits(s stack) []schema.Problem {
	line := s.line()
	switch {
	case s.Spec.Encode == nil && s.Has(ecTransferPath):
		return []schema.Problem{s.Problem(schema.Warning, ecTransferPath, "has no effect without an encode section")}
	case s.Spec.Encode == nil || line == nil:
		return nil
	case !line.Encodes():
		return []schema.Problem{s.Problem(schema.Error, encodePath, "needs a release line whose EPP and routing sidecar know encode servers, not %s; use release %s", line.Name, linesThat((*release.Line).Encodes))}
	case !s.RunsVLLM() && !s.Simulated():
		return []schema.Problem{s.Problem(schema.Error, encodePath, "cannot be used with engine: %s: the routing sidecar asks encode servers of vLLM", s.Spec.Server.Engine)}
	}
	out := s.withoutCache(encodePath)
	for _, r := range s.encodes() {
		if r.Variant != nil {
			out = append(out, s.withoutCache(r.Path)...)
		}
		out = append(out, s.encodeSpreads(r)...)
	}
	if at := schedulerPath + ".failureMode"; s.Spec.Scheduler.Enabled && s.Spec.Scheduler.FailureMode == "FailOpen" {
		out = append(out, s.Problem(schema.Info, at, "is FailOpen: while no EPP answers, the gateway sends requests to encode servers too, which cannot answer them; FailClose refuses all of them"))
	}
	if s.RunsVLLM() && s.Spec.Server.Launch != "custom" {
		out = append(out, s.ecConfigs()...)
		out = append(out, s.ecServers(line)...)
	}
	return out
}

// withoutCache refuses settings of the KV cache, which encode servers do not have.
func (s stack) withoutCache(path string) (out []schema.Problem) {
	for _, field := range []string{".kvRole", ".offload", ".vllm.prefixCaching"} {
		if at := path + field; s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "is not for encode servers, which have no KV cache"))
		}
	}
	return out
}

// encodeSpreads refuses servers of several ranks or nodes: a vision encoder is small, and each
// rank would take a port for the addresses of its embeddings.
func (s stack) encodeSpreads(r schema.Workload) (out []schema.Problem) {
	for _, f := range []struct {
		name string
		n    int32
	}{{"data", r.Parallelism.Data}, {"nodes", r.Parallelism.Nodes}} {
		if f.n > 1 {
			out = append(out, s.Problem(schema.Error, r.Path+".parallelism."+f.name, "must be 1 for encode servers; set %s (got %d)", schema.Path(r.Path+".replicas"), f.n))
		}
	}
	return out
}

// ecConfigs checks whole --ec-transfer-configs, and what the connector's own needs.
func (s stack) ecConfigs() (out []schema.Problem) {
	ec := &s.Spec.ECTransfer
	switch {
	case (ec.Config == nil) != (ec.ConsumerConfig == nil):
		at, other := ".config", ".consumerConfig"
		if ec.Config == nil {
			at, other = other, at
		}
		return []schema.Problem{s.Problem(schema.Error, ecTransferPath+at, "goes with %s, that of the servers on the other side", schema.Path(ecTransferPath+other))}
	case ec.Config != nil:
		out = append(out, s.ecConfig(".config", ec.Config, "ec_producer", "encode servers write embeddings")...)
		return append(out, s.ecConfig(".consumerConfig", ec.ConsumerConfig, "ec_consumer", "these servers read embeddings")...)
	case ec.Connector == schema.ECExample && ec.ClaimName == "":
		out = append(out, s.Problem(schema.Error, ecTransferPath+".claimName", "is required with connector: ec-example: it names the claim through which servers exchange embeddings"))
	}
	return out
}

// ecConfig checks a whole --ec-transfer-config (vllm config/ec_transfer.py).
func (s stack) ecConfig(field string, config map[string]any, role, why string) []schema.Problem {
	at := ecTransferPath + field
	switch own := config["ec_role"]; {
	case config["ec_connector"] == nil:
		return []schema.Problem{s.Problem(schema.Error, at, "has no ec_connector, without which vLLM transfers nothing")}
	case own == nil:
		return []schema.Problem{s.Problem(schema.Error, at, "has no ec_role, without which vLLM exits at startup; write %s", role)}
	case own != role && own != "ec_both":
		return []schema.Problem{s.Problem(schema.Error, at+".ec_role", "must be %s or ec_both: %s (got %v)", role, why, own)}
	default:
		return nil
	}
}

// ecServers refuses servers that cannot exchange embeddings by NIXL: those of a vendor on which
// it is not proven, and those whose vLLM takes the setting and does nothing.
func (s stack) ecServers(line *release.Line) []schema.Problem {
	if !s.OwnECConnector(schema.ECNIXL) {
		return nil
	}
	var out []schema.Problem
	for _, r := range s.Workloads() {
		if !s.ExchangesEmbeddings(r.Role) {
			continue
		}
		vendor, image := s.AcceleratorOf(r.Role).Type, s.ServerImage(r.Role, line)
		known := release.ModelServer(image)
		switch {
		case !slices.Contains(line.VLLM.ECAccelerators, vendor):
			out = append(out, s.Problem(schema.Error, ecTransferPath+".config", "is required for %s on %s: ec-nixl is proven on %s only; write the --ec-transfer-configs that the image knows, or use connector: ec-example",
				schema.Path(r.Path), vendor, strings.Join(line.VLLM.ECAccelerators, ", ")))
		case known != nil && known.Since(schema.ECNIXL) != "" && known.Value(schema.ECNIXL) == "":
			out = append(out, s.Problem(schema.Error, ecTransferPath+".connector", "ec-nixl needs vLLM %s or later for %s; %s takes the setting and transfers nothing, so that each server encodes for itself", known.Since(schema.ECNIXL), schema.Path(r.Path), image))
		}
	}
	return append(out, s.ecVersions(line)...)
}

// ecVersions warns of servers that refuse each other's embeddings: they compare vLLM's version
// (vllm distributed/ec_transfer/ec_connector/cpu, compute_ec_compatibility_hash).
func (s stack) ecVersions(line *release.Line) (out []schema.Problem) {
	for _, e := range s.encodes() {
		for _, r := range s.WorkloadsOf(s.Prefiller()) {
			own, theirs := versionOfVLLM(s.ServerImage(e.Role, line)), versionOfVLLM(s.ServerImage(r.Role, line))
			if own != "" && theirs != "" && own != theirs {
				out = append(out, s.Problem(schema.Warning, e.Path+".image", "gives these servers version %s, and %s has %s: vLLM exchanges embeddings between servers of one version only, and the others encode for themselves", own, schema.Path(r.Path), theirs))
				break
			}
		}
	}
	return out
}
