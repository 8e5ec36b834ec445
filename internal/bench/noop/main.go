// Command noop is the yardstick of the benchmarks: a KRM function built on kyaml that
// hands its input through.
package main

import (
	"os"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

func main() {
	nothing := framework.ResourceListProcessorFunc(func(*framework.ResourceList) error { return nil })
	if err := framework.Execute(nothing, &kio.ByteReadWriter{Reader: os.Stdin, Writer: os.Stdout}); err != nil {
		os.Exit(1)
	}
}
