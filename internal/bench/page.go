package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// The figures stand between these lines of the page; the rest is written by hand.
const (
	figuresBegin = "<!-- figures: written by make bench -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// writePage puts the figures in the place of older ones.
func writePage(page, figures string) error {
	data, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(data), figuresBegin)
	_, after, ends := strings.Cut(rest, figuresEnd)
	if !begins || !ends {
		return fmt.Errorf("%s: the lines around the figures are missing", page)
	}
	text := before + figuresBegin + "\n" + machine() + "\n" + strings.TrimRight(figures, "\n") + "\n\n" + figuresEnd + after
	return os.WriteFile(page, []byte(text), 0o644)
}

// machine is the class of the machine, not which one it is.
func machine() string {
	return fmt.Sprintf("Measured on %d processors, %s/%s, %s.\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}
