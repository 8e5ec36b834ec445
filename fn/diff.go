package fn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/diff"
)

const diffLong = `Diff compares two sets of objects by meaning, object by object and field by field, and
sorts what differs by what applying it does: what loses data, what must be replaced since
a field cannot change, what restarts or stops pods with accelerators, what may get another
address, what restarts other pods, what is removed, what changes in place and what is only
added.

OLD and NEW are files, directories, - or git:REV[:PATH], which is read with git from the
repository around the current directory; PATH may be left out when it is that of the other
side. InferenceStacks, and resources of other llm-d systems, are compiled first; other
manifests are taken as they are. Of a directory the .yaml, .yml and .json files are read, and
those of the directories in it, but no hidden directories and no Helm charts. A directory whose
kustomization does more than list files is built first, as by inferstack build; of a revision
its bases are too, and nothing else is read. In a directory that holds kustomizations each is built that no other one
there refers to; what several of them make is compared with what the same one made.

With the path left out, one that is only in NEW is all added, and one that is only in OLD all
removed. It is an error when there is no object on either side.

The exit code is 0 without differences, 1 with some and 2 when something went wrong.
Colours are for terminals only, and not when NO_COLOR is set. Values in Secrets are not shown.`

const diffExamples = `  # What an edit does, before it is committed
  inferstack diff git:HEAD stack.yaml

  # A pull request, as a comment on it
  inferstack diff git:origin/main stacks/ --output markdown

  # What a change to a base does to an overlay
  inferstack diff git:origin/main overlays/prod

  # Against manifests that were rendered before
  inferstack diff deploy/ stack.yaml

  # Against the cluster: kubectl compares with what runs
  inferstack render stack.yaml | kubectl diff -f -`

func diffCommand(std streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "diff OLD NEW",
		Short:   "Compare stacks or manifests by what applying them does",
		Long:    diffLong,
		Example: diffExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("two things are compared, OLD and NEW (got %s)", counted(len(args), "argument"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return runDiff(args, output, std)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, markdown or json")
	return cmd
}

// trouble is an error of a command whose exit code 1 means something else.
type trouble struct{ error }

func (t trouble) Unwrap() error { return t.error }

func runDiff(args []string, output string, std streams) error {
	switch output {
	case "text", "markdown", "json":
	default:
		return fmt.Errorf("--output is text, markdown or json (got %q)", output)
	}
	sides, err := bothSides(args, std)
	if err != nil {
		return trouble{err}
	}
	differences := diff.CompareSets(sides[0], sides[1])
	switch output {
	case "markdown":
		err = diff.Markdown(std.out, differences)
	case "json":
		err = diff.JSON(std.out, differences)
	default:
		err = diff.Text(std.out, differences, isTerminal(std.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
	}
	if err != nil {
		return trouble{err}
	}
	if len(differences) > 0 {
		return errReported
	}
	return nil
}

// bothSides reads what is compared. What a pull request adds or deletes is on one side only
// of the same path; a path that is on neither is a mistake, and so is nothing at all.
func bothSides(args []string, std streams) ([2][]diff.Set, error) {
	var sides [2][]diff.Set
	var missing [2]error
	for i, name := range args {
		objects, err := manifests(name, args[1-i], std)
		if errors.Is(err, fs.ErrNotExist) && samePath(args) {
			missing[i], err = err, nil
		}
		if err != nil {
			return sides, err
		}
		sides[i] = objects
	}
	switch {
	case missing[0] != nil && missing[1] != nil:
		return sides, errors.Join(missing[:]...)
	case counts(sides[0])+counts(sides[1]) == 0:
		return sides, fmt.Errorf("no Kubernetes objects found in %s", list(args))
	}
	return sides, nil
}

// counts counts the objects of sets.
func counts(sets []diff.Set) int {
	n := 0
	for _, set := range sets {
		n += len(set.Objects)
	}
	return n
}

// samePath reports whether one side is a revision that takes its path from the other.
func samePath(args []string) bool {
	return slices.ContainsFunc(args, func(name string) bool {
		rev, ok := strings.CutPrefix(name, "git:")
		return ok && !strings.Contains(rev, ":")
	})
}

// exitTrouble tells what went wrong, unless that was done, and is the exit code.
func exitTrouble(err error, std streams) int {
	if !errors.Is(err, errReported) {
		_, _ = fmt.Fprintln(std.err, "error:", told(err)) // the exit code says it too
	}
	return exitUsage
}
