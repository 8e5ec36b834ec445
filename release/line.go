package release

// Line is what one llm-d release line brings.
type Line struct {
	// Name of the line, such as "0.10".
	Name string `json:"-"`
	// Serves are the versions of images, by the kind of their component, that have the flags
	// of the line.
	Serves map[string]Span `json:"serves,omitempty"`
	// InferenceExtension are the versions of its CRDs that go with the line, in words.
	InferenceExtension string `json:"inferenceExtension,omitempty"`
	// Warnings said whenever the EPP of the line is used.
	Warnings []string `json:"warnings,omitempty"`
	// Images of the line's components.
	Images Images `json:"images"`
	// WVA is the version of llm-d's workload variant autoscaler that goes with the line. Empty
	// where it scales by objects of a kind of its own.
	WVA string `json:"wva,omitempty"`
	// APIs are the API versions of the line's own kinds.
	APIs APIs `json:"apis"`
	// EPP is what the endpoint picker understands.
	EPP EPP `json:"epp"`
	// Sidecar is what the routing sidecar understands.
	Sidecar Sidecar `json:"sidecar"`
	// Simulator is what the llm-d simulator understands.
	Simulator Simulator `json:"simulator"`
	// VLLM is what the line's vLLM understands.
	VLLM VLLM `json:"vllm"`
	// Engines are those beside vLLM and the simulator, by their names in the schema. One that
	// is missing cannot be had on this line.
	Engines map[string]Engine `json:"engines,omitempty"`
}

// Images holds the image references of a line.
type Images struct {
	EPP       string `json:"epp"`
	Sidecar   string `json:"sidecar"`
	Simulator string `json:"simulator"`
	// VLLM has an image for each accelerator type of the schema.
	VLLM map[string]string `json:"vllm"`
	// Render is vLLM's render (tokenizer) service.
	Render string `json:"render"`
	Envoy  string `json:"envoy"`
	Redis  string `json:"redis"`
	// Curl has curl and a shell, and sends the requests of smoke tests.
	Curl string `json:"curl"`
	// StorageInitializer is KServe's, which downloads weights from buckets.
	StorageInitializer string `json:"storageInitializer"`
	// LatencyTraining and LatencyPrediction learn and predict latencies beside the EPP. Empty
	// where the line's EPP asks nobody for them.
	LatencyTraining   string `json:"latencyTraining,omitempty"`
	LatencyPrediction string `json:"latencyPrediction,omitempty"`
}

// APIs holds API versions, as apiVersion strings.
type APIs struct {
	// EndpointPickerConfig is the apiVersion the EPP's loader takes.
	EndpointPickerConfig string `json:"endpointPickerConfig"`
	// EndpointPickerConfigOld are further apiVersions that the loader still takes.
	EndpointPickerConfigOld []string `json:"endpointPickerConfigOld,omitempty"`
	// Objective is the apiVersion of InferenceObjective.
	Objective string `json:"objective"`
}

// EPP describes the endpoint picker of a line. Flags maps what is meant (poolName) to
// the flag's name (pool-name); what is missing cannot be said on this line.
type EPP struct {
	Flags map[string]string `json:"flags"`
	// ExtraFlags are always written, as name and value.
	ExtraFlags []Flag `json:"extraFlags,omitempty"`
	// Health names the gRPC health services of the probes.
	Health Health `json:"health"`
	// WatchRules are what the EPP reads in the pool's namespace.
	WatchRules []Rule `json:"watchRules"`
	// BodyMode is ext_proc's body mode that the EPP can work with.
	BodyMode string `json:"bodyMode"`
	// DestinationHeader carries the chosen endpoint back to the proxy.
	DestinationHeader string `json:"destinationHeader"`
	// ServiceAppProtocol of the ext_proc port.
	ServiceAppProtocol string `json:"serviceAppProtocol"`
	// Metrics maps what is meant to the name of the metric.
	Metrics map[string]string `json:"metrics"`
	// ActivePortsAnnotation of a pod lists those of the pool's ports that it serves. Empty
	// where the EPP takes every pod to serve all of them.
	ActivePortsAnnotation string `json:"activePortsAnnotation,omitempty"`
	// EngineLabel of a pod names its engine, and so the metrics that the EPP reads. Empty where
	// the EPP knows vLLM's alone.
	EngineLabel string `json:"engineLabel,omitempty"`
	// KVEvents is how the EPP follows the servers' KV-cache events.
	KVEvents KVEvents `json:"kvEvents"`
	// Tokenizer says who splits prompts for precise prefix caching: "builtin", the EPP
	// itself, or "render", a service.
	Tokenizer string `json:"tokenizer"`
	// TokenizerDirectory is where a builtin tokenizer keeps what it downloads.
	TokenizerDirectory string `json:"tokenizerDirectory,omitempty"`
	// MaxPrefixTokens is how much of a prompt approximate prefix caching compares by
	// default.
	MaxPrefixTokens int32 `json:"maxPrefixTokens"`
	// RefusedFlags end the EPP's start; the value says what takes their place.
	RefusedFlags map[string]string `json:"refusedFlags,omitempty"`
	// LatencyPredictor describes the servers that predict latencies.
	LatencyPredictor LatencyPredictor `json:"latencyPredictor,omitzero"`
	Configuration
}

// LatencyPredictor are the settings of the servers beside the EPP that learn and predict
// latencies.
type LatencyPredictor struct {
	// Module is the Python module of the prediction server.
	Module string `json:"module"`
	// Training, Prediction and EPP are environment variables.
	Training   []Flag `json:"training"`
	Prediction []Flag `json:"prediction"`
	EPP        []Flag `json:"epp"`
}

// KVEvents describes how the EPP follows KV-cache events.
type KVEvents struct {
	// Modes there are, the preferred one first: discovery (the EPP dials the servers)
	// and centralized (the servers dial the EPP).
	Modes []string `json:"modes"`
	// SimulatorModes are those that the line's simulator can take part in.
	SimulatorModes []string `json:"simulatorModes"`
	// Topic under which vLLM publishes, with {ip}, {port} and {model} in their places.
	// The EPP knows a server by what stands between the two @.
	Topic string `json:"topic"`
	// SimulatorTopic is the one under which the line's simulator publishes.
	SimulatorTopic string `json:"simulatorTopic"`
	// Replay says that the EPP asks servers for the events that it has missed.
	Replay bool `json:"replay,omitempty"`
}

// Flag is a command-line flag.
type Flag struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Health names gRPC health services.
type Health struct {
	// Single is the service of a lone replica, or of replicas without leader election.
	Single string `json:"single"`
	// Liveness and Readiness are the services under leader election.
	Liveness  string `json:"liveness"`
	Readiness string `json:"readiness"`
}

// Rule is an RBAC rule.
type Rule struct {
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

// Sidecar describes the routing sidecar; Flags as in EPP.
type Sidecar struct {
	Flags      map[string]string `json:"flags"`
	ExtraFlags []Flag            `json:"extraFlags,omitempty"`
	// RefusedFlags end the sidecar's start; the value says what takes their place.
	RefusedFlags map[string]string `json:"refusedFlags,omitempty"`
	// Connectors maps the schema's connector names to the sidecar's.
	Connectors map[string]string `json:"connectors"`
	// ECConnectors are those between encode servers and others. Empty where the sidecar knows
	// no encode servers.
	ECConnectors map[string]string `json:"ecConnectors,omitempty"`
}

// Encodes reports whether EPP and routing sidecar of the line know encode servers.
func (l *Line) Encodes() bool {
	return len(l.Sidecar.ECConnectors) > 0 && l.EPP.RoleFilters.Encode != ""
}

// Simulator describes the llm-d simulator; Flags as in EPP.
type Simulator struct {
	Flags map[string]string `json:"flags"`
	// Times says how a duration is written: "milliseconds" or "duration".
	Times string `json:"times"`
	// ReadyPath is the path of the readiness probe.
	ReadyPath string `json:"readyPath"`
	// HealthPath is the path of the liveness probe.
	HealthPath string `json:"healthPath"`
	// Metrics are the metrics that the simulator names unlike vLLM, or lacks ("").
	Metrics map[string]string `json:"metrics,omitempty"`
}

// VLLM describes the line's vLLM; Flags as in EPP.
type VLLM struct {
	Flags map[string]string `json:"flags"`
	// Connectors maps the schema's connector names to vLLM's KV connectors.
	Connectors map[string]string `json:"connectors"`
	// ConnectorAccelerators are those whose image loads these connectors as they are.
	ConnectorAccelerators []string `json:"connectorAccelerators"`
	// ConnectorBuffers is where the connectors keep the blocks on their way, for
	// accelerators that do not send them from their own memory.
	ConnectorBuffers map[string]string `json:"connectorBuffers,omitempty"`
	// ConnectorEnv is for servers that move KV cache, by accelerator.
	ConnectorEnv map[string][]Flag `json:"connectorEnv,omitempty"`
	// ECConnectors maps the schema's ecTransfer.connector to vLLM's EC connectors,
	// ECAccelerators are those on which the ones through memory are proven.
	ECConnectors   map[string]string `json:"ecConnectors,omitempty"`
	ECAccelerators []string          `json:"ecAccelerators,omitempty"`
	// Env is for the servers of an accelerator.
	Env map[string][]Flag `json:"env,omitempty"`
	// OffloadConnector keeps evicted blocks in host memory, OffloadSizeKey is the name of
	// its setting for the size in bytes. Empty where the line's vLLM has no such setting.
	OffloadConnector string `json:"offloadConnector,omitempty"`
	OffloadSizeKey   string `json:"offloadSizeKey,omitempty"`
	// OffloadAccelerators are those that it works on.
	OffloadAccelerators []string `json:"offloadAccelerators,omitempty"`
	// OffloadTierSpec is its specification with storage behind the host memory.
	OffloadTierSpec string `json:"offloadTierSpec,omitempty"`
	// OffloadPolicies are the eviction policies of each offload.connector.
	OffloadPolicies map[string][]string `json:"offloadPolicies,omitempty"`
	// StoreConnectors maps further values of offload.connector to vLLM's KV connectors,
	// StoreAccelerators are those whose image has them.
	StoreConnectors   map[string]string `json:"storeConnectors,omitempty"`
	StoreAccelerators []string          `json:"storeAccelerators,omitempty"`
	// All2allAccelerators are those on which each value of all2allBackend works, and
	// All2allMissing those of them whose published image lacks its library.
	All2allAccelerators map[string][]string `json:"all2allAccelerators,omitempty"`
	All2allMissing      map[string][]string `json:"all2allMissing,omitempty"`
	// OptionalArgs are written where the image is known to take them.
	OptionalArgs []Flag `json:"optionalArgs,omitempty"`
	// Metrics maps what is meant to the name of the metric.
	Metrics map[string]string `json:"metrics"`
}
