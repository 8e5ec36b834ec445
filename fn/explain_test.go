package fn

import (
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	got := call(t, "", "explain", "spec.decode.replicas")
	if got.code != 0 || got.errors != "" || !strings.Contains(got.out, "FIELD: spec.decode.replicas <integer>\nDEFAULT: 1\n") {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "explain", "--recursive"); got.code != 0 || !strings.Contains(got.out, "\n    decode\t<Object>\n") {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "explain", "spec.decod"); got != (outcome{exitError, "", "error: spec.decod: unknown field; did you mean \"spec.decode\"?\n"}) {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "explain", "spec", "metadata"); got.code != exitUsage {
		t.Errorf("%+v", got)
	}
}
