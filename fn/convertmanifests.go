package fn

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	byhand "github.com/inferstack/inferstack/convert/manifests"
	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

const convertManifestsLong = `Manifests prints the InferenceStack that makes given Kubernetes objects: for each InferencePool
its servers by role, its EPP with configuration and rights, the gateway, route, monitors and
scalers. The objects are files, what kubectl get -o yaml prints, or what the kustomization of a
directory makes.

What a stack has no field for is patched into its pods, with a comment. The stack is compiled,
and standard error says what inferstack diff still shows between the objects and what the
stack makes, with the pods that applying it restarts. Objects that belong to no InferencePool
are left alone, and listed. Servers without a pool among the objects, as those of a guide whose
router a chart makes, become stacks of servers alone.`

const convertManifestsExamples = `  # Rendered manifests as a stack
  inferstack convert manifests deploy/ -o stack.yaml

  # What a namespace has
  kubectl get -n llm-d -o yaml inferencepools,deployments,services,configmaps,serviceaccounts,roles,rolebindings,gateways,httproutes | inferstack convert manifests -

  # Give the pods nothing beside what they have
  inferstack convert manifests deploy/ --adopt -o stack.yaml`

func convertManifestsCommand(std streams, output *string) *cobra.Command {
	var opts byhand.Options
	cmd := &cobra.Command{
		Use:     "manifests [FILE|DIR|-]...",
		Short:   "Print the InferenceStack that makes Kubernetes objects",
		Long:    convertManifestsLong,
		Example: convertManifestsExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			return convertManifests(args, opts, convertOutput{*output, std})
		},
	}
	cmd.Flags().BoolVar(&opts.Adopt, "adopt", false, "keep the pods of servers as they are, with the labels by which their workload selects them")
	return cmd
}

func convertManifests(names []string, opts byhand.Options, to convertOutput) error {
	docs, found, err := readBuilt(names, to.std)
	if err != nil {
		return err
	}
	report(to.std.err, found)
	if failed(found) {
		return errReported
	}
	if err := to.spare(names, docs, func(document.Document) bool { return true }); err != nil {
		return err
	}
	r := byhand.Convert(docs, opts)
	if len(docs) == 0 {
		r.Problems = schema.Problems{{Severity: schema.Error, Message: "nothing to convert found in " + list(names)}}
	}
	report(to.std.err, r.Problems)
	if failed(r.Problems) {
		return errReported
	}
	if err := remain(r, to.std); err != nil {
		return failure{err}
	}
	text, err := stacksText(r.Stacks)
	if err != nil {
		return failure{err}
	}
	return to.std.put(to.file, text)
}

// remain says what the stacks leave different, and what is left alone.
func remain(r byhand.Result, std streams) error {
	for i := range r.Stacks {
		pool := r.Stacks[i].Pool
		if _, err := fmt.Fprintf(std.err, "%s %s, from the objects to what the stack makes:\n", pool.Kind, pool.Name); err != nil {
			return err
		}
		if err := diff.Text(std.err, r.Stacks[i].Left, false); err != nil {
			return err
		}
		for _, name := range r.Stacks[i].Kept {
			if _, err := fmt.Fprintf(std.err, "must stay: %s: the stack refers to it, and does not make it\n", name); err != nil {
				return err
			}
		}
	}
	for i := range r.Alone {
		doc := &r.Alone[i]
		if _, err := fmt.Fprintf(std.err, "left alone: %s %s\n", doc.Kind, cmp.Or(doc.Name, "without a name")); err != nil {
			return err
		}
	}
	return nil
}

func stacksText(stacks []byhand.Stack) ([]byte, error) {
	var parts [][]byte
	for i := range stacks {
		text, err := indented(stacks[i].Node)
		if err != nil {
			return nil, err
		}
		parts = append(parts, text)
	}
	return bytes.Join(parts, []byte("---\n")), nil
}
