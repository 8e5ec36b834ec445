package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/gateway-api-inference-extension/cmd/epp/runner"
	backendmetrics "sigs.k8s.io/gateway-api-inference-extension/pkg/epp/backend/metrics"
	runserver "sigs.k8s.io/gateway-api-inference-extension/pkg/epp/server"
)

// load sets the picker up with one configuration after the other, each a text in JSON on a line, and writes the error
// that would end it, or nothing, on a line likewise. Nothing is started, and no API server is there.
func load(in io.Reader, out io.Writer) error {
	ctrl.SetLogger(logr.Discard())
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	enc := json.NewEncoder(out)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			return err
		}
		problem := ""
		if err := setup(text); err != nil {
			problem = err.Error()
		}
		if err := enc.Encode(problem); err != nil {
			return err
		}
	}
	return lines.Err()
}

func setup(text string) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	opts := runserver.NewOptions()
	opts.PoolName, opts.PoolNamespace, opts.ConfigText, opts.MetricsPort = "pool", "default", text, 0
	_, _, err = runner.NewTestRunnerSetup(ctx, &rest.Config{Host: "http://api", Transport: discovery{}}, opts, &backendmetrics.FakePodMetricsClient{}, nil)
	return err
}
