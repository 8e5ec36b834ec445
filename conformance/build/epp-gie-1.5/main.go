// Epp-gie-1.5 is the endpoint picker of the Inference Extension v1.5.0, the release that llm-d-router v0.10 builds on.
package main

import (
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"

	"github.com/inferstack/inferstack/conformance/build/loading"
)

func main() {
	if loading.Asked() {
		loading.Main(setup)
		return
	}
	if err := runner.NewRunner().Run(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}
