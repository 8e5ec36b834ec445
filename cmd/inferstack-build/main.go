// Command inferstack-build is what inferstack build runs: kustomize's packages, which are kept
// out of inferstack so that it stays small and starts fast as a function.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/kustomization"
)

// Exit codes, as those of inferstack.
const (
	exitError = 1
	exitUsage = 2
)

func main() {
	dir, opts, err := arguments(os.Args[1:])
	if err != nil {
		fail(exitUsage, err)
	}
	built, err := build(dir, opts)
	if err != nil {
		fail(exitError, err)
	}
	if opts.Origins {
		err = json.NewEncoder(os.Stdout).Encode(built)
	} else {
		_, err = os.Stdout.WriteString(built.Text)
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
	flags.BoolVar(&opts.Origins, "origins", false, "print JSON: what is built, and the files of the stacks in it")
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
func build(dir string, opts kustomization.Options) (origin.Built, error) {
	if opts.Function == "" {
		self, err := os.Executable()
		if err != nil {
			return origin.Built{}, err
		}
		opts.Function = filepath.Join(filepath.Dir(self), "inferstack")
		if runtime.GOOS == "windows" {
			opts.Function += ".exe"
		}
	}
	function, err := filepath.Abs(opts.Function)
	if err != nil {
		return origin.Built{}, err
	}
	opts.Function = function
	if err := kustomization.Alone(); err != nil {
		return origin.Built{}, err
	}
	return kustomization.Build(dir, opts)
}
