package fn

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completed asks as the scripts of all shells do.
func completed(t *testing.T, words ...string) []string {
	t.Helper()
	got := call(t, "", append([]string{"__complete"}, words...)...)
	if got.code != exitOK {
		t.Fatalf("%v: %+v", words, got)
	}
	lines := strings.Split(strings.TrimRight(got.out, "\n"), "\n")
	for i := range lines {
		lines[i], _, _ = strings.Cut(lines[i], "\t")
	}
	return lines
}

func TestCompletion(t *testing.T) {
	for words, want := range map[string]string{
		"init --gateway ":                       "istio kgateway agentgateway gke envoy none :4",
		"init --release ":                       "0.4 0.10 :4",
		"render -o ":                            "yaml json :0",
		"check --output ":                       "text json sarif github :4",
		"check --platform i":                    "inference-extension= istio= :6",
		"check --platform istio=1.28,":          "istio=1.28,gateway-api= istio=1.28,inference-extension= istio=1.28,kubernetes= istio=1.28,leaderworkerset= :6",
		"schema -o ":                            "json-schema crd cue openapi markdown :4",
		"explain spec.decode.rep":               "spec.decode.replicas :6",
		"explain me":                            "metadata :6",
		"explain spec.decode.podTemplatePatch.": "spec.decode.podTemplatePatch.metadata spec.decode.podTemplatePatch.spec :6",
		"explain spec.nothing.":                 ":6",
		"graph -o ":                             "svg mermaid dot html :4",
		"diff -o ":                              "text markdown json :4",
		"status -o ":                            "text json yaml :4",
		"version -o ":                           "json yaml :4",
		"render ":                               ":0", // files
	} {
		if got := strings.Join(completed(t, strings.Split(words, " ")...), " "); got != want {
			t.Errorf("%s is completed by %s, want %s", words, got, want)
		}
	}
	if presets := completed(t, "init", "--preset", ""); !slices.Contains(presets, "precise-prefix") || len(presets) < 6 {
		t.Errorf("presets: %v", presets)
	}
}

// TestCompletionsAreAccepted: what is offered is what the flag takes, and what the flag's help
// names is offered.
func TestCompletionsAreAccepted(t *testing.T) {
	root := rootCommand(streams{})
	for name, flags := range flagValues {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		for flag, values := range flags {
			for _, value := range values() {
				f := cmd.Flags().Lookup(flag)
				if flag != "model" && flag != "release" && !strings.Contains(f.Usage, value) {
					t.Errorf("%s --%s offers %s, and the help says %q", name, flag, value, f.Usage)
				}
				if name == "init" {
					args := []string{"init", "--" + flag, value}
					if got := call(t, "", args...); got.code != exitOK {
						t.Errorf("%v: %s", args, got.errors)
					}
				}
			}
		}
	}
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if _, known := cmd.GetFlagCompletionFunc(f.Name); strings.Contains(f.Usage, ", ") && strings.Contains(f.Usage, " or ") && !known && !f.Hidden {
				t.Errorf("%s --%s has no completion, and seems to have values: %s", cmd.Name(), f.Name, f.Usage)
			}
		})
	}
}

// TestCompletionScripts has the shells read the scripts, as far as they are here.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := call(t, "", "completion", shell)
		if script.code != exitOK || !strings.Contains(script.out, cobra.ShellCompRequestCmd) {
			t.Errorf("%s: %+v", shell, script.code)
		}
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		cmd := exec.Command(shell, "-n")
		cmd.Stdin = strings.NewReader(script.out)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v %s", shell, err, out)
		}
	}
}

func TestVersionFlag(t *testing.T) {
	if diff := cmp.Diff(call(t, "", "version"), call(t, "", "--version"), cmp.AllowUnexported(outcome{})); diff != "" {
		t.Error(diff)
	}
}
