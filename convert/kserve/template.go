package kserve

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/inferstack/inferstack/internal/gotemplate"
)

// execute runs the templates in all texts of a spec. They see the service as it was written,
// not what was merged into it (kserve config_merge.go ReplaceVariables, v0.20.0).
func (s *service) execute(v any, path string) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = s.execute(value, path+"."+key)
		}
	case []any:
		for i, value := range v {
			v[i] = s.execute(value, fmt.Sprintf("%s[%d]", path, i))
		}
	case string:
		return s.evaluate(v, path)
	}
	return v
}

func (s *service) evaluate(text, path string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	t, err := gotemplate.Parse(text, s.functions())
	if err == nil {
		text, err = t.Execute(s.data)
	}
	if err != nil {
		s.On("", s.at(path)).Fail("%v", err)
	}
	return text
}

// functions are those that the controller gives to templates.
func (s *service) functions() gotemplate.Funcs {
	return gotemplate.Funcs{
		"ChildName":        gotemplate.Binary(childName),
		"shutdownTimeout":  gotemplate.Binary(func(_ any, preStop int) int { return shutdownTimeout(s.spec.Template, int64(preStop)) }),
		"kvTransferConfig": gotemplate.Unary(func(any) string { return s.transferFlag() }),
	}
}

// shutdownTimeout is the time for requests to end between preStop and the kill
// (kserve config_merge.go, v0.20.0).
func shutdownTimeout(pod *PodSpec, preStop int64) int {
	grace := int64(60)
	if pod != nil && pod.TerminationGracePeriodSeconds != nil {
		grace = *pod.TerminationGracePeriodSeconds
	}
	return int(max(0, grace-preStop-min(5, grace-preStop)))
}

// transferFlag is --kv-transfer-config as it stands in a preset's script.
func (s *service) transferFlag() string {
	if s.spec.KVCacheOffloading == nil {
		return ""
	}
	data, err := json.Marshal(offloadConnector(s.spec.KVCacheOffloading))
	if err != nil {
		panic(err) // plain data
	}
	return "--kv-transfer-config '" + string(data) + "'"
}

// templateData are the variables of templates: the service by the names of its Go fields,
// and what the controller knows of the cluster.
func (s *service) templateData() map[string]any {
	own := s.original
	own.Namespace = s.namespace()
	data, _ := fieldsOf(reflect.ValueOf(own)).(map[string]any)
	data["GlobalConfig"] = map[string]any{
		"SystemNamespace": systemNamespace, "IngressGatewayName": s.settings.gateway, "IngressGatewayNamespace": s.settings.namespace,
		"EnableTLS": s.settings.tls, "ModelBasedRoutingHeaderName": s.settings.header,
		"InferencePoolNamespacedName": s.namespace() + "/" + s.poolName(),
	}
	return data
}

// fieldsOf is a value as templates see it: structs by their Go fields.
func fieldsOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return fieldsOf(v.Elem())
	case reflect.Struct:
		if text, ok := v.Interface().(fmt.Stringer); ok {
			return text.String()
		}
		out := map[string]any{}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			value := fieldsOf(v.Field(i))
			out[f.Name] = value
			if inner, ok := value.(map[string]any); ok && f.Anonymous {
				for name, below := range inner {
					out[name] = below
				}
			}
		}
		return out
	case reflect.Slice, reflect.Array:
		out := make([]any, 0, v.Len())
		for i := range v.Len() {
			out = append(out, fieldsOf(v.Index(i)))
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for _, key := range v.MapKeys() {
			out[fmt.Sprint(key.Interface())] = fieldsOf(v.MapIndex(key))
		}
		return out
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(v.Int())
	}
	return v.Interface()
}
