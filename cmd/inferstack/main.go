// Command inferstack compiles InferenceStack files to the Kubernetes objects of an
// llm-d serving stack. With a ResourceList on standard input and no arguments it is a
// KRM function for kustomize and kpt, else a command line: see package fn.
package main

import (
	"os"

	"github.com/inferstack/inferstack/fn"
)

func main() { os.Exit(fn.Main()) }
