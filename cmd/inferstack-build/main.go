// Command inferstack-build is what inferstack build runs: kustomize's packages, which are kept
// out of inferstack so that it stays small and starts fast as a function. It prints no YAML, but
// speaks with inferstack (package dialogue).
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/inferstack/inferstack/internal/collect"
	"github.com/inferstack/inferstack/internal/dialogue"
	"github.com/inferstack/inferstack/kustomization"
)

// Exit codes, as those of inferstack.
const (
	exitError = 1
	exitUsage = 2
)

func main() {
	collect.Short(2)
	dir, opts, err := arguments(os.Args[1:])
	if err != nil {
		fail(exitUsage, err)
	}
	inferstack := dialogue.NewBuilder(os.Stdin, os.Stdout)
	opts.Generate = inferstack.Generate
	built, err := build(dir, opts)
	if err == nil {
		err = inferstack.Finish(built)
	}
	if err != nil {
		fail(exitError, err)
	}
}

func fail(code int, err error) {
	if !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	os.Exit(code)
}

// arguments reads the command line.
func arguments(args []string) (string, kustomization.Options, error) {
	var opts kustomization.Options
	flags := flag.NewFlagSet("inferstack-build", flag.ContinueOnError)
	flags.StringVar(&opts.Function, "function", "", "the inferstack to run (default: the one beside this program)")
	flags.BoolVar(&opts.Unrestricted, "unrestricted", false, "read files outside of the kustomization's root")
	flags.BoolVar(&opts.Origins, "origins", false, "say also of which files stacks are made that are printed")
	flags.StringVar(&opts.Reorder, "reorder", "", "legacy or none")
	if err := flags.Parse(args); err != nil {
		return "", opts, err
	}
	if flags.NArg() != 1 {
		return "", opts, errors.New("one directory is needed; this program is run by inferstack build")
	}
	return flags.Arg(0), opts, kustomization.CheckReorder(opts.Reorder)
}

// build builds alone, once the function is known.
func build(dir string, opts kustomization.Options) (dialogue.Built, error) {
	if opts.Function == "" {
		self, err := os.Executable()
		if err != nil {
			return dialogue.Built{}, err
		}
		opts.Function = filepath.Join(filepath.Dir(self), "inferstack")
		if runtime.GOOS == "windows" {
			opts.Function += ".exe"
		}
	}
	function, err := filepath.Abs(opts.Function)
	if err != nil {
		return dialogue.Built{}, err
	}
	opts.Function = function
	if err := kustomization.Alone(); err != nil {
		return dialogue.Built{}, err
	}
	return kustomization.Build(dir, opts)
}
