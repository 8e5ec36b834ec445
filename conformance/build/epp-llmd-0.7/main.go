// Epp-llmd-0.7 loads configurations as the endpoint picker of llm-d-inference-scheduler v0.7.1 does, the last one that
// is a module and the first with the deciders and handlers of today's disaggregation.
package main

import (
	"github.com/llm-d/llm-d-inference-scheduler/pkg/plugins"

	"github.com/inferstack/inferstack/conformance/build/loading"
)

func main() {
	plugins.RegisterAllPlugins()
	loading.Main(setup)
}
