package wiring

import (
	"slices"
	"testing"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
)

// TestEnvoyFields holds the tables of fields to Envoy's own API.
func TestEnvoyFields(t *testing.T) {
	for name, message := range map[string]proto.Message{
		"ExternalProcessor": new(extprocv3.ExternalProcessor),
		"ExtProcPerRoute":   new(extprocv3.ExtProcPerRoute),
		"ExtProcOverrides":  new(extprocv3.ExtProcOverrides),
		"ProcessingMode":    new(extprocv3.ProcessingMode),
	} {
		var fields []string
		all := message.ProtoReflect().Descriptor().Fields()
		for i := range all.Len() {
			fields = append(fields, string(all.Get(i).Name()))
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(fields)), slices.Sorted(slices.Values(extProcFields[name]))); diff != "" {
			t.Errorf("%s (-Envoy +table):\n%s", name, diff)
		}
	}
	var types []string
	for _, name := range clusterv3.Cluster_DiscoveryType_name {
		types = append(types, name)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(types)), slices.Sorted(slices.Values(clusterTypes))); diff != "" {
		t.Errorf("types of clusters (-Envoy +table):\n%s", diff)
	}
}
