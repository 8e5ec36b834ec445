package eppconfig_test

import (
	"os"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/release"
)

// verdict is a configuration with what an EPP made of it.
type verdict struct {
	name, text string
	// ends says that the EPP ended; experimental that it starts with the flag for
	// experimental plugins only.
	ends, experimental bool
}

// differs are the configurations that are judged unlike the EPP that was run, and why.
var differs = map[string]string{
	"764": "nothing answers at the Redis address where the EPP was run, which a configuration does not tell",
	"862": "the EPP makes plugins in no certain order, and happened to start",
}

// verdicts reads what the EPP of a version was run with: a line "==== name verdict" before each
// text, with + where apiVersion and kind are left out here, and - where the last line does
// not end.
func verdicts(t *testing.T, file string) []verdict {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []verdict
	for _, part := range strings.Split("\n"+string(data), "\n==== ")[1:] {
		first, text, _ := strings.Cut(part, "\n")
		words := strings.Fields(first)
		v := verdict{name: words[0], text: text + "\n", ends: words[1] == "exit", experimental: words[1] == "alpha"}
		if text == "" {
			v.text = ""
		}
		for _, flag := range words[2:] {
			switch flag {
			case "+":
				v.text = "apiVersion: llm-d.ai/v1alpha1\nkind: EndpointPickerConfig\n" + v.text
			case "-":
				v.text = strings.TrimSuffix(v.text, "\n")
			}
		}
		all = append(all, v)
	}
	return all
}

// TestVerdicts holds the judge to the program: what ended the EPP v0.10.0 of llm-d-router is an
// error, and what it started with is none.
func TestVerdicts(t *testing.T) {
	line, err := release.Load("0.10")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts(t, "testdata/llm-d-0.10.txt") {
		t.Run(v.name, func(t *testing.T) {
			findings := eppconfig.CheckText(line.EPP.Speaks(), v.text, eppconfig.ForLine(line))
			if got := failed(findings); (got != v.ends) != (differs[v.name] != "") {
				t.Errorf("ends %v, the EPP %v: %v\n%s", got, v.ends, texts(findings), v.text)
			}
			if experimental := len(eppconfig.Experimental(line.EPP.Speaks(), v.text)) > 0; !v.ends && experimental != v.experimental {
				t.Errorf("experimental %v, the EPP %v", experimental, v.experimental)
			}
		})
	}
}

func failed(findings []eppconfig.Finding) bool {
	for _, f := range findings {
		if !f.Warning && !f.Starts {
			return true
		}
	}
	return false
}

func texts(findings []eppconfig.Finding) []string {
	var out []string
	for _, f := range findings {
		text := f.Path() + ": " + f.Message
		if f.Warning {
			text = "warning: " + text
		}
		out = append(out, text)
	}
	return out
}
