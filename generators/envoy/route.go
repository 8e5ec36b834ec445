package envoy

// RouteConfiguration holds the routes of a listener.
type RouteConfiguration struct {
	Name         string        `json:"name"`
	VirtualHosts []VirtualHost `json:"virtual_hosts"`
}

// VirtualHost holds the routes of some host names.
type VirtualHost struct {
	Name    string   `json:"name"`
	Domains []string `json:"domains"`
	Routes  []Route  `json:"routes"`
}

// Route sends the requests that match to a cluster.
type Route struct {
	Name                 string         `json:"name,omitempty"`
	Match                *RouteMatch    `json:"match,omitempty"`
	Route                RouteAction    `json:"route"`
	TypedPerFilterConfig map[string]any `json:"typed_per_filter_config,omitempty"`
}

// RouteMatch matches requests.
type RouteMatch struct {
	Prefix  string          `json:"prefix,omitempty"`
	Path    string          `json:"path,omitempty"`
	Headers []HeaderMatcher `json:"headers,omitempty"`
}

// HeaderMatcher matches a header that is there, or has a value.
type HeaderMatcher struct {
	Name         string       `json:"name"`
	PresentMatch bool         `json:"present_match,omitempty"`
	StringMatch  *StringMatch `json:"string_match,omitempty"`
}

// StringMatch matches one value.
type StringMatch struct {
	Exact string `json:"exact"`
}

// RouteAction names the cluster.
type RouteAction struct {
	Cluster     string `json:"cluster"`
	Timeout     string `json:"timeout,omitempty"`
	IdleTimeout string `json:"idle_timeout,omitempty"`
}
