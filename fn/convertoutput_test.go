package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loneLLMD is converted together with ModelServices, and is not a stack without one.
const loneLLMD = "apiVersion: llmd.opendatahub.io/v1alpha1\nkind: LLMD\nmetadata:\n  name: llmd\n  namespace: models\nspec: {}\n"

// TestConvertKeepsOutput has runs that end with nothing to write: a file that is there
// stays as it was, and none comes into being.
func TestConvertKeepsOutput(t *testing.T) {
	const before = "what an earlier run wrote\n"
	for name, tc := range map[string]struct {
		input, says string
		args        []string
	}{
		"no stack":           {loneLLMD, "nothing to write: what was read makes no stack by itself", []string{"in.yaml"}},
		"nothing to convert": {"apiVersion: v1\nkind: Secret\n", "nothing to convert found", []string{"in.yaml"}},
		"a mistake":          {misspelt, "unknown field", []string{"in.yaml"}},
		"no YAML":            {"a: [", "not YAML", []string{"in.yaml"}},
		"empty":              {"", "nothing to convert found", []string{"in.yaml"}},
		"values, a mistake":  {"decode: 1\n", "decode", []string{"helm", "--modelservice", "in.yaml"}},
		"would not compile":  {"decode:\n  replicas: -1\n", "replicas", []string{"helm", "--modelservice", "in.yaml"}},
		"missing":            {"", "no such file", []string{"in.yaml", "none.yaml"}},
		"wrong call":         {"", "unknown flag", []string{"in.yaml", "--loss"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			write(t, dir, map[string]string{"in.yaml": tc.input, "old.yaml": before})
			for file, want := range map[string]string{"old.yaml": before, "new.yaml": ""} {
				got := call(t, "", append(append([]string{"convert"}, tc.args...), "-o", file)...)
				text, _ := os.ReadFile(file)
				if got.code == exitOK || string(text) != want || !strings.Contains(got.errors, tc.says) {
					t.Errorf("%d %q %s", got.code, text, got.errors)
				}
			}
			if found, _ := filepath.Glob("*new*"); len(found) > 0 {
				t.Error("left behind:", found)
			}
		})
	}
}

// TestConvertSparesInput names the input as the output, by every name it has.
func TestConvertSparesInput(t *testing.T) {
	values := "modelArtifacts:\n  name: org/model\n"
	for name, tc := range map[string]struct {
		args  []string
		stdin string // the file that standard input is
		spare string // the file to find as it was, "" where writing is safe
	}{
		"itself":           {[]string{"in.yaml", "-o", "in.yaml"}, "", "in.yaml"},
		"another spelling": {[]string{"in.yaml", "-o", "./dir/../in.yaml"}, "", "in.yaml"},
		"a link":           {[]string{"in.yaml", "-o", "link.yaml"}, "", "in.yaml"},
		"a hard link":      {[]string{"hard.yaml", "-o", "in.yaml"}, "", "in.yaml"},
		"in a directory":   {[]string{"dir", "-o", "dir/sim.yaml"}, "", "dir/sim.yaml"},
		"standard input":   {[]string{"-", "-o", "in.yaml"}, "in.yaml", "in.yaml"},
		"without a name":   {[]string{"-o", "in.yaml"}, "in.yaml", "in.yaml"},
		"values":           {[]string{"helm", "--modelservice", "ms.yaml", "-o", "ms.yaml"}, "", "ms.yaml"},
		"values by stdin":  {[]string{"helm", "--modelservice", "-", "-o", "ms.yaml"}, "ms.yaml", "ms.yaml"},
		"an earlier stack": {[]string{"dir", "-o", "dir/stack.yaml"}, "", ""},
		"another file":     {[]string{"in.yaml", "-o", "dir/other.yaml"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			write(t, dir, map[string]string{"in.yaml": simulator, "ms.yaml": values, "dir/sim.yaml": simulator, "dir/stack.yaml": small})
			before, _ := os.ReadFile(tc.spare)
			if err := os.Symlink("in.yaml", "link.yaml"); err != nil {
				t.Fatal(err)
			}
			if err := os.Link("in.yaml", "hard.yaml"); err != nil {
				t.Fatal(err)
			}
			got := convertFrom(t, tc.stdin, tc.args)
			after, _ := os.ReadFile(tc.spare)
			switch refused := got.code == exitError && strings.Contains(got.errors, "is what is converted; --output must name another file"); {
			case refused != (tc.spare != ""), !refused && got.code != exitOK:
				t.Errorf("%d %s", got.code, got.errors)
			case string(before) != string(after):
				t.Errorf("overwritten:\n%s", after)
			}
		})
	}
}

// convertFrom runs convert with a file as standard input.
func convertFrom(t *testing.T, stdin string, args []string) outcome {
	t.Helper()
	args = append([]string{"convert"}, args...)
	if stdin == "" {
		return call(t, "", args...)
	}
	file, err := os.Open(stdin)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var out, errs strings.Builder
	return outcome{run(args, streams{file, &out, &errs}), out.String(), errs.String()}
}

// TestConvertFlags calls convert helm wrongly.
func TestConvertFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"name a values file: --infra, --pool or --modelservice":                                      {},
		"only one values file can be standard input (-)":                                             {"--pool", "-", "--modelservice", "-"},
		`invalid argument "" for "--pool" flag: names no file`:                                       {"--pool", ""},
		`--pool-chart must be one of inferencepool, standalone, llm-d-router-gateway, llm-d-router-`: {"--pool", "-", "--pool-chart", "router"},
		`--release must be infra=NAME, pool=NAME or modelservice=NAME, or NAME where one chart is`:   {"--pool", "-", "--release", "gaie=x"},
		`where one chart is installed (got "mine")`:                                                  {"--pool", "-", "--infra", os.DevNull, "--release", "mine"},
		"--set a.b=1: none of the charts has this value":                                             {"--pool", "-", "--infra", os.DevNull, "--set", "a.b=1"},
		"--set provider.name=gke: several of the charts have this value; --set-infra and --set-pool": {"--pool", "-", "--infra", os.DevNull, "--set", "provider.name=gke"},
		"unknown flag: --namespac; did you mean --namespace?":                                        {"--pool", "-", "--namespac", "a"},
	} {
		got := call(t, "", append([]string{"convert", "helm"}, args...)...)
		if got.code != exitUsage || !strings.Contains(got.errors, want) || got.out != "" {
			t.Errorf("%s: %d %s%s", want, got.code, got.out, got.errors)
		}
	}
	recognised := call(t, "modelArtifacts: {name: org/model}\nrouting: {servicePort: 8000}\n", "convert", "helm", "-", "--set-modelservice", "decode.replicas=3", "--release", "modelservice=mine")
	if recognised.code != exitOK || !strings.Contains(recognised.out, "replicas: 3\n") || !strings.Contains(recognised.out, "name: mine-llm-d-modelservice-decode\n") {
		t.Errorf("%d %s%s", recognised.code, recognised.out, recognised.errors)
	}
	if got := call(t, "decode: {create: true, create: true}\n", "convert", "helm", "-"); got.code != exitOK || !strings.Contains(got.errors, "warning: <stdin>:1:10: decode.create: left out: it is written again on line 1") {
		t.Errorf("%d %s", got.code, got.errors)
	}
	if got := call(t, "a: b\n", "convert", "helm", "-"); got.code != exitError || !strings.Contains(got.errors, "not recognised as values of one of the charts") {
		t.Errorf("%d %s", got.code, got.errors)
	}
	got := call(t, "modelArtifacts:\n  nme: org/model\n", "convert", "helm", "--modelservice", "-")
	if got.code != exitError || !strings.Contains(got.errors, "<stdin>:2:3: modelArtifacts.nme: unknown field") {
		t.Errorf("%d %s", got.code, got.errors)
	}
}

// TestConvertAsHelm calls convert helm as helm install is called.
func TestConvertAsHelm(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{
		"pool.yaml": "inferencePool: {modelServers: {matchLabels: {app: a}}}\n", "over.yaml": "inferenceExtension: {replicas: 2}\n",
		"servers.yaml": "modelArtifacts: {name: org/model}\n",
	})
	for name, tc := range map[string]struct {
		args []string
		want []string
	}{
		"files over each other":    {[]string{"-f", "pool.yaml", "-f", "over.yaml"}, []string{"    replicas: 2\n"}},
		"and one without a flag":   {[]string{"-f", "pool.yaml", "over.yaml"}, []string{"    replicas: 2\n"}},
		"a setting of one chart":   {[]string{"-f", "pool.yaml", "--set", "inferenceExtension.replicas=3"}, []string{"    replicas: 3\n"}},
		"of the chart that has it": {[]string{"-f", "pool.yaml", "-f", "servers.yaml", "--set", "decode.replicas=3"}, []string{"    replicas: 3\n"}},
		"as text":                  {[]string{"-f", "pool.yaml", "--set", "inferencePool.modelServers.matchLabels.b=1", "--set-string", "inferencePool.modelServers.matchLabels.b=7"}, []string{"      b: \"7\"\n"}},
		"a release and namespace":  {[]string{"-f", "pool.yaml", "-n", "mine", "--release", "my-pool"}, []string{"namespace: mine\n", "name: my-pool-epp\n"}},
		"releases":                 {[]string{"-f", "pool.yaml", "-f", "servers.yaml", "--release", "pool=a,modelservice=b"}, []string{"name: a-epp\n", "name: b-llm-d-modelservice-decode\n"}},
	} {
		got := call(t, "", append([]string{"convert", "helm"}, tc.args...)...)
		for _, want := range tc.want {
			if got.code != exitOK || !strings.Contains(got.out, want) {
				t.Errorf("%s: no %q: %d %s%s", name, want, got.code, got.out, got.errors)
			}
		}
	}
}

// TestConvertHelmSays quotes a flag as it was given, keeps the place of what stands in a file above a
// value that is set, and names the flag for what no file says.
func TestConvertHelmSays(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{
		"pool.yaml":    "inferencePool: {modelServers: {matchLabels: {app: a}}}\ninferenceExtension: {monitoring: {prometheus: {enabled: true, auth: {enabled: true}}}}\n",
		"servers.yaml": "modelArtifacts: {name: org/model}\ndecode:\n  bad: 1\n",
	})
	for want, args := range map[string][]string{
		"--set decode.replicas=x: decode.replicas: must be an integer":              {"-f", "servers.yaml", "--set", "decode.replicas=x"},
		"--set-modelservice decode.replicas=x: decode.replicas: must be an integer": {"-f", "servers.yaml", "--set-modelservice", "decode.replicas=x"},
		"servers.yaml:3:3: decode.bad: unknown field":                               {"-f", "servers.yaml", "--set", "decode.replicas=2"},
		"--namespace (-n) names that of the releases":                               {"-f", "pool.yaml"},
	} {
		if got := call(t, "", append([]string{"convert", "helm"}, args...)...); got.code != exitError || !strings.Contains(got.errors, want) {
			t.Errorf("%s: %d %s", want, got.code, got.errors)
		}
	}
}
