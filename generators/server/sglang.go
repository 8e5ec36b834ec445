package server

import (
	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
)

// distInitPort is where the nodes of one server meet.
const distInitPort = "5000"

// sglangArgs returns the generated arguments of SGLang. It would listen inside its pod only,
// and show no metrics, unless it is told so.
func (s server) sglangArgs() []string {
	a := &args.List{Flags: s.engine().Flags}
	a.Add("model", s.modelToLoad())
	a.Add("host", "0.0.0.0")
	a.Add("port", s.ModelServerPort())
	a.Add("servedModelName", s.Spec.Model.Served()[0])
	a.On("enableMetrics")
	s.engineParallelArgs(a)
	if p := &s.Own.Parallelism; p.SpansNodes() {
		a.Add("nodes", p.Nodes)
		a.Add("nodeRank", "$(LWS_WORKER_INDEX)")
		a.Add("masterAddress", "$(LWS_LEADER_ADDRESS):"+distInitPort)
	}
	s.sglangCacheArgs(a)
	s.adapterArgs(a, "loraPaths")
	spec := &s.Spec.Server.SGLang
	args.AddIf(a, "contextLength", spec.ContextLength)
	args.AddIf(a, "memFractionStatic", spec.MemFractionStatic)
	args.AddIf(a, "maxRunningRequests", spec.MaxRunningRequests)
	if m := s.Spec.Monitoring; m != nil && m.Tracing != nil {
		a.On("enableTrace")
		a.Add("otlpTracesEndpoint", m.Tracing.Endpoint)
	}
	s.certArgs(a)
	return a.Items
}

// sglangCacheArgs sets the KV cache up: its pages, its transfer, its events.
func (s server) sglangCacheArgs(a *args.List) {
	if kvevents.SetsBlockSize(s.Stack) {
		a.Add("blockSize", kvevents.BlockSize(s.Stack))
	}
	s.hicacheArgs(a)
	if s.Spec.Prefill != nil {
		a.Add("disaggregationMode", map[bool]string{true: "prefill", false: "decode"}[s.Role == base.ComponentPrefill])
		a.Add("transferBackend", s.Spec.KVTransfer.TransferBackend)
	}
	if s.bootstraps() {
		a.Add("bootstrapPort", s.Spec.KVTransfer.BootstrapPort)
	}
	if kvevents.Mode(s.Stack) != "" {
		a.Add("kvEventsConfig", compactJSON(sglangEventsConfig{
			Publisher:      "zmq",
			Endpoint:       kvevents.Endpoint(s.Stack),
			ReplayEndpoint: kvevents.ReplayEndpoint(s.Stack),
			Topic:          kvevents.Topic(s.Stack),
		}))
	}
}

// sglangEventsConfig is SGLang's --kv-events-config. Unlike vLLM's it takes no
// enable_kv_cache_events (llm-d guides/precise-prefix-cache-routing, modelserver/gpu/sglang;
// sglang python/sglang/srt/disaggregation/kv_events.py).
type sglangEventsConfig struct {
	Publisher      string `json:"publisher"`
	Endpoint       string `json:"endpoint"`
	ReplayEndpoint string `json:"replay_endpoint,omitempty"`
	Topic          string `json:"topic"`
}
