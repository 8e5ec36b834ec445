package fn

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
rules are in docs/checks.md. InferenceStacks, and resources of other llm-d systems, are
compiled first.

All that is named is one set: an object in one file may refer to one in another. Of a
directory the .yaml, .yml and .json files are read, and those of the directories in it, but
no hidden directories and no Helm charts. A directory whose kustomization does more than list
files is built first, as by inferstack build; in one that holds kustomizations, each that no
other one there refers to. Those that make the same object, such as overlays of one base, are
taken for different clusters. The exit code is 1 when there is an error, and 2
when something could not be read, since what it holds is not checked.`

const checkExamples = `  # A directory, or what another tool renders
  inferstack check manifests/
  kustomize build . | inferstack check
  helm template my-release my-chart | inferstack check -

  # An overlay, as it will be applied, and a repository of overlays
  inferstack check overlays/prod
  inferstack check .

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
	names, err := namesOr(names, std.in)
	if err != nil {
		return err
	}
	set, err := readManifests(names, std)
	if err != nil {
		return trouble{err}
	}
	found := set.findings(opts)
	unread, _ := set.wrong()
	var out bytes.Buffer
	if err := wiring.Write(&out, format, found); err != nil {
		return failure{err}
	}
	if _, err := out.WriteTo(std.out); err != nil {
		return failure{err}
	}
	if format == "text" {
		_, _ = fmt.Fprintf(std.err, "%s: %s\n", counted(set.count(), "object"), wiring.Summary(found))
	}
	switch {
	case len(unread) > 0:
		return trouble{errReported}
	case wiring.Failed(found):
		return errReported
	}
	return nil
}

// findings are those of the rules, after what could not even be read or compiled. What is
// wrong with an object that a stack makes is said of the stack, which is in a file.
func (s *manifestSet) findings(seen []*wiring.Object, opts wiring.Options, own func(wiring.Finding) bool) []wiring.Finding {
	opts.Silenced = true
	found := slices.Concat(wiring.Named(wiring.Unreadable, s.unread), wiring.Named(wiring.InvalidStack, s.said))
	for _, f := range wiring.Check(seen, opts) {
		if !own(f) {
			continue
		}
		if at, ok := s.from[f.File]; ok {
			f.Silence(at.exceptions)
			if at.File != "" {
				f.File, f.Line, f.Column = at.File, at.Line, at.Column
			}
		} else if s.built[f.File] {
			f.Line, f.Column = 0, 0
		}
		found = append(found, f)
	}
	return found
}
