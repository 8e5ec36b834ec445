// Command bench measures inferstack against a no-op kyaml function that is handed the
// same output, whole process against whole process, and prints ratios. It asserts
// nothing: machines differ, but the two programs of one run share one machine.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// examples that are measured, from the smallest to a full stack.
var examples = []string{"quickstart", "prefill-decode-istio", "production-vllm"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	dir, err := os.MkdirTemp("", "inferstack-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ours, err := build(dir, "inferstack", "./fn")
	if err != nil {
		return err
	}
	noop, err := build(dir, "noop", "./internal/bench/noop")
	if err != nil {
		return err
	}
	for _, name := range examples {
		if err := compare(ours, noop, filepath.Join("examples", name, "stack.yaml")); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// build compiles a package as a release does and prints the size of the binary.
func build(dir, name, pkg string) (string, error) {
	out := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", pkg, err, msg)
	}
	info, err := os.Stat(out)
	if err != nil {
		return "", err
	}
	fmt.Printf("%-12s %.1f MB\n", name, float64(info.Size())/1e6)
	return out, nil
}

// compare runs both programs in turn, so that a busy machine slows both.
func compare(ours, noop, stack string) error {
	spec, err := os.ReadFile(stack)
	if err != nil {
		return err
	}
	input := resourceList(spec)
	output, _, err := call(ours, input)
	if err != nil {
		return err
	}
	var a, b samples
	for range runs {
		if err := a.add(ours, input); err != nil {
			return err
		}
		if err := b.add(noop, output); err != nil {
			return err
		}
	}
	fmt.Printf("%-40s time %5.1f / %5.1f ms = %.2f   memory %5.1f / %5.1f MB = %.2f   output %d bytes\n", stack,
		a.milliseconds(), b.milliseconds(), a.milliseconds()/b.milliseconds(),
		a.megabytes(), b.megabytes(), a.megabytes()/b.megabytes(), len(output))
	return nil
}
