// Package podpatch applies strategic merge patches to pod templates, as kubectl patch
// --type=strategic does. The library that kubectl uses, apimachinery's strategicpatch, brings the
// whole of kube-openapi and protobuf along: 5 MB in a program of 23, and a twelfth of the time of
// one stack. So it is used in tests only, which hold the two together. There are two differences:
// $setElementOrder, which kubectl computes and nobody writes, is refused, and the claims of a
// container's resources are merged by name (see keyed).
package podpatch

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/json"
	fields "k8s.io/apimachinery/third_party/forked/golang/json"
)

// Directives of a strategic merge patch (Kubernetes API conventions; apimachinery v0.36
// pkg/util/strategicpatch/patch.go).
const (
	directive       = "$patch"
	retainKeys      = "$retainKeys"
	setElementOrder = "$setElementOrder/"
	deleteFromList  = "$deleteFromPrimitiveList/"
	deleting        = "delete"
	replacing       = "replace"
)

// Apply returns the template as the patch changes it.
func Apply(template corev1.PodTemplateSpec, patch map[string]any) (corev1.PodTemplateSpec, error) {
	if len(patch) == 0 {
		return template, nil
	}
	var out corev1.PodTemplateSpec
	original, err := object(template)
	if err != nil {
		return out, err
	}
	change, err := object(patch) // a copy with integers as JSON has them
	if err != nil {
		return out, err
	}
	merged, err := mergeMap(original, change, reflect.TypeOf(template))
	if err != nil {
		return out, err
	}
	data, err := json.Marshal(merged)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(data, &out)
}

func object(value any) (map[string]any, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	return out, json.Unmarshal(data, &out)
}

// mergeMap merges a patch into an object of type t. It may change both.
func mergeMap(original, patch map[string]any, t reflect.Type) (map[string]any, error) {
	if how, ok := patch[directive]; ok {
		switch how {
		case replacing:
			delete(patch, directive)
			return patch, nil
		case deleting:
			return map[string]any{}, nil
		}
		return nil, fmt.Errorf("%s must be %s or %s (got %v)", directive, deleting, replacing, how)
	}
	if err := retain(original, patch); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		if strings.HasPrefix(key, setElementOrder) {
			return nil, fmt.Errorf("%s is not supported; lists take the order of the patch", key)
		}
		if err := mergeKey(original, patchedKey{key, patch[key]}, t); err != nil {
			return nil, err
		}
	}
	return original, nil
}

// A patchedKey is one entry of a patch.
type patchedKey struct {
	key   string
	value any
}

// mergeKey merges one entry of a patch into an object of type t.
func mergeKey(original map[string]any, change patchedKey, t reflect.Type) error {
	key, without := strings.CutPrefix(change.key, deleteFromList)
	if change.value == nil {
		delete(original, key)
		return nil
	}
	old, present := original[key]
	if without && (!present || reflect.TypeOf(old) != reflect.TypeOf(change.value)) {
		return nil
	}
	merged, keep, err := mergeValue(old, patchedKey{key, change.value}, mode{t, without})
	switch {
	case err != nil:
		return err
	case keep:
		original[key] = merged
	default:
		delete(original, key)
	}
	return nil
}

// A mode is how a value is merged: as a field of that type, and, if without, as the
// entries to take out.
type mode struct {
	parent  reflect.Type
	without bool
}

// mergeValue merges one value, and reports whether anything is left of it.
func mergeValue(old any, change patchedKey, m mode) (merged any, keep bool, err error) {
	switch value := change.value.(type) {
	case map[string]any:
		if was, ok := old.(map[string]any); ok {
			merged, err = mergeObject(was, change, m.parent)
			return merged, true, err
		}
	case []any:
		if was, ok := old.([]any); ok {
			merged, err = list{was, value, m.without}.merge(change.key, m.parent)
			return merged, true, err
		}
	}
	merged, keep = clean(change.value)
	return merged, keep, nil
}

// mergeObject merges an object that is there already.
func mergeObject(old map[string]any, change patchedKey, t reflect.Type) (any, error) {
	f, err := lookUp(t, change.key)
	if err != nil {
		return nil, err
	}
	value := change.value.(map[string]any)
	if f.strategy == replacing {
		return value, nil
	}
	return mergeMap(old, value, f.typ)
}

// retain drops what $retainKeys does not name.
func retain(original, patch map[string]any) error {
	value, ok := patch[retainKeys]
	if !ok {
		return nil
	}
	delete(patch, retainKeys)
	kept, ok := value.([]any)
	if !ok {
		return fmt.Errorf("%s must be a list of fields", retainKeys)
	}
	named := func(key string) bool { return slices.Contains(kept, any(key)) }
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		if patch[key] != nil && !strings.HasPrefix(key, deleteFromList) && !strings.HasPrefix(key, setElementOrder) && !named(key) {
			return fmt.Errorf("%s must name %s, which the patch sets", retainKeys, key)
		}
	}
	maps.DeleteFunc(original, func(key string, _ any) bool { return !named(key) })
	return nil
}

// clean is a value that is new to the object: the nulls of its fields have nothing to
// delete, and what directives delete is not there. It reports whether anything is left.
func clean(value any) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		if _, ok := v[directive]; ok {
			return nil, false
		}
		for key, inner := range v {
			left, keep := clean(inner)
			if v[key] = left; !keep || left == nil {
				delete(v, key)
			}
		}
	case []any:
		kept := make([]any, 0, len(v))
		for _, inner := range v {
			if left, keep := clean(inner); keep {
				kept = append(kept, left)
			}
		}
		return kept, true
	}
	return value, true
}

// A field is what the Go type of an object says on merging one of its fields.
type field struct {
	typ           reflect.Type
	strategy, key string
}

// keyed are the lists that the API declares as maps (listType=map in k8s.io/api
// core/v1/types.go, v0.36) without the tags by which a strategic merge knows them.
// kubectl replaces such a list; a server-side apply merges it, and so does a patch here:
// one more claim of the user's own must not take the accelerators' claim away.
var keyed = map[reflect.Type]map[string]string{
	reflect.TypeFor[corev1.ResourceRequirements](): {"claims": "name"},
}

func lookUp(t reflect.Type, name string) (field, error) {
	typ, strategies, key, err := fields.LookupPatchMetadataForStruct(t, name)
	if err != nil {
		return field{}, err
	}
	f := field{typ: typ, key: key}
	if key, ok := keyed[t][name]; ok {
		return field{typ, "merge", key}, nil
	}
	for _, s := range strategies {
		if s != "retainKeys" {
			f.strategy = s
		}
	}
	return f, nil
}
