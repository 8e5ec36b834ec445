package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
)

const longHelp = `inferstack compiles an InferenceStack, a file of about twenty lines, to the Kubernetes
objects of an llm-d serving stack: model servers, endpoint picker, pool, gateway and route.

Without arguments it reads a ResourceList from standard input and writes one to standard
output: that is how kustomize and kpt run it as a KRM function.`

const rootExamples = `  # Everything a stack consists of, as YAML
  inferstack render stack.yaml

  # In a kustomization
  kustomize build --enable-alpha-plugins --enable-exec .

  # In a kpt package
  kpt fn render --allow-exec`

// rootCommand returns the command tree.
func rootCommand(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:     "inferstack",
		Short:   "Compile an InferenceStack to Kubernetes objects",
		Long:    longHelp,
		Example: rootExamples,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(std.in) {
				return cmd.Help()
			}
			return runFunction(std)
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.AddCommand(renderCommand(std), validateCommand(std), convertCommand(std), schemaCommand(std), versionCommand(std),
		initCommand(std), explainCommand(std), diffCommand(std))
	root.AddCommand(checkCommand(std), graphCommand(std), statusCommand(std))
	return root
}

// isTerminal says whether a person sits at the stream.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && file.Name() != os.DevNull
}

// errNoInput is what happens when the function is run by hand.
var errNoInput = errors.New("no ResourceList on standard input; to compile a file: inferstack render FILE")
