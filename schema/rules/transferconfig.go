package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// transferConfigs judges whole --kv-transfer-configs: the roles, and the names of the
// connectors, also those within a MultiConnector.
func transferConfigs(s stack) []schema.Problem {
	out := s.transferConfig("spec.kvTransfer.config", s.Spec.KVTransfer.Config)
	out = append(out, s.transferConfig("spec.kvTransfer.prefillConfig", s.Spec.KVTransfer.PrefillConfig)...)
	out = append(out, s.configuredSpans()...)
	return append(out, s.transferSides()...)
}

// configuredSpans warns of vLLM's own offloading where a copy of the model spans nodes, as
// offloadSpans refuses it; an image may be older than the shared memory, and a spec_name may be
// that of a program that has none.
func (s stack) configuredSpans() (out []schema.Problem) {
	said := map[string]bool{}
	for _, r := range s.Workloads() {
		at := "spec.kvTransfer.config"
		if s.Spec.KVTransfer.PrefillConfig != nil && r.RoleName == schema.RolePrefill {
			at = "spec.kvTransfer.prefillConfig"
		}
		if at = ownOffloading(at, s.TransferConfig(r.Role)); at == "" || said[at] || !r.Parallelism.SpansNodes() || !s.RunsVLLM() {
			continue
		}
		said[at] = true
		out = append(out, s.Problem(schema.Warning, at, "OffloadingConnector needs each copy of the model on one node: vLLM keeps the blocks of a copy in one file of shared memory, and the servers do not start where %s spreads one over %d nodes; leave it out, or use nodes: 1", schema.Path(r.Path), r.Parallelism.Nodes))
	}
	return out
}

// ownOffloading is where a --kv-transfer-config names vLLM's OffloadingConnector in its own
// form, or "".
func ownOffloading(at string, config map[string]any) string {
	extra, _ := config["kv_connector_extra_config"].(map[string]any)
	if config["kv_connector"] == "OffloadingConnector" && extra["spec_name"] == nil {
		return at + ".kv_connector"
	}
	connectors, _ := extra["connectors"].([]any)
	for i, c := range connectors {
		one, _ := c.(map[string]any)
		if found := ownOffloading(finding.Indexed(at+".kv_connector_extra_config.connectors", i), one); found != "" {
			return found
		}
	}
	return ""
}

// transferSides refuses roles with which the servers of a side do not do their part: decode
// servers read the KV cache that prefill servers write.
func (s stack) transferSides() (out []schema.Problem) {
	if s.Spec.Prefill == nil {
		return nil
	}
	kv := &s.Spec.KVTransfer
	if kv.Config["kv_role"] == "kv_producer" {
		out = append(out, s.Problem(schema.Error, "spec.kvTransfer.config.kv_role", "must be kv_consumer or kv_both: decode servers read the KV cache, and with kv_producer they only write"))
	}
	at, config := "spec.kvTransfer.prefillConfig.kv_role", kv.PrefillConfig
	if config == nil {
		at, config = "spec.kvTransfer.config.kv_role", kv.Config
	}
	if config["kv_role"] == "kv_consumer" {
		out = append(out, s.Problem(schema.Error, at, "must be kv_producer or kv_both for prefill servers, which write the KV cache, and with kv_consumer only read; prefillConfig is theirs alone"))
	}
	return out
}

func (s stack) transferConfig(at string, config map[string]any) (out []schema.Problem) {
	if config == nil {
		return nil
	}
	if role, written := config["kv_role"]; written && !slices.ContainsFunc(schema.TransferRoles, func(r string) bool { return r == role }) {
		out = append(out, s.Problem(schema.Error, at+".kv_role", "must be one of %s (got %v)", strings.Join(schema.TransferRoles, ", "), role))
	}
	known := schema.KnownConnectors("kv-connectors")
	name, _ := config["kv_connector"].(string)
	switch _, written := config["kv_role"]; {
	case !s.RunsVLLM():
	case name == "":
		out = append(out, s.Problem(schema.Error, at, "has no kv_connector, without which vLLM transfers nothing"))
	case !written:
		out = append(out, s.Problem(schema.Error, at, "has no kv_role, without which vLLM exits at startup; it is one of %s", strings.Join(schema.TransferRoles, ", ")))
	}
	_, external := config["kv_connector_module_path"]
	if name != "" && !external && !slices.Contains(known, name) {
		why := "is not a connector of vLLM, which exits at startup unless kv_connector_module_path names one of your own"
		if near := near.Of(name, known); near != "" {
			why += "; did you mean " + near + "?"
		}
		out = append(out, s.Problem(schema.Warning, at+".kv_connector", "%s (got %q)", why, name))
	}
	for _, flaw := range schema.TransferFlaws(config) {
		out = append(out, s.Problem(schema.Error, at, "%s; %s", flaw.Message, flaw.Fix))
	}
	extra, _ := config["kv_connector_extra_config"].(map[string]any)
	inner, _ := extra["connectors"].([]any)
	for i, c := range inner {
		if c, ok := c.(map[string]any); ok {
			out = append(out, s.transferConfig(finding.Indexed(at+".kv_connector_extra_config.connectors", i), c)...)
		}
	}
	return out
}

// unlikeRoles warns of settings in which prefill and decode servers must be alike: the KV
// cache of one is read by the other.
func unlikeRoles(s stack) (out []schema.Problem) {
	if s.Spec.Prefill == nil || s.Simulated() || s.Spec.Server.Launch == "custom" {
		return nil
	}
	for _, p := range s.prefills() {
		out = append(out, s.unlike(s.decodes()[0], p)...)
	}
	for _, d := range s.decodes()[1:] {
		out = append(out, s.unlike(d, s.prefills()[0])...)
	}
	return out
}

// unlike compares decode servers with prefill servers.
func (s stack) unlike(decode, prefill schema.Workload) (out []schema.Problem) {
	theirs, own := s.argumentsOf(decode.Role), s.argumentsOf(prefill.Role)
	out = append(out, s.incompatible(decode, prefill)...)
	out = append(out, s.shorter(decode, prefill)...)
	for _, flag := range []string{"block-size", "page-size", "kv-cache-dtype", "dtype"} {
		fromFields := func(r schema.Workload) string {
			switch flag {
			case "kv-cache-dtype":
				return s.VLLMOf(r.Role).KVCacheDtype
			case "dtype": // of the blocks too, where their own is auto
				return s.VLLMOf(r.Role).Dtype
			}
			return ""
		}
		if d, p := cmp.Or(theirs[flag], fromFields(decode), "its default"), cmp.Or(own[flag], fromFields(prefill), "its default"); d != p {
			out = append(out, s.Problem(schema.Warning, prefill.Path+".args", "--%s is %s here and %s on the decode servers, which read the blocks that prefill servers write; make them the same", flag, p, d))
		}
	}
	return out
}

// shorter warns of prefill servers that take shorter contexts than decode servers: clients see the
// limit of decode, and prompts beyond that of prefill fail there.
func (s stack) shorter(decode, prefill schema.Workload) []schema.Problem {
	mine, theirs := s.VLLMOf(prefill.Role).MaxModelLen, s.VLLMOf(decode.Role).MaxModelLen
	if !s.RunsVLLM() || mine == nil || theirs == nil || *mine >= *theirs {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Warning, s.settingPath(prefill, "maxModelLen"), "is below that of the decode servers, %d: prompts in between fail on the prefill servers; make them the same (got %d)", *theirs, *mine)}
}

// incompatible warns of servers of which NIXL refuses each transfer: its handshake compares
// vLLM's version and attention backend (vllm nixl_connector.py, compute_nixl_compatibility_hash).
func (s stack) incompatible(decode, prefill schema.Workload) []schema.Problem {
	line := s.line()
	if line == nil || !s.RunsVLLM() || s.Connector() != "nixlv2" || s.Spec.KVTransfer.Config != nil {
		return nil
	}
	mine, theirs := s.AcceleratorOf(prefill.Role).Type, s.AcceleratorOf(decode.Role).Type
	if proven := line.VLLM.ConnectorAccelerators; !slices.Contains(proven, mine) || !slices.Contains(proven, theirs) {
		return nil // and a configuration is asked for
	}
	d, p := versionOfVLLM(s.ServerImage(decode.Role, line)), versionOfVLLM(s.ServerImage(prefill.Role, line))
	if d == "" || p == "" {
		return nil
	}
	of, other := prefill, decode
	decides := decode.Image != "" || prefill.Accelerator == nil && decode.Accelerator != nil
	if decode.Variant != nil && decode.Variant.Image != "" || prefill.Image == "" && decides {
		of, other, d, p, mine, theirs = decode, prefill, p, d, theirs, mine
	}
	if d != p {
		at := of.Path + ".image"
		if of.Image == "" {
			at = s.acceleratorPath(of)
		}
		return []schema.Problem{s.Problem(schema.Warning, at, "gives these servers version %s, and %s has %s: vLLM exchanges KV cache between servers of one version only, and each transfer between them fails", p, schema.Path(other.Path), d)}
	}
	if mine != theirs {
		return []schema.Problem{s.Problem(schema.Info, s.acceleratorPath(of), "is %s, and that of %s %s: vLLM exchanges KV cache only between servers with the same attention backend and layout of blocks, so try a transfer first", mine, schema.Path(other.Path), theirs)}
	}
	return nil
}

// versionOfVLLM is the version that the tag of an image names, "" if it names none, as latest and a
// digest, or if the image is known as another engine's.
func versionOfVLLM(image string) string {
	if known := release.OfImage(image); known != nil && !strings.HasPrefix(known.Component.Name, "vllm") {
		return ""
	}
	_, tag := release.SplitImage(image)
	if number := strings.TrimPrefix(tag, "v"); number == "" || number[0] < '0' || number[0] > '9' {
		return ""
	}
	return tag
}

// argumentsOf are the values of the flags that a role's servers are given by the user.
func (s stack) argumentsOf(r *schema.Role) map[string]string {
	out, args := map[string]string{}, slices.Concat(s.Spec.Server.Args, r.Args)
	for i, arg := range args {
		name, found := flagName(arg)
		_, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		if found {
			out[name] = value
		}
	}
	return out
}
