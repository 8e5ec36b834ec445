package kubeschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/cel"
	"github.com/inferstack/inferstack/internal/pattern"
)

// Breaches returns where an object is beyond the limits of its kind. What Check found wrong already is
// not judged again, nor are rules that depend on it or on values for which skip reports true.
func Breaches(object *yaml.Node, l *Limits, skip func(text string) bool, wrong []Problem) []Problem {
	c := &limiter{checker: checker{skip: skip}, wrong: map[*yaml.Node]bool{}}
	for _, p := range wrong {
		c.wrong[p.Node] = true
	}
	c.value("", object, l)
	return c.problems
}

type limiter struct {
	checker
	wrong map[*yaml.Node]bool
}

func (c *limiter) value(path string, n *yaml.Node, l *Limits) {
	n = target(n)
	if n == nil || l == none || n.Tag == "!!null" || c.wrong[n] && n.Kind == yaml.ScalarNode {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		c.count(path, n, l)
		for i := 0; i+1 < len(n.Content); i += 2 {
			c.value(join(path, n.Content[i].Value), n.Content[i+1], l.field(n.Content[i].Value))
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			c.value(fmt.Sprintf("%s[%d]", path, i), item, l.item())
		}
		if c.repeated(path, n, l) {
			return // rules say the same of the list
		}
	case yaml.ScalarNode:
		c.pattern(path, n, l)
	}
	c.rules(path, n, l)
}

func target(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func (c *limiter) count(path string, n *yaml.Node, l *Limits) {
	switch count := int64(len(n.Content) / 2); {
	case l.MinProperties != nil && count < *l.MinProperties:
		c.add(path, n, "must have at least %d entries (has %d)", *l.MinProperties, count)
	case l.MaxProperties != nil && count > *l.MaxProperties:
		c.add(path, n, "must have at most %d entries (has %d)", *l.MaxProperties, count)
	}
}

func (c *limiter) pattern(path string, n *yaml.Node, l *Limits) {
	if l.Pattern == "" || c.skip(n.Value) || kindOf(n) != "string" {
		return
	}
	if re, err := pattern.Compile(l.Pattern); err == nil && !re.MatchString(n.Value) {
		c.add(path, n, "must be %s (got %q)", cmp.Or(meanings[l.Pattern], "text that matches "+l.Pattern), n.Value)
	}
}

// repeated finds the items of a list that are equal in what they must differ in.
func (c *limiter) repeated(path string, n *yaml.Node, l *Limits) (found bool) {
	if !l.Set && len(l.Keys) == 0 {
		return false
	}
	seen := map[string]bool{}
	for i, item := range n.Content {
		key, ok := c.key(c.plain(item, l.item()), l.Keys)
		if ok && seen[key] {
			c.add(fmt.Sprintf("%s[%d]", path, i), item, "is there twice: %s", key)
			found = true
		}
		seen[key] = true
	}
	return found
}

// key is what an item of a list differs by from others, as text.
func (c *limiter) key(item any, keys []string) (text string, ok bool) {
	if len(keys) == 0 {
		_, later := item.(cel.Unknown)
		return fmt.Sprint(item), !later
	}
	fields, ok := item.(map[string]any)
	var parts []string
	for _, key := range keys {
		value, there := fields[key]
		_, later := value.(cel.Unknown)
		ok = ok && there && !later
		parts = append(parts, fmt.Sprintf("%s %v", key, value))
	}
	return strings.Join(parts, ", "), ok
}

func (c *limiter) rules(path string, n *yaml.Node, l *Limits) {
	if len(l.Rules) == 0 {
		return
	}
	self := c.plain(n, l)
	for _, rule := range l.Rules {
		if holds, err := rule.of(self); !holds && !errors.Is(err, cel.ErrUnjudged) {
			c.add(path, n, "%s", cmp.Or(rule.Message, "must be such that "+rule.Rule))
		}
	}
}

// of evaluates a rule. The API server refuses what a rule cannot be evaluated for, such as a duration
// that is none.
func (r Rule) of(self any) (bool, error) {
	e, flaw := cel.Parse(r.Rule)
	if flaw != "" {
		return false, fmt.Errorf("%s: %w", flaw, cel.ErrUnjudged)
	}
	return e.Holds(self)
}

// plain is a value as rules see it, with defaults.
func (c *limiter) plain(n *yaml.Node, l *Limits) any {
	n = target(n)
	switch {
	case n == nil || n.Tag == "!!null":
		return nil
	case c.wrong[n]:
		return cel.Unknown{}
	case n.Kind == yaml.MappingNode:
		return c.fields(n, l)
	case n.Kind == yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, item := range n.Content {
			out[i] = c.plain(item, l.item())
		}
		return out
	case c.skip(n.Value):
		return cel.Unknown{}
	default:
		return scalar(n)
	}
}

func (c *limiter) fields(n *yaml.Node, l *Limits) any {
	out := map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if c.wrong[key] || key.Value == "<<" || c.skip(key.Value) {
			return cel.Unknown{}
		}
		if v := c.plain(n.Content[i+1], l.field(key.Value)); v != nil {
			out[key.Value] = v
		}
	}
	complete(out, l)
	return out
}

func scalar(n *yaml.Node) any {
	switch kindOf(n) {
	case "boolean":
		return slices.Contains([]string{"y", "yes", "on", "true"}, strings.ToLower(n.Value))
	case "integer":
		if number, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return number
		}
		return cel.Unknown{}
	case "number":
		if number, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return number
		}
		return cel.Unknown{}
	default:
		return n.Value
	}
}

// complete fills in the defaults of a mapping, and those within them.
func complete(fields map[string]any, l *Limits) {
	for name, field := range l.Properties.All() {
		if _, there := fields[name]; there || field.Default == "" {
			continue
		}
		fields[name] = completed(decoded(field.Default), field)
	}
}

func completed(v any, l *Limits) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = completed(v[name], l.field(name))
		}
		complete(v, l)
	case []any:
		for i := range v {
			v[i] = completed(v[i], l.item())
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, _ := v.Float64()
		return n
	}
	return v
}

func decoded(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err) // it is embedded
	}
	return v
}

// subdomain is the pattern of names that may have dots.
const subdomain = `[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`

// meanings say in words what the patterns of CRDs want.
var meanings = map[string]string{
	`^(\*\.)?` + subdomain + `$`:                                        "a host name in lower case, without scheme, port and path, such as example.com or *.example.com",
	`^` + subdomain + `$`:                                               "lower-case letters, digits, - and ., with a letter or digit at both ends",
	`^$|^` + subdomain + `$`:                                            "an API group, such as gateway.networking.k8s.io, or empty",
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`:                                   "lower-case letters, digits and -, with a letter or digit at both ends",
	`^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`:                             "the name of a kind, such as Service",
	`^([0-9]{1,5}(h|m|s|ms)){1,4}$`:                                     "a duration such as 30s or 1h30m, without spaces and fractions",
	`^[A-Za-z0-9!#$%&'*+\-.^_\x60|~]+$`:                                 "a name of letters, digits and !#$%&'*+-.^_`|~",
	`^[!-~]+([\t ]?[!-~]+)*$`:                                           "printable characters of ASCII without spaces at its ends",
	`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`:                     "the value of a label: letters, digits, -, _ and ., with a letter or digit at both ends",
	`^(` + subdomain + `/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`: "the key of a label, such as app or example.com/app",
	`^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$`:                       "a duration of Prometheus, such as 30s or 1m30s",
	`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`: "a quantity such as 500m or 2Gi",
}
