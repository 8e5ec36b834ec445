package generators

import (
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	networking "istio.io/api/networking/v1alpha3"
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/apis"
)

// checkUpstream decodes an object that is not written with upstream types into them.
func checkUpstream(t *testing.T, object Object) {
	t.Helper()
	switch o := object.(type) {
	case *corev1.ConfigMap:
		checkBootstrap(t, o)
	case *apis.EnvoyFilter:
		decodeStrictly(t, o.Spec, &networking.EnvoyFilter{})
		checkPatches(t, o)
	case *apis.DestinationRule:
		decodeStrictly(t, o.Spec, &networking.DestinationRule{})
	}
}

// checkPatches decodes the patches of an EnvoyFilter into Envoy's messages. What is
// merged into a message is not valid by itself, what is added is.
func checkPatches(t *testing.T, filter *apis.EnvoyFilter) {
	t.Helper()
	for _, p := range filter.Spec.ConfigPatches {
		value := patchValue(p.ApplyTo)
		decodeStrictly(t, p.Patch.Value, value)
		if p.Patch.Operation != "MERGE" {
			validateAll(t, value)
		}
	}
}

func decodeStrictly(t *testing.T, value any, into proto.Message) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(data, into); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
}
