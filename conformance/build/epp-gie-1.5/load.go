package main

import (
	"context"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"
	backendmetrics "sigs.k8s.io/gateway-api-inference-extension/pkg/epp/backend/metrics"
	runserver "sigs.k8s.io/gateway-api-inference-extension/pkg/epp/server"

	"github.com/inferstack/inferstack/conformance/build/loading"
)

// setup makes the picker of a configuration. Nothing is started, and no API server is there.
func setup(ctx context.Context, text string) error {
	ctrl.SetLogger(logr.Discard())
	opts := runserver.NewOptions()
	opts.PoolName, opts.PoolNamespace, opts.ConfigText, opts.MetricsPort = "pool", "default", text, 0
	_, _, err := runner.NewTestRunnerSetup(ctx, &rest.Config{Host: "http://api", Transport: loading.Discovery{}}, opts, &backendmetrics.FakePodMetricsClient{}, nil)
	return err
}
