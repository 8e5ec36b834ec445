package main

import (
	"bytes"
	"io"
	"os"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/schema"
)

const convertLong = `Convert prints the InferenceStacks that the resources of other llm-d systems amount to:
SimulatorDeployment and SchedulerInstall, InferenceScheduler, LLMD and ModelService. They
are as short as can be, with a comment on everything that had to change.

There is no need to convert: render, validate and the KRM function take these resources
as they are. Convert is for moving over for good.`

const convertExamples = `  # A SimulatorDeployment as an InferenceStack
  inferstack convert simulatordeployment.yaml -o stack.yaml

  # A SchedulerInstall with its SimulatorDeployments; a directory of ModelServices
  inferstack convert install.yaml simulators/ > stack.yaml
  inferstack convert llmd/ > stack.yaml

  # What the cluster has
  kubectl get inferencescheduler -A -o yaml | inferstack convert -

  # The values files of a Helm installation
  inferstack convert helm --infra infra.yaml --pool gaie.yaml --modelservice ms.yaml`

func convertCommand(std streams) *cobra.Command {
	var opts convert.Options
	var output string
	cmd := &cobra.Command{
		Use:     "convert [FILE|DIR|-]...",
		Short:   "Print resources of other llm-d systems as InferenceStacks",
		Long:    convertLong,
		Example: convertExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			docs, found, err := readDocuments(args, std.in)
			if err != nil {
				return err
			}
			report(std.err, found)
			if failed(found) {
				return errReported
			}
			r := convert.Convert(docs, opts)
			if len(r.Stacks)+len(r.Objects)+len(r.Problems) == 0 {
				r.Problems = schema.Problems{{Severity: schema.Error, Message: "nothing to convert found in " + list(args)}}
			}
			return writeConverted(r, output, std)
		},
	}
	cmd.PersistentFlags().StringVarP(&output, "output", "o", "", "file to write, instead of standard output")
	cmd.PersistentFlags().BoolVar(&opts.Lossy, "lossy", false, "leave out what an InferenceStack cannot say, with a warning")
	cmd.Flags().BoolVar(&opts.KeepController, "keep-controller", false, "print the ModelService controller where an LLMD asks for it")
	cmd.AddCommand(convertHelmCommand(std, &opts, &output))
	return cmd
}

func convertHelmCommand(std streams, opts *convert.Options, output *string) *cobra.Command {
	var v convert.HelmValues
	cmd := &cobra.Command{
		Use:   "helm",
		Short: "Print values files of llm-d's Helm charts as an InferenceStack",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v.Lossy = opts.Lossy
			if v.Infra.Name+v.Pool.Name+v.Model.Name == "" {
				return cmd.Usage()
			}
			for _, file := range []*string{&v.Infra.Name, &v.Pool.Name, &v.Model.Name} {
				if *file == "" {
					continue
				}
				data, err := os.ReadFile(*file)
				if err != nil {
					return failure{plain(err)}
				}
				switch file {
				case &v.Infra.Name:
					v.Infra.Data = data
				case &v.Pool.Name:
					v.Pool.Data = data
				default:
					v.Model.Data = data
				}
			}
			return writeConverted(convert.Helm(v), *output, std)
		},
	}
	cmd.Flags().StringVar(&v.Infra.Name, "infra", "", "values file of the chart llm-d-infra")
	cmd.Flags().StringVar(&v.Pool.Name, "pool", "", "values file of the chart inferencepool, llm-d-router-gateway or llm-d-router-standalone")
	cmd.Flags().StringVar(&v.Model.Name, "modelservice", "", "values file of the chart llm-d-modelservice")
	cmd.Flags().StringVar(&v.Postfix, "release-postfix", "inference-scheduling", "end of the release names infra-…, gaie-… and ms-…")
	cmd.Flags().StringVar(&v.Namespace, "namespace", "", "namespace of the releases")
	return cmd
}

// writeConverted prints what was converted, or writes it to a file. A file is written
// once all is well.
func writeConverted(r convert.Result, file string, std streams) error {
	if file == "" || file == "-" {
		return printConverted(r, std)
	}
	var out bytes.Buffer
	if err := printConverted(r, streams{std.in, &out, std.err}); err != nil {
		return err
	}
	return writeFile(file, out.Bytes())
}

// printConverted writes the stacks and further objects, and on standard error what
// there is to say on them. What would not compile is not printed.
func printConverted(r convert.Result, std streams) error {
	_, found := compile(unitsOf(r))
	found = append(findings(r.Problems, nil), found...)
	report(std.err, found)
	if failed(found) {
		return errReported
	}
	var parts [][]byte
	for _, s := range r.Stacks {
		parts = append(parts, s.YAML())
	}
	for _, o := range r.Objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return failure{err}
		}
		parts = append(parts, text)
	}
	if _, err := std.out.Write(bytes.Join(parts, []byte("---\n"))); err != nil {
		return failure{err}
	}
	return nil
}

// readDocuments reads every object in the files, directories and standard input that
// are named.
func readDocuments(names []string, stdin io.Reader) ([]schema.Document, []finding, error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	sources, err := openEach(names, stdin)
	if err != nil {
		return nil, nil, failure{err}
	}
	docs, found := readEach(sources, source.documents)
	return docs, found, nil
}
