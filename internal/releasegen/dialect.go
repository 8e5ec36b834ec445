package main

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/release"
)

// dialectSource is a dialect as it is written: it may say only how it differs from another.
type dialectSource struct {
	release.Dialect
	// Extends names the dialect that this one begins with.
	Extends string `json:"extends,omitempty"`
	// Without are plugins of that one which are not here.
	Without []string `json:"without,omitempty"`
}

// resolved are whole dialects, by their names.
func resolved(r *reader, written map[string]*dialectSource) map[string]*release.Dialect {
	whole := map[string]*release.Dialect{}
	for name := range written {
		d, err := resolve(name, written)
		if err != nil {
			r.fail(err)
			continue
		}
		d.Name = name
		whole[name] = d
	}
	return whole
}

// resolve fills a dialect up with what it takes over from another.
func resolve(name string, sources map[string]*dialectSource) (*release.Dialect, error) {
	s := sources[name]
	if s == nil {
		return nil, fmt.Errorf("no dialect %s to extend", name)
	}
	out := s.Dialect
	if s.Extends == "" {
		return &out, nil
	}
	base, err := resolve(s.Extends, sources)
	if err != nil {
		return nil, err
	}
	drop := map[string]bool{}
	for _, t := range s.Without {
		drop[t] = true
	}
	for _, p := range s.Plugins {
		drop[p.Type] = true
	}
	out.Plugins = nil
	for _, p := range base.Plugins {
		if !drop[p.Type] {
			out.Plugins = append(out.Plugins, p)
		}
	}
	out.Plugins = append(out.Plugins, s.Plugins...)
	inherit(&out, base)
	return &out, nil
}

// inherit takes over what is said as a whole or not at all.
func inherit(out, base *release.Dialect) {
	out.Config = fieldsOver(out.Config, base.Config)
	if out.Gates == nil {
		out.Gates = base.Gates
	}
	if out.RemovedGates == nil {
		out.RemovedGates = base.RemovedGates
	}
	if out.Loader.Defaults == nil {
		out.Loader = base.Loader
	}
	if out.Renamed == nil {
		out.Renamed = base.Renamed
	}
	if out.MovedParameters == nil {
		out.MovedParameters = base.MovedParameters
	}
}

// fieldsOver are the fields of a configuration over those of the one that it extends.
func fieldsOver(own, base *release.Schema) *release.Schema {
	if own == nil || base == nil {
		return cmp.Or(own, base)
	}
	out, fields := *own, maps.Collect(base.Fields.All())
	maps.Insert(fields, own.Fields.All())
	out.Fields = sorted.Of(fields)
	return &out
}
