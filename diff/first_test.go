package diff

import (
	"strings"
	"testing"
)

// TestDefinitionsComeFirst names the kinds that nothing was of before, unless their definitions come too.
func TestDefinitionsComeFirst(t *testing.T) {
	gateway, route := object("gateway.networking.k8s.io/v1", "Gateway", "spec: {}"), object("gateway.networking.k8s.io/v1", "HTTPRoute", "spec: {}")
	own := object("networking.k8s.io/v1", "NetworkPolicy", "spec: {}") + "---\n" + deployment("{}")
	crd := object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec: {group: gateway.networking.k8s.io, names: {kind: HTTPRoute}}")
	for name, c := range map[string]struct{ before, after, want string }{
		"both":         {"", own + "---\n" + gateway + "---\n" + route, "CRDs that must be there first: Gateway.gateway.networking.k8s.io, HTTPRoute.gateway.networking.k8s.io\n"},
		"one":          {strings.Replace(gateway, "name: a", "name: b", 1), gateway + "---\n" + route, "first: HTTPRoute.gateway.networking.k8s.io\n"},
		"with its CRD": {gateway, gateway + "---\n" + route + "---\n" + crd, ""},
		"none":         {"", own, ""},
		"going":        {gateway, "", ""},
	} {
		differences := Compare(read(t, c.before), read(t, c.after))
		var text, markdown strings.Builder
		if err := Text(&text, differences, false); err != nil {
			t.Fatal(err)
		}
		if err := Markdown(&markdown, differences); err != nil {
			t.Fatal(err)
		}
		for _, got := range []string{text.String(), markdown.String()} {
			if !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, "CRDs") {
				t.Errorf("%s: no %q in\n%s", name, c.want, got)
			}
		}
	}
}

// TestDashboardsInALine counts what differs in a dashboard, and lists what differs beside it.
func TestDashboardsInALine(t *testing.T) {
	dashboard := func(title, other string) string {
		return object("v1", "ConfigMap", `data: {d.json: '{"panels": [{"id": 1, "title": "`+title+`"}, {"id": 2, "title": "`+title+`"}], "title": "`+title+`"}', other: `+other+`}`)
	}
	var text strings.Builder
	if err := Text(&text, Compare(read(t, dashboard("a", "x")), read(t, dashboard("b", "y"))), false); err != nil {
		t.Fatal(err)
	}
	want := "    data[\"d.json\"]: \"dashboard\" -> \"dashboard with 3 other fields\"\n    data.other: \"x\" -> \"y\"\n"
	if !strings.Contains(text.String(), want) {
		t.Errorf("no %s in\n%s", want, text.String())
	}
}
