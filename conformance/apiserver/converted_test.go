package apiserver

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/product"
)

// convertedAsRoot are the samples whose Pods do not hold the restricted standard.
var convertedAsRoot = map[string]exemption{
	"helm/chart-xpu":           {"baseline", "the vLLM image for Intel's GPUs runs as root"},
	"helm/tpu":                 {"baseline", "the vLLM image for TPUs runs as root"},
	"helm/router-beside-infra": {"baseline", "a container in the values has no securityContext and is taken over as it is"},
	"helm/wide-ep":             {"privileged", "the container in the values asks for IPC_LOCK and SYS_RAWIO"},

	"helm/router-predicted-latency": {"baseline", "the predictor's containers in the values have no securityContext"},
	"helm/xpu-prefill":              {"baseline", "the vLLM image for Intel's GPUs runs as root"},

	"llminferenceservice/data-parallel":         {"privileged", "the container in the service asks for IPC_LOCK, NET_RAW and SYS_RAWIO"},
	"llminferenceservice/data-parallel-prefill": {"privileged", "the container in the service asks for IPC_LOCK, NET_RAW and SYS_RAWIO"},
}

// refusedSamples are those that amount to nothing deployable, and what the program says.
var refusedSamples = map[string]string{"helm/epplib": "inferencePool.modelServers.matchLabels: required"}

// converted applies what the resources and Helm values of the other llm-d systems become.
func converted(t *testing.T, server *cluster.Cluster) {
	for _, sample := range product.Samples(t) {
		t.Run(sample.Name, func(t *testing.T) {
			if says := refusedSamples[sample.Name]; says != "" || sample.Refused != "" {
				if says == "" || !strings.Contains(sample.Refused, says) {
					t.Errorf("refused with %q, want %q", sample.Refused, says)
				}
				table.Unproven("testdata/convert/"+sample.Name, "refused: "+says)
				return
			}
			// As kubectl apply --namespace does it with the objects whose input named none.
			place(sample.Objects, "converted")
			set := set{name: "testdata/convert/" + sample.Name, objects: sample.Objects, asRoot: convertedAsRoot[sample.Name]}
			set.install(t, server)
		})
	}
}

// place puts the objects that name no namespace into one.
func place(objects []*unstructured.Unstructured, namespace string) {
	for _, object := range objects {
		if object.GetNamespace() == "" && !clusterScoped[object.GetKind()] {
			object.SetNamespace(namespace)
		}
	}
}

// clusterScoped are the emitted kinds that live in no namespace.
var clusterScoped = map[string]bool{"ClusterRole": true, "ClusterRoleBinding": true, "Namespace": true, "GatewayClass": true}
