package admission

import "testing"

// TestCEL tries expressions that choose devices: those of the documentation of Kubernetes
// and of the vendors' drivers, and what cannot be one. conformance/oracle holds the
// judgement against upstream's compiler.
func TestCEL(t *testing.T) {
	for _, good := range []string{
		"true", "device.driver == 'gpu.nvidia.com'", `device.attributes["gpu.nvidia.com"].type == "gpu"`,
		`device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0`,
		`device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('^.*a100.*$')`,
		`!(device.driver in ["a", 'b']) && (has(device.attributes["a"].b) || false)`,
		`["x", "y"].exists(n, device.driver.startsWith(n))`, "device.driver == 'a' ? true : false",
		`cel.bind(a, device.attributes["x.io"], a.index < 2 && a.?b.orValue(false))`,
		`device.attributes["x"].version.isGreaterThan(semver("1.0.0"))`, "r'\\d' == device.driver // a comment",
		`device.attributes["x"].?a.optMap(v, v < 2).orValue(false)`,
	} {
		if flaw := celFlaw(good); flaw != "" {
			t.Errorf("%s: %s", good, flaw)
		}
	}
	for bad, want := range map[string]string{
		"device.driver ==":          "ends where a value should be",
		"device.driver.begins('a')": "calls begins, which is not declared",
		"startswith(device.driver)": "calls startswith, which is not declared",
		"1 + 1":                     "must come to true or false",
		"foo":                       "names foo, which is not declared; what there is is device, with driver, attributes and capacity",
		"device.driver == 'a":       "has a text without its closing quote",
		"(device.driver == 'a'":     "lacks ) at its end",
		"device.driver == 'a' x":    "has x where the expression should end",
		"device.driver = 'a'":       `has '=', which CEL does not know`,
		"'a' && true":               "joins what is not a truth value with && or ||",
		"!'a'":                      "negates what is not a truth value",
		"device.":                   "lacks a name at its end",
		"device":                    "must come to true or false",
		"[1, 2":                     "lacks ] at its end",
		"device.attributes[].a":     "has ] where a value should be",
		"size(device.driver)":       "must come to true or false",
		"device.driver == 'a' && ":  "ends where a value should be",
	} {
		if flaw := celFlaw(bad); flaw != want {
			t.Errorf("%s: %q, want %q", bad, flaw, want)
		}
	}
}
