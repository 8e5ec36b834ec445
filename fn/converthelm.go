package fn

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/schema/document"
)

const convertHelmLong = `Helm prints the InferenceStack that the values of one installation amount to. A chart that
is not installed has no file: --pool alone is an endpoint picker over servers that are there
already, --infra alone a gateway. Servers without --pool get no endpoint picker.

Several files of one chart are laid over each other in their order, as helm does with -f,
and --set and --set-string over all of them. A file that no flag but -f names is taken for the
chart whose values it seems to hold, and so is a setting; --set-infra, --set-pool and
--set-modelservice say which chart they are for. One of the files may be standard input (-), as
what helm get values prints.`

const convertHelmExamples = `  # The values files of a well-lit path
  inferstack convert helm --infra infra.yaml --pool gaie.yaml --modelservice ms.yaml -o stack.yaml

  # The router of a guide, as it is installed
  inferstack convert helm --release optimized-baseline -n llm-d -f base.values.yaml -f guide.values.yaml --set router.epp.replicas=2

  # What a release was installed with, under the name it has
  helm get values my-servers -o yaml | inferstack convert helm --modelservice - --release modelservice=my-servers`

// A valuesFlag is a chart of convert helm, with the flags that name its values.
type valuesFlag struct {
	name, chart string
	of          func(*convert.HelmValues) *convert.HelmFile
}

var valuesFlags = []valuesFlag{
	{"infra", "the chart llm-d-infra", func(v *convert.HelmValues) *convert.HelmFile { return &v.Infra }},
	{"pool", "the chart inferencepool, llm-d-router-gateway or llm-d-router-standalone", func(v *convert.HelmValues) *convert.HelmFile { return &v.Pool }},
	{"modelservice", "the chart llm-d-modelservice", func(v *convert.HelmValues) *convert.HelmFile { return &v.Model }},
}

func convertHelmCommand(std streams, opts *convert.Options, output *string) *cobra.Command {
	var v convert.HelmValues
	var as helmHabits
	cmd := &cobra.Command{
		Use:     "helm [FILE|-]...",
		Short:   "Print values files of llm-d's Helm charts as an InferenceStack",
		Long:    convertHelmLong,
		Example: convertHelmExamples,
		RunE: func(_ *cobra.Command, args []string) error {
			v.Lossy = opts.Lossy
			return convertHelm(v, as.with(args), convertOutput{*output, std})
		},
	}
	flags := cmd.Flags()
	for _, f := range valuesFlags {
		to := f.of(&v)
		flags.Var(&filesValue{to}, f.name, "values file of "+f.chart+"; further ones are laid over it")
		flags.StringArrayVar(&to.Set, "set-"+f.name, nil, "a value of "+f.chart+", as helm's --set: path=value")
	}
	flags.StringVar(&v.PoolChart, "pool-chart", "", "chart of --pool, where its values do not say, and its release, as helm list prints them (inferencepool-v1.5.0): "+strings.Join(convert.PoolCharts(), ", "))
	flags.StringVar(&v.Postfix, "release-postfix", "inference-scheduling", "end of the release names infra-…, gaie-… and ms-…")
	flags.StringVarP(&v.Namespace, "namespace", "n", "", "namespace of the releases")
	as.flags(flags)
	return cmd
}

func convertHelm(v convert.HelmValues, as helmHabits, to convertOutput) error {
	if _, _, known := convert.PoolChart(v.PoolChart); v.PoolChart != "" && !known {
		return fmt.Errorf("--pool-chart must be one of %s, or one with its release, as inferencepool-v1.5.0 (got %q)", strings.Join(convert.PoolCharts(), ", "), v.PoolChart)
	}
	if err := recognised(&v, as.values, to.std); err != nil {
		return err
	}
	if err := as.apply(&v); err != nil {
		return err
	}
	var names []string
	given := false
	for _, f := range valuesFlags {
		file := f.of(&v)
		given = given || installed(file)
		for _, one := range filesOf(file) {
			if one.Name == "-" && slices.Contains(names, "-") {
				return errors.New("only one values file can be standard input (-)")
			}
			names = append(names, one.Name)
			if err := readValues(one, to.std.in); err != nil {
				return err
			}
		}
	}
	if !given {
		return errors.New("name a values file: --infra, --pool or --modelservice")
	}
	if err := to.spare(names, nil, isConverted); err != nil {
		return err
	}
	return to.write(convert.Helm(v))
}

// recognised gives each file that no flag names to the chart whose values it seems to hold.
func recognised(v *convert.HelmValues, names []string, std streams) error {
	for _, name := range names {
		f := convert.HelmFile{Name: name}
		if err := readValues(&f, std.in); err != nil {
			return err
		}
		if _, found := document.ReadValues(f.Name, f.Data); failed(found) {
			report(std.err, found)
			return errReported
		}
		flag, _ := convert.HelmFlag(f.Data)
		i := slices.IndexFunc(valuesFlags, func(known valuesFlag) bool { return "--"+known.name == flag })
		if i < 0 {
			return failure{fmt.Errorf("%s: not recognised as values of one of the charts; name its chart by --infra, --pool or --modelservice", f.Name)}
		}
		valuesFlags[i].of(v).Add(f)
	}
	return nil
}

// filesOf are the files of a chart.
func filesOf(f *convert.HelmFile) (out []*convert.HelmFile) {
	if f.Name != "" {
		out = append(out, f)
	}
	for i := range f.Over {
		out = append(out, &f.Over[i])
	}
	return out
}

func readValues(f *convert.HelmFile, stdin io.Reader) error {
	var err error
	if f.Data != nil {
		return nil // read when its chart was looked for
	}
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

// filesValue is a flag that names the values files of a chart.
type filesValue struct{ to *convert.HelmFile }

func (v *filesValue) String() string {
	if v.to == nil {
		return ""
	}
	return v.to.Name
}

func (v *filesValue) Type() string { return "string" }

func (v *filesValue) Set(name string) error {
	if name == "" {
		return errors.New("names no file")
	}
	v.to.Add(convert.HelmFile{Name: name})
	return nil
}
