// Pd-sidecar is the routing sidecar of llm-d-inference-scheduler, as upstream's cmd/pd-sidecar puts it together.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/llm-d/llm-d-inference-scheduler/pkg/sidecar/proxy"
	"github.com/llm-d/llm-d-inference-scheduler/pkg/telemetry"
)

func main() {
	options := proxy.NewOptions()
	options.AddFlags(pflag.CommandLine)
	pflag.Parse()
	log.SetLogger(options.NewLogger())
	// Upstream ends with status 0 whatever happens; a test has to see that a flag was refused.
	if err := run(ctrl.SetupSignalHandler(), options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, options *proxy.Options) error {
	if stop, err := telemetry.InitTracing(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else if stop != nil {
		defer stop(context.Background())
	}
	if err := options.Complete(); err != nil {
		return err
	}
	if err := options.Validate(); err != nil {
		return err
	}
	return proxy.NewProxy(options.Config).Start(ctx)
}
