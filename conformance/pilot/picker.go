package pilot

// Picker is the endpoint picker that a request on a route meets, after listener and route configuration are laid
// over each other as Envoy does it.
type Picker struct {
	Cluster     string
	FailOpen    bool
	Modes       map[string]string
	RouteTarget string
}

// fullDuplex are the processing modes that an endpoint picker needs: it reads the whole body before it answers, and
// Envoy accepts full duplex streaming only together with sent trailers.
var fullDuplex = map[string]string{
	"request_header_mode": "SEND", "request_body_mode": "FULL_DUPLEX_STREAMED", "request_trailer_mode": "SEND",
	"response_header_mode": "SEND", "response_body_mode": "FULL_DUPLEX_STREAMED", "response_trailer_mode": "SEND",
}

// Pickers returns the endpoint pickers that a request on route passes through.
//
// A filter that is disabled in the listener is enabled by any configuration of its own on the route (Envoy,
// source/common/router/per_filter_config.cc), and a route's overrides replace the listener's values field by field.
// Istio's own ext_proc filter sends nothing (header modes SKIP) unless a route overrides its modes.
func Pickers(filters []HTTPFilter, route Route) []Picker {
	var pickers []Picker
	for _, filter := range filters {
		if filter.TypedConfig.Type != extProcType {
			continue
		}
		perRoute, configured := route.perFilter(filter.Name)
		if (filter.Disabled && !configured) || perRoute.Disabled {
			continue
		}
		picker := layer(filter.TypedConfig, perRoute.Overrides)
		if picker.Modes["request_header_mode"] == "SKIP" && picker.Modes["request_body_mode"] == "" {
			continue
		}
		picker.RouteTarget = route.Route.Cluster
		pickers = append(pickers, picker)
	}
	return pickers
}

func (r Route) perFilter(name string) (PerRoute, bool) {
	if own, ok := r.TypedPerFilterConfig[name]; ok {
		return own, true
	}
	for _, branch := range r.Route.WeightedClusters.Clusters {
		if own, ok := branch.TypedPerFilterConfig[name]; ok {
			return own, true
		}
	}
	return PerRoute{}, false
}

func layer(base ExtProc, over *ExtProc) Picker {
	picker := Picker{Modes: base.ProcessingMode}
	for _, config := range []*ExtProc{&base, over} {
		if config == nil {
			continue
		}
		if config.GRPCService != nil {
			picker.Cluster = config.GRPCService.EnvoyGRPC.ClusterName
		}
		if config.FailureModeAllow != nil {
			picker.FailOpen = *config.FailureModeAllow
		}
		if config.ProcessingMode != nil {
			picker.Modes = config.ProcessingMode
		}
	}
	return picker
}
