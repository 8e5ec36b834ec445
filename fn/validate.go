package fn

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/convert"
)

const validateExamples = `  # Every mistake in the file, with line and column
  inferstack validate stack.yaml

  # All stacks of a directory, also against each other
  inferstack validate stacks/

  # Also against the rules of a platform team
  inferstack validate stacks/ --policy policy.cue

  # The stacks of an overlay, as they are after its patches
  inferstack validate overlays/prod`

func validateCommand(std streams) *cobra.Command {
	var opts convert.Options
	var policies, tags []string
	cmd := &cobra.Command{
		Use:     "validate [FILE|DIR|-]...",
		Short:   "Check InferenceStacks without writing anything",
		Long:    "Validate checks InferenceStacks, each for itself and all against each other, and\nreports every mistake and warning on standard error. A directory whose kustomization does\nmore than list files is built first; of a directory that holds kustomizations, each that no other\none there refers to.\n\nPolicies are CUE files that are unified with the complete stack and facts of its objects:\ndocs/tasks/policies.md. They are evaluated by a program of their own, inferstack-policy,\nwhich is looked for beside this one and in the PATH.",
		Example: validateExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			return validate(args, policies, tags, opts, std)
		},
	}
	cmd.Flags().StringSliceVar(&policies, "policy", nil, policyUsage+"; policy.cue beside a stack or its kustomization is one too")
	cmd.Flags().BoolVar(&opts.Lossy, "lossy", false, "leave out what an InferenceStack cannot say of another system's resource, with a warning")
	tagFlag(cmd.Flags(), &tags)
	kserveFlags(cmd.Flags(), &opts.KServe)
	return cmd
}

func validate(names, policies, tags []string, opts convert.Options, std streams) error {
	if err := onlyCUE(names, tags); err != nil {
		return err
	}
	from, err := readWhole(names, opts, std, tags...)
	if err != nil {
		return err
	}
	products, found := from.compile()
	if !failed(found) {
		more, err := judge(slices.Concat(products, from.generated()), policies, true)
		if err != nil {
			return failure{err}
		}
		found = slices.Concat(found, more, from.unjudged(policies))
	}
	if from.empty() {
		found = append(found, problem("no objects in %s", list(names)))
	}
	report(std.err, found)
	if failed(found) {
		return errReported
	}
	for _, k := range from.kustomizations {
		if len(k.objects) == 0 {
			continue // its stacks are named below
		}
		if _, err := fmt.Fprintf(std.out, "%s builds (%s)\n", k.name, counted(len(k.objects), "object")); err != nil {
			return failure{err}
		}
	}
	for _, m := range products {
		if _, err := fmt.Fprintf(std.out, "%s: %s is valid (%d objects)\n", m.Spec.Source().File, m.Title(), len(m.Objects)); err != nil {
			return failure{err}
		}
	}
	return nil
}
