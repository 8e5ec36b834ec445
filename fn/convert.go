package fn

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

const convertLong = `Convert prints the InferenceStacks that the resources of other llm-d systems amount to:
SimulatorDeployment and SchedulerInstall, InferenceScheduler, LLMD and ModelService, and
KServe's LLMInferenceService. They are as short as can be, with a comment on everything that
had to change.

There is no need to convert: render, validate and the KRM function take these resources
as they are. Convert is for migration for good.`

const convertExamples = `  # A SimulatorDeployment as an InferenceStack
  inferstack convert simulatordeployment.yaml -o stack.yaml

  # A SchedulerInstall with its SimulatorDeployments; a directory of ModelServices
  inferstack convert install.yaml simulators/ > stack.yaml
  inferstack convert llmd/ > stack.yaml

  # An LLMInferenceService, its base configurations and the Gateway in front of it
  inferstack convert service.yaml configs/ gateway.yaml > stack.yaml

  # What the cluster has
  kubectl get inferencescheduler -A -o yaml | inferstack convert -

  # The values files of a Helm installation
  inferstack convert helm --infra infra.yaml --pool gaie.yaml --modelservice ms.yaml`

func convertCommand(std streams) *cobra.Command {
	opts := convert.Options{NoEffect: true}
	var output string
	cmd := &cobra.Command{
		Use:     "convert [FILE|DIR|-]...",
		Short:   "Print resources of other llm-d systems as InferenceStacks",
		Long:    convertLong,
		Example: convertExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			return convertDocuments(args, opts, convertOutput{output, std})
		},
	}
	cmd.PersistentFlags().StringVarP(&output, "output", "o", "", "file to write, instead of standard output")
	cmd.PersistentFlags().BoolVar(&opts.Lossy, "lossy", false, "leave out what an InferenceStack cannot say, with a warning")
	kserveFlags(cmd.Flags(), &opts.KServe)
	cmd.Flags().BoolVar(&opts.KeepController, "keep-controller", false, "print the ModelService controller where an LLMD asks for it")
	cmd.AddCommand(convertHelmCommand(std, &opts, &output), convertManifestsCommand(std, &output))
	return cmd
}

func convertDocuments(names []string, opts convert.Options, to convertOutput) error {
	docs, found, err := readDocuments(names, to.std.in)
	if err != nil {
		return err
	}
	report(to.std.err, found)
	if failed(found) {
		return errReported
	}
	if err := to.spare(names, docs, isConverted); err != nil {
		return err
	}
	r := convert.Convert(docs, opts)
	if len(r.Stacks)+len(r.Objects)+len(r.Problems) == 0 {
		r.Problems = schema.Problems{{Severity: schema.Error, Message: "nothing to convert found in " + list(names)}}
	}
	return to.write(r)
}

// readDocuments reads every object in the files, directories and standard input that
// are named.
func readDocuments(names []string, stdin io.Reader, tags ...string) ([]document.Document, finding.List, error) {
	names, err := namesOr(names, stdin)
	if err != nil {
		return nil, nil, err
	}
	sources, err := openEach(names, stdin, tags...)
	if err != nil {
		return nil, nil, failure{err}
	}
	docs, found := readEach(sources, source.documents)
	return docs, found, nil
}
