// Package kubeschema knows the fields of Kubernetes objects: those of custom resources from
// their CRDs, those of built-in kinds from their Go types. It finds fields that a kind does
// not have, required ones that are missing and values of another type, as an API server with
// strict field validation does; and by limits, which are asked for apart, values that do not match their
// pattern, repetitions in lists and CEL rules that do not hold.
package kubeschema

import (
	"cmp"
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/internal/packed"
)

// Schema describes a value.
type Schema struct {
	// Type is object, array, string, integer, number or boolean; empty for any.
	Type string `json:"type,omitempty"`
	// Properties are the fields of an object.
	Properties map[string]*Schema `json:"properties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	// Items describes what an array holds, Values what a mapping holds.
	Items  *Schema `json:"items,omitempty"`
	Values *Schema `json:"values,omitempty"`
	// Open objects may have any other field.
	Open bool `json:"open,omitempty"`
	// IntOrString values are either.
	IntOrString bool     `json:"intOrString,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Minimum     *float64 `json:"minimum,omitempty"`
	Maximum     *float64 `json:"maximum,omitempty"`
	MinItems    *int64   `json:"minItems,omitempty"`
	MaxItems    *int64   `json:"maxItems,omitempty"`
	MinLength   *int64   `json:"minLength,omitempty"`
	MaxLength   *int64   `json:"maxLength,omitempty"`
}

//go:embed compiled
var compiled embed.FS

var loaded sync.Map

// Of returns the schema of a kind, or nil when it is not known.
func Of(apiVersion, kind string) *Schema {
	key := FileName(apiVersion, kind)
	if s, ok := loaded.Load(key); ok {
		return s.(*Schema)
	}
	s := embedded[Schema](compiled, "compiled/"+key)
	if s == nil {
		s = builtin(apiVersion, kind)
	}
	loaded.Store(key, s)
	return s
}

// Kinds lists the API versions and kinds whose schemas are known, as in "apps/v1 Deployment", in order.
var Kinds = sync.OnceValue(func() []string {
	var out []string
	for kind := range builtins {
		out = append(out, kind)
	}
	files, err := compiled.ReadDir("compiled")
	if err != nil {
		panic(err) // the folder is embedded
	}
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".json.gz")
		if i := strings.LastIndexByte(name, '_'); i > 0 {
			out = append(out, strings.Replace(name[:i], "_", "/", 1)+" "+name[i+1:])
		}
	}
	slices.Sort(out)
	return out
})

// FileName is the name of the compiled schema of a kind.
func FileName(apiVersion, kind string) string {
	return strings.ReplaceAll(apiVersion, "/", "_") + "_" + kind + ".json.gz"
}

// embedded reads what crdgen wrote to a file, nil where there is none of that name.
func embedded[T any](files embed.FS, name string) *T {
	data, err := packed.Read(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	v := new(T)
	if err := cmp.Or(err, lazyjson.Unmarshal(data, v)); err != nil {
		panic(err) // the files are embedded
	}
	return v
}
