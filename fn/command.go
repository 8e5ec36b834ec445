package fn

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/inferstack/inferstack/internal/near"
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
	var asksVersion bool
	root := &cobra.Command{
		Use:     "inferstack",
		Short:   "Compile an InferenceStack to Kubernetes objects",
		Long:    longHelp,
		Example: rootExamples,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asksVersion {
				return writeVersion(std.out, "")
			}
			if isTerminal(std.in) {
				return cmd.Help()
			}
			return runFunction(std)
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Flags().BoolVar(&asksVersion, "version", false, "print the version")
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.AddCommand(renderCommand(std), validateCommand(std), convertCommand(std), schemaCommand(std), versionCommand(std),
		initCommand(std), explainCommand(std), diffCommand(std))
	root.AddCommand(checkCommand(std), graphCommand(std), statusCommand(std), buildCommand(std))
	completeValues(root)
	root.SetFlagErrorFunc(flagError)
	return root
}

// flagError says what a flag that is not defined may have been meant for.
func flagError(cmd *cobra.Command, err error) error {
	if text := err.Error(); strings.Contains(text, "'f' in -f") || strings.Contains(text, "--filename") {
		return fmt.Errorf("%w; files are named without a flag", err)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := near.Of(unknown.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// fixCompletion makes cobra's command say what went wrong as ours do: a shell that it
// does not know is a wrong call, and a script that cannot be written is none.
func fixCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return fmt.Errorf("no completion for %s; there is for bash, fish, powershell, zsh", args[0])
		}
		c.Args = cobra.ArbitraryArgs
		for _, shell := range c.Commands() {
			if write := shell.RunE; write != nil {
				shell.RunE = func(cmd *cobra.Command, args []string) error {
					if err := write(cmd, args); err != nil {
						return failure{err}
					}
					return nil
				}
			}
		}
	}
}

// isTerminal reports whether a person sits at the stream.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// errNoInput is what happens when the function is run by hand.
var errNoInput = errors.New("no ResourceList on standard input; to compile a file: inferstack render FILE")
