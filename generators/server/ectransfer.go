package server

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/schema"
)

// encodeArgs have vLLM exchange embeddings, and leave out the language model on encode
// servers.
func (s server) encodeArgs(a *args.List) {
	if config := s.ecTransferConfig(); config != nil {
		a.Add("ecTransferConfig", compactJSON(config))
	}
	if s.Role == base.ComponentEncode {
		a.On("mmEncoderOnly")
	}
}

// prefixCaching is vLLM's setting, off on encode servers, which have no KV cache (llm-d-router
// v0.10 deploy/components/vllm-encode).
func (s server) prefixCaching() *bool {
	if s.Role == base.ComponentEncode {
		return new(false)
	}
	return s.VLLMOf(s.Own).PrefixCaching
}

// eventsMode is how the EPP hears of the KV cache of the role's servers, "" if it does not:
// encode servers have none.
func (s server) eventsMode() string {
	if s.Role == base.ComponentEncode {
		return ""
	}
	return kvevents.Mode(s.Stack)
}

// ecConnector is an EC connector of vLLM (vllm config/ec_transfer.py).
type ecConnector struct {
	Connector string         `json:"ec_connector"`
	Role      string         `json:"ec_role"`
	Extra     map[string]any `json:"ec_connector_extra_config"`
}

// ecTransferConfig is vLLM's --ec-transfer-config, or nil where no embeddings are exchanged.
func (s server) ecTransferConfig() any {
	if !s.ExchangesEmbeddings(s.Own) {
		return nil
	}
	if own := s.ECConfig(s.Own); own != nil {
		return own
	}
	config := ecConnector{Connector: s.Line.VLLM.ECConnectors[s.Spec.ECTransfer.Connector], Role: "ec_consumer"}
	if s.Role == base.ComponentEncode {
		config.Role = "ec_producer"
	}
	if s.SharesFiles(s.Own) {
		config.Extra = map[string]any{"shared_storage_path": schema.EmbeddingsDirectory}
	} else {
		config.Extra = map[string]any{"ec_cpu_bytes": s.Spec.ECTransfer.CPUMemory.Value(), "ec_enable_nixl": true}
	}
	return config
}

// ecTransferEnv tells others under which address encode servers answer for their embeddings:
// the default is localhost. ECCPUConnector works with the second model runner only (vllm
// docs/features/ec_cpu_connector.md).
func (s server) ecTransferEnv() []corev1.EnvVar {
	if s.EmbeddingBytes(s.Own) == 0 {
		return nil
	}
	vars := []corev1.EnvVar{{Name: "VLLM_USE_V2_MODEL_RUNNER", Value: "1"}}
	if s.PublishesEmbeddings(s.Own) {
		vars = append(vars,
			base.FieldEnv("VLLM_EC_SIDE_CHANNEL_HOST", "status.podIP"),
			corev1.EnvVar{Name: "VLLM_EC_SIDE_CHANNEL_PORT", Value: args.Text(s.Spec.ECTransfer.SideChannelPort)})
	}
	return vars
}

// ecVolumes is the claim through which servers exchange embeddings.
func (s server) ecVolumes() []corev1.Volume {
	if !s.SharesFiles(s.Own) {
		return nil
	}
	return []corev1.Volume{{Name: schema.EmbeddingsVolume, VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: s.Spec.ECTransfer.ClaimName},
	}}}
}

func (s server) ecMounts() []corev1.VolumeMount {
	if !s.SharesFiles(s.Own) {
		return nil
	}
	return []corev1.VolumeMount{{Name: schema.EmbeddingsVolume, MountPath: schema.EmbeddingsDirectory}}
}
