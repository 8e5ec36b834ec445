// Flux-build is what Flux's kustomize-controller does with a folder: its build, then its post-build substitution with
// the variables given as NAME=VALUE after the folder, in strict mode.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string, variables []string) error {
	substitute := map[string]any{}
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		substitute[name] = value
	}
	kustomization := unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1",
		"kind":       "Kustomization",
		"metadata":   map[string]any{"name": "conformance", "namespace": "flux-system"},
		"spec":       map[string]any{"postBuild": map[string]any{"substitute": substitute}},
	}}
	resources, err := kustomize.SecureBuild(dir, dir, false)
	if err != nil {
		return err
	}
	for _, resource := range resources.Resources() {
		substituted, err := kustomize.SubstituteVariables(context.Background(), nil, kustomization, resource,
			kustomize.SubstituteWithDryRun(true), kustomize.SubstituteWithStrict(true))
		if err != nil {
			return fmt.Errorf("%s: %w", resource.CurId(), err)
		}
		if substituted == nil {
			// The object says kustomize.toolkit.fluxcd.io/substitute: disabled, and goes on as it is.
			substituted = resource
		}
		document, err := substituted.AsYAML()
		if err != nil {
			return err
		}
		fmt.Printf("---\n%s", document)
	}
	return nil
}
