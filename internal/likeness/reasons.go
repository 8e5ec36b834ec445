package likeness

import (
	"fmt"
	"regexp"
	"slices"

	"sigs.k8s.io/yaml"
)

// A Reason says why something differs.
type Reason struct {
	// Match is a regular expression of the whole difference.
	Match string `json:"match"`
	Why   string `json:"why"`
	// Kind is what sort of reason it is, where a table has sorts.
	Kind string `json:"kind,omitempty"`

	pattern *regexp.Regexp
	used    bool
}

// Reasons are a table of them. Each must explain a difference, as each difference must have one.
type Reasons []*Reason

// ReadReasons reads a table.
func ReadReasons(data []byte) (Reasons, error) {
	var out Reasons
	if err := yaml.UnmarshalStrict(data, &out); err != nil {
		return nil, fmt.Errorf("read reasons: %w", err)
	}
	for _, r := range out {
		var err error
		if r.pattern, err = regexp.Compile("^(?s:" + r.Match + ")$"); err != nil {
			return nil, fmt.Errorf("read reasons: %w", err)
		}
		if r.Why == "" {
			return nil, fmt.Errorf("read reasons: %q says nothing", r.Match)
		}
	}
	return out, nil
}

// Of returns the first reason of a difference, nil without one.
func (rs Reasons) Of(difference string) *Reason {
	i := slices.IndexFunc(rs, func(r *Reason) bool { return r.pattern.MatchString(difference) })
	if i < 0 {
		return nil
	}
	rs[i].used = true
	return rs[i]
}

// Unused are the reasons that explained nothing.
func (rs Reasons) Unused() (out []string) {
	for _, r := range rs {
		if !r.used {
			out = append(out, r.Match)
		}
	}
	return out
}
