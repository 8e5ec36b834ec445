package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/internal/model"
)

// kubernetesTypes are the Go types that the schema names.
var kubernetesTypes = map[string]reflect.Type{
	"autoscaling/v2.HPAScalingRules":   reflect.TypeFor[autoscalingv2.HPAScalingRules](),
	"autoscaling/v2.MetricSpec":        reflect.TypeFor[autoscalingv2.MetricSpec](),
	"core/v1.Affinity":                 reflect.TypeFor[corev1.Affinity](),
	"core/v1.Container":                reflect.TypeFor[corev1.Container](),
	"core/v1.EnvFromSource":            reflect.TypeFor[corev1.EnvFromSource](),
	"core/v1.EnvVar":                   reflect.TypeFor[corev1.EnvVar](),
	"core/v1.Lifecycle":                reflect.TypeFor[corev1.Lifecycle](),
	"core/v1.Toleration":               reflect.TypeFor[corev1.Toleration](),
	"core/v1.TopologySpreadConstraint": reflect.TypeFor[corev1.TopologySpreadConstraint](),
	"core/v1.Volume":                   reflect.TypeFor[corev1.Volume](),
	"core/v1.VolumeMount":              reflect.TypeFor[corev1.VolumeMount](),
	"gateway/v1.HTTPRouteFilter":       reflect.TypeFor[gwapiv1.HTTPRouteFilter](),
	"gateway/v1.HTTPRouteMatch":        reflect.TypeFor[gwapiv1.HTTPRouteMatch](),
}

// special are types whose JSON is not that of their Go kind.
var special = map[reflect.Type]node{
	reflect.TypeFor[resource.Quantity]():  {"type": []string{"string", "number"}, "pattern": quantityPattern},
	reflect.TypeFor[intstr.IntOrString](): {"type": []string{"integer", "string"}},
	reflect.TypeFor[metav1.Time]():        {"type": "string"},
	reflect.TypeFor[metav1.Duration]():    {"type": "string"},
	reflect.TypeFor[metav1.FieldsV1]():    {"type": "object"},
}

// upstreamDefs are the Kubernetes types that were asked for, and those that they are made of.
type upstreamDefs struct{ defs node }

// use is the schema of a Kubernetes type where it is used.
func (u *upstreamDefs) use(t *model.Type) node {
	typ, ok := kubernetesTypes[t.GoType]
	if !ok {
		panic(fmt.Sprintf("add %s to kubernetesTypes", t.GoType))
	}
	return u.of(typ)
}

func (u *upstreamDefs) of(t reflect.Type) node {
	if s := special[t]; s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return u.of(t.Elem())
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
			panic(fmt.Sprintf("add %s to special: it reads JSON by itself", t))
		}
		return u.named(t)
	case reflect.Map:
		return node{"type": "object", "additionalProperties": u.of(t.Elem())}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return node{"type": "string"}
		}
		return node{"type": "array", "items": u.of(t.Elem())}
	case reflect.Bool:
		return node{"type": "boolean"}
	case reflect.String:
		return node{"type": "string"}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint16:
		return node{"type": "integer"}
	}
	panic(fmt.Sprintf("%s has no JSON Schema", t))
}

// named puts a struct among the definitions, once, and refers to it.
func (u *upstreamDefs) named(t reflect.Type) node {
	path := strings.Split(t.PkgPath(), "/")
	name := "k8s." + path[len(path)-2] + "." + path[len(path)-1] + "." + t.Name()
	if u.defs[name] == nil {
		def := node{"type": "object", "additionalProperties": false}
		u.defs[name] = def
		props := node{}
		def["properties"] = props
		if required := u.fields(t, props); required != nil {
			def["required"] = required
		}
	}
	return node{"$ref": "#/$defs/" + name}
}

// fields are those of a struct, the embedded ones among them, and the names of those that the
// API requires: what is written even when it is empty, but for structs.
func (u *upstreamDefs) fields(t reflect.Type, props node) (required []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case tag == "" && f.Anonymous:
			required = append(required, u.fields(f.Type, props)...)
		case tag != "" && tag != "-":
			props[tag] = u.of(f.Type)
			if options == "" && f.Type.Kind() != reflect.Struct && f.Type.Kind() != reflect.Slice {
				required = append(required, tag)
			}
		}
	}
	return required
}
