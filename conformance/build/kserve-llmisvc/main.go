// Kserve-llmisvc runs the LLMInferenceService reconciler of KServe over the manifests on standard input and prints, in
// JSON, the objects that it makes of each LLMInferenceService.
//
// The cluster is controller-runtime's fake client, which keeps objects as they are written: what an API server would
// fill in is not there. It holds what KServe installs, read from KServe's own module: the presets and the ConfigMap
// of the controller, with the Gateway that the ConfigMap names.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	ctrl.SetLogger(logr.Discard())
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "kserve-llmisvc: name the folder of KServe's module")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kserve-llmisvc:", err)
		os.Exit(1)
	}
}

func run(module string, in io.Reader, out io.Writer) error {
	given, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	objects, err := cluster(module, given)
	if err != nil {
		return err
	}
	made, err := reconcile(context.Background(), objects)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	for _, o := range made {
		if err := encoder.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// known are the objects that were there before.
func known(objects []client.Object) map[string]bool {
	out := map[string]bool{}
	for _, o := range objects {
		out[o.GetObjectKind().GroupVersionKind().Kind+"/"+o.GetNamespace()+"/"+o.GetName()] = true
	}
	return out
}
