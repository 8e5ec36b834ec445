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

  # For a kustomization that patches stacks: openapi: {path: inferencestack.openapi.json}
  inferstack schema -o openapi > inferencestack.openapi.json

  # Every field with its default
  inferstack schema -o markdown`

func schemaCommand(std streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "schema",
		Short:   "Print the schema of an InferenceStack",
		Example: schemaExamples,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return writeSchema(std.out, format)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", schemaFormats[0], "json-schema, crd, cue, openapi or markdown")
	cmd.Flags().StringVar(&format, "format", schemaFormats[0], "as --output, its former name")
	must(cmd.Flags().MarkHidden("format"))
	return cmd
}

// schemaFormats are the values of --output, the first is the default.
var schemaFormats = []string{"json-schema", "crd", "cue", "openapi", "markdown"}

func writeSchema(w io.Writer, format string) error {
	var text string
	switch format {
	case "json-schema":
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
