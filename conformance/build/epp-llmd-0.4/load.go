package main

import (
	"context"
	"flag"
	_ "unsafe" // for go:linkname

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	configapi "sigs.k8s.io/gateway-api-inference-extension/apix/config/v1alpha1"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/config"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/datastore"
)

// phaseOne and phaseTwo are what the runner does with a configuration, between other things that need an API server.
//
//go:linkname phaseOne sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner.(*Runner).parseConfigurationPhaseOne
func phaseOne(r *runner.Runner, ctx context.Context) (*configapi.EndpointPickerConfig, error)

//go:linkname phaseTwo sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner.(*Runner).parseConfigurationPhaseTwo
func phaseTwo(r *runner.Runner, ctx context.Context, raw *configapi.EndpointPickerConfig, ds datastore.Datastore) (*config.Config, error)

// setup makes the picker of a configuration.
func setup(ctx context.Context, text string) error {
	ctrl.SetLogger(logr.Discard())
	if err := flag.Set("config-text", text); err != nil {
		return err
	}
	r := runner.NewRunner()
	raw, err := phaseOne(r, ctx)
	if err != nil {
		return err
	}
	_, err = phaseTwo(r, ctx, raw, datastore.NewDatastore(ctx, nil, 0))
	return err
}
