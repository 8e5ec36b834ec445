package fn

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert"
	byhand "github.com/inferstack/inferstack/convert/manifests"
	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

const (
	convertedPage = "../docs/converted.md"
	guidesDir     = "../testdata/guides/"
	convertedDir  = "../testdata/convert/"
)

const convertedIntro = `# Files of other systems, and what becomes of them

Made by a test, which converts each of these files. *look at* names the values with a warning; what a
warning says, convert prints. [The migration guide](migration.md) says what is different for each system.
`

// TestGoldenConvertedPage holds the page to what becomes of the samples of each system, of the
// router's values of llm-d's guides, each over the values that all guides have in common,
// and of the guides' servers as kubectl kustomize prints them. make test tries a part.
func TestGoldenConvertedPage(t *testing.T) {
	var page strings.Builder
	page.WriteString(convertedIntro)
	have, err := os.ReadFile(convertedPage)
	if err != nil && os.Getenv("UPDATE_GOLDEN") == "" {
		t.Fatal(err)
	}
	try := func(i int, row func() string) {
		if !long.Part(i, 48) {
			return
		}
		line := row()
		page.WriteString(line)
		if os.Getenv("UPDATE_GOLDEN") == "" && !strings.Contains(string(have), line) {
			t.Errorf("docs/converted.md is not current; make golden rewrites it:\n%s", line)
		}
	}
	page.WriteString(heading("Router values of llm-d's guides", "each over `base.values.yaml`, and what names no servers over `optimized-baseline.values.yaml` too, by `convert helm --pool`", "file | becomes | look at"))
	for i, file := range matching(t, guidesDir+"router/*.yaml") {
		try(i, func() string { return routerRow(t, file) })
	}
	page.WriteString(heading("Servers of llm-d's guides", "what `kubectl kustomize` prints, by `convert manifests`", "overlay | becomes | applying it"))
	for i, file := range matching(t, guidesDir+"servers/*.yaml") {
		try(i, func() string { return serversRow(t, file) })
	}
	page.WriteString(heading("Values of several charts", "one installation each, by `convert helm -f`", "values | becomes | look at"))
	for i, dir := range matching(t, convertedDir+"inputs/charts/*") {
		try(i, func() string { return chartsRow(t, dir) })
	}
	page.WriteString(heading("Resources as they are found", "written by hand, or read back from a cluster", "file | becomes | look at"))
	for i, file := range matching(t, convertedDir+"inputs/operators/*.yaml") {
		try(i, func() string { return resourcesRow(t, file) })
	}
	var systems map[string]map[string]string
	if err := yaml.Unmarshal(bytesOf(t, convertedDir+"samples.yaml"), &systems); err != nil {
		t.Fatal(err)
	}
	for _, system := range slices.Sorted(maps.Keys(systems)) {
		page.WriteString(heading(system, "the samples and examples that it ships", "file | becomes | look at"))
		for i, sample := range slices.Sorted(maps.Keys(systems[system])) {
			try(i, func() string { return sampleRow(t, sample, convertedDir+systems[system][sample]) })
		}
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(convertedPage, []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if long.All() && page.String() != string(have) {
		t.Error("docs/converted.md has more than what is converted; make golden rewrites it")
	}
}

func heading(title, how, columns string) string {
	return "\n## " + title + "\n\n" + strings.ToUpper(how[:1]) + how[1:] + ".\n\n| " + columns + " |\n|---|---|---|\n"
}

func matching(t *testing.T, pattern string) []string {
	t.Helper()
	all, err := filepath.Glob(pattern)
	if err != nil || len(all) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(all), err)
	}
	return all
}

// routerRow converts values of a guide's router.
func routerRow(t *testing.T, file string) string {
	const base, servers = guidesDir + "router/base.values.yaml", guidesDir + "router/optimized-baseline--optimized-baseline.values.yaml"
	layers := []string{base}
	if !strings.Contains(string(bytesOf(t, file)), "matchLabels:") {
		layers = append(layers, servers)
	}
	if file != base {
		layers = append(layers, file)
	}
	v := convert.HelmValues{Postfix: "guide", Namespace: "llm-d"}
	for _, layer := range layers {
		v.Pool.Add(convert.HelmFile{Name: filepath.Base(layer), Data: bytesOf(t, layer)})
	}
	return convertedRow(guideFile(file), convert.Helm(v))
}

// chartsRow converts the values of one installation.
func chartsRow(t *testing.T, dir string) string {
	v := convert.HelmValues{Postfix: filepath.Base(dir), Namespace: "llm-d"}
	for _, f := range valuesFlags {
		if data, err := os.ReadFile(filepath.Join(dir, f.name+".yaml")); err == nil {
			f.of(&v).Add(convert.HelmFile{Name: f.name + ".yaml", Data: data})
		}
	}
	return convertedRow(filepath.Base(dir), convert.Helm(v))
}

// resourcesRow converts what stands in one file.
func resourcesRow(t *testing.T, file string) string {
	docs, problems := document.Read(filepath.Base(file), bytesOf(t, file))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return convertedRow(filepath.Base(file), convert.Convert(docs, convert.Options{}))
}

// convertedRow is what became of an input, whose stacks are read as well.
func convertedRow(name string, r convert.Result) string {
	problems, what := r.Problems, ""
	for _, s := range r.Stacks {
		_, more := s.Parse()
		problems = append(problems, more...)
	}
	switch what = becomes(problems); {
	case what != "a stack" || len(r.Stacks) == 1:
	case len(r.Stacks) == 0:
		what = "nothing by itself"
	default:
		what = fmt.Sprintf("%d stacks", len(r.Stacks))
	}
	return row(name, what, lookAt(problems))
}

// serversRow converts the servers of a guide.
func serversRow(t *testing.T, file string) string {
	docs, problems := document.Read(filepath.Base(file), bytesOf(t, file))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := byhand.Convert(docs, byhand.Options{})
	risks := map[diff.Risk]int{}
	for _, s := range r.Stacks {
		for _, d := range s.Left {
			risks[d.Risk]++
		}
	}
	var all []string
	for _, risk := range diff.Risks {
		if risks[risk] > 0 {
			all = append(all, fmt.Sprintf("%s %d", risk, risks[risk]))
		}
	}
	return row(guideFile(file), becomes(r.Problems), cmp.Or(strings.Join(all, ", "), "-"))
}

// sampleRow is what the golden files of a sample say.
func sampleRow(t *testing.T, sample, dir string) string {
	var problems schema.Problems
	for _, line := range strings.Split(string(bytesOf(t, dir+"/results.txt")), "\n") {
		severity, rest, _ := strings.Cut(line, " ")
		_, rest, _ = strings.Cut(rest, ": ")
		path, message, _ := strings.Cut(rest, ": ")
		switch severity {
		case "warning":
			problems = append(problems, schema.Problem{Severity: schema.Warning, Path: path, Message: message})
		case "error":
			problems = append(problems, schema.Problem{Severity: schema.Error, Path: path, Message: message})
		}
	}
	return row(sample, becomes(problems), lookAt(problems))
}

func becomes(problems schema.Problems) string {
	if all := problems.Errors(); len(all) > 0 {
		return "refused: " + strings.Trim(all[0].Path+": "+all[0].Message, ": ")
	}
	return "a stack"
}

// lookAt are the fields with a warning.
func lookAt(problems schema.Problems) string {
	var out []string
	for _, p := range problems {
		if path := "`" + p.Path + "`"; p.Severity == schema.Warning && p.Path != "" && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return cmp.Or(strings.Join(out, ", "), "-")
}

// guideFile is the path of a guide's file in its repository, as far as it says which it is.
func guideFile(file string) string {
	return strings.TrimSuffix(strings.ReplaceAll(filepath.Base(file), "--", "/"), ".yaml")
}

func row(name, what, look string) string {
	return "| " + name + " | " + strings.ReplaceAll(what, "|", `\|`) + " | " + look + " |\n"
}

func bytesOf(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
