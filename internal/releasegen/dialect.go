package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/release"
)

// dialectSources are the dialects of the EPP's configuration.
const dialectSources = "release/dialects/*.yaml"

// dialectSource is a dialect as it is written: it may say only how it differs from another.
type dialectSource struct {
	release.Dialect
	// Extends names the dialect that this one begins with.
	Extends string `json:"extends,omitempty"`
	// Without are plugins of that one which are not here.
	Without []string `json:"without,omitempty"`
}

// dialectFiles are the compiled dialects, by the name of their file.
func dialectFiles(root string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(root, dialectSources))
	if err != nil {
		return nil, err
	}
	sources := map[string]*dialectSource{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s := &dialectSource{}
		if err := yaml.UnmarshalStrict(data, s); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := checkPlugins(s.Plugins); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		sources[strings.TrimSuffix(filepath.Base(path), ".yaml")] = s
	}
	files := map[string][]byte{}
	for name := range sources {
		d, err := resolve(name, sources)
		if err != nil {
			return nil, err
		}
		if files[filepath.Join("dialects", name+".json")], err = encode(d); err != nil {
			return nil, err
		}
		if files[filepath.Join("plugins", name+".json")], err = encode(index(d)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// checkPlugins refuses parameters that are no schema: those are decoded only when they are used.
func checkPlugins(plugins []release.Plugin) error {
	for _, p := range plugins {
		if err := cmp.Or(p.Parameters.Check(), p.Legacy.Check()); err != nil {
			return fmt.Errorf("plugin %s: %w", p.Type, err)
		}
	}
	return nil
}

// index is a dialect without fields and parameters. Conditions stay where a plugin may need predicted latencies,
// which it does not while none of them is looked at.
func index(d *release.Dialect) *release.Dialect {
	out := &release.Dialect{Plugins: slices.Clone(d.Plugins)}
	for i := range out.Plugins {
		out.Plugins[i].Parameters, out.Plugins[i].Legacy = nil, nil
		out.Plugins[i].Consumes = slices.Clone(out.Plugins[i].Consumes)
		for k := range out.Plugins[i].Consumes {
			if n := &out.Plugins[i].Consumes[k]; n.Data != release.PredictionData {
				n.If = nil
			}
		}
	}
	return out
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
	out := *own
	out.Fields = maps.Clone(base.Fields)
	maps.Copy(out.Fields, own.Fields)
	return &out
}

func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return out.Bytes(), err
}
