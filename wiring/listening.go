package wiring

import "strings"

// deaf says that a pod surely does not listen on a port: all its containers are ones that
// are known, its server is told another port, and nothing in it mentions this one.
func (p *Pods) deaf(port int) bool {
	server := p.server()
	if server == nil {
		return false
	}
	first, known := server.port(0, "port")
	ranks, all := server.port(1, "data-parallel-size-local", "data-parallel-size")
	if !known || !all || first == 0 || first <= port && port < first+max(1, ranks) {
		return false
	}
	for _, c := range p.containers {
		if !c.isServer() && !c.isSidecar() || c.mentions(itoa(port)) {
			return false
		}
		if _, told := c.given("port"); c.isSidecar() && !told && port == 8000 {
			return false // where the sidecar listens by default
		}
	}
	return port != 5600 // NIXL's side channel by default (vLLM, VLLM_NIXL_SIDE_CHANNEL_PORT)
}

// mentions reports whether the container declares a port, or its command line or a variable
// has the number in it.
func (c *container) mentions(port string) bool {
	if c.hasPort(port) || strings.Contains(strings.Join(c.words, " "), port) || c.at("envFrom").is() {
		return true
	}
	for _, e := range c.env {
		if strings.Contains(e.at("value").text(), port) {
			return true
		}
	}
	return false
}
