package generators

import "strings"

// What EPP and model servers must agree on for precise prefix caching. Both sides ask
// here and nowhere else.

// Modes of KV-cache events.
const (
	eventsDiscovery   = "discovery"   // the EPP dials every server
	eventsCentralized = "centralized" // every server dials the EPP
)

// kvEventsPortName is the name of the port that is dialled, on either side.
const kvEventsPortName = "kv-events"

// engineBlockSize is the block size of vLLM and the simulator when nothing sets it.
const engineBlockSize = 16

// blockSize returns the tokens in a KV-cache block.
func (s *Stack) blockSize() int32 {
	if s.setsBlockSize() {
		return s.EventBlockSize()
	}
	return engineBlockSize
}

// setsBlockSize says whether the servers are told the block size, rather than left
// their own.
func (s *Stack) setsBlockSize() bool {
	return s.Spec.KVCache.BlockSize != nil || s.precisePrefix()
}

// hashSeed returns the seed of the block hashes: PYTHONHASHSEED of vLLM, --hash-seed of
// the simulator, hashSeed of the EPP.
func (s *Stack) hashSeed() string { return s.Spec.KVCache.HashSeed }

// kvEventsMode returns how KV-cache events reach the EPP, or "" when they do not.
func (s *Stack) kvEventsMode() string {
	if !s.precisePrefix() {
		return ""
	}
	return s.EventsMode(s.Line)
}

// kvEventsEndpoint returns the ZeroMQ endpoint of the servers' publisher: what it binds
// for discovery, what it dials when events are centralized.
func (s *Stack) kvEventsEndpoint() string {
	events := &s.Spec.KVCache.Events
	switch s.kvEventsMode() {
	case eventsDiscovery:
		return "tcp://*:" + text(events.Port)
	case eventsCentralized:
		return "tcp://" + serviceHost(s.eppName(), s.eppNamespace()) + ":" + text(events.CentralPort)
	default:
		return ""
	}
}

// kvEventsBind returns the endpoint on which the EPP listens for centralized events.
func (s *Stack) kvEventsBind() string {
	return "tcp://0.0.0.0:" + text(s.Spec.KVCache.Events.CentralPort)
}

// kvEventsTopic returns the topic under which a vLLM server publishes. It refers to the
// environment variable POD_IP, which must come before it in the container. The port is
// the pool's, by which the EPP knows the server, also where a routing sidecar owns it.
// The simulator makes its topic itself.
func (s *Stack) kvEventsTopic() string {
	return strings.NewReplacer(
		"{ip}", "$(POD_IP)",
		"{port}", text(s.poolPorts()[0]),
		"{model}", s.requestedModel(),
	).Replace(s.Line.EPP.KVEvents.Topic)
}

// requestedModel returns the name by which clients ask for the model: the first served
// name. The EPP looks blocks up by the name in the request.
func (s *Stack) requestedModel() string {
	if names := s.Spec.Model.ServedNames; len(names) > 0 {
		return names[0]
	}
	return s.Spec.Model.Name
}
