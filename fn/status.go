package fn

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/status"
)

const statusLong = `Status reads live objects, as kubectl get writes them, and says of each component of a
stack whether it is ready, progressing or failing, and of each object that is not ready why:
workloads and claims by their state, gateways, routes, pools and autoscalers by their
conditions, pods (when they are among the objects) by what keeps their containers from
running. A pod that is ready and was restarted is ready, with a warning. PODS are how many pods
are ready of those that there should be, as their workload says; OBJECTS counts the objects.

It asks no cluster itself. An object that kubectl did not find is not in its output; with the
stack (--stack) it is reported as missing. What differs between the stack and the cluster is
kubectl diff's to say. The exit code is 0 when everything is ready, 1 when not, and 2 when something
went wrong.`

const statusExamples = `  # What was applied
  inferstack render stack.yaml | kubectl get -f - -o json | inferstack status

  # Also what is missing in the cluster
  inferstack render stack.yaml | kubectl get -f - -o json --ignore-not-found | inferstack status --stack stack.yaml

  # With the pods
  (inferstack render stack.yaml | kubectl get -f - -o yaml
   echo ---
   kubectl get pods -l app.kubernetes.io/part-of=llm-d -o yaml) | inferstack status

  # In a script
  kubectl get -f deploy/ -o json | inferstack status -o json`

func statusCommand(std streams) *cobra.Command {
	var output string
	var stacks []string
	cmd := &cobra.Command{
		Use:     "status [FILE|-]...",
		Short:   "Say whether the live objects of a stack are ready, and why not",
		Long:    statusLong,
		Example: statusExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			return runStatus(args, stacks, output, std)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or yaml")
	cmd.Flags().StringSliceVar(&stacks, "stack", nil, "file or directory of the stacks whose objects there must be; kustomizations are built")
	return cmd
}

func runStatus(names, stacks []string, output string, std streams) error {
	write := map[string]func(io.Writer, status.Report) error{"text": status.Text, "json": writeStatusJSON, "yaml": writeStatusYAML}[output]
	if write == nil {
		return fmt.Errorf("--output is text, json or yaml (got %q)", output)
	}
	docs, found, err := readLive(names, std.in)
	if err != nil {
		return trouble{err}
	}
	report(std.err, found)
	if failed(found) {
		return trouble{errReported}
	}
	wanted, err := wantedObjects(stacks, std)
	if err != nil {
		return trouble{err}
	}
	objects, err := live(docs)
	if err != nil && (len(docs) > 0 || len(wanted) == 0) {
		return trouble{err}
	}
	r := status.Of(objects, wanted)
	if err := write(std.out, r); err != nil {
		return trouble{err}
	}
	if r.State == status.Ready {
		return nil
	}
	if output == "text" && r.LacksPods() {
		_, _ = fmt.Fprintln(std.err, "Why pods do not start is known when they are among the objects: kubectl get pods -o yaml")
	}
	return errReported
}

// wantedObjects are what stacks are compiled to.
func wantedObjects(stacks []string, std streams) ([]*unstructured.Unstructured, error) {
	if len(stacks) == 0 {
		return nil, nil
	}
	from, err := readWhole(stacks, convert.Options{}, std)
	if err != nil {
		return nil, err
	}
	products, found := from.compile()
	report(std.err, found)
	if failed(found) {
		return nil, errReported
	}
	var wanted []*unstructured.Unstructured
	for _, o := range objects(madeOf(products)) {
		text, err := o.MarshalJSON()
		if err != nil {
			return nil, err
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(text); err != nil {
			return nil, err
		}
		wanted = append(wanted, object)
	}
	for _, k := range from.kustomizations {
		built, err := unstructuredOf(k.objects)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, built...)
	}
	return once(wanted), nil
}

// once drops objects that another kustomization wants too.
func once(wanted []*unstructured.Unstructured) []*unstructured.Unstructured {
	seen := map[finding.Ref]bool{}
	return slices.DeleteFunc(wanted, func(u *unstructured.Unstructured) bool {
		ref := finding.Ref{Group: u.GroupVersionKind().Group, Kind: u.GetKind(), Namespace: u.GetNamespace(), Name: u.GetName()}
		again := seen[ref]
		seen[ref] = true
		return again
	})
}

// readLive reads all objects that are named; nothing named is standard input.
func readLive(names []string, stdin io.Reader) ([]document.Document, finding.List, error) {
	if len(names) == 0 {
		if isTerminal(stdin) {
			return nil, nil, errors.New("no objects on standard input; pipe them in: kubectl get -f FILE -o json | inferstack status")
		}
		names = []string{"-"}
	}
	sources, err := openEach(names, stdin)
	if err != nil {
		return nil, nil, err
	}
	docs, found := readEach(sources, source.read)
	return docs, found, nil
}

// live makes objects of documents, in the number types that API machinery wants. Manifests
// that never were in a cluster have no uid, and no status to judge.
func live(docs []document.Document) ([]*unstructured.Unstructured, error) {
	out, err := unstructuredOf(docs)
	switch {
	case err != nil:
		return nil, err
	case len(out) == 0:
		return nil, errors.New("no objects to judge; was there something that kubectl get did not find?")
	case !slices.ContainsFunc(out, func(u *unstructured.Unstructured) bool { return u.GetUID() != "" }):
		return nil, errors.New("these are manifests, not live objects; pipe them through kubectl get -f - -o json first")
	}
	return out, nil
}

func unstructuredOf(docs []document.Document) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	for _, doc := range docs {
		if err := document.Sound(doc.Node); err != nil {
			return nil, err
		}
		var object map[string]any
		if err := doc.Node.Decode(&object); err != nil {
			return nil, err
		}
		text, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON(text); err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

func writeStatusJSON(w io.Writer, r status.Report) error {
	return lazyjson.NewEncoder(w, "  ").Encode(r)
}

func writeStatusYAML(w io.Writer, r status.Report) error {
	text, err := yaml.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
