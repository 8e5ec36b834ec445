package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// runs of each program for each input.
const runs = 40

// samples are the wall times (ms) and peak resident sizes (MB) of a program's runs.
type samples struct{ wall, memory []float64 }

func (s *samples) add(program string, input []byte) error {
	start := time.Now()
	_, usage, err := call(program, input)
	if err != nil {
		return err
	}
	s.wall = append(s.wall, float64(time.Since(start).Microseconds())/1e3)
	s.memory = append(s.memory, float64(usage.Maxrss)/1e3) // Linux counts kilobytes
	return nil
}

func (s *samples) milliseconds() float64 { return median(s.wall) }
func (s *samples) megabytes() float64    { return median(s.memory) }

func median(in []float64) float64 {
	sorted := slices.Sorted(slices.Values(in))
	return sorted[len(sorted)/2]
}

// call runs a KRM function once.
func call(program string, input []byte) ([]byte, *syscall.Rusage, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, nil, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	return stdout.Bytes(), cmd.ProcessState.SysUsage().(*syscall.Rusage), nil
}

// resourceList wraps a spec the way kustomize hands it over: as functionConfig and as
// the only item.
func resourceList(spec []byte) []byte {
	var out bytes.Buffer
	out.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n")
	indent(&out, spec, "  ", "  ")
	out.WriteString("items:\n")
	indent(&out, spec, "- ", "  ")
	return out.Bytes()
}

// indent writes the lines of a document, the first behind first, the rest behind rest.
// Comment lines are left out: before the first key they would end the list item.
func indent(out *bytes.Buffer, doc []byte, first, rest string) {
	prefix := first
	for line := range bytes.Lines(doc) {
		if bytes.HasPrefix(line, []byte("#")) {
			continue
		}
		out.WriteString(prefix)
		out.Write(line)
		prefix = rest
	}
}
