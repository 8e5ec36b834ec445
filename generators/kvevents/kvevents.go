// Package kvevents holds what model servers and endpoint picker must agree on for KV-cache
// events: ports, topic, block size and hash seed.
package kvevents

import (
	"strings"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/pool"
)

// What EPP and model servers must agree on for precise prefix caching. Both sides ask
// here and nowhere else.

// Modes of KV-cache events.
const (
	Discovery   = "discovery"   // the EPP dials every server
	Centralized = "centralized" // every server dials the EPP
)

// PortName is the name of the port that is dialled, on either side.
const PortName = "kv-events"

// ReplayPortName is the name of ReplayPort, as llm-d's guides have it.
const ReplayPortName = "kv-replay"

// engineBlockSize is the block size of vLLM and the simulator when nothing sets it.
const engineBlockSize = 16

// BlockSize returns the tokens in a KV-cache block.
func BlockSize(s *base.Stack) int32 {
	if SetsBlockSize(s) {
		return s.EventBlockSize()
	}
	return engineBlockSize
}

// SetsBlockSize reports whether the servers are told the block size, rather than left
// their own.
func SetsBlockSize(s *base.Stack) bool {
	return s.Spec.KVCache.BlockSize != nil || s.PrecisePrefix()
}

// HashSeed returns the seed of the block hashes: PYTHONHASHSEED of vLLM, --hash-seed of
// the simulator, HashSeed of the EPP.
func HashSeed(s *base.Stack) string { return s.Spec.KVCache.HashSeed }

// Mode returns how KV-cache events reach the EPP, or "" when they do not.
func Mode(s *base.Stack) string {
	if !s.PrecisePrefix() {
		return ""
	}
	return s.EventsMode(s.Line)
}

// Endpoint returns the ZeroMQ endpoint of the servers' publisher: what it binds
// for discovery, what it dials when events are centralized.
func Endpoint(s *base.Stack) string {
	events := &s.Spec.KVCache.Events
	switch Mode(s) {
	case Discovery:
		return "tcp://*:" + args.Text(events.Port)
	case Centralized:
		return "tcp://" + base.ServiceHost(s.EPPName(), s.EPPNamespace()) + ":" + args.Text(events.CentralPort)
	default:
		return ""
	}
}

// ReplayPort returns the port on which the servers send events again, or 0 where they do not.
func ReplayPort(s *base.Stack) int32 {
	if port := s.Spec.KVCache.Events.ReplayPort; port != nil && Mode(s) == Discovery {
		return *port
	}
	return 0
}

// Dialled returns the ports of a server that the EPP dials for events.
func Dialled(s *base.Stack) []int32 {
	if Mode(s) != Discovery {
		return nil
	}
	ports := []int32{s.Spec.KVCache.Events.Port}
	if port := ReplayPort(s); port != 0 {
		ports = append(ports, port)
	}
	return ports
}

// ReplayEndpoint returns the ZeroMQ endpoint that the servers bind for ReplayPort, or "".
func ReplayEndpoint(s *base.Stack) string {
	if port := ReplayPort(s); port != 0 {
		return "tcp://*:" + args.Text(port)
	}
	return ""
}

// Bind returns the endpoint on which the EPP listens for centralized events.
func Bind(s *base.Stack) string {
	return "tcp://0.0.0.0:" + args.Text(s.Spec.KVCache.Events.CentralPort)
}

// Topic returns the topic under which a vLLM server publishes. It refers to the
// environment variable POD_IP, which must come before it in the container. The port is
// the pool's, by which the EPP knows the server, also where a routing sidecar owns it.
// The simulator makes its topic itself.
func Topic(s *base.Stack) string {
	return strings.NewReplacer(
		"{ip}", "$(POD_IP)",
		"{port}", args.Text(pool.Ports(s)[0]),
		"{model}", requestedModel(s),
	).Replace(s.Line.EPP.KVEvents.Topic)
}

// requestedModel returns the name by which clients ask for the model: the first served
// name. The EPP looks blocks up by the name in the request.
func requestedModel(s *base.Stack) string { return s.Spec.Model.Served()[0] }
