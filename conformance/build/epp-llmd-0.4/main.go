// Epp-llmd-0.4 is the endpoint picker of the llm-d 0.4 line: the Inference Extension's runner with
// llm-d-inference-scheduler's plugins, as upstream's cmd/epp puts them together.
package main

import (
	"fmt"
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"

	"github.com/llm-d/llm-d-inference-scheduler/pkg/metrics"
	"github.com/llm-d/llm-d-inference-scheduler/pkg/plugins"

	"github.com/inferstack/inferstack/conformance/build/loading"
)

func main() {
	plugins.RegisterAllPlugins()
	if loading.Asked() {
		load()
		return
	}
	if err := runner.NewRunner().WithCustomCollectors(metrics.GetCollectors()...).Run(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}

// load makes pickers of configurations.
func load() {
	remove, err := withoutPython()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer remove()
	loading.Main(setup)
}
