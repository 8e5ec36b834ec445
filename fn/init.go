package fn

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/starter"
)

const initLong = `Init prints a short InferenceStack to start from, with comments on what to look at next.
It asks nothing and touches no cluster. NAME is the name of the stack; left out, it is made
of the model's name. What it prints is always valid.`

const initExamples = `  # A stack that needs no accelerator, to try things out
  inferstack init try-out --simulator > stack.yaml

  # A model behind kgateway
  inferstack init --model Qwen/Qwen3-32B --gateway kgateway -o stack.yaml

  # Prefill and decode apart
  inferstack init --preset pd-disaggregation | inferstack render -`

func initCommand(std streams) *cobra.Command {
	var opts starter.Options
	var output string
	var force bool
	cmd := &cobra.Command{
		Use:     "init [NAME]",
		Short:   "Print an InferenceStack to start from",
		Long:    initLong,
		Example: initExamples,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.Name = args[0]
			}
			text, problems := starter.Write(opts)
			if len(problems) > 0 {
				return problems
			}
			if printed(output) {
				return std.put(output, text)
			}
			return writeNew(output, text, force)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.Model, "model", starter.DefaultModel, "model to serve, as on Hugging Face")
	flags.StringVar(&opts.Gateway, "gateway", "istio", "istio, kgateway, agentgateway, gke, envoy (needs no controller) or none")
	flags.StringVar(&opts.Preset, "preset", "", "how the endpoint picker chooses: default, load-aware, queue, prefix-aware, precise-prefix, pd-disaggregation, e-disaggregation, predicted-latency, random or simulator")
	flags.StringVar(&opts.Release, "release", "", "llm-d release line: "+strings.Join(release.Names(), " or ")+" (default "+release.Default+")")
	flags.StringVar(&opts.Engine, "engine", "", "what serves the model: vllm, sglang, trtllm or simulator (default vllm)")
	flags.BoolVar(&opts.Simulator, "simulator", false, "serve with the llm-d simulator, which needs no accelerator")
	flags.BoolVar(&opts.Prefill, "prefill", false, "servers of their own for prefill")
	flags.BoolVar(&opts.OpenShift, "openshift", false, "leave the ids of users and groups to OpenShift")
	flags.StringVarP(&opts.Namespace, "namespace", "n", "", "namespace of the stack")
	flags.StringVarP(&output, "output", "o", "", "file to write instead of standard output")
	flags.BoolVar(&force, "force", false, "overwrite the file if there is one")
	return cmd
}
