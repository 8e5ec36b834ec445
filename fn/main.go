// Package fn is the KRM function and the command line of inferstack. It is the only
// package that touches streams, files and flags; what a stack is and what it consists of is the
// business of packages schema and generators.
package fn

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/inferstack/inferstack/internal/collect"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // something is wrong with what was read or could not be written; of diff, status and check: not the same, not ready, not right
	exitUsage = 2 // the program was called wrongly; of diff and status: any error, of check: something was not read
)

// Main runs the program with the arguments and the standard streams of the process, and
// returns its exit code.
func Main() int {
	collect.Short(1)
	collect.Stack()
	return run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
}

// streams are the standard streams.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// errReported says that what went wrong has been told already.
var errReported = errors.New("reported")

// failure is an error of the run, as against one of the command line.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// run is the program.
func run(args []string, std streams) int {
	name, err := execute(args, std)
	var f failure
	var t trouble
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &t):
		return exitTrouble(err, std)
	case errors.Is(err, errReported):
		return exitError
	case errors.As(err, &f):
		_, _ = fmt.Fprintln(std.err, "error:", told(err))
		return exitError
	default:
		_, _ = fmt.Fprintf(std.err, "error: %s\nSee '%s --help'.\n", told(err), name)
		return exitUsage
	}
}

// execute runs the command that the arguments name, and returns its name. As kustomize and kpt start the
// program, no command has to be set up.
func execute(args []string, std streams) (command string, err error) {
	if len(args) == 0 && !isTerminal(std.in) {
		return "inferstack", runFunction(std)
	}
	root := rootCommand(std)
	fixCompletion(root)
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	return cmd.CommandPath(), err
}
