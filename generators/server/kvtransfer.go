package server

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/release"
)

const nixlPortName = "nixl"

// kvTransferConfig is vLLM's --kv-transfer-config, or nil when no KV cache leaves the
// accelerator.
func (s server) kvTransferConfig() any {
	var connectors []kvConnector
	if name := s.Line.VLLM.Connectors[s.Connector()]; s.Spec.Prefill != nil && s.Role != base.ComponentEncode && name != "" {
		connectors = append(connectors, s.transferConnector(name))
	}
	if offload := s.offloading(); offload != nil {
		connectors = append(connectors, s.offloadConnector(offload))
	}
	switch {
	case s.TransferConfig(s.Own) != nil:
		return s.TransferConfig(s.Own)
	case len(connectors) == 0:
		return nil
	case len(connectors) == 1:
		return connectors[0]
	default:
		return kvConnector{
			Connector: "MultiConnector",
			Role:      roleBoth,
			Extra:     map[string]any{"connectors": connectors},
		}
	}
}

// transferConnector hands KV cache from prefill to decode servers.
func (s server) transferConnector(name string) kvConnector {
	spec := &s.Spec.KVTransfer
	out := kvConnector{Connector: name, Role: s.transferRole(), FailurePolicy: spec.LoadFailurePolicy}
	out.Buffer = s.Line.VLLM.ConnectorBuffers[s.AcceleratorOf(s.Own).Type]
	if s.UsesNIXL(s.Own) {
		out.Buffer = cmp.Or(spec.BufferDevice, out.Buffer)
		if len(spec.Backends) > 0 {
			out.Extra = map[string]any{"backends": spec.Backends}
		}
	}
	return out
}

// Values of kv_role (vllm config/kv_transfer.py): send KV cache, fetch it, or both.
const (
	roleProducer = "kv_producer"
	roleConsumer = "kv_consumer"
	roleBoth     = "kv_both"
)

// transferRole is what a server does with KV cache, as far as its vLLM tells the two
// apart: one that is not known may be too old for it.
func (s server) transferRole() string {
	known := release.ModelServer(s.image())
	switch {
	case s.Own.KVRole != "":
		return s.Own.KVRole
	case known == nil || known.Value("transfer-roles") == "":
		return roleBoth
	case s.Role == base.ComponentPrefill:
		return roleProducer
	default:
		return roleConsumer
	}
}

// kvConnector is a KV connector of vLLM (vllm config/kv_transfer.py).
type kvConnector struct {
	Connector     string         `json:"kv_connector"`
	Role          string         `json:"kv_role"`
	Buffer        string         `json:"kv_buffer_device,omitempty"`
	FailurePolicy string         `json:"kv_load_failure_policy,omitempty"`
	Extra         map[string]any `json:"kv_connector_extra_config,omitempty"`
}

// usesNIXL reports whether vLLM moves KV cache by NIXL, whose side channel other pods dial.
func (s server) usesNIXL() bool {
	return s.UsesNIXL(s.Own)
}

// bootstraps reports whether the role's servers have a bootstrap port.
func (s server) bootstraps() bool {
	return s.Bootstraps() && s.Role == base.ComponentPrefill
}

// kvTransferEnv tells NIXL under which address other pods find it: the default,
// localhost, lets every transfer fail (llm-d issue 650). Mooncake is told the port of its
// bootstrap server (vllm docs/features/mooncake_connector_usage.md).
func (s server) kvTransferEnv() []corev1.EnvVar {
	if s.bootstraps() && s.RunsVLLM() {
		return []corev1.EnvVar{{Name: "VLLM_MOONCAKE_BOOTSTRAP_PORT", Value: args.Text(s.Spec.KVTransfer.BootstrapPort)}}
	}
	if !s.usesNIXL() {
		return nil
	}
	vars := []corev1.EnvVar{
		base.FieldEnv("VLLM_NIXL_SIDE_CHANNEL_HOST", "status.podIP"),
		{Name: "VLLM_NIXL_SIDE_CHANNEL_PORT", Value: args.Text(s.Spec.KVTransfer.SideChannelPort)},
	}
	own := s.RDMA(s.Own)
	for _, v := range base.FlagEnv(s.Line.VLLM.ConnectorEnv[s.AcceleratorOf(s.Own).Type]) {
		if own == nil || len(own.UcxTransports) == 0 || v.Name != ucxTransportsVar {
			vars = append(vars, v)
		}
	}
	return vars
}

// compactJSON writes a value for a command line, with < and > as they are.
func compactJSON(value any) string { return string(lazyjson.Append(nil, value)) }
