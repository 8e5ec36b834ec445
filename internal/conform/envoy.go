package conform

import (
	"encoding/json"
	"fmt"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	// Messages that are packed into others by their @type.
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/access_loggers/stream/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/header_mutation/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/health_check/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
)

// patched is the Envoy message that an EnvoyFilter's patch holds, by its applyTo.
var patched = map[string]func() proto.Message{
	"CLUSTER":             func() proto.Message { return new(clusterv3.Cluster) },
	"HTTP_FILTER":         func() proto.Message { return new(hcmv3.HttpFilter) },
	"HTTP_ROUTE":          func() proto.Message { return new(routev3.Route) },
	"LISTENER":            func() proto.Message { return new(listenerv3.Listener) },
	"NETWORK_FILTER":      func() proto.Message { return new(listenerv3.Filter) },
	"VIRTUAL_HOST":        func() proto.Message { return new(routev3.VirtualHost) },
	"ROUTE_CONFIGURATION": func() proto.Message { return new(routev3.RouteConfiguration) },
}

// envoyMessages judges what the API server does not look into: the values of an
// EnvoyFilter's patches, and an Envoy bootstrap in a ConfigMap.
func envoyMessages(u *unstructured.Unstructured) []error {
	switch u.GetKind() {
	case "EnvoyFilter":
		return envoyPatches(u)
	case "ConfigMap":
		return envoyBootstraps(u)
	default:
		return nil
	}
}

func envoyPatches(u *unstructured.Unstructured) []error {
	patches, _, err := unstructured.NestedSlice(u.Object, "spec", "configPatches")
	errs := []error{err}
	for i, p := range patches {
		applyTo, _, _ := unstructured.NestedString(p.(map[string]any), "applyTo")
		operation, _, _ := unstructured.NestedString(p.(map[string]any), "patch", "operation")
		value, ok, _ := unstructured.NestedMap(p.(map[string]any), "patch", "value")
		create := patched[applyTo]
		switch {
		case !ok && operation == "REMOVE":
		case create == nil:
			errs = append(errs, fmt.Errorf("spec.configPatches[%d]: unknown applyTo %q", i, applyTo))
		default:
			// A merged value is a part of a message, which need not be valid by itself.
			if err := envoyMessage(value, create(), operation != "MERGE"); err != nil {
				errs = append(errs, fmt.Errorf("spec.configPatches[%d].patch.value: %w", i, err))
			}
		}
	}
	return errs
}

func envoyBootstraps(u *unstructured.Unstructured) (errs []error) {
	data, _, _ := unstructured.NestedStringMap(u.Object, "data")
	for key, text := range data {
		var config map[string]any
		if yaml.Unmarshal([]byte(text), &config) != nil || config["static_resources"] == nil {
			continue
		}
		if err := envoyMessage(config, new(bootstrapv3.Bootstrap), true); err != nil {
			errs = append(errs, fmt.Errorf("data[%s]: %w", key, err))
		}
	}
	return errs
}

// envoyMessage decodes strictly: an unknown field, enum value or @type is an error. Then it
// runs the rules that Envoy itself runs, in packed messages too.
func envoyMessage(value any, message proto.Message, whole bool) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := protojson.Unmarshal(data, message); err != nil {
		return err
	}
	if whole {
		if err := valid(message); err != nil {
			return err
		}
	}
	return packed(message.ProtoReflect())
}

func valid(message proto.Message) error {
	v, ok := message.(interface{ ValidateAll() error })
	if !ok {
		return fmt.Errorf("%T has no rules", message)
	}
	return v.ValidateAll()
}

// packed unpacks every google.protobuf.Any below the message and judges what is in it.
func packed(message protoreflect.Message) (failure error) {
	if any, ok := message.Interface().(*anypb.Any); ok {
		inner, err := any.UnmarshalNew()
		if err != nil {
			return err
		}
		if err := valid(inner); err != nil {
			return fmt.Errorf("%s: %w", any.TypeUrl, err)
		}
		return packed(inner.ProtoReflect())
	}
	message.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		failure = packedField(f, v)
		return failure == nil
	})
	return failure
}

func packedField(f protoreflect.FieldDescriptor, v protoreflect.Value) (failure error) {
	switch {
	case f.IsMap() && f.MapValue().Message() != nil:
		v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
			failure = packed(v.Message())
			return failure == nil
		})
	case f.IsList() && f.Message() != nil:
		for i := range v.List().Len() {
			if failure == nil {
				failure = packed(v.List().Get(i).Message())
			}
		}
	case !f.IsMap() && !f.IsList() && f.Message() != nil:
		failure = packed(v.Message())
	}
	return failure
}
