// Llm-d-sim is llm-d-inference-sim, the model server without a model, as upstream's cmd/llm-d-inference-sim puts it
// together.
package main

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/sync/errgroup"
	"k8s.io/klog/v2"

	"github.com/llm-d/llm-d-inference-sim/cmd/signals"
	"github.com/llm-d/llm-d-inference-sim/pkg/common"
	"github.com/llm-d/llm-d-inference-sim/pkg/communication"
	vllmsim "github.com/llm-d/llm-d-inference-sim/pkg/llm-d-inference-sim"
)

func main() {
	logger := klog.Background()
	ctx := signals.SetupSignalHandler(klog.NewContext(context.Background(), logger))
	// Upstream ends with status 0 whatever happens; a test has to see that a flag was refused.
	if err := run(ctx, logger); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, logger klog.Logger) error {
	config, err := common.ParseCommandParamsAndLoadConfig()
	if err != nil {
		return err
	}
	simulators, err := vllmsim.Start(ctx, config, logger)
	if err != nil {
		return err
	}
	var group errgroup.Group
	for _, simulator := range simulators {
		group.Go(func() error { return communication.Start(ctx, logger, simulator) })
	}
	return group.Wait()
}
