// Package cel reads expressions of the Common Expression Language by its grammar (cel-spec
// doc/langdef.md), and evaluates those that CRDs are written with. It is no type checker: who judges
// an expression walks what is parsed. cel-go v0.26 would add 7.9 MB to a binary of 22.5, and an
// eighth to the time of each start, of the function too. internal/conform holds CRDs judged by this
// package to the API server's judgement.
package cel

import (
	"fmt"
	"slices"
)

// A Kind is what an expression is.
type Kind int

// The kinds of an expression.
const (
	Literal  Kind = iota // Text is the token, with its quotes
	Name                 // Text is the name
	Select               // Args[0].Text
	Index                // Args[0][Args[1]]
	Call                 // Text(Args…)
	Method               // Args[0].Text(Args[1:]…)
	Operator             // Text is the operator, of one, two or three Args
	List                 // [Args…]
	Map                  // {Args…}, keys and values in turn
)

// An Expr is an expression.
type Expr struct {
	Kind Kind
	Text string
	Args []*Expr
}

// Parse reads an expression. The flaw says what is wrong with it, as in "lacks ) at its end"; it is
// empty for one that is right.
func Parse(text string) (e *Expr, flaw string) {
	words, flaw := tokens(text)
	if flaw != "" {
		return nil, flaw
	}
	p := &parser{tokens: words}
	e = p.ternary()
	if p.flaw == "" && p.peek() != "" {
		p.fail("has %s where the expression should end", p.peek())
	}
	return e, p.flaw
}

type parser struct {
	tokens []token
	at     int
	flaw   string
}

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].text
	}
	return ""
}

// take reads one of the operators and returns it, or nothing.
func (p *parser) take(texts ...string) string {
	if p.at < len(p.tokens) && p.tokens[p.at].kind == operatorToken && slices.Contains(texts, p.peek()) {
		p.at++
		return p.tokens[p.at-1].text
	}
	return ""
}

func (p *parser) want(text string) {
	if p.take(text) == "" {
		p.fail("lacks %s%s", text, p.place())
	}
}

func (p *parser) place() string {
	if next := p.peek(); next != "" {
		return " before " + next
	}
	return " at its end"
}

func (p *parser) fail(format string, args ...any) {
	if p.flaw == "" {
		p.flaw = fmt.Sprintf(format, args...)
	}
}

func (p *parser) ternary() *Expr {
	condition := p.chain(0)
	if p.flaw != "" || p.take("?") == "" {
		return condition
	}
	yes := p.chain(0)
	p.want(":")
	return &Expr{Operator, "?", []*Expr{condition, yes, p.ternary()}}
}

// levels are the binary operators, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"<", "<=", ">=", ">", "==", "!=", "in"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) chain(level int) *Expr {
	if level == len(levels) {
		return p.unary()
	}
	left := p.chain(level + 1)
	for p.flaw == "" {
		operator := p.take(levels[level]...)
		if operator == "" {
			break
		}
		left = &Expr{Operator, operator, []*Expr{left, p.chain(level + 1)}}
	}
	return left
}

func (p *parser) unary() *Expr {
	operator := p.take("!", "-")
	if operator == "" {
		return p.member()
	}
	times := 1
	for p.take(operator) != "" {
		times++
	}
	e := p.member()
	for range times {
		e = &Expr{Operator, operator, []*Expr{e}}
	}
	return e
}

func (p *parser) member() *Expr {
	e := p.primary()
	for p.flaw == "" {
		switch {
		case p.take(".") != "":
			p.take("?")
			name := p.name()
			if p.take("(") != "" {
				e = &Expr{Method, name, append([]*Expr{e}, p.until(")")...)}
			} else {
				e = &Expr{Select, name, []*Expr{e}}
			}
		case p.take("[") != "":
			p.take("?")
			e = &Expr{Index, "", []*Expr{e, p.ternary()}}
			p.want("]")
		default:
			return e
		}
	}
	return e
}

func (p *parser) name() string {
	if p.at < len(p.tokens) && p.tokens[p.at].kind == nameToken {
		p.at++
		return p.tokens[p.at-1].text
	}
	p.fail("lacks a name%s", p.place())
	return ""
}

func (p *parser) primary() *Expr {
	if p.at >= len(p.tokens) {
		p.fail("ends where a value should be")
		return &Expr{}
	}
	t := p.tokens[p.at]
	switch {
	case t.kind == literalToken:
		p.at++
		return &Expr{Literal, t.text, nil}
	case t.kind == nameToken:
		p.at++
		if p.take("(") != "" {
			return &Expr{Call, t.text, p.until(")")}
		}
		return &Expr{Name, t.text, nil}
	case p.take("(") != "":
		e := p.ternary()
		p.want(")")
		return e
	case p.take("[") != "":
		return &Expr{List, "", p.until("]")}
	case p.take("{") != "":
		return &Expr{Map, "", p.until("}")}
	}
	p.fail("has %s where a value should be", t.text)
	return &Expr{}
}

// until reads arguments, or the items of a list or map, up to their end.
func (p *parser) until(end string) (out []*Expr) {
	for p.flaw == "" && ((end == ")" && len(out) > 0) || p.take(end) == "") {
		p.take("?")
		out = append(out, p.ternary())
		if end == "}" {
			p.want(":")
			out = append(out, p.ternary())
		}
		if p.take(",") == "" {
			p.want(end)
			break
		}
	}
	return out
}
