package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"
	configapi "sigs.k8s.io/gateway-api-inference-extension/apix/config/v1alpha1"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/config"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/datalayer"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/datastore"
	runserver "sigs.k8s.io/gateway-api-inference-extension/pkg/epp/server"
)

// phaseOne and phaseTwo are what the runner does with a configuration, between other things that need an API server.
//
//go:linkname phaseOne sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner.(*Runner).parseConfigurationPhaseOne
func phaseOne(r *runner.Runner, ctx context.Context, opts *runserver.Options) (*configapi.EndpointPickerConfig, error)

//go:linkname phaseTwo sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner.(*Runner).parseConfigurationPhaseTwo
func phaseTwo(r *runner.Runner, ctx context.Context, raw *configapi.EndpointPickerConfig, ds datastore.Datastore) (*config.Config, error)

// sources are those of the process, which a picker fills once.
//
//go:linkname sources sigs.k8s.io/gateway-api-inference-extension/pkg/epp/datalayer.defaultDataSources
var sources datalayer.DataSourceRegistry

// flags are read by the factories of data sources.
var flags = sync.OnceFunc(func() { runserver.NewOptions().AddFlags(pflag.CommandLine) })

// setup makes the picker of a configuration, with the data layer as the runner sets it up.
func setup(ctx context.Context, text string) error {
	ctrl.SetLogger(logr.Discard())
	flags()
	sources = datalayer.DataSourceRegistry{}
	opts := runserver.NewOptions()
	opts.ConfigText = text
	r := runner.NewRunner()
	raw, err := phaseOne(r, ctx, opts)
	if err != nil {
		return err
	}
	cfg, err := phaseTwo(r, ctx, raw, datastore.NewDatastore(ctx, nil, 0))
	if err != nil || !slices.Contains(raw.FeatureGates, datalayer.ExperimentalDatalayerFeatureGate) {
		return err
	}
	if err := datalayer.WithConfig(cfg.DataConfig); err != nil {
		return err
	}
	if len(datalayer.GetSources()) == 0 {
		return errors.New("data layer enabled but no data sources configured")
	}
	return nil
}
