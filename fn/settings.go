package fn

import (
	"fmt"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema"
)

// lossySetting is what --lossy is for the KRM function: in the data of a ConfigMap, which
// is how kpt passes settings, or as an annotation of a functionConfig that is compiled.
const (
	lossySetting    = "lossy"
	lossyAnnotation = "inferstack.dev/lossy"
)

// settings are what the functionConfig says beside what is to be compiled.
func (l *resourceList) settings() (opts convert.Options, err error) {
	if l.config == nil {
		return opts, nil
	}
	if l.config.Kind() == "ConfigMap" {
		data := map[string]string{}
		for name, value := range krm.Fields(krm.Field(l.config.Node, "data")) {
			data[name] = value.Value
		}
		for _, name := range slices.Sorted(maps.Keys(data)) {
			if !slices.Contains([]string{lossySetting, kserveGateway, kserveGatewayClass}, name) {
				return opts, fmt.Errorf("functionConfig: data.%s: a ConfigMap cannot hold settings other than lossy, kserveGateway and kserveGatewayClass; everything else is said in an %s", name, schema.Kind)
			}
		}
		opts.KServe = convert.KServeCluster{Gateway: data[kserveGateway], GatewayClass: data[kserveGatewayClass]}
		if value, ok := data[lossySetting]; ok {
			return opts, boolean(&opts.Lossy, "data."+lossySetting, value)
		}
	}
	if value := krm.Field(l.config.Node, "metadata", "annotations", lossyAnnotation); value != nil {
		return opts, boolean(&opts.Lossy, "metadata.annotations["+lossyAnnotation+"]", value.Value)
	}
	return opts, nil
}

func boolean(to *bool, path, value string) error {
	if value != "true" && value != "false" {
		return fmt.Errorf("functionConfig: %s: must be true or false (got %q)", path, value)
	}
	*to = value == "true"
	return nil
}
