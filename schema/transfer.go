package schema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// TransferRoles are the values of kv_role (vllm config/kv_transfer.py).
var TransferRoles = []string{"kv_producer", "kv_consumer", "kv_both"}

// KnownConnectors returns vLLM's connectors in a list of the release catalogue: kv-connectors or
// ec-connectors.
func KnownConnectors(list string) []string {
	return strings.Split(release.ComponentNamed("vllm").Newest().Value(list), ",")
}

// A TransferFlaw is something in a transfer configuration with which vLLM does not start.
type TransferFlaw struct{ Message, Fix string }

// TransferFlaws judges the settings of a --kv-transfer-config besides its connector and role (vllm v0.30
// config/kv_transfer.py, and distributed/kv_transfer/kv_connector/v1/multi_connector.py, which asserts its
// connectors).
func TransferFlaws(config map[string]any) (out []TransferFlaw) {
	extra, _ := config["kv_connector_extra_config"].(map[string]any)
	if connectors, _ := extra["connectors"].([]any); config["kv_connector"] == "MultiConnector" && len(connectors) == 0 {
		out = append(out, TransferFlaw{"MultiConnector has no connectors", "list them in kv_connector_extra_config.connectors"})
	}
	if policy, written := config["kv_load_failure_policy"]; written && policy != "recompute" && policy != "fail" {
		out = append(out, TransferFlaw{fmt.Sprintf("kv_load_failure_policy is %v", policy), "it must be fail or recompute"})
	}
	for _, name := range []string{"kv_buffer_size", "kv_port", "kv_rank", "kv_parallel_size"} {
		text, isText := config[name].(string)
		if _, err := strconv.ParseFloat(text, 64); isText && err != nil {
			out = append(out, TransferFlaw{fmt.Sprintf("%s is %q", name, text), "it must be a number"})
		}
	}
	return out
}
