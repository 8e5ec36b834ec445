package eppconfig

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/release"
)

// misformed says what is wrong with a text of a form.
func misformed(form, text string) string {
	switch form {
	case "label-selector":
		if _, err := labels.Parse(text); err != nil {
			return "must be a label selector, such as app=qwen: " + err.Error()
		}
	case "metric":
		if !validMetric(text) {
			return "must be a metric's name, with labels in braces if need be, such as vllm:num_requests_waiting or queue{state=waiting}"
		}
	case "bytes":
		if !byteSize().MatchString(text) {
			return "must be a size, such as 2GiB or 500MB"
		}
	case "redis":
		if scheme, _, ok := strings.Cut(text, "://"); ok && !slices.Contains([]string{"redis", "rediss", "valkey", "valkeys", "unix"}, scheme) {
			return "must be the address of a Redis, such as redis://redis:6379"
		}
	case "cel":
		if why := brokenCEL(text); why != "" {
			return "must be a CEL expression: " + why
		}
	}
	return ""
}

// byteSize is what github.com/dustin/go-humanize takes.
var byteSize = pattern.Lazy(`^\s*[0-9][0-9.,]*\s*([kKmMgGtTpPeE]([iI]?[bB])?|[bB])?\s*$`)

// Metric specifications (llm-d-router pkg/epp/framework/plugins/datalayer/extractor/metrics/spec.go).
var (
	metricSpec  = pattern.Lazy(`^\s*([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(?:\{([^}]*)\})?\s*$`)
	metricLabel = pattern.Lazy(`^\s*[a-zA-Z_][a-zA-Z0-9_]*\s*=\s*("[^"]*"|[^",}\s]+)\s*$`)
)

func validMetric(text string) bool {
	if text == "" {
		return true
	}
	m := metricSpec().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	for pair := range strings.SplitSeq(m[2], ",") {
		if strings.TrimSpace(m[2]) != "" && !metricLabel().MatchString(pair) {
			return false
		}
	}
	return true
}

var (
	celText       = pattern.Lazy(`[rRbB]{0,2}("""(?s:.*?)"""|'''(?s:.*?)'''|"(\\.|[^"\\])*"|'(\\.|[^'\\])*')`)
	celDangling   = pattern.Lazy(`(\+|-|\*|/|%|<|>|=|!|&|\||\?|:|\.|,|\bin)\s*$`)
	celAssignment = pattern.Lazy(`(^|[^=<>!])=([^=]|$)`)
	celMacro      = pattern.Lazy(`\.(all|exists|exists_one|map|filter)\s*\(`)
	celName       = pattern.Lazy(`([.0-9]?)\b([A-Za-z_][A-Za-z0-9_]*)\s*([(:]?)`)
	celKnown      = strings.Fields("usage true false null in int uint double bool string bytes list map type null_type google")
	celBeginning  = pattern.Lazy(`^\s*(\+|\*|/|%|<|>|=|&|\||\?|:|,|\)|\]|\})`)
)

// brokenCEL finds what no CEL expression may have. It does not compile the expression: that
// would bring a compiler that nothing else here needs.
func brokenCEL(text string) string {
	if text == "" {
		return ""
	}
	bare := celText().ReplaceAllString(text, "0")
	var open []rune
	closing := map[rune]rune{')': '(', ']': '[', '}': '{'}
	for _, c := range bare {
		switch c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1] != closing[c] {
				return "a bracket is closed that was not opened"
			}
			open = open[:len(open)-1]
		case '"', '\'':
			return "a text is not closed"
		}
	}
	switch {
	case len(open) > 0:
		return "a bracket is not closed"
	case strings.TrimSpace(bare) == "":
		return "it is empty"
	case celDangling().MatchString(bare):
		return "it ends in an operator"
	case celBeginning().MatchString(bare):
		return "it begins with an operator"
	case celAssignment().MatchString(bare):
		return "it has a single ="
	}
	return celNames(bare)
}

// celNames finds a name that stands for nothing. The variable of a macro such as all is
// whatever it is called, so an expression with one is not looked at.
func celNames(bare string) string {
	if celMacro().MatchString(bare) {
		return ""
	}
	for _, m := range celName().FindAllStringSubmatch(bare, -1) {
		switch before, name, after := m[1], m[2], m[3]; {
		case before == "." || after == "(" || after == ":" && strings.ContainsAny(bare, "{") || slices.Contains(celKnown, name):
		case before != "":
			return "a number ends in letters"
		default:
			return name + " is not known; there is usage"
		}
	}
	return ""
}

var selectorFields = &release.Schema{Type: release.TypeObject, Fields: sorted.Of(map[string]*release.Schema{
	"matchLabels": {Type: release.TypeMap, Items: &release.Schema{Type: release.TypeString}},
	"matchExpressions": {Type: release.TypeList, Items: &release.Schema{Type: release.TypeObject, Fields: sorted.Of(map[string]*release.Schema{
		"key": {Type: release.TypeString}, "operator": {Type: release.TypeString},
		"values": {Type: release.TypeList, Items: &release.Schema{Type: release.TypeString}},
	})}},
})}

// labelSelector judges a selector by its types, and then as Kubernetes does.
func (j *judge) labelSelector(v any, at path, m mode) {
	before := len(j.findings)
	j.object(selectorFields, v, at, m)
	if len(j.findings) > before || m.typesOnly {
		return
	}
	var selector metav1.LabelSelector
	data, err := json.Marshal(v)
	if err == nil && json.Unmarshal(data, &selector) == nil {
		if _, err := metav1.LabelSelectorAsSelector(&selector); err != nil {
			j.add(at, "is not a label selector: %v", err)
		}
	}
}
