// The modules that carry the CRDs of what inferstack emits. Tests read the files from the
// module cache; nothing is built from here, so the product's go.mod stays light.
module github.com/inferstack/inferstack/internal/conform/crds

go 1.26.0

require (
	github.com/kedacore/keda/v2 v2.18.0
	github.com/kgateway-dev/kgateway/v2 v2.2.0
	github.com/prometheus-operator/prometheus-operator v0.92.1
	istio.io/api v1.32.0
	sigs.k8s.io/gateway-api v1.6.0
	sigs.k8s.io/gateway-api-inference-extension v1.5.0
	sigs.k8s.io/lws v0.9.0
)
