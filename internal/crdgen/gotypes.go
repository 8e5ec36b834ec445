package main

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/kubeschema"
)

// builtins are the kinds of Kubernetes itself that stacks are made of.
var builtins = map[string]any{
	"apps/v1 Deployment":                              appsv1.Deployment{},
	"apps/v1 StatefulSet":                             appsv1.StatefulSet{},
	"apps/v1 DaemonSet":                               appsv1.DaemonSet{},
	"autoscaling/v1 HorizontalPodAutoscaler":          autoscalingv1.HorizontalPodAutoscaler{},
	"autoscaling/v2 HorizontalPodAutoscaler":          autoscalingv2.HorizontalPodAutoscaler{},
	"batch/v1 Job":                                    batchv1.Job{},
	"batch/v1 CronJob":                                batchv1.CronJob{},
	"v1 ConfigMap":                                    corev1.ConfigMap{},
	"v1 PersistentVolumeClaim":                        corev1.PersistentVolumeClaim{},
	"v1 Pod":                                          corev1.Pod{},
	"v1 Secret":                                       corev1.Secret{},
	"v1 Service":                                      corev1.Service{},
	"v1 ServiceAccount":                               corev1.ServiceAccount{},
	"networking.k8s.io/v1 Ingress":                    networkingv1.Ingress{},
	"networking.k8s.io/v1 NetworkPolicy":              networkingv1.NetworkPolicy{},
	"policy/v1 PodDisruptionBudget":                   policyv1.PodDisruptionBudget{},
	"rbac.authorization.k8s.io/v1 ClusterRole":        rbacv1.ClusterRole{},
	"rbac.authorization.k8s.io/v1 ClusterRoleBinding": rbacv1.ClusterRoleBinding{},
	"rbac.authorization.k8s.io/v1 Role":               rbacv1.Role{},
	"rbac.authorization.k8s.io/v1 RoleBinding":        rbacv1.RoleBinding{},
}

var (
	types = map[reflect.Type]*kubeschema.Schema{}

	quantity    = reflect.TypeFor[resource.Quantity]()
	intOrString = reflect.TypeFor[intstr.IntOrString]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	texts       = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// typed is the schema of what encoding/json makes of a type. A type that holds itself, such
// as JSONSchemaProps, is found again by the map.
func typed(t reflect.Type) *kubeschema.Schema {
	if s := types[t]; s != nil {
		return s
	}
	s := &kubeschema.Schema{}
	types[t] = s
	switch {
	case t.Kind() == reflect.Pointer:
		*s = *typed(t.Elem())
	case t == quantity: // a number or a string
	case t == intOrString:
		s.IntOrString = true
	case reflect.PointerTo(t).Implements(unmarshaler) || reflect.PointerTo(t).Implements(texts): // times and the like
	case t.Kind() == reflect.Struct:
		fields := map[string]*kubeschema.Schema{}
		addFields(fields, t)
		s.Type, s.Properties = "object", sorted.Of(fields)
	case t.Kind() == reflect.Map:
		s.Type, s.Values = "object", typed(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		s.Type = "string"
	case t.Kind() == reflect.Slice:
		s.Type, s.Items = "array", typed(t.Elem())
	case t.Kind() == reflect.String:
		s.Type = "string"
	case t.Kind() == reflect.Bool:
		s.Type = "boolean"
	case t.Kind() == reflect.Int32 || t.Kind() == reflect.Int64 || t.Kind() == reflect.Int:
		s.Type = "integer"
	}
	return s
}

func addFields(fields map[string]*kubeschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && f.Anonymous:
			addFields(fields, f.Type)
		case name != "":
			fields[name] = typed(f.Type)
		}
	}
}
