package wiring

import (
	"encoding/json"
	"strings"
	"testing"

	stackrules "github.com/inferstack/inferstack/schema/rules"
)

var someFindings = []Finding{
	{
		Severity: Error, Rule: "epp-tls", Object: Ref{Kind: "InferencePool", Namespace: "llm-d", Name: "qwen"},
		Message: "100% broken", Remedy: "fix it", File: "a,b.yaml", Line: 7,
	},
	{
		Severity: Info, Rule: "prerequisite", Object: Ref{Kind: "Deployment", Name: "qwen"}, Other: Ref{Kind: "Secret", Name: "hf-token"},
		Message: "reads it", File: "b.yaml",
	},
	{
		Severity: Error, Rule: "port-conflict", Object: Ref{Kind: "Pod", Name: "x"},
		Message: "both on 80", File: "b.yaml", Line: 9, Silenced: "one of them never starts",
	},
}

func TestFormats(t *testing.T) {
	for _, test := range []struct{ format, want string }{
		{"text", "a,b.yaml:7: error: InferencePool llm-d/qwen: 100% broken [epp-tls]\n    fix it\nmust already exist (1):\n    Secret hf-token\n"},
		{"github", "::error file=a%2Cb.yaml,line=7,title=epp-tls::InferencePool llm-d/qwen: 100%25 broken%0Afix it\n" +
			"::notice file=b.yaml,line=1,title=prerequisite::Deployment qwen: reads it\n"},
	} {
		var out strings.Builder
		if err := Write(&out, test.format, someFindings); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.format, out.String(), test.want)
		}
	}
	if err := Write(&strings.Builder{}, "xml", nil); err == nil {
		t.Error("xml is a format")
	}
}

// TestJSON reads what is written back, and wants an array also for nothing.
func TestJSON(t *testing.T) {
	var out strings.Builder
	if err := Write(&out, "json", nil); err != nil || out.String() != "[]\n" {
		t.Errorf("nothing is %q, %v", out.String(), err)
	}
	out.Reset()
	if err := Write(&out, "json", someFindings); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"kind": "InferencePool",`) {
		t.Errorf("keys of objects are not in lower case:\n%s", out.String())
	}
	var back []Finding
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || len(back) != 2 || !back[0].Same(someFindings[0]) || !back[1].Same(someFindings[1]) {
		t.Errorf("%v: %+v", err, back)
	}
}

// TestSARIF wants what code scanning needs: known rules, levels and lines from 1 on.
func TestSARIF(t *testing.T) {
	var out strings.Builder
	if err := Write(&out, "sarif", someFindings); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(out.String()), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	known := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		known[r.ID] = true
	}
	if log.Version != "2.1.0" || len(known) != len(Rules())+len(stackrules.All())+len(beforeRules) || len(run.Results) != 3 {
		t.Fatalf("version %s, %d rules, %d results", log.Version, len(known), len(run.Results))
	}
	for i, level := range []string{"error", "note"} {
		r := run.Results[i]
		if !known[r.RuleID] || r.Level != level || r.Locations[0].Physical.Region.StartLine < 1 {
			t.Errorf("%+v", r)
		}
	}
	if !strings.Contains(out.String(), `"suppressions": []`) {
		t.Error("results that are not silenced have no list of suppressions")
	}
	if got := run.Results[2].Suppressions; len(got) != 1 || got[0] != (sarifSuppression{"inSource", "one of them never starts"}) {
		t.Errorf("suppressions: %+v", got)
	}
	if got := Summary(someFindings); got != "1 error, 0 warnings, 1 silenced" || Failed(someFindings[1:]) {
		t.Errorf("summary %q, or what is silenced fails", got)
	}
}

// TestURI holds names of files to RFC 3986.
func TestURI(t *testing.T) {
	for file, want := range map[string]string{
		"w/a b#c/x %41.yaml": "w/a%20b%23c/x%20%2541.yaml",
		"<stdin>":            "%3Cstdin%3E",
		"a:b.yaml":           "./a:b.yaml",
		"/abs/stack.yaml":    "/abs/stack.yaml",
	} {
		if got := uri(file); got != want {
			t.Errorf("%s is %s, want %s", file, got, want)
		}
	}
}
