package kubeschema

import (
	"cmp"
	"embed"
	"encoding/json"
	"sync"
)

// Limits are what an API server holds the values of a custom resource to besides their types: the
// patterns, lists without repetitions and CEL rules of the CRD.
type Limits struct {
	Pattern string `json:"pattern,omitempty"`
	// Keys are the fields by which the items of a list differ; Set says that they do as a whole.
	Keys          []string `json:"keys,omitempty"`
	Set           bool     `json:"set,omitempty"`
	MinProperties *int64   `json:"minProperties,omitempty"`
	MaxProperties *int64   `json:"maxProperties,omitempty"`
	Rules         []Rule   `json:"rules,omitempty"`
	// Default is kept where a rule may ask for it.
	Default    json.RawMessage    `json:"default,omitempty"`
	Properties map[string]*Limits `json:"properties,omitempty"`
	Items      *Limits            `json:"items,omitempty"`
	Values     *Limits            `json:"values,omitempty"`
}

// A Rule is a CEL expression that must hold, and what the API server says when it does not.
type Rule struct {
	Rule    string `json:"rule"`
	Message string `json:"message,omitempty"`
}

//go:embed limits
var limits embed.FS

var limitsOf sync.Map

// LimitsOf returns the limits of a custom resource, or nil when it has none or is not known.
func LimitsOf(apiVersion, kind string) *Limits {
	name := FileName(apiVersion, kind)
	if l, ok := limitsOf.Load(name); ok {
		return l.(*Limits)
	}
	l := embedded[Limits](limits, "limits/"+name)
	limitsOf.Store(name, l)
	return l
}

// none are the limits of what has none, so that nobody asks for nil.
var none = &Limits{}

func (l *Limits) field(name string) *Limits {
	return cmp.Or(l.Properties[name], l.Values, none)
}

func (l *Limits) item() *Limits { return cmp.Or(l.Items, none) }

// Empty reports whether there are no limits.
func (l *Limits) Empty() bool {
	return l.Pattern == "" && !l.Set && l.MinProperties == nil && l.MaxProperties == nil && l.Default == nil && l.Items == nil && l.Values == nil &&
		len(l.Keys)+len(l.Rules)+len(l.Properties) == 0
}
