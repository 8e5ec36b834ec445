package wiring

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A variant is one of the sets of manifests under testdata with one thing broken.
type variant struct {
	// rule that has to find it.
	rule string
	// base is the set: native, envoyfilter, production, precise or
	// centralized.
	base string
	// in is the object to change, as kind name; in its text old becomes new, and an old
	// that is empty drops the object.
	in, old, new string
	// add is written after the set.
	add string
	// platform is declared.
	platform map[string]string
}

var variants = slices.Concat(routeVariants, pickerVariants, serverVariants, networkVariants, rightsVariants, admissionVariants, amountVariants)

// TestVariants breaks one thing at a time. What is found, to the last word, is in
// testdata/variants.golden; UPDATE_GOLDEN=1 writes it anew, to be read.
func TestVariants(t *testing.T) {
	var out strings.Builder
	for _, v := range variants {
		var found []string
		rules := map[string]bool{}
		for _, f := range checked(t, v.apply(t), v.platform) {
			found = append(found, "\t"+strings.ReplaceAll(f.String(), "\n", "\n\t"))
			rules[f.Rule] = true
		}
		if !rules[v.rule] {
			t.Errorf("%s in %s: not found, but\n%s", v.rule, v.base, strings.Join(found, "\n"))
		}
		title := v.rule + ": " + v.base
		if v.in != "" {
			title += ", " + v.in
		}
		out.WriteString(title + "\n" + strings.Join(found, "\n") + "\n")
	}
	const file = "testdata/variants.golden"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Error(diff)
	}
}

// newest declares a platform of today.
var newest = map[string]string{kubernetes: "1.36", gatewayAPI: "1.6.0", extension: "v1.5.0", istio: "1.29"}

// TestBases finds nothing in the sets as they are.
func TestBases(t *testing.T) {
	for _, base := range []string{"native", "envoyfilter", "production", "precise", "centralized", "proxy", "tls", "encode"} {
		for _, f := range checked(t, read(t, base), newest) {
			t.Errorf("%s: %s", base, f)
		}
	}
}

// TestEveryRuleHasAVariant holds the table against the rules.
func TestEveryRuleHasAVariant(t *testing.T) {
	for _, r := range Rules() {
		if r.ID == "selection-cut" {
			continue // TestCrowd breaks it
		}
		if !slices.ContainsFunc(variants, func(v variant) bool { return v.rule == r.ID }) {
			t.Errorf("no variant breaks %s", r.ID)
		}
	}
}

func read(t testing.TB, base string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + base + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checked is what is found, but for the prerequisites that the base has anyway.
func checked(t *testing.T, text string, platform map[string]string) []Finding {
	t.Helper()
	objects, err := Read("set.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"hf-token", "llm-example-com", "llama-servers-tls"}
	return slices.DeleteFunc(Check(objects, Options{Platform: platform}), func(f Finding) bool {
		return f.Rule == "prerequisite" && slices.Contains(known, f.Other.Name)
	})
}

func (v variant) apply(t testing.TB) string {
	t.Helper()
	var docs []string
	hit := v.in == ""
	for _, doc := range strings.Split(read(t, v.base), "\n---\n") {
		kind, name, _ := strings.Cut(v.in, " ")
		if v.in != "" && strings.Contains("\n"+doc, "\nkind: "+kind+"\n") && strings.Contains(doc, "\n  name: "+name+"\n") {
			if v.old == "" {
				hit = true
				continue
			}
			hit = strings.Contains(doc, v.old)
			doc = strings.Replace(doc, v.old, v.new, 1)
		}
		docs = append(docs, doc)
	}
	if !hit {
		t.Fatalf("%s: %s has no %q in %s", v.rule, v.base, v.old, v.in)
	}
	if v.add != "" {
		docs = append(docs, v.add)
	}
	return strings.Join(docs, "\n---\n")
}
