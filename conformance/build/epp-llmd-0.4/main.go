// Epp-llmd-0.4 is the endpoint picker of the llm-d 0.4 line: the Inference Extension's runner with
// llm-d-inference-scheduler's plugins, as upstream's cmd/epp puts them together.
package main

import (
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"

	"github.com/llm-d/llm-d-inference-scheduler/pkg/metrics"
	"github.com/llm-d/llm-d-inference-scheduler/pkg/plugins"
)

func main() {
	plugins.RegisterAllPlugins()
	if err := runner.NewRunner().WithCustomCollectors(metrics.GetCollectors()...).Run(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}
