package admission

import (
	"slices"
	"strings"
)

// A celType is what an expression of CEL comes to, as far as it can be seen without the
// declarations of all functions.
type celType int

const (
	celUnknown celType = iota
	celBool
	celOther // surely no truth value
)

// celParser reads an expression of CEL by its grammar (cel-spec doc/langdef.md), and refuses
// names that are not declared for devices.
type celParser struct {
	tokens []celToken
	at     int
	scope  []string // variables of macros
	flaw   string
}

// celFlaw says what is wrong with an expression over a device, or "".
func celFlaw(expression string) string {
	tokens, flaw := celTokens(expression)
	if flaw != "" {
		return flaw
	}
	p := &celParser{tokens: tokens, scope: []string{"device"}}
	kind := p.ternary()
	switch {
	case p.flaw != "":
		return p.flaw
	case p.peek() != "":
		return "has " + p.peek() + " where the expression should end"
	case kind == celOther:
		return "must come to true or false"
	}
	return ""
}

func (p *celParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].text
	}
	return ""
}

func (p *celParser) take(texts ...string) bool {
	if p.at < len(p.tokens) && p.tokens[p.at].kind == celOperator && slices.Contains(texts, p.peek()) {
		p.at++
		return true
	}
	return false
}

func (p *celParser) want(text string) {
	if !p.take(text) {
		p.fail("lacks " + text + p.place())
	}
}

func (p *celParser) place() string {
	if next := p.peek(); next != "" {
		return " before " + next
	}
	return " at its end"
}

func (p *celParser) fail(flaw string) {
	if p.flaw == "" {
		p.flaw = flaw
	}
}

func (p *celParser) ternary() celType {
	kind := p.chain(0)
	if !p.take("?") {
		return kind
	}
	a := p.chain(0)
	p.want(":")
	if b := p.ternary(); a == b {
		return a
	}
	return celUnknown
}

// celLevels are the binary operators, those that bind least first.
var celLevels = [][]string{{"||"}, {"&&"}, {"<", "<=", ">=", ">", "==", "!=", "in"}, {"+", "-"}, {"*", "/", "%"}}

func (p *celParser) chain(level int) celType {
	if level == len(celLevels) {
		return p.unary()
	}
	kind := p.chain(level + 1)
	for p.flaw == "" && p.take(celLevels[level]...) {
		right := p.chain(level + 1)
		switch {
		case level < 2 && (kind == celOther || right == celOther):
			p.fail("joins what is not a truth value with && or ||")
		case level < 3:
			kind = celBool
		default:
			kind = celOther
		}
	}
	return kind
}

func (p *celParser) unary() celType {
	switch {
	case p.take("!"):
		for p.take("!") {
		}
		if p.member() == celOther {
			p.fail("negates what is not a truth value")
		}
		return celBool
	case p.take("-"):
		for p.take("-") {
		}
		p.member()
		return celOther
	}
	return p.member()
}

func (p *celParser) member() celType {
	kind := p.primary()
	for p.flaw == "" {
		switch {
		case p.take("."):
			p.take("?")
			name := p.name()
			kind = celUnknown
			if p.take("(") {
				kind = p.called(name)
			}
		case p.take("["):
			p.take("?")
			p.ternary()
			p.want("]")
			kind = celUnknown
		default:
			return kind
		}
	}
	return celUnknown
}

func (p *celParser) name() string {
	if p.at < len(p.tokens) && p.tokens[p.at].kind == celName {
		p.at++
		return p.tokens[p.at-1].text
	}
	p.fail("lacks a name" + p.place())
	return ""
}

// celMacros bring a variable of their own into their arguments.
var celMacros = []string{"all", "exists", "exists_one", "existsOne", "map", "filter", "bind", "transformList", "transformMap", "transformMapEntry", "optMap", "optFlatMap", "sortBy"}

// arguments reads what is called with, after the opening parenthesis.
func (p *celParser) arguments(function string) {
	if p.take(")") {
		return
	}
	before := len(p.scope)
	if slices.Contains(celMacros, function) && p.at < len(p.tokens) && p.tokens[p.at].kind == celName {
		p.scope = append(p.scope, p.peek())
	}
	for p.flaw == "" {
		p.ternary()
		if !p.take(",") {
			break
		}
	}
	p.scope = p.scope[:before]
	p.want(")")
}

// celResult is what a function comes to by its name.
func celResult(function string) celType {
	switch function {
	case "has", "startsWith", "endsWith", "contains", "matches", "exists", "all", "exists_one", "isGreaterThan", "isLessThan", "isQuantity", "isSemver", "includes":
		return celBool
	case "size", "lowerAscii", "upperAscii", "quantity", "semver", "int", "uint", "double", "string", "compareTo", "map", "filter", "split", "replace", "substring":
		return celOther
	}
	return celUnknown
}

// celFunctions are the functions and methods that expressions over devices know besides the macros, by
// their last names (k8s.io/dynamic-resource-allocation v0.36.3 cel/compile.go and what it includes).
var celFunctions = strings.Fields(`
	add allowed asApproximateFloat asInteger bool byte bytes charAt check cidr compareTo contains
	containsCIDR containsIP date datetime distinct dns1035Label dns1035LabelPrefix dns1123Label
	dns1123LabelPrefix dns1123Subdomain dns1123SubdomainPrefix double duration dyn endsWith equivalent
	error errored family fieldSelector find findAll first flatten format getDate getDayOfMonth
	getDayOfWeek getDayOfYear getEscapedPath getFullYear getHost getHostname getHours getMilliseconds
	getMinutes getMonth getPort getQuery getScheme getSeconds group hasValue includes indexOf int
	intersects ip isCIDR isCanonical isGlobalUnicast isGreaterThan isIP isInteger isLessThan
	isLinkLocalMulticast isLinkLocalUnicast isLoopback isQuantity isSemver isSorted isURL isUnspecified
	join labelSelector labelValue last lastIndexOf lowerAscii major masked matches max min minor name
	named namespace none of ofNonZeroValue or orValue patch path prefixLength qualifiedName quantity
	quote range reason replace resource reverse semver serviceAccount sign size slice sort split
	startsWith string sub subresource substring sum timestamp trim type uint unwrap unwrapOpt upperAscii
	uri url uuid validate value`)

// called reads a call of a function by its name, after the opening parenthesis.
func (p *celParser) called(name string) celType {
	if !slices.Contains(celFunctions, name) && !slices.Contains(celMacros, name) && name != "has" {
		p.fail("calls " + name + ", which is not declared")
	}
	p.arguments(name)
	return celResult(name)
}

// celTypes are names of types, which are values in CEL.
var celTypes = strings.Fields("bool bytes double int list map null_type string type uint cel math strings optional sets")

func (p *celParser) primary() celType {
	if p.at >= len(p.tokens) {
		p.fail("ends where a value should be")
		return celUnknown
	}
	token := p.tokens[p.at]
	switch {
	case token.kind == celLiteral:
		p.at++
		return celOther
	case token.kind == celName:
		p.at++
		return p.named(token.text)
	case p.take("("):
		kind := p.ternary()
		p.want(")")
		return kind
	case p.take("["):
		p.items("]")
		return celOther
	case p.take("{"):
		p.items("}")
		return celOther
	}
	p.fail("has " + token.text + " where a value should be")
	return celUnknown
}

func (p *celParser) named(name string) celType {
	switch {
	case name == "true" || name == "false":
		return celBool
	case name == "null":
		return celOther
	case p.take("("):
		return p.called(name)
	case !slices.Contains(p.scope, name) && !slices.Contains(celTypes, name):
		p.fail("names " + name + ", which is not declared; what there is is device, with driver, attributes and capacity")
	case name == "device" && len(p.tokens) == 1:
		return celOther
	}
	return celUnknown
}

// items reads a list or a map up to its end.
func (p *celParser) items(end string) {
	for p.flaw == "" && !p.take(end) {
		p.take("?")
		p.ternary()
		if end == "}" {
			p.want(":")
			p.ternary()
		}
		if !p.take(",") {
			p.want(end)
			return
		}
	}
}
