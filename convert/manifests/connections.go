package manifests

// connections are what Istio's proxies are told of connections to the EPP, and of the plain
// Service.
func (s *sources) connections() (out [][]proposal) {
	for _, m := range s.g.of("DestinationRule") {
		policy := at(m.what, "spec", "trafficPolicy")
		out = append(out, one("spec.scheduler.connectionPool", pooled(at(policy, "portLevelSettings", "", "connectionPool")), pooled(at(policy, "connectionPool"))))
		if algorithm := at(policy, "loadBalancer", "simple"); algorithm != nil {
			balancing := object{"algorithm": algorithm, "name": m.ref.Name}
			choices := one("spec.loadBalancing", balancing)
			if pool := pooled(at(policy, "connectionPool")); pool != nil {
				choices = append(choices, proposal{"spec.loadBalancing": object{"algorithm": algorithm, "name": m.ref.Name, "connectionPool": pool}})
			}
			out = append(out, choices)
		}
	}
	return out
}

// pooled are the limits of Istio's connection pool that a stack has.
func pooled(pool any) any {
	out := object{}
	for field, protocol := range map[string]string{
		"maxConnections": "tcp", "connectTimeout": "tcp", "maxConnectionDuration": "tcp",
		"http1MaxPendingRequests": "http", "http2MaxRequests": "http", "maxRequestsPerConnection": "http", "idleTimeout": "http",
	} {
		if v := at(pool, protocol, field); v != nil {
			out[field] = v
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
