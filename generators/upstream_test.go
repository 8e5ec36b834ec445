package generators

import (
	"encoding/json"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3" // messages in an Any
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/header_mutation/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"sigs.k8s.io/yaml"
)

// manifest is an object's YAML, without the status that the API server would add.
func manifest(t *testing.T, object any) string {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "status")
	out, err := yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// ofType returns the objects of one type.
func ofType[T Object](objects []Object) []T {
	var out []T
	for _, o := range objects {
		if v, ok := o.(T); ok {
			out = append(out, v)
		}
	}
	return out
}

// validateAll runs the upstream validation on a message and on everything in it that
// has validation, packed messages too.
func validateAll(t *testing.T, m proto.Message) {
	t.Helper()
	if v, ok := m.(interface{ ValidateAll() error }); ok {
		if err := v.ValidateAll(); err != nil {
			t.Errorf("%T: %v", m, err)
		}
	}
	if packed, ok := m.(*anypb.Any); ok {
		inner, err := packed.UnmarshalNew()
		if err != nil {
			t.Error(err)
			return
		}
		validateAll(t, inner)
	}
	m.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.IsMap() && field.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				validateAll(t, v.Message().Interface())
				return true
			})
		case field.IsList() && field.Message() != nil:
			for i := range v.List().Len() {
				validateAll(t, v.List().Get(i).Message().Interface())
			}
		case !field.IsMap() && !field.IsList() && field.Message() != nil:
			validateAll(t, v.Message().Interface())
		}
		return true
	})
}

// bootstrap decodes an Envoy configuration file.
func bootstrap(t *testing.T, text string) *bootstrapv3.Bootstrap {
	t.Helper()
	var fields map[string]any
	if err := yaml.UnmarshalStrict([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	b := &bootstrapv3.Bootstrap{}
	decodeStrictly(t, fields, b)
	validateAll(t, b)
	return b
}

// patchValue returns the message that a patch of that kind is a part of.
func patchValue(applyTo string) proto.Message {
	switch applyTo {
	case "CLUSTER":
		return &clusterv3.Cluster{}
	case "HTTP_ROUTE":
		return &routev3.Route{}
	default:
		return &hcmv3.HttpFilter{}
	}
}
