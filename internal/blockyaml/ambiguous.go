package blockyaml

import "strings"

// Ambiguous reports whether some YAML reader takes the plain word for something else than
// a string. It goes by YAML 1.1 (yaml.org/type: bool, int, float, null, timestamp,
// merge, value), which PyYAML, Ruby and Helm's library still follow, and quotes rather
// too much: 12:30:45 is a number there and 1_000 as well.
func Ambiguous(s string) bool {
	switch s {
	case "", "~", "=", "<<", "null", "Null", "NULL", ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN":
		return true
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false":
		return true
	}
	if !strings.ContainsAny(s[:1], "+-.0123456789") {
		return false
	}
	number := strings.TrimLeft(strings.ReplaceAll(s, "_", ""), "+-") // 0_x1f is a number, too
	switch {
	case number == "" || !strings.ContainsAny(number[:1], ".0123456789"):
		return strings.EqualFold(number, ".inf")
	case len(number) > 1 && number[0] == '0' && strings.ContainsAny(number[1:2], "xX"):
		return only(number[2:], "0123456789abcdefABCDEF")
	case len(number) > 1 && number[0] == '0' && strings.ContainsAny(number[1:2], "bBoO"):
		return only(number[2:], "01234567+-") // 0b-1 is -1 to the library
	}
	return only(number, "0123456789.:eE+-TtZz ") || strings.EqualFold(number, ".inf")
}

// only reports whether s is made of the characters in set alone.
func only(s, set string) bool {
	return strings.Trim(s, set) == ""
}
