package wiring

import (
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// Near is the name among the known ones that a wrong one was most likely meant to be, or
// "". It is stricter than advice on a misspelt field may be: qwen-a and qwen-b are two
// models, hf-token and hf_token one Secret.
func Near(wrong string, known []string) string {
	bare := strings.NewReplacer("-", "", "_", "", ".", "")
	for _, k := range known {
		if strings.EqualFold(bare.Replace(k), bare.Replace(wrong)) {
			return k
		}
	}
	return lists.First(known, func(k string) bool { return isSlip(wrong, k) })
}

// isSlip reports whether a wrong name is the known one, but for a slip of the pen.
func isSlip(wrong, known string) bool {
	return len(wrong) >= 5 && slip(wrong, known) && !numbered(wrong, known)
}

// slip reports whether one letter is missing, too many, wrong, or swapped with its neighbour.
func slip(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < len(a)-i && j < len(b)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	x, y := a[i:len(a)-j], b[i:len(b)-j]
	return len(x) <= 1 && len(y) <= 1 || len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
}

// numbered reports whether two names differ in a digit or in a single letter between
// separators, which is how people number what there are several of.
func numbered(a, b string) bool {
	split := func(r rune) bool { return r == '-' || r == '_' || r == '.' }
	x, y := strings.FieldsFunc(a, split), strings.FieldsFunc(b, split)
	if len(x) != len(y) {
		return true
	}
	for i := range x {
		if x[i] != y[i] && (len(x[i]) <= 1 || len(y[i]) <= 1 || digits(x[i]) != digits(y[i])) {
			return true
		}
	}
	return false
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}
