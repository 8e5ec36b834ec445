package document

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// integer is the value of a number node without fraction, however it is spelled:
// 16, 16.0, 1.6e1, 0x10 and 0o20 are one number.
func integer(n *yaml.Node) (int64, bool) {
	if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil && plainDecimal(n.Value) {
		return i, true
	}
	if n.ShortTag() == "!!float" {
		f, ok := float(n)
		if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
			return 0, false
		}
		return int64(f), true
	}
	var i int64
	if n.ShortTag() != "!!int" || n.Decode(&i) != nil {
		return 0, false
	}
	return i, true
}

// plainDecimal excludes 0644, which YAML 1.1 reads as octal, and +1.
func plainDecimal(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s == "0" || s != "" && s[0] >= '1' && s[0] <= '9'
}

func float(n *yaml.Node) (float64, bool) {
	var f float64
	err := n.Decode(&f)
	return f, err == nil
}

// numeral is the one spelling of a number that everything downstream sees.
func numeral(n *yaml.Node) (string, bool) {
	if i, ok := integer(n); ok {
		return strconv.FormatInt(i, 10), true
	}
	f, ok := float(n)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		return "", false
	}
	return formatFloat(f), true
}

func formatFloat(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
