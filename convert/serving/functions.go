package serving

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"text/template"
)

// Functions are those of sprig that base configurations and Helm values use: text, defaults and a
// little arithmetic. None reads the environment, the clock or chance.
var Functions = template.FuncMap{
	"quote":      func(v any) string { return strconv.Quote(fmt.Sprint(v)) },
	"squote":     func(v any) string { return "'" + fmt.Sprint(v) + "'" },
	"default":    func(fallback, v any) any { return choose(v, fallback) },
	"coalesce":   coalesce,
	"empty":      empty,
	"ternary":    ternary,
	"lower":      strings.ToLower,
	"upper":      strings.ToUpper,
	"trim":       strings.TrimSpace,
	"trimSuffix": func(suffix, s string) string { return strings.TrimSuffix(s, suffix) },
	"trimPrefix": func(prefix, s string) string { return strings.TrimPrefix(s, prefix) },
	"trimAll":    func(cut, s string) string { return strings.Trim(s, cut) },
	"replace":    func(from, to, s string) string { return strings.ReplaceAll(s, from, to) },
	"contains":   func(part, s string) bool { return strings.Contains(s, part) },
	"hasPrefix":  func(prefix, s string) bool { return strings.HasPrefix(s, prefix) },
	"hasSuffix":  func(suffix, s string) bool { return strings.HasSuffix(s, suffix) },
	"trunc":      trunc,
	"repeat":     func(n int, s string) string { return strings.Repeat(s, n) },
	"join":       func(sep string, list []string) string { return strings.Join(list, sep) },
	"splitList":  func(sep, s string) []string { return strings.Split(s, sep) },
	"list":       func(v ...any) []any { return v },
	"indent":     indent,
	"nindent":    func(n int, s string) string { return "\n" + indent(n, s) },
	"toString":   func(v any) string { return fmt.Sprint(v) },
	"int":        integer,
	"add":        func(a, b any) int { return integer(a) + integer(b) },
	"sub":        func(a, b any) int { return integer(a) - integer(b) },
	"mul":        func(a, b any) int { return integer(a) * integer(b) },
	"b64enc":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
}

func empty(v any) bool {
	rv := reflect.ValueOf(v)
	return !rv.IsValid() || rv.IsZero() || (rv.Kind() == reflect.Slice || rv.Kind() == reflect.Map) && rv.Len() == 0
}

func choose(v, fallback any) any {
	if empty(v) {
		return fallback
	}
	return v
}

func coalesce(values ...any) any {
	for _, v := range values {
		if !empty(v) {
			return v
		}
	}
	return nil
}

func ternary(yes, no any, condition bool) any {
	if condition {
		return yes
	}
	return no
}

func trunc(n int, s string) string {
	if n < 0 {
		return s[max(0, len(s)+n):]
	}
	return s[:min(n, len(s))]
}

func indent(n int, s string) string {
	pad := strings.Repeat(" ", n)
	return pad + strings.ReplaceAll(s, "\n", "\n"+pad)
}

func integer(v any) int {
	n, _ := strconv.Atoi(fmt.Sprint(v))
	return n
}
