package fn

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/graph"
)

const graphLong = `Graph draws what refers to what in the manifests that are named, whoever wrote them, and
numbers the way of a request: client, gateway, route, ext_proc, endpoint picker, pool, pods.
It is the graph that check checks: a reference that arrives nowhere is drawn red and dashed.
InferenceStacks, and resources of other llm-d systems, are compiled first. Directories are
read with those in them, but for hidden ones and Helm charts; kustomizations in them are built.

What is not on a request's way is folded into what it belongs to, unless --all is given.`

const graphExamples = `  # A picture for a README
  inferstack graph stack.yaml --write stack.svg

  # For Markdown that draws Mermaid, and for Graphviz
  inferstack graph manifests/ -o mermaid
  inferstack graph manifests/ -o dot | dot -Tpdf > stack.pdf

  # What another tool renders, on a page that shows the YAML of each object
  helm template my-release my-chart | inferstack graph -w stack.html -`

// A graphCall is what the command line asks for.
type graphCall struct {
	format, file string
	options      graph.Options
}

func graphCommand(std streams) *cobra.Command {
	var call graphCall
	cmd := &cobra.Command{
		Use:     "graph [DIR|FILE|-]...",
		Short:   "Draw the wiring of any Kubernetes manifests",
		Long:    graphLong,
		Example: graphExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			return call.run(args, std)
		},
	}
	cmd.Flags().StringVarP(&call.format, "output", "o", "", strings.Join(graph.Formats, ", ")+" (default: what the ending of --write says, else "+graph.Formats[0]+")")
	cmd.Flags().StringVarP(&call.file, "write", "w", "", "`FILE` to write, rather than standard output (-)")
	cmd.Flags().BoolVar(&call.options.All, "all", false, "draw every object")
	return cmd
}

// run is the graph command.
func (c graphCall) run(names []string, std streams) error {
	if c.file == "-" {
		c.file = ""
	}
	if ending := filepath.Ext(c.file); c.format == "" && ending != "" {
		if c.format = graph.FormatOf(ending); c.format == "" {
			return fmt.Errorf("--write %s: no format ends in %s; say which with --output: %s", c.file, ending, strings.Join(graph.Formats, ", "))
		}
	}
	if c.format == "" {
		c.format = graph.Formats[0]
	}
	if !slices.Contains(graph.Formats, c.format) {
		return fmt.Errorf("--output is %s (got %q)", strings.Join(graph.Formats, ", "), c.format)
	}
	names, err := namesOr(names, std.in)
	if err != nil {
		return err
	}
	sets, err := readManifests(names, std)
	if err != nil {
		return failure{err}
	}
	unread, said := sets.wrong()
	if wrong := append(unread, said.Errors()...); len(wrong) > 0 {
		report(std.err, wrong)
		return errReported
	}
	set, err := sets.one()
	if err != nil {
		return failure{err}
	}
	var out bytes.Buffer
	if err := graph.Write(&out, c.format, graph.Draw(set.objects, c.options)); err != nil {
		return failure{err}
	}
	return std.put(c.file, out.Bytes())
}
