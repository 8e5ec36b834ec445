package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stack.yaml")
	printed := call(t, "", "init", "chat", "--simulator")
	if rendered := call(t, printed.out, "render", "-"); printed.code != 0 || rendered.code != 0 {
		t.Fatalf("%+v\n%s", printed, rendered.errors)
	}
	if got := call(t, "", "init", "chat", "--simulator", "-o", file); got != (outcome{}) {
		t.Errorf("%+v", got)
	}
	if text, err := os.ReadFile(file); string(text) != printed.out {
		t.Errorf("the file holds %s %v", text, err)
	}
	if got := call(t, "", "init", "other", "-o", file); got != (outcome{exitError, "", "error: " + file + ": there already; --force overwrites it\n"}) {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "init", "other", "-o", file, "--force"); got != (outcome{}) {
		t.Errorf("%+v", got)
	}
	if text, err := os.ReadFile(file); !strings.Contains(string(text), "name: other\n") {
		t.Errorf("the file holds %s %v", text, err)
	}
	if got := call(t, "", "init", "--release", "0.9"); got.code != exitUsage || !strings.Contains(got.errors, "--release: ") {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "init", "--release", "0.4"); !strings.Contains(got.out, "\n  release: \"0.4\"\n") {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "init", "--gateway", "nginx"); got.code != exitUsage || !strings.Contains(got.errors, "--gateway: must be one of istio, kgateway, agentgateway, gke, envoy, none (got \"nginx\")") {
		t.Errorf("%+v", got)
	}
}
