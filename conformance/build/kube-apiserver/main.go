// Kube-apiserver is upstream's kubernetes/cmd/kube-apiserver, built from its Go module:
// the conformance tests need a real API server on machines that can only reach a module proxy.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
