package main

import (
	"strings"
	"unicode"

	"github.com/inferstack/inferstack/internal/model"
)

// A goPackage is an upstream Go package whose types the schema may name.
type goPackage struct{ alias, path string }

var upstreamPackages = map[string]goPackage{
	"core/v1":        {"corev1", "k8s.io/api/core/v1"},
	"apps/v1":        {"appsv1", "k8s.io/api/apps/v1"},
	"autoscaling/v2": {"autoscalingv2", "k8s.io/api/autoscaling/v2"},
	"networking/v1":  {"networkingv1", "k8s.io/api/networking/v1"},
	"policy/v1":      {"policyv1", "k8s.io/api/policy/v1"},
	"meta/v1":        {"metav1", "k8s.io/apimachinery/pkg/apis/meta/v1"},
	"gateway/v1":     {"gwapiv1", "sigs.k8s.io/gateway-api/apis/v1"},
}

// An upstreamRef is an upstream Go type in Go's words.
type upstreamRef struct {
	goPackage
	name string
}

// splitUpstream reads core/v1.EnvVar.
func splitUpstream(name string) (upstreamRef, bool) {
	i := strings.LastIndex(name, ".")
	if i < 0 {
		return upstreamRef{}, false
	}
	pkg, ok := upstreamPackages[name[:i]]
	return upstreamRef{pkg, name[i+1:]}, ok
}

// initialisms are the words that Go spells in capitals, and names with a spelling of their own.
var initialisms = map[string]string{
	"api": "API", "cpu": "CPU", "dra": "DRA", "dns": "DNS", "ec": "EC", "epp": "EPP", "gke": "GKE", "gpu": "GPU", "hpa": "HPA", "lora": "LoRA",
	"http": "HTTP", "http1": "HTTP1", "http2": "HTTP2", "id": "ID", "ip": "IP", "json": "JSON", "keda": "KEDA",
	"kgateway": "KGateway", "kv": "KV", "llm": "LLM", "lru": "LRU", "pvc": "PVC", "sglang": "SGLang", "tls": "TLS", "tpu": "TPU",
	"rdma": "RDMA", "hcas": "HCAs", "gdr": "GDR", "gid": "GID", "slo": "SLO", "ssl": "SSL", "wva": "WVA",
	"trtllm": "TRTLLM", "ttl": "TTL", "uid": "UID", "uri": "URI", "url": "URL", "vllm": "VLLM",
}

// goName is the Go name of a field.
func goName(field string) string {
	var b strings.Builder
	for _, w := range words(field) {
		if s, ok := initialisms[strings.ToLower(w)]; ok {
			b.WriteString(s)
			continue
		}
		r := []rune(w)
		b.WriteString(string(unicode.ToUpper(r[0])) + string(r[1:]))
	}
	return b.String()
}

// words splits lowerCamelCase, snake_case and kebab-case. A run of capitals
// stays together, but for the last one when a small letter follows it.
func words(s string) (out []string) {
	r := []rune(s)
	start := 0
	for i := range r {
		switch {
		case r[i] == '_' || r[i] == '-':
			if i > start {
				out = append(out, string(r[start:i]))
			}
			start = i + 1
		case i > start && unicode.IsUpper(r[i]) && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])):
			out = append(out, string(r[start:i]))
			start = i
		}
	}
	if start < len(r) {
		out = append(out, string(r[start:]))
	}
	return out
}

// typeName is the Go name of a named type.
func typeName(t *model.Type) string {
	if t.Name == rootName {
		return "Stack"
	}
	return t.Name
}

// goType is the Go type of a value that is there.
func goType(t *model.Type) string {
	switch t.Kind {
	case model.Object:
		return "map[string]any"
	case model.Struct:
		return typeName(t)
	case model.List:
		return "[]" + goType(t.Elem)
	case model.Map:
		return "map[string]" + goType(t.Elem)
	case model.Scalar, model.Upstream:
		if ref, ok := splitUpstream(t.GoType); ok {
			return ref.alias + "." + ref.name
		}
		return goScalar(t)
	}
	return "any"
}

func goScalar(t *model.Type) string {
	if t.Alts[0].Format == "quantity" {
		return "resource.Quantity"
	}
	switch t.Basics() {
	case model.String:
		return "string"
	case model.Bool:
		return "bool"
	case model.Int:
		if t.Alts[0].Wide {
			return "int64"
		}
		return "int32"
	case model.Int | model.Number, model.Number:
		return "float64"
	case model.Int | model.String:
		return "intstr.IntOrString"
	}
	return "any"
}

// fieldType is the Go type of a field: a pointer when the zero value would not
// say that the field is absent.
func fieldType(f *model.Field) string {
	s := goType(f.Type)
	if !f.Optional || s == "any" {
		return s
	}
	switch f.Type.Kind {
	case model.Struct, model.Upstream:
		return "*" + s
	case model.Scalar:
		if f.Type.Basics() != model.String {
			return "*" + s
		}
	}
	return s
}
