package main

import (
	"context"
	"flag"
	_ "unsafe" // for go:linkname

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"
)

// parse is what the runner does with a configuration, between other things that need an API server.
//
//go:linkname parse sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner.(*Runner).parsePluginsConfiguration
func parse(r *runner.Runner, ctx context.Context) error

// setup makes the picker of a configuration.
func setup(ctx context.Context, text string) error {
	ctrl.SetLogger(logr.Discard())
	if err := flag.Set("config-text", text); err != nil {
		return err
	}
	return parse(runner.NewRunner(), ctx)
}
