package fn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/internal/lists"
)

// helmHabits are the flags of convert helm that helm install has too. They name no chart: which
// one is meant follows from what they say.
type helmHabits struct {
	values           []string
	sets, setStrings []string
	releases         []string
}

func (h *helmHabits) flags(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&h.values, "values", "f", nil, "values file of the chart whose values it seems to hold")
	flags.StringArrayVar(&h.sets, "set", nil, "a value, path=value, of the chart that has it")
	flags.StringArrayVar(&h.setStrings, "set-string", nil, "a value, path=value, of the chart that has it, as text")
	flags.StringSliceVar(&h.releases, "release", nil, "name of a release, where it is another one: NAME, or of several charts infra=NAME, pool=NAME, modelservice=NAME")
}

// with are the habits, and the files that are named without a flag.
func (h *helmHabits) with(args []string) helmHabits {
	out := *h
	out.values = slices.Concat(h.values, args)
	return out
}

// installed reports whether a chart is.
func installed(f *convert.HelmFile) bool {
	return f.Name != "" || f.Settings() > 0
}

// apply gives settings and names of releases to the charts that they are of.
func (h *helmHabits) apply(v *convert.HelmValues) error {
	for _, text := range h.sets {
		f, err := settingOf(v, "--set", text)
		if err != nil {
			return err
		}
		f.SetAny = append(f.SetAny, text)
	}
	for _, text := range h.setStrings {
		f, err := settingOf(v, "--set-string", text)
		if err != nil {
			return err
		}
		f.SetString = append(f.SetString, text)
	}
	for _, text := range h.releases {
		if err := nameRelease(v, text); err != nil {
			return err
		}
	}
	return nil
}

// charts are those that are installed.
func charts(v *convert.HelmValues) []valuesFlag {
	return slices.DeleteFunc(slices.Clone(valuesFlags), func(f valuesFlag) bool { return !installed(f.of(v)) })
}

// settingOf is the chart that a setting is of: the only one that is installed, or the one that has
// such a value.
func settingOf(v *convert.HelmValues, flag, text string) (*convert.HelmFile, error) {
	all := charts(v)
	if len(all) == 0 {
		all = valuesFlags
	}
	if len(all) > 1 {
		having := convert.HelmSetting(text)
		all = slices.DeleteFunc(slices.Clone(all), func(f valuesFlag) bool { return !slices.Contains(having, "--"+f.name) })
	}
	switch len(all) {
	case 1:
		return all[0].of(v), nil
	case 0:
		return nil, fmt.Errorf("%s %s: none of the charts has this value", flag, text)
	}
	named := lists.Map(all, func(f valuesFlag) string { return "--set-" + f.name })
	return nil, fmt.Errorf("%s %s: several of the charts have this value; %s say which one is meant", flag, text, strings.Join(named, " and "))
}

// nameRelease takes over the name of a release, with its chart or of the only one.
func nameRelease(v *convert.HelmValues, text string) error {
	chart, name, several := strings.Cut(text, "=")
	all := charts(v)
	if !several && len(all) == 1 {
		all[0].of(v).Release = text
		return nil
	}
	i := slices.IndexFunc(valuesFlags, func(f valuesFlag) bool { return f.name == chart })
	if i < 0 || !several {
		return fmt.Errorf("--release must be infra=NAME, pool=NAME or modelservice=NAME, or NAME where one chart is installed (got %q)", text)
	}
	valuesFlags[i].of(v).Release = name
	return nil
}
