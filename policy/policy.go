// Package policy judges stacks by CUE files. A policy is unified with the complete stack, so that it
// is written in the language and with the names of the schema.
package policy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/verdict"
)

// Judge unifies each policy with the stacks that it judges.
func Judge(r verdict.Request) verdict.Answer {
	var out verdict.Answer
	ctx := cuecontext.New()
	rules := make([]rule, len(r.Policies))
	for i, p := range r.Policies {
		var invalid []string
		rules[i], invalid = compile(ctx, p)
		out.Invalid = append(out.Invalid, invalid...)
	}
	if len(out.Invalid) > 0 {
		return out
	}
	for _, rule := range rules {
		out.Names = append(out.Names, written(rule.file)...)
	}
	for _, s := range r.Stacks {
		stack := ctx.CompileBytes(s.Stack, cue.Filename("stack.json"))
		if err := stack.Err(); err != nil {
			return verdict.Answer{Invalid: []string{err.Error()}}
		}
		var found []verdict.Violation
		for _, i := range s.Policies {
			violations, names := rules[i].judge(stack)
			found = append(found, violations...)
			out.Names = append(out.Names, names...)
		}
		out.Violations = append(out.Violations, found)
	}
	return out
}

// A rule is a policy that can be unified.
type rule struct {
	file  *ast.File
	value cue.Value
}

func compile(ctx *cue.Context, p verdict.Policy) (rule, []string) {
	file, err := parser.ParseFile(p.File, p.Text, parser.ParseComments)
	if err != nil {
		return rule{}, told(err)
	}
	value := ctx.BuildFile(file)
	if err := value.Validate(); err != nil {
		return rule{}, told(err)
	}
	return rule{file, value}, nil
}

// judge gives what a stack violates, and the fields that the policy names and the stack has not.
func (r rule) judge(stack cue.Value) ([]verdict.Violation, []verdict.Name) {
	both := r.value.Unify(stack)
	found := violations(r.file, both.Validate(cue.Concrete(false), cue.All()))
	w := wants{file: r.file}
	w.read(field{have: stack, want: both, alone: r.value, needed: true})
	return append(found, w.violations...), w.names
}

// told are errors with their places in a policy.
func told(err error) []string {
	var out []string
	for _, e := range errors.Errors(err) {
		at := ""
		for _, p := range positions(e)[:min(1, len(positions(e)))] {
			at = p.Filename() + ":" + strconv.Itoa(p.Line()) + ":" + strconv.Itoa(p.Column()) + ": "
		}
		format, args := e.Msg()
		out = append(out, at+message(format, args))
	}
	return out
}

func message(format string, args []any) string {
	m := errors.NewMessagef(format, args...)
	return m.Error()
}

// violations are the errors of a unification, one for each field and place.
func violations(file *ast.File, err error) []verdict.Violation {
	var out []verdict.Violation
	for _, e := range errors.Errors(err) {
		format, args := e.Msg()
		v := verdict.Violation{Path: finding.PathOf(e.Path()), Message: message(format, args), File: file.Filename}
		for _, p := range positions(e) {
			if p.Filename() != file.Filename {
				continue
			}
			v.Line = p.Line()
			v.Message = cmp.Or(comment(file, p), v.Message)
			break
		}
		same := func(o verdict.Violation) bool { return o.Path == v.Path && o.Line == v.Line && o.Message == v.Message }
		if !slices.ContainsFunc(out, same) {
			out = append(out, v)
		}
	}
	return out
}

// positions are those of an error, the deepest in the file first: the constraint rather than what
// it is in.
func positions(e errors.Error) []token.Pos {
	out := append([]token.Pos{e.Position()}, e.InputPositions()...)
	out = slices.DeleteFunc(out, func(p token.Pos) bool { return !p.IsValid() })
	slices.SortStableFunc(out, func(a, b token.Pos) int { return cmp.Compare(b.Offset(), a.Offset()) })
	return out
}

// comment is the text above the innermost field around a place that has one: the policy's message.
func comment(file *ast.File, at token.Pos) string {
	text := ""
	ast.Walk(file, func(n ast.Node) bool {
		if n.Pos().IsValid() && n.End().IsValid() && (at.Offset() < n.Pos().Offset() || at.Offset() > n.End().Offset()) && n != ast.Node(file) {
			return false
		}
		if _, isFile := n.(*ast.File); !isFile {
			for _, group := range ast.Comments(n) {
				if group.Doc {
					text = strings.Join(strings.Fields(group.Text()), " ")
				}
			}
		}
		return true
	}, nil)
	return text
}
