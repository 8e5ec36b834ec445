// Package policy judges stacks by CUE files, and evaluates stacks that are written in CUE. A policy is unified with the complete stack, so that it
// is written in the language and with the names of the schema.
package policy

import (
	"cmp"
	"fmt"
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
func Judge(r verdict.Request) (out verdict.Answer) {
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
	if wrong := imports(file); wrong != nil {
		return rule{}, wrong
	}
	value := ctx.BuildFile(file)
	if err := value.Validate(); err != nil {
		return rule{}, told(err)
	}
	return rule{file, value}, nil
}

// imports refuses all packages but those of CUE that compute: a policy runs nothing, and reads no file.
func imports(file *ast.File) (out []string) {
	for imported := range file.ImportSpecs() {
		name, err := strconv.Unquote(imported.Path.Value)
		name, _, _ = strings.Cut(name, ":")
		first, _, _ := strings.Cut(name, "/")
		if err == nil && first != "tool" && !strings.Contains(first, ".") {
			continue
		}
		pos := imported.Pos()
		out = append(out, fmt.Sprintf("%s:%d:%d: %s cannot be imported: packages of CUE that compute can be, such as list, strings and net, and none that read files or run programs", file.Filename, pos.Line(), pos.Column(), name))
	}
	return out
}

// judge gives what a stack violates, and the fields that the policy names and the stack has not.
func (r rule) judge(stack cue.Value) ([]verdict.Violation, []verdict.Name) {
	both := r.value.Unify(stack)
	found := r.violations(both.Validate(cue.Concrete(false), cue.All()))
	found = append(found, r.undecided(stack, both, found)...)
	w := wants{file: r.file}
	w.read(field{have: stack, want: both, alone: r.value, needed: true})
	return append(found, w.violations...), w.names
}

// undecided are rules on what is there that hold for more fields than there are, such as struct.MinFields:
// CUE waits for those, and a stack is complete.
func (r rule) undecided(stack, both cue.Value, found []verdict.Violation) (out []verdict.Violation) {
	for _, v := range r.violations(both.Validate(cue.Concrete(true), cue.All())) {
		known := slices.ContainsFunc(found, func(o verdict.Violation) bool { return o.Path == v.Path })
		if !known && stack.LookupPath(cue.ParsePath(v.Path)).Exists() {
			out = append(out, v)
		}
	}
	return out
}

// told are errors with their places in a policy.
func told(err error) (out []string) {
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
func (r rule) violations(err error) (out []verdict.Violation) {
	for _, e := range errors.Errors(err) {
		format, args := e.Msg()
		v := verdict.Violation{Path: finding.PathOf(e.Path()), Message: message(format, args), File: r.file.Filename}
		if fact, ok := strings.CutPrefix(v.Path, "facts."); ok { // no field of the stack says which
			v.Message = fact + ": " + v.Message
		}
		if p := r.position(e); p.IsValid() {
			v.Line = p.Line()
			v.Message = cmp.Or(comment(r.file, p), v.Message)
		}
		same := func(o verdict.Violation) bool { return o.Path == v.Path && o.Line == v.Line && o.Message == v.Message }
		if !slices.ContainsFunc(out, same) {
			out = append(out, v)
		}
	}
	return out
}

// position is where the policy says what an error is about: the field around it where the error does
// not know, as with rules on whole structs.
func (r rule) position(e errors.Error) token.Pos {
	for _, p := range positions(e) {
		if p.Filename() == r.file.Filename {
			return p
		}
	}
	for path := e.Path(); len(path) > 0; path = path[:len(path)-1] {
		var at []cue.Selector
		for _, name := range path {
			if i, err := strconv.Atoi(name); err == nil {
				at = append(at, cue.Index(i))
				continue
			}
			at = append(at, cue.Str(strings.Trim(name, `"`)))
		}
		if p := r.value.LookupPath(cue.MakePath(at...)).Pos(); p.Filename() == r.file.Filename {
			return p
		}
	}
	return token.NoPos
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
