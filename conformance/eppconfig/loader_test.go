package eppconfig

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/report"
	judge "github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/release"
)

var table = report.New("EndpointPickerConfig as the loaders read it", "loader", "version", "configurations", "refused", "differences with a reason")

func TestMain(m *testing.M) { report.Main(m, table) }

// loaders are the pickers that load a configuration when they are told so, and the dialects they read.
var loaders = []struct{ component, dialect string }{
	{"epp-gie-1.0", "gie-1.0"}, {"epp-gie-1.1", "gie-1.1"}, {"epp-gie-1.2", "gie-1.2"}, {"epp-gie-1.3", "gie-1.3"},
	{"epp-gie-1.4", "gie-1.4"}, {"epp-gie-1.5", "gie-1.5"}, {"epp-llmd-0.4", "llm-d-0.4"}, {"epp-llmd-0.7", "llm-d-0.7"},
}

// api is the API version that all of them read.
const api = "inference.networking.x-k8s.io/v1alpha1"

// TestLoaders feeds the judge and the loaders with the same configurations: what a loader refuses is an error, and what
// it takes is none.
func TestLoaders(t *testing.T) {
	n := 3000
	if v, err := strconv.Atoi(os.Getenv("CONFIGURATIONS")); err == nil {
		n = v
	}
	for _, l := range loaders {
		t.Run(l.component, func(t *testing.T) {
			d, err := release.LoadDialect(l.dialect)
			if err != nil {
				t.Fatal(err)
			}
			m := &mutator{rand.New(rand.NewPCG(1, 2)), d}
			texts := make([]string, n)
			for i := range texts {
				config := m.configuration()
				config["apiVersion"], config["kind"] = api, "EndpointPickerConfig"
				if texts[i], err = m.written(config); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, l.component, d, judge.Context{APIVersion: api}, texts)
		})
	}
}

func compare(t *testing.T, component string, d *release.Dialect, ctx judge.Context, texts []string) {
	refused, explained := 0, map[string]int{}
	for i, problem := range loaded(t, component, texts) {
		var errors []string
		for _, f := range judge.CheckText(d, texts[i], ctx) {
			if !f.Warning && !f.Starts {
				errors = append(errors, f.Path()+": "+f.Message)
			}
		}
		if problem != "" {
			refused++
		}
		if (problem != "") == (len(errors) > 0) {
			continue
		}
		if why := reason(problem, errors); why != "" {
			explained[why]++
			continue
		}
		t.Errorf("the loader says %q, the judge %q:\n%s", problem, errors, texts[i])
	}
	version, err := assets.Version(component)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, why := range slices.Sorted(keys(explained)) {
		t.Logf("%d: %s", explained[why], why)
		total += explained[why]
	}
	table.Row(t, component, version, len(texts), refused, total)
}

func keys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// reasons are why the judge may differ from a loader, by a part of what either says.
var reasons = []struct{ loader, judge, why string }{
	{loader: "failed to initialize tokenizer", why: "nothing answers at a tokenizer's socket where the loaders run"},
	{loader: "failed to create tokenizers pool", why: "nothing answers at a tokenizer's socket where the loaders run"},
	{loader: "failed to create Redis index", why: "nothing answers at a Redis where the loaders run"},
	{loader: "failed to create Valkey index", why: "nothing answers at a Redis where the loaders run"},
	{loader: "no such file or directory", why: "a certificate's file is not there where the loaders run"},
	{judge: "by chance", why: "the loader takes plugins in no certain order, and happened to start"},
	{loader: "failed to compile", why: "a CEL expression is not compiled by the judge, which looks for what none may have"},
}

func reason(problem string, errors []string) string {
	for _, r := range reasons {
		if r.loader != "" && strings.Contains(problem, r.loader) || r.judge != "" && len(errors) > 0 && strings.Contains(errors[0], r.judge) {
			return r.why
		}
	}
	return ""
}

// loaded runs the texts through a picker's loader.
func loaded(t *testing.T, component string, texts []string) []string {
	t.Helper()
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, text := range texts {
		if err := enc.Encode(text); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(assets.Binary(t, component), "load")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, stderr.String())
	}
	var problems []string
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var problem string
		if err := json.Unmarshal(lines.Bytes(), &problem); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", lines.Text(), err))
		}
		problems = append(problems, problem)
	}
	if len(problems) != len(texts) {
		t.Fatalf("%d verdicts of %d", len(problems), len(texts))
	}
	return problems
}
