// Command bench measures whole processes against yardsticks on the same machine, and how each
// command grows with its input. It asserts nothing: machines differ, but the programs of a
// comparison share one, and run in turn.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	page := flag.String("page", "", "write the figures into this page too")
	budget := flag.Duration("budget", 25*time.Second, "time for each comparison; at least 3 runs are made")
	charts := flag.String("charts", "", "directory with the charts llm-d-infra and llm-d-modelservice, and those that they depend on")
	plot := flag.String("plot", "", "draw the growth of the commands into this file")
	all := flag.Bool("all", false, "growth to 20,000 objects, which takes minutes")
	only := flag.String("only", "", "run the sections whose number, from 1, stands in this list, as in 1,3; not for a page")
	flag.Parse()
	b := &bench{budget: *budget, charts: *charts, plot: *plot, counts: []int{20, 40, 80, 160, 320}}
	if *all {
		b.counts = append(b.counts, 910)
	}
	if err := b.run(*page, *only); err != nil {
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
	charts string
	plot   string
	counts []int // of stacks, from the fewest to the most
}

// sections of the page, in order.
var sections = []func(*bench) (string, error){
	(*bench).single, (*bench).many, (*bench).kustomize, (*bench).constants, (*bench).oneChart, (*bench).threeCharts, (*bench).checks, (*bench).growth,
}

func (b *bench) run(page, only string) (err error) {
	if page != "" && only != "" {
		return errors.New("a page has all sections: -page and -only exclude each other")
	}
	if b.dir, err = os.MkdirTemp("", "inferstack-bench"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	for name, pkg := range map[string]string{"inferstack": "./cmd/inferstack", "inferstack-build": "./cmd/inferstack-build", "noop": "./internal/bench/noop"} {
		if _, err = b.build(name, ".", pkg); err != nil {
			return err
		}
	}
	b.ours, b.noop = b.path("bin", "inferstack"), b.path("bin", "noop")
	var text bytes.Buffer
	for i, section := range sections {
		if only != "" && !slices.Contains(strings.Split(only, ","), strconv.Itoa(i+1)) {
			continue
		}
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
