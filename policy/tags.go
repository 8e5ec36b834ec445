package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/inferstack/inferstack/internal/near"
)

// A tagged is a field with an attribute @tag(name,options).
type tagged struct {
	field     *ast.Field
	name, how string
}

// taggedIn are the fields of files that tags can set.
func taggedIn(files []*ast.File) (out []tagged) {
	for _, file := range files {
		ast.Walk(file, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				for _, attribute := range field.Attrs {
					if what, body := attribute.Split(); what == "tag" {
						name, how, _ := strings.Cut(body, ",")
						out = append(out, tagged{field, strings.TrimSpace(name), how})
					}
				}
			}
			return true
		}, nil)
	}
	return out
}

// inject sets the fields that have an attribute @tag, as cue does with --inject.
func inject(files []*ast.File, tags []string) (invalid []string) {
	fields := taggedIn(files)
	for _, tag := range tags {
		found := false
		for _, t := range fields {
			value, ok := t.value(tag)
			if !ok {
				continue
			}
			found = true
			given, err := literal(t.how, value)
			if err != nil {
				invalid = append(invalid, fmt.Sprintf("--tag %s: %v", tag, err))
				continue
			}
			t.field.Value = &ast.BinaryExpr{X: t.field.Value, Op: token.AND, Y: given}
		}
		if !found {
			invalid = append(invalid, unknownTag(tag, fields))
		}
	}
	return invalid
}

// value is what a tag sets a field to: name=value, or one of the field's short=a|b.
func (t tagged) value(tag string) (string, bool) {
	if name, value, set := strings.Cut(tag, "="); set {
		return value, name == t.name
	}
	short := strings.Split(option(t.how, "short"), "|")
	return tag, tag != "" && slices.Contains(short, tag)
}

// option is one of the options of an attribute, such as type=int.
func option(how, name string) string {
	for option := range strings.SplitSeq(how, ",") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(option), name+"="); ok {
			return value
		}
	}
	return ""
}

// literal is a tag's value, of the type that type= names.
func literal(how, value string) (ast.Expr, error) {
	switch kind := option(how, "type"); kind {
	case "", "string":
		return ast.NewString(value), nil
	case "bool":
		is, err := strconv.ParseBool(value)
		if err != nil {
			return nil, fmt.Errorf("must be true or false (got %q)", value)
		}
		return ast.NewBool(is), nil
	case "int", "number":
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return nil, fmt.Errorf("must be a number (got %q)", value)
		}
		return parser.ParseExpr("", value)
	default:
		return nil, fmt.Errorf("type=%s is not supported; there are string, int, number and bool", kind)
	}
}

// unknownTag says of a tag that no field has which there are.
func unknownTag(tag string, fields []tagged) string {
	name, _, set := strings.Cut(tag, "=")
	known := map[string]bool{}
	for _, t := range fields {
		known[t.name] = true
	}
	names := slices.Sorted(maps.Keys(known))
	switch guess := near.Of(name, names); {
	case len(names) == 0:
		return fmt.Sprintf("--tag %s: no field has an attribute @tag", tag)
	case !set && slices.Contains(names, name):
		return fmt.Sprintf("--tag %s: needs a value, as in %s=value", tag, name)
	case guess != "":
		return fmt.Sprintf("--tag %s: unknown tag; did you mean %q?", tag, guess)
	}
	return fmt.Sprintf("--tag %s: unknown tag; there are %s", tag, strings.Join(names, ", "))
}
