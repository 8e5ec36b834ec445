package fn

import (
	"bufio"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/generators/manifest"
)

const renderLong = `Render compiles the InferenceStacks in the files, directories or standard input (-) that
are named. Objects are in the order in which they can be applied. In a directory the
.yaml, .yml and .json files are read, not those of directories in it; what is no
InferenceStack is ignored. Resources of other llm-d systems, such as a ModelService,
are converted first (see convert). A .cue file is evaluated with those of its package
beside it: docs/tasks/cue.md.

With -o DIR each object becomes a file there, beside a kustomization.yaml that lists them.
The directory is written whole or not at all. Files that an earlier run wrote and that are
no longer needed are removed; others are left alone.

With --check DIR nothing is written: the exit code is 1 when the directory is not what -o
would make of it, and each file that differs is named. Use it in CI and before a commit.`

const renderExamples = `  # To the terminal, or to the cluster
  inferstack render stack.yaml
  inferstack render stack.yaml | kubectl apply -f -

  # A directory for kubectl apply -k, Argo CD or Flux
  inferstack render stack.yaml -o deploy/

  # Is the directory up to date? For CI and pre-commit
  inferstack render stack.yaml --check deploy/

  # If it keeps the rules of a platform team
  inferstack render stack.yaml --policy policy.cue

  # A stack in CUE, with a tag
  inferstack render stack.cue -t env=prod

  # As JSON
  cat stack.yaml | inferstack render - -o json`

func renderCommand(std streams) *cobra.Command {
	var opts renderOptions
	cmd := &cobra.Command{
		Use:     "render [FILE|DIR|-]...",
		Short:   "Print the objects of a stack, or write them to a directory",
		Long:    renderLong,
		Example: renderExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			return render(args, opts, std)
		},
	}
	cmd.Flags().StringVarP(&opts.output, "output", "o", "yaml", "yaml (or -) or json to print, anything else is the directory to write (./yaml for one of that name)")
	cmd.Flags().StringVar(&opts.check, "check", "", "compare this directory with what would be written, and write nothing")
	cmd.MarkFlagsMutuallyExclusive("check", "output")
	cmd.Flags().BoolVar(&opts.from.Lossy, "lossy", false, "leave out what an InferenceStack cannot say of another system's resource, with a warning")
	cmd.Flags().StringSliceVar(&opts.policies, "policy", nil, policyUsage)
	tagFlag(cmd.Flags(), &opts.tags)
	kserveFlags(cmd.Flags(), &opts.from.KServe)
	cmd.Flags().BoolVar(&opts.summary, "summary", false, "say on standard error what was made")
	return cmd
}

type renderOptions struct {
	output  string
	check   string // a directory
	summary bool
	// policies are files.
	policies []string
	tags     []string
	from     convert.Options // of what another system has
}

// render is the render command.
func render(names []string, opts renderOptions, std streams) error {
	if opts.output == "" {
		return errors.New("--output is yaml, json or a directory (got \"\")")
	}
	if err := onlyCUE(names, opts.tags); err != nil {
		return err
	}
	if err := onlyBuilt(names); err != nil {
		return failure{err}
	}
	stacks, found, err := readStacks(names, opts.from, std.in, opts.tags...)
	if err != nil {
		return err
	}
	products, more := compileUnits(stacks)
	found = append(found, more...)
	if !failed(found) {
		if more, err = judge(products, opts.policies, false); err != nil {
			return failure{err}
		}
		found = append(found, more...)
	}
	made := madeOf(products)
	report(std.err, found)
	if failed(found) {
		return errReported
	}
	switch {
	case opts.check != "":
		err = checkDir(opts.check, made, std.err)
	case opts.output == "yaml" || opts.output == "-":
		err = buffered(std.out, objects(made), manifest.WriteYAML)
	case opts.output == "json":
		err = buffered(std.out, objects(made), manifest.WriteJSON)
	default:
		err = writeDir(opts.output, made)
	}
	if err != nil {
		return failure{err}
	}
	if opts.summary {
		_, _ = io.WriteString(std.err, summary(made)) // to a person; nothing depends on it
	}
	return nil
}

// buffered writes the objects in few system calls, and says when the reader has gone.
func buffered(w io.Writer, objects []manifest.Manifest, write func(io.Writer, []manifest.Manifest) error) error {
	out := bufio.NewWriterSize(w, 16<<10)
	if err := write(out, objects); err != nil {
		return err
	}
	return out.Flush()
}
