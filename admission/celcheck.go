package admission

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/cel"
	"github.com/inferstack/inferstack/internal/lists"
)

// A celType is what an expression of CEL comes to, as far as it can be seen without the
// declarations of all functions.
type celType int

const (
	celUnknown celType = iota
	celBool
	celOther // surely no truth value
)

// celFlaw says what is wrong with an expression over a device, or "".
func celFlaw(expression string) string {
	e, flaw := cel.Parse(expression)
	if flaw != "" {
		return flaw
	}
	c := &celChecker{scope: []string{"device"}}
	if kind := c.typeOf(e); c.flaw == "" && (kind == celOther || e.Kind == cel.Name && e.Text == "device") {
		return "must come to true or false"
	}
	return c.flaw
}

// celChecker refuses names that are not declared for devices.
type celChecker struct {
	scope []string // variables of macros
	flaw  string
}

func (c *celChecker) fail(flaw string) {
	if c.flaw == "" {
		c.flaw = flaw
	}
}

func (c *celChecker) typeOf(e *cel.Expr) celType {
	switch e.Kind {
	case cel.Name:
		return c.named(e.Text)
	case cel.Operator:
		return c.operator(e)
	case cel.Call:
		return c.called(e.Text, e.Args)
	case cel.Method:
		c.typeOf(e.Args[0])
		return c.called(e.Text, e.Args[1:])
	}
	for _, arg := range e.Args {
		c.typeOf(arg)
	}
	if e.Kind == cel.Select || e.Kind == cel.Index {
		return celUnknown
	}
	return celOther
}

func (c *celChecker) operator(e *cel.Expr) celType {
	kinds := lists.Map(e.Args, c.typeOf)
	switch e.Text {
	case "?":
		if kinds[1] == kinds[2] {
			return kinds[1]
		}
		return celUnknown
	case "!":
		if kinds[0] == celOther {
			c.fail("negates what is not a truth value")
		}
		return celBool
	case "||", "&&":
		if slices.Contains(kinds, celOther) {
			c.fail("joins what is not a truth value with && or ||")
		}
		return celBool
	case "+", "-", "*", "/", "%":
		return celOther
	}
	return celBool // of a comparison
}

// celMacros bring a variable of their own into their arguments.
var celMacros = []string{"all", "exists", "exists_one", "existsOne", "map", "filter", "bind", "transformList", "transformMap", "transformMapEntry", "optMap", "optFlatMap", "sortBy"}

// called judges a call of a function by its name.
func (c *celChecker) called(name string, args []*cel.Expr) celType {
	if !slices.Contains(celFunctions, name) && !slices.Contains(celMacros, name) && name != "has" {
		c.fail("calls " + name + ", which is not declared")
	}
	before := len(c.scope)
	if len(args) > 0 && slices.Contains(celMacros, name) && args[0].Kind == cel.Name {
		c.scope = append(c.scope, args[0].Text)
	}
	for _, arg := range args {
		c.typeOf(arg)
	}
	c.scope = c.scope[:before]
	return celResult(name)
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

// celTypes are names of types, which are values in CEL.
var celTypes = strings.Fields("bool bytes double int list map null_type string type uint cel math strings optional sets")

func (c *celChecker) named(name string) celType {
	switch {
	case name == "true" || name == "false":
		return celBool
	case name == "null":
		return celOther
	case !slices.Contains(c.scope, name) && !slices.Contains(celTypes, name):
		c.fail("names " + name + ", which is not declared; what there is is device, with driver, attributes and capacity")
	}
	return celUnknown
}
