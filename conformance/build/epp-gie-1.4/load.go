package main

import (
	"context"
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"
	backendmetrics "sigs.k8s.io/gateway-api-inference-extension/pkg/epp/backend/metrics"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/datalayer"
	runserver "sigs.k8s.io/gateway-api-inference-extension/pkg/epp/server"

	"github.com/inferstack/inferstack/conformance/build/loading"
)

// sources are those of the process, which a picker fills once.
//
//go:linkname sources sigs.k8s.io/gateway-api-inference-extension/pkg/epp/datalayer.defaultDataSources
var sources datalayer.DataSourceRegistry

// flags are read by the factories of data sources.
var flags = sync.OnceFunc(func() { runserver.NewOptions().AddFlags(pflag.CommandLine) })

// setup makes the picker of a configuration. Nothing is started, and no API server is there.
func setup(ctx context.Context, text string) error {
	ctrl.SetLogger(logr.Discard())
	flags()
	sources = datalayer.DataSourceRegistry{}
	opts := runserver.NewOptions()
	opts.PoolName, opts.PoolNamespace, opts.ConfigText, opts.MetricsPort = "pool", "default", text, 0
	_, _, err := runner.NewTestRunnerSetup(ctx, &rest.Config{Host: "http://api", Transport: loading.Discovery{}}, opts, &backendmetrics.FakePodMetricsClient{})
	return err
}
