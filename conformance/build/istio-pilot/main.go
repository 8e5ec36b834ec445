// Istio-pilot runs Istio's own control plane in one process over the manifests on standard input and prints, as
// JSON, what every gateway proxy of class istio would be sent and which status each Gateway API object got.
//
// Istio's feature flags are its own environment variables, as on a real istiod.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"istio.io/istio/pkg/log"
	"istio.io/istio/pkg/test"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "istio-pilot:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	logging := log.DefaultOptions()
	logging.OutputPaths = []string{"stderr"}
	if err := log.Configure(logging); err != nil {
		return err
	}
	input, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	manifests, err := read(input)
	if err != nil {
		return err
	}
	var result *Result
	if err := test.Wrap(func(t test.Failer) { result = serve(t, manifests) }); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(result)
}
