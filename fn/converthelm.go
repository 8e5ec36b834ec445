package fn

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/convert"
)

const convertHelmLong = `Helm prints the InferenceStack that the values files of one installation amount to. A
chart that is not installed has no file: --pool alone is an endpoint picker over servers
that are there already, --infra alone a gateway. Servers without --pool get no endpoint
picker.

One of the files may be standard input (-). Several files of one chart, as helm takes them
with -f, have to be merged first.`

const convertHelmExamples = `  # The values files of a well-lit path
  inferstack convert helm --infra infra.yaml --pool gaie.yaml --modelservice ms.yaml -o stack.yaml

  # What a release was installed with
  helm get values ms-inference-scheduling -o yaml | inferstack convert helm --modelservice -`

func convertHelmCommand(std streams, opts *convert.Options, output *string) *cobra.Command {
	var v convert.HelmValues
	cmd := &cobra.Command{
		Use:     "helm",
		Short:   "Print values files of llm-d's Helm charts as an InferenceStack",
		Long:    convertHelmLong,
		Example: convertHelmExamples,
		Args:    cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			v.Lossy = opts.Lossy
			return convertHelm(v, convertOutput{*output, std})
		},
	}
	cmd.Flags().Var(&onceValue{to: &v.Infra.Name}, "infra", "values file of the chart llm-d-infra")
	cmd.Flags().Var(&onceValue{to: &v.Pool.Name}, "pool", "values file of the chart inferencepool, llm-d-router-gateway or llm-d-router-standalone")
	cmd.Flags().Var(&onceValue{to: &v.Model.Name}, "modelservice", "values file of the chart llm-d-modelservice")
	cmd.Flags().StringVar(&v.PoolChart, "pool-chart", "", "chart of --pool, where its values do not say: "+strings.Join(convert.PoolCharts(), ", "))
	cmd.Flags().StringVar(&v.Postfix, "release-postfix", "inference-scheduling", "end of the release names infra-…, gaie-… and ms-…")
	cmd.Flags().StringVar(&v.Namespace, "namespace", "", "namespace of the releases")
	return cmd
}

func convertHelm(v convert.HelmValues, to convertOutput) error {
	files := []*convert.HelmFile{&v.Infra, &v.Pool, &v.Model}
	var names []string
	stdin := false
	for _, f := range files {
		if f.Name == "" {
			continue
		}
		if f.Name == "-" && stdin {
			return errors.New("only one of --infra, --pool and --modelservice can be standard input (-)")
		}
		stdin = stdin || f.Name == "-"
		names = append(names, f.Name)
		if err := readValues(f, to.std.in); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return errors.New("name a values file: --infra, --pool or --modelservice")
	}
	if err := to.spare(names, nil); err != nil {
		return err
	}
	return to.write(convert.Helm(v))
}

func readValues(f *convert.HelmFile, stdin io.Reader) error {
	var err error
	if f.Name == "-" {
		f.Name = "<stdin>"
		f.Data, err = io.ReadAll(stdin)
	} else {
		f.Data, err = os.ReadFile(f.Name)
	}
	if err != nil {
		return failure{plain(err)}
	}
	if f.Data == nil {
		f.Data = []byte{} // an empty file says that the chart is installed
	}
	return nil
}

// onceValue is a flag that names one file; of two the first would be lost.
type onceValue struct{ to *string }

func (v *onceValue) String() string {
	if v.to == nil {
		return ""
	}
	return *v.to
}

func (v *onceValue) Type() string { return "string" }

func (v *onceValue) Set(name string) error {
	switch {
	case name == "":
		return errors.New("names no file")
	case *v.to != "":
		return fmt.Errorf("%s is named already; merge the files into one", *v.to)
	}
	*v.to = name
	return nil
}
