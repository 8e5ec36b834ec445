package serving

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/gotemplate"
	"github.com/inferstack/inferstack/internal/lists"
)

// Functions are those of sprig that base configurations and Helm values use: text, defaults and a
// little arithmetic. None reads the environment, the clock or chance.
var Functions = gotemplate.Funcs{
	"quote":      gotemplate.Unary(func(v any) string { return strconv.Quote(fmt.Sprint(v)) }),
	"squote":     gotemplate.Unary(func(v any) string { return "'" + fmt.Sprint(v) + "'" }),
	"default":    gotemplate.Binary(func(fallback, v any) any { return choose(v, fallback) }),
	"coalesce":   gotemplate.Variadic(coalesce),
	"empty":      gotemplate.Unary(empty),
	"ternary":    gotemplate.Ternary(ternary),
	"lower":      gotemplate.Unary(strings.ToLower),
	"upper":      gotemplate.Unary(strings.ToUpper),
	"trim":       gotemplate.Unary(strings.TrimSpace),
	"trimSuffix": gotemplate.Binary(func(suffix, s string) string { return strings.TrimSuffix(s, suffix) }),
	"trimPrefix": gotemplate.Binary(func(prefix, s string) string { return strings.TrimPrefix(s, prefix) }),
	"trimAll":    gotemplate.Binary(func(cut, s string) string { return strings.Trim(s, cut) }),
	"replace":    gotemplate.Ternary(replace),
	"contains":   gotemplate.Binary(func(part, s string) bool { return strings.Contains(s, part) }),
	"hasPrefix":  gotemplate.Binary(func(prefix, s string) bool { return strings.HasPrefix(s, prefix) }),
	"hasSuffix":  gotemplate.Binary(func(suffix, s string) bool { return strings.HasSuffix(s, suffix) }),
	"trunc":      gotemplate.Binary(trunc),
	"repeat":     gotemplate.Binary(repeat),
	"join":       gotemplate.Binary(join),
	"splitList":  gotemplate.Binary(func(sep, s string) []string { return strings.Split(s, sep) }),
	"list":       gotemplate.Variadic(func(v ...any) []any { return v }),
	"indent":     gotemplate.Binary(indent),
	"nindent":    gotemplate.Binary(func(n int, s string) string { return "\n" + indent(n, s) }),
	"toString":   gotemplate.Unary(func(v any) string { return fmt.Sprint(v) }),
	"int":        gotemplate.Unary(integer),
	"add":        gotemplate.Binary(func(a, b any) int { return integer(a) + integer(b) }),
	"sub":        gotemplate.Binary(func(a, b any) int { return integer(a) - integer(b) }),
	"mul":        gotemplate.Binary(func(a, b any) int { return integer(a) * integer(b) }),
	"b64enc":     gotemplate.Unary(func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }),
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
	return lists.First(values, func(v any) bool { return !empty(v) })
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

func repeat(n int, s string) string {
	gotemplate.Reserve(n, len(s))
	return strings.Repeat(s, n)
}

func replace(from, to, s string) string {
	gotemplate.Reserve(strings.Count(s, from), len(to))
	return strings.ReplaceAll(s, from, to)
}

func join(sep string, list []string) string {
	gotemplate.Reserve(len(list), len(sep))
	return strings.Join(list, sep)
}

func indent(n int, s string) string {
	gotemplate.Reserve(1+strings.Count(s, "\n"), n)
	pad := strings.Repeat(" ", n)
	return pad + strings.ReplaceAll(s, "\n", "\n"+pad)
}

func integer(v any) int {
	n, _ := strconv.Atoi(fmt.Sprint(v))
	return n
}
