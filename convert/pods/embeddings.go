package pods

import (
	"cmp"
	"encoding/json"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// embeddings is vLLM's transfer from encode servers to those that prefill: in the connector's
// own form a setting of the stack, else whole.
func (s *Servers) embeddings() {
	encode := s.role("encode")
	if encode == nil {
		return
	}
	encode.line.Take("mm-encoder-only")
	encode.line.Take("no-enable-prefix-caching")
	reader := s.role("prefill")
	if reader == nil {
		reader = s.Roles[0]
	}
	const flag = "ec-transfer-config"
	written, one := encode.line.Value(flag)
	read, other := reader.line.Value(flag)
	var config, consumer map[string]any
	if !one || !other || json.Unmarshal([]byte(written), &config) != nil || json.Unmarshal([]byte(read), &consumer) != nil {
		return // stays an argument
	}
	encode.line.Take(flag)
	reader.line.Take(flag)
	if bytes, usual := usualEmbeddings(config, consumer); usual {
		s.Set("spec.ecTransfer.cpuMemory", strconv.FormatInt(bytes, 10), encode.field("args"))
		return
	}
	s.Set("spec.ecTransfer.config", config, encode.field("args"))
	s.Set("spec.ecTransfer.consumerConfig", consumer, reader.field("args"))
}

// usualEmbeddings reports whether the two sides are as a stack writes them for its connector
// ec-nixl, and with how much memory.
func usualEmbeddings(config, consumer map[string]any) (bytes int64, usual bool) {
	extra, _ := config["ec_connector_extra_config"].(map[string]any)
	size, _ := extra["ec_cpu_bytes"].(float64)
	form := func(role string) map[string]any {
		return map[string]any{"ec_connector": "ECCPUConnector", "ec_role": role,
			"ec_connector_extra_config": map[string]any{"ec_cpu_bytes": size, "ec_enable_nixl": true}}
	}
	return int64(size), size > 0 && equal(config, form("ec_producer")) && equal(consumer, form("ec_consumer"))
}

// ecSideChannel is that of the encode servers, and the model runner of both sides, which a stack
// sets up.
func (s *Servers) ecSideChannel() {
	encode := s.role("encode")
	if encode == nil || s.Simulator || s.Has("spec.ecTransfer.config") || cmp.Or(s.Text("spec.ecTransfer.connector"), "ec-nixl") != "ec-nixl" {
		return
	}
	for _, r := range s.Roles {
		takeEnv(r, "VLLM_USE_V2_MODEL_RUNNER", func(e corev1.EnvVar) bool { return e.Value == "1" })
	}
	takeEnv(encode, "VLLM_EC_SIDE_CHANNEL_HOST", func(e corev1.EnvVar) bool {
		return e.ValueFrom != nil && e.ValueFrom.FieldRef != nil && e.ValueFrom.FieldRef.FieldPath == "status.podIP"
	})
	e := takeEnv(encode, "VLLM_EC_SIDE_CHANNEL_PORT", func(e corev1.EnvVar) bool { _, err := strconv.Atoi(e.Value); return err == nil })
	if e != nil {
		port, _ := strconv.Atoi(e.Value)
		s.Set("spec.ecTransfer.sideChannelPort", port, encode.field("env"))
	}
}
