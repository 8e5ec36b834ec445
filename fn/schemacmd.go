package fn

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/published"
	"github.com/inferstack/inferstack/schema"
)

const schemaExamples = `  # For the YAML language server:
  #   # yaml-language-server: $schema=./inferencestack.schema.json
  inferstack schema > inferencestack.schema.json

  # For patches on stacks, in overlays
  inferstack schema --partial > inferencestack.partial.schema.json

  # For a kustomization that patches stacks: openapi: {path: inferencestack.openapi.json}
  inferstack schema -o openapi > inferencestack.openapi.json

  # Every field with its default
  inferstack schema -o markdown`

func schemaCommand(std streams) *cobra.Command {
	var format string
	var partial bool
	cmd := &cobra.Command{
		Use:     "schema",
		Short:   "Print the schema of an InferenceStack",
		Example: schemaExamples,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return writeSchema(std.out, format, partial)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", schemaFormats[0], "json-schema, crd, cue, openapi or markdown")
	cmd.Flags().StringVar(&format, "format", schemaFormats[0], "as --output, its former name")
	cmd.Flags().BoolVar(&partial, "partial", false, "the JSON Schema for patches on stacks: nothing is required, and null removes a field")
	must(cmd.Flags().MarkHidden("format"))
	return cmd
}

// schemaFormats are the values of --output, the first is the default.
var schemaFormats = []string{"json-schema", "crd", "cue", "openapi", "markdown"}

func writeSchema(w io.Writer, format string, partial bool) error {
	if partial && format != schemaFormats[0] {
		return fmt.Errorf("--partial goes with --output %s", schemaFormats[0])
	}
	var text string
	switch format {
	case "json-schema":
		if partial {
			text = published.PartialJSONSchema()
			break
		}
		text = published.JSONSchema()
	case "crd":
		text = published.CRD()
	case "cue":
		text = schema.CUE()
	case "openapi":
		text = published.OpenAPI()
	case "markdown":
		text = published.Reference()
	default:
		return fmt.Errorf("--output is json-schema, crd, cue, openapi or markdown (got %q)", format)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return failure{err}
	}
	return nil
}
