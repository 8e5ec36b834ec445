package fn

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/explain"
	"github.com/inferstack/inferstack/schema/document"
)

const explainLong = `Explain says what a field of an InferenceStack is for: its type, its default, what it may
be and the fields in it, as kubectl explain does. FIELD is a path such as
spec.decode.replicas; left out, the whole document is explained. Where a field takes what
Kubernetes defines, as tolerations or podTemplatePatch do, the path goes on into that. It
asks no cluster.

The exit code is 1 when there is no such field.`

const explainExamples = `  # What a stack consists of
  inferstack explain spec

  # One field
  inferstack explain spec.decode.parallelism.tensor

  # Into what Kubernetes defines
  inferstack explain spec.decode.podTemplatePatch.spec.dnsPolicy

  # Everything below a field, with defaults
  inferstack explain spec.gateway --recursive`

func explainCommand(std streams) *cobra.Command {
	var recursive bool
	cmd := &cobra.Command{
		Use:     "explain [FIELD]",
		Short:   "Say what a field of an InferenceStack is for",
		Long:    explainLong,
		Example: explainExamples,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := document.Describe(append(args, "")[0])
			if err != nil {
				return failure{err}
			}
			text := explain.Field(d)
			if recursive {
				text = explain.Tree(d)
			}
			if _, err := io.WriteString(std.out, text); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&recursive, "recursive", false, "list all fields below it, to any depth")
	return cmd
}
