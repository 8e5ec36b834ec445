package apis

// HealthCheckPolicy of networking.gke.io/v1.
type HealthCheckPolicy = Resource[HealthCheckPolicySpec]

// HealthCheckPolicySpec says how GKE's load balancer checks its backends.
type HealthCheckPolicySpec struct {
	Default   HealthCheck     `json:"default"`
	TargetRef TargetReference `json:"targetRef"`
}

// HealthCheck is the health check of all backends.
type HealthCheck struct {
	CheckIntervalSec int32             `json:"checkIntervalSec"`
	TimeoutSec       int32             `json:"timeoutSec"`
	Config           HealthCheckConfig `json:"config"`
}

// HealthCheckConfig is what is asked.
type HealthCheckConfig struct {
	Type            string          `json:"type"`
	HTTPHealthCheck HTTPHealthCheck `json:"httpHealthCheck"`
}

// HTTPHealthCheck asks by HTTP.
type HTTPHealthCheck struct {
	RequestPath string `json:"requestPath"`
	Port        int32  `json:"port"`
}

// GCPBackendPolicy of networking.gke.io/v1.
type GCPBackendPolicy = Resource[GCPBackendPolicySpec]

// GCPBackendPolicySpec holds the settings of a backend service.
type GCPBackendPolicySpec struct {
	Default   BackendPolicy   `json:"default"`
	TargetRef TargetReference `json:"targetRef"`
}

// BackendPolicy holds the settings of all backends.
type BackendPolicy struct {
	TimeoutSec         int32              `json:"timeoutSec"`
	ConnectionDraining ConnectionDraining `json:"connectionDraining"`
	Logging            BackendLogging     `json:"logging"`
}

// ConnectionDraining is what becomes of requests on a backend that is taken away.
type ConnectionDraining struct {
	// DrainingTimeoutSec is how long they may go on, at most 3600.
	DrainingTimeoutSec int32 `json:"drainingTimeoutSec"`
}

// BackendLogging turns request logs on.
type BackendLogging struct {
	Enabled bool `json:"enabled"`
}
