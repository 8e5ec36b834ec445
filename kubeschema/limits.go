package kubeschema

import (
	"cmp"

	"github.com/inferstack/inferstack/internal/sorted"
)

// Limits are what an API server holds the values of a custom resource to besides their types: the
// patterns, lists without repetitions and CEL rules of the CRD.
type Limits struct {
	Pattern string
	// Keys are the fields by which the items of a list differ; Set says that they do as a whole.
	Keys          []string
	Set           bool
	MinProperties *int64
	MaxProperties *int64
	Rules         []Rule
	// Default is the text of a JSON value, kept where a rule may ask for it.
	Default    string
	Properties sorted.Map[*Limits]
	Items      *Limits
	Values     *Limits
}

// A Rule is a CEL expression that must hold, and what the API server says when it does not.
type Rule struct {
	Rule    string
	Message string
}

// LimitsOf returns the limits of a custom resource, or nil when it has none or is not known.
func LimitsOf(apiVersion, kind string) *Limits { return limits.Get(apiVersion + " " + kind) }

// none are the limits of what has none, so that nobody asks for nil.
var none = &Limits{}

func (l *Limits) field(name string) *Limits {
	return cmp.Or(l.Properties.Get(name), l.Values, none)
}

func (l *Limits) item() *Limits { return cmp.Or(l.Items, none) }

// Empty reports whether there are no limits.
func (l *Limits) Empty() bool {
	return l.Pattern == "" && !l.Set && l.MinProperties == nil && l.MaxProperties == nil && l.Default == "" && l.Items == nil && l.Values == nil &&
		len(l.Keys)+len(l.Rules)+len(l.Properties) == 0
}
