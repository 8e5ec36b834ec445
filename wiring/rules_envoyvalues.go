package wiring

import (
	"slices"
	"strings"
	"unicode"
)

var valueRules = []Rule{
	{
		ID: "envoyfilter-value", Severity: Error,
		Doc: "A patch of an EnvoyFilter has an ext_proc configuration that Envoy's API does not know: another type, field or enum value, or a " +
			"route's FilterConfig without a type. The API server takes it, since it does not look into a patch. Istio refuses the type and the value, and drops the field silently.",
		each: ofKinds{[]string{"EnvoyFilter"}, func(g *G, r *report, o *Object) {
			for _, p := range o.at("spec", "configPatches").list() {
				value := p.at("patch", "value")
				if p.at("applyTo").text() == "CLUSTER" {
					enum(r, place{o, value.at("type")}, clusterTypes)
					continue
				}
				typed(r, place{o, value.at("typed_config")})
				configs := value.at("typed_per_filter_config")
				for _, key := range configs.keys() {
					typed(r, place{o, configs.at(key)})
				}
			}
		}},
	},
}

const (
	typePrefix   = "type.googleapis.com/"
	extProcV3    = "envoy.extensions.filters.http.ext_proc.v3."
	filterConfig = "envoy.config.route.v3.FilterConfig"
)

// clusterTypes are Envoy's (envoy/config/cluster/v3/cluster.proto, Cluster.DiscoveryType).
var clusterTypes = []string{"STATIC", "STRICT_DNS", "LOGICAL_DNS", "EDS", "ORIGINAL_DST"}

// extProcFields are the fields of ext_proc's messages (envoy/extensions/filters/http/ext_proc/v3/*.proto); a test holds
// them to go-control-plane.
var extProcFields = map[string][]string{
	"ExternalProcessor": {"grpc_service", "http_service", "failure_mode_allow", "processing_mode", "request_attributes",
		"response_attributes", "message_timeout", "stat_prefix", "mutation_rules", "max_message_timeout", "forward_rules",
		"filter_metadata", "allow_mode_override", "disable_immediate_response", "metadata_options", "observability_mode",
		"disable_clear_route_cache", "route_cache_action", "deferred_close_timeout", "send_body_without_waiting_for_header_response",
		"allowed_override_modes", "on_processing_response", "status_on_error", "allow_content_length_header", "emit_client_span",
		"processing_request_modifier"},
	"ExtProcPerRoute": {"disabled", "overrides"},
	"ExtProcOverrides": {"processing_mode", "async_mode", "request_attributes", "response_attributes", "grpc_service", "metadata_options", "grpc_initial_metadata",
		"failure_mode_allow", "emit_client_span", "processing_request_modifier"},
	"ProcessingMode": {"request_header_mode", "response_header_mode", "request_body_mode", "response_body_mode", "request_trailer_mode", "response_trailer_mode"},
}

// typed looks at a packed configuration: the type that it names, and the fields under it.
func typed(r *report, at place) {
	kind := at.field.at("@type")
	name := strings.TrimPrefix(kind.text(), typePrefix)
	short, ours := strings.CutPrefix(name, extProcV3)
	switch {
	case name == filterConfig:
		if inner := at.field.at("config"); inner.is() && !inner.at("@type").is() {
			r.add(place{at.object, inner}, Ref{}, "config holds a packed message and names no type").fix("enable ext_proc with an ExtProcPerRoute instead")
		}
	case !ours:
	case short != "ExternalProcessor" && short != "ExtProcPerRoute":
		r.add(place{at.object, kind}, Ref{}, "Envoy has no configuration %s", name).fix("it has %sExternalProcessor, and ExtProcPerRoute for a route", extProcV3)
	default:
		known(r, at, short)
		known(r, place{at.object, at.field.at("processing_mode")}, "ProcessingMode")
		known(r, place{at.object, at.field.at("overrides")}, "ExtProcOverrides")
		known(r, place{at.object, at.field.at("overrides", "processing_mode")}, "ProcessingMode")
	}
}

// known reports the fields of a message that it does not have.
func known(r *report, at place, message string) {
	for _, key := range at.field.keys() {
		if name := protoName(key); key != "@type" && !slices.Contains(extProcFields[message], name) {
			f := r.add(place{at.object, at.field.at(key)}, Ref{}, "%s has no field %s", message, key)
			if n := Near(name, extProcFields[message]); n != "" {
				f.fix("%s is near", n)
			}
		}
	}
}

// enum reports a value that is none of the enum's.
func enum(r *report, at place, values []string) {
	text := at.field.text()
	if at.field.is() && !slices.Contains(values, text) && !templated(text) && !isNumber(text) {
		r.add(at, Ref{}, "there is no type %s", text).fix("it is one of %s", list(values))
	}
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// protoName is the protobuf name of a field that is written in either of the two ways.
func protoName(key string) string {
	var b strings.Builder
	for _, c := range key {
		if unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
