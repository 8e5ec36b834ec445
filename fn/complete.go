package fn

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferstack/inferstack/graph"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/starter"
	"github.com/inferstack/inferstack/wiring"
)

// flagValues are what flags may be, by command and flag, for the shell to complete. They
// are found out when a shell asks: reading them from the schema takes longer than a stack,
// and every run builds the commands.
var flagValues = map[string]map[string]func() []string{
	"render":  {"output": values("yaml", "json")},
	"build":   {"load-restrictor": values(restrictors...), "reorder": values("legacy", "none")},
	"diff":    {"output": values("text", "markdown", "json")},
	"check":   {"output": values(wiring.Formats...)},
	"graph":   {"output": values(graph.Formats...)},
	"status":  {"output": values("text", "json", "yaml")},
	"version": {"output": values("json", "yaml")},
	"schema":  {"output": values(schemaFormats...)},
	"init": {
		"gateway": func() []string { return append(choices("spec.gateway.class"), starter.NoGateway) },
		"preset":  func() []string { return choices("spec.scheduler.preset") },
		"engine":  func() []string { return choices("spec.server.engine") },
		"release": release.Names,
		"model":   values(starter.DefaultModel),
	},
}

func values(list ...string) func() []string { return func() []string { return list } }

// choices are the values that the schema takes for a field.
func choices(field string) []string {
	d, err := document.Describe(field)
	list, closed := strings.CutPrefix(d.Accepts, "one of ")
	if err != nil || !closed {
		return nil
	}
	return strings.Split(list, ", ")
}

// completeValues tells the shells' completion what flags and arguments may be. A directory to
// write to is completed as a file name is, since that is what there is when none fits.
func completeValues(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		for flag, list := range flagValues[cmd.Name()] {
			directive := cobra.ShellCompDirectiveNoFileComp
			if cmd.Name() == "render" {
				directive = cobra.ShellCompDirectiveDefault
			}
			must(cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return list(), directive
			}))
		}
		switch cmd.Name() {
		case "check":
			must(cmd.RegisterFlagCompletionFunc("platform", completePlatform))
		case "explain":
			cmd.ValidArgsFunction = completeField
		case "init":
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// must is for what only a mistake in this file makes fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// completePlatform completes the names before the versions, which are the user's to know.
func completePlatform(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before, last := "", typed
	if i := strings.LastIndex(typed, ","); i >= 0 {
		before, last = typed[:i+1], typed[i+1:]
	}
	var out []string
	for _, name := range wiring.Platforms() {
		if strings.HasPrefix(name, last) && !slices.ContainsFunc(strings.Split(before, ","), func(s string) bool { return strings.HasPrefix(s, name+"=") }) {
			out = append(out, before+name+"=")
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeField completes the path of a field by those that are at the place, with what they
// are for.
func completeField(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if len(args) > 0 {
		return nil, directive
	}
	parent := ""
	if i := strings.LastIndex(typed, "."); i >= 0 {
		parent = typed[:i]
	}
	at, err := document.Describe(parent)
	if err != nil {
		return nil, directive
	}
	var out []string
	for _, f := range at.Fields {
		path := strings.TrimPrefix(parent+"."+f.Name, ".")
		if strings.HasPrefix(path, typed) {
			text, _, _ := strings.Cut(f.Text, ". ")
			out = append(out, path+"\t"+strings.TrimSuffix(text, "."))
		}
	}
	return out, directive
}
