package fn

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/dialogue"
)

const buildLong = `Build builds a kustomization as kustomize build --enable-alpha-plugins --enable-exec does, and
prints the same bytes. Only patches on a stack differ: they merge lists with named entries, for which
plain kustomize needs inferstack schema -o openapi. Stacks, resources of other llm-d systems and Rewire
are compiled where the kustomization lists them, as generators or transformers, after the patches on
them.

A stack under generators needs no more than that. What kustomize is to build as well, or lists under
transformers, or is not an InferenceStack, has the annotation by which kustomize finds its function; one
that names inferstack, as a program or an image, stands for this program.

No other program is run and no network is asked: functions of others, Helm charts and remote
bases are refused. Files outside the root of a kustomization are read only with
--load-restrictor LoadRestrictionsNone.

kustomize's packages are in a program of their own, inferstack-build, which is looked for
beside this one and in the PATH.`

const buildExamples = `  # An overlay
  inferstack build overlays/prod

  # To the cluster, or to a file
  inferstack build overlays/prod | kubectl apply -f -
  inferstack build overlays/prod -o prod.yaml

  # If its stacks keep the rules of a platform team
  inferstack build overlays/prod --policy policy.cue`

type buildOptions struct {
	output     string
	restrictor string
	reorder    string
	helm       bool
	policies   []string
	origins    bool // of the stacks that are printed
	always     bool // what kustomize has to be told and build does not
}

// The values of kustomize's flag --load-restrictor.
const (
	restrictedToRoot = "LoadRestrictionsRootOnly"
	unrestricted     = "LoadRestrictionsNone"
)

var restrictors = []string{restrictedToRoot, unrestricted}

func buildCommand(std streams) *cobra.Command {
	var opts buildOptions
	cmd := &cobra.Command{
		Use:     "build [DIR]",
		Short:   "Build a kustomization with stacks in it",
		Long:    buildLong,
		Example: buildExamples,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return runBuild(append(args, ".")[0], opts, std)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&opts.output, "output", "o", "", "write to this file instead of standard output")
	flags.StringVar(&opts.restrictor, "load-restrictor", restrictedToRoot, "LoadRestrictionsRootOnly, or LoadRestrictionsNone to read files outside of the root")
	flags.StringVar(&opts.reorder, "reorder", "", "legacy or none: the order of objects where the kustomization has no sortOptions")
	flags.StringSliceVar(&opts.policies, "policy", nil, policyUsage)
	flags.BoolVar(&opts.helm, "enable-helm", false, "is refused: inferstack runs no helm")
	flags.BoolVar(&opts.always, "enable-alpha-plugins", true, "has no effect: functions of inferstack are always on")
	flags.BoolVar(&opts.always, "enable-exec", true, "has no effect: functions of inferstack are always on")
	for _, name := range []string{"enable-helm", "enable-alpha-plugins", "enable-exec"} {
		must(flags.MarkHidden(name))
	}
	return cmd
}

// runBuild is the build command.
func runBuild(dir string, opts buildOptions, std streams) error {
	switch {
	case opts.helm:
		return errors.New("--enable-helm is not supported: inferstack runs no other program; render the chart with helm template and list the result")
	case !slices.Contains(restrictors, opts.restrictor):
		return fmt.Errorf("--load-restrictor must be %s or %s (got %q)", restrictedToRoot, unrestricted, opts.restrictor)
	case !slices.Contains([]string{"", "legacy", "none"}, opts.reorder):
		return fmt.Errorf("--reorder must be legacy or none (got %q)", opts.reorder)
	}
	if info, err := os.Stat(opts.output); err == nil && info.IsDir() {
		return fmt.Errorf("--output %s is a directory; build writes a file", opts.output)
	}
	opts.origins = len(opts.policies) > 0
	built, err := buildKustomization(dir, opts, std)
	if err != nil {
		return err
	}
	found, err := built.judge(dir, opts.policies)
	if err != nil {
		return failure{err}
	}
	report(std.err, found)
	if failed(found) {
		return errReported
	}
	return std.put(opts.output, []byte(built.Text))
}

// A building is what a kustomization makes, and the stacks that were compiled for it.
type building struct {
	dialogue.Built
	stacks []product
}

// judge judges all stacks by policies: those that were compiled, and those that are printed, for others
// to compile.
func (b building) judge(dir string, policies []string) (finding.List, error) {
	if len(policies) == 0 {
		return nil, nil
	}
	printed := source{name: filepath.ToSlash(kustomizationOf(dir)), data: []byte(b.Text), named: true, root: dir, built: true, lineages: lineages(b.Origins)}
	docs, wrong := printed.read()
	stacks, found := units(docs, convert.Options{})
	made, more := compileUnits(traced(stacks, []source{printed}))
	if found = slices.Concat(finding.List(wrong), found, more); failed(found) {
		return found, nil
	}
	found, err := judge(slices.Concat(b.stacks, made), policies, false)
	return append(found, unseen(b.Functions)...), err
}

// buildKustomization returns what a kustomization makes.
func buildKustomization(dir string, opts buildOptions, std streams) (built building, err error) {
	function, err := self()
	if err != nil {
		return built, failure{err}
	}
	builder, err := companion(function, builderName)
	if err != nil {
		return built, failure{err}
	}
	args := []string{"-function=" + function, "-reorder=" + opts.reorder}
	if opts.restrictor == unrestricted {
		args = append(args, "-unrestricted")
	}
	if opts.origins {
		args = append(args, "-origins")
	}
	both := shared(std.err)
	g := generating{err: both, guesses: guessing(dir)}
	said, listening, err := converse(exec.Command(builder, append(args, "--", dir)...), both, g.answer)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.Exited():
		return built, errReported
	case err != nil:
		return built, failure{err}
	case listening != nil:
		return built, failure{fmt.Errorf("%s is of another version than this program: %w", builder, listening)}
	}
	g.finish(said)
	return building{said, g.made}, nil
}

// converse starts a builder and answers it until it ends. The second error is that of what it said,
// the third that of the process, which is the reason when there are both.
func converse(cmd *exec.Cmd, said io.Writer, answer func(dialogue.Generator) dialogue.Answer) (built dialogue.Built, listening, ended error) {
	cmd.Stderr = said
	to, err := cmd.StdinPipe()
	if err != nil {
		return built, nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return built, nil, err
	}
	if err := cmd.Start(); err != nil {
		return built, nil, err
	}
	built, listening = dialogue.Listen(from, to, answer)
	_ = to.Close() // a builder that waits for an answer ends
	_, _ = io.Copy(io.Discard, from)
	return built, listening, cmd.Wait()
}

// self is this program, to be run as a function.
var self = os.Executable

// builderName is the program that links kustomize.
const builderName = "inferstack-build"

// companion finds a program of the same release beside this one, or else in the PATH.
func companion(function, name string) (string, error) {
	if real, err := filepath.EvalSymlinks(function); err == nil {
		function = real
	}
	beside := filepath.Join(filepath.Dir(function), name)
	if runtime.GOOS == "windows" {
		beside += ".exe"
	}
	if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
		return beside, nil
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not beside %s and not in the PATH; it is in the same archive, and installed by go install github.com/inferstack/inferstack/cmd/...@VERSION", name, function)
	}
	return found, nil
}
