// Command bench measures whole processes against yardsticks on the same machine: a no-op
// kyaml function that is handed the same output, kustomize build of the rendered objects,
// and helm template of an upstream chart. It asserts nothing: machines differ, but the two
// programs of a comparison share one, and run in turn.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	page := flag.String("page", "", "write the figures into this page too")
	budget := flag.Duration("budget", 25*time.Second, "time for each comparison; at least 3 runs are made")
	all := flag.Bool("all", false, "render 10,000 stacks too, which takes minutes")
	flag.Parse()
	if err := run(*page, *budget, *all); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A bench is one run of this command.
type bench struct {
	dir    string // for programs and inputs
	ours   string
	noop   string
	budget time.Duration
	counts []int // of stacks in one input
}

func run(page string, budget time.Duration, all bool) (err error) {
	b := &bench{budget: budget, counts: []int{10, 100, 1000}}
	if all {
		b.counts = append(b.counts, 10000)
	}
	if b.dir, err = os.MkdirTemp("", "inferstack-bench"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.ours, err = b.build("inferstack", ".", "./cmd/inferstack"); err != nil {
		return err
	}
	if b.noop, err = b.build("noop", ".", "./internal/bench/noop"); err != nil {
		return err
	}
	var text bytes.Buffer
	for _, section := range []func(*bench) (string, error){(*bench).single, (*bench).many, (*bench).kustomize, (*bench).helm} {
		part, err := section(b)
		if err != nil {
			return err
		}
		fmt.Print(part, "\n")
		text.WriteString(part + "\n")
	}
	if page == "" {
		return nil
	}
	return writePage(page, text.String())
}

// path is a file in the directory of this run.
func (b *bench) path(elem ...string) string {
	return filepath.Join(append([]string{b.dir}, elem...)...)
}

func (b *bench) write(name string, data []byte) (string, error) {
	file := b.path(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, data, 0o644)
}
