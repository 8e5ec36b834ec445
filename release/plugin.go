package release

import (
	"slices"

	"github.com/inferstack/inferstack/internal/sorted"
)

// Categories of plugins: the extension points that they serve.
const (
	KindFilter             = "filter"
	KindScorer             = "scorer"
	KindPicker             = "picker"
	KindProfileHandler     = "profile-handler"
	KindDecider            = "decider"
	KindProducer           = "producer"
	KindSource             = "data-source"
	KindExtractor          = "extractor"
	KindParser             = "parser"
	KindSaturationDetector = "saturation-detector"
)

// Plugin is a type of plugin.
type Plugin struct {
	// Type of the plugin.
	Type string `json:"type"`
	// Kinds are the extension points it serves, the main one first.
	Kinds []string `json:"kinds"`
	// Alpha plugins need the flag that allows experimental ones.
	Alpha bool `json:"alpha,omitempty"`
	// Replacement says what to use instead of a deprecated plugin, Until the version that
	// does not have it any more.
	Replacement string `json:"replacement,omitempty"`
	Until       string `json:"until,omitempty"`
	// IgnoresParameters says that the parameters are not even decoded.
	IgnoresParameters bool `json:"ignoresParameters,omitempty"`
	// Parameters as an object; nil where they are ignored.
	Parameters *Schema `json:"parameters,omitempty"`
	// Legacy parameters are an older form that is taken as a whole instead.
	Legacy *Schema `json:"legacy,omitempty"`
	// SpeaksFor is the type of a plugin that the parameters are for: they are read when none of
	// it is listed, those of the last plugin that speaks for it.
	SpeaksFor string `json:"speaksFor,omitempty"`
	// Consumes is the data without which it does not work.
	Consumes []Need `json:"consumes,omitempty"`
	// Produces are the kinds of data it makes; Shared ones do not carry its name.
	Produces []string `json:"produces,omitempty"`
	Shared   bool     `json:"shared,omitempty"`
	// DefaultFor is the kind of data for which the EPP makes it by itself.
	DefaultFor string `json:"defaultFor,omitempty"`
	// Feeds is what a data source hands to its extractors, Takes what an extractor can read.
	Feeds string   `json:"feeds,omitempty"`
	Takes []string `json:"takes,omitempty"`
	// OwnSource says that it brings the data source it listens to.
	OwnSource bool `json:"ownSource,omitempty"`
	// Profiles are those that a profile handler runs unless its parameters name others.
	Profiles []string `json:"profiles,omitempty"`
	// Single says that a second instance ends the EPP.
	Single bool `json:"single,omitempty"`
	// Conflicts are types beside which the plugin ends the EPP.
	Conflicts []string `json:"conflicts,omitempty"`
	// Stateful plugins remember requests in memory, each replica its own.
	Stateful bool `json:"stateful,omitempty"`
	// FollowsEvents says that the plugin takes in the servers' KV-cache events.
	FollowsEvents bool `json:"followsEvents,omitempty"`
	// NeedsGate is the gate without which a data source must not have the extractor.
	NeedsGate string `json:"needsGate,omitempty"`
	// Predicts says that the plugin asks servers of its own, which predict latencies.
	Predicts bool `json:"predicts,omitempty"`
	// Role is the role of the servers that a filter keeps.
	Role string `json:"role,omitempty"`
}

// A Need is data that a plugin reads.
type Need struct {
	// Data is the kind of data.
	Data string `json:"data"`
	// From is the parameter that names its producer.
	From string `json:"from,omitempty"`
	// By is the type of the producer that is meant by default.
	By string `json:"by,omitempty"`
	// If the parameters match.
	If sorted.Map[*Schema] `json:"if,omitempty"`
}

// Is reports whether the plugin serves an extension point.
func (p *Plugin) Is(kind string) bool { return slices.Contains(p.Kinds, kind) }

// Kind is the main extension point.
func (p *Plugin) Kind() string { return p.Kinds[0] }

// PredictionData is what the plugin that asks the prediction servers produces.
const PredictionData = "LatencyPredictionInfo"

// NeedsPredictions reports whether the plugin asks the servers that predict latencies, or has
// one made that does, whatever its parameters.
func (p *Plugin) NeedsPredictions() bool {
	return p != nil && (p.Predicts || slices.Contains(p.Produces, PredictionData) ||
		slices.ContainsFunc(p.Consumes, func(n Need) bool { return n.Data == PredictionData && len(n.If) == 0 }))
}
