package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// A command is a process to measure. Its streams are files, so that this process stays
// small: Linux counts the size of the parent at the fork into the peak of the child.
type command struct {
	args  []string
	stdin string // a file, or nothing
	dir   string
	exits int // the exit code of success, as 1 of diff when it finds differences
}

// run runs the command and writes its output to a file, or to nowhere.
func (c command) run(output string) (sample, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir = c.dir
	if c.stdin != "" {
		in, err := os.Open(c.stdin)
		if err != nil {
			return sample{}, err
		}
		defer func() { _ = in.Close() }()
		cmd.Stdin = in
	}
	if output != "" {
		out, err := os.Create(output)
		if err != nil {
			return sample{}, err
		}
		defer func() { _ = out.Close() }()
		cmd.Stdout = out
	}
	var said tail
	cmd.Stderr = &said
	start := time.Now()
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.exits {
		return sample{}, fmt.Errorf("%v: %w: %s", c.args, err, said.text)
	}
	state := cmd.ProcessState
	return sample{
		wall:   time.Since(start),
		cpu:    state.UserTime() + state.SystemTime(),
		memory: state.SysUsage().(*syscall.Rusage).Maxrss << 10, // Linux counts kilobytes
	}, nil
}

// A tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = bytes.Clone(t.text[max(0, len(t.text)-2000):])
	return len(p), nil
}

// A sample is one run: the time that passed, the processor time of the process and its
// children, and the peak of the resident memory.
type sample struct {
	wall, cpu time.Duration
	memory    int64
}

// compare runs the commands in turn, so that a busy machine slows all of them, and returns the
// samples of each. How a program lies in the file cache makes a fifth of the time of a short run, more or less: it
// is copied again every few rounds.
func (b *bench) compare(commands ...command) ([][]sample, error) {
	samples := make([][]sample, len(commands))
	start := time.Now()
	for round := 0; round <= 3 || round <= 40 && time.Since(start) < b.budget; round++ {
		fresh := round%copiedEvery == 0
		if fresh && round > 0 {
			if err := b.copyAgain(commands); err != nil {
				return nil, err
			}
		}
		for i, c := range commands {
			s, err := c.run("")
			if err != nil {
				return nil, err
			}
			if !fresh { // the first fills the file cache
				samples[i] = append(samples[i], s)
			}
		}
	}
	return samples, nil
}

// copiedEvery is after how many rounds programs are copied again.
const copiedEvery = 5

// A ratio is that of two programs in each round: the median, and what half of the rounds lie
// between.
type ratio struct{ low, middle, high float64 }

func ratioOf[T ~int64](ours, yardstick []sample, value func(sample) T) ratio {
	rounds := make([]float64, len(ours))
	for i, s := range ours {
		rounds[i] = float64(value(s)) / float64(value(yardstick[i]))
	}
	slices.Sort(rounds)
	n := len(rounds)
	return ratio{rounds[n/4], rounds[n/2], rounds[n-1-n/4]}
}

// median is the sample in the middle by processor time.
func median(samples []sample) sample {
	samples = slices.SortedFunc(slices.Values(samples), func(a, b sample) int { return cmp.Compare(a.cpu, b.cpu) })
	return samples[len(samples)/2]
}
