package fn

import (
	"github.com/spf13/pflag"

	"github.com/inferstack/inferstack/convert"
)

// kserveFlags say what KServe's controller reads from its cluster. The ConfigMap
// inferenceservice-config among the documents says it too; a flag wins.
func kserveFlags(flags *pflag.FlagSet, c *convert.KServeCluster) {
	flags.StringVar(&c.Gateway, "kserve-gateway", "", "Gateway of an LLMInferenceService that names none, as namespace/name (default kserve/kserve-ingress-gateway)")
	flags.StringVar(&c.GatewayClass, "kserve-gateway-class", "", "what runs the Gateways of LLMInferenceServices, as spec.gateway.class has it (default istio, with a warning)")
}

// Settings of the function for an LLMInferenceService, in the data of a ConfigMap.
const (
	kserveGateway      = "kserveGateway"
	kserveGatewayClass = "kserveGatewayClass"
)
