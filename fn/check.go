package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/wiring"
)

const checkLong = `Check follows the references between the objects in the manifests that are named, whoever
wrote them: rendered by inferstack, kustomize or helm, or by hand. It reports what dangles,
ports and labels that do not meet, and what else keeps an inference stack from working. The
rules are in docs/checks.md. The exit code is 1 when there is an error.

All that is named is one set: an object in one file may refer to one in another.`

const checkExamples = `  # A directory, or what another tool renders
  inferstack check manifests/
  kustomize build . | inferstack check
  helm template my-release my-chart | inferstack check -

  # Against the versions of a cluster: what it does not serve is an error
  inferstack check manifests/ --platform kubernetes=1.33,gateway-api=1.4,istio=1.28

  # On the lines of a pull request
  inferstack check manifests/ -o github`

func checkCommand(std streams) *cobra.Command {
	format, opts := "text", wiring.Options{}
	cmd := &cobra.Command{
		Use:     "check [DIR|FILE|-]...",
		Short:   "Check the wiring of any Kubernetes manifests",
		Long:    checkLong,
		Example: checkExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			return check(args, format, opts, std)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, strings.Join(wiring.Formats, ", "))
	cmd.Flags().StringToStringVar(&opts.Platform, "platform", nil, "versions of "+strings.Join(wiring.Platforms(), ", ")+" in the cluster, such as kubernetes=1.33")
	return cmd
}

// check is the check command.
func check(names []string, format string, opts wiring.Options, std streams) error {
	if err := wiring.CheckPlatform(opts.Platform); err != nil {
		return err
	}
	if !slices.Contains(wiring.Formats, format) {
		return fmt.Errorf("--output is %s (got %q)", strings.Join(wiring.Formats, ", "), format)
	}
	if len(names) == 0 {
		names = []string{"-"}
	}
	objects, err := readObjects(names, std)
	if err != nil {
		return failure{err}
	}
	found := wiring.Check(objects, opts)
	var out bytes.Buffer
	if err := wiring.Write(&out, format, found); err != nil {
		return failure{err}
	}
	if _, err := out.WriteTo(std.out); err != nil {
		return failure{err}
	}
	if format == "text" {
		_, _ = fmt.Fprintf(std.err, "%d objects: %s\n", len(objects), wiring.Summary(found))
	}
	if wiring.Failed(found) {
		return errReported
	}
	return nil
}

// readObjects reads the manifests that are named. What a directory holds besides, such as
// a chart's templates, need not be YAML; a file that is named must be.
func readObjects(names []string, std streams) ([]*wiring.Object, error) {
	var objects []*wiring.Object
	for _, name := range names {
		sources, err := open(name, std.in)
		if err != nil {
			return nil, err
		}
		for _, src := range sources {
			found, err := wiring.Read(src.name, src.data)
			switch {
			case err != nil && src.named:
				return nil, err
			case err != nil:
				_, _ = fmt.Fprintln(std.err, "left out:", err) // nothing is left to tell it to
			default:
				objects = append(objects, found...)
			}
		}
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("no Kubernetes objects found in %s", list(names))
	}
	return objects, nil
}
