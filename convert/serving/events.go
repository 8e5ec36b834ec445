package serving

import (
	"fmt"
	"strconv"
)

// ReplayPort returns the port on which an EPP with a kvEventsConfig asks servers for KV-cache events
// again, and whether it does: 0 and less turn it off (llm-d-router v0.10.0 pkg/kvevents/pool.go).
func ReplayPort(kvEventsConfig map[string]any) (int, bool) {
	discovery, _ := kvEventsConfig["podDiscoveryConfig"].(map[string]any)
	port, err := strconv.Atoi(fmt.Sprint(discovery["replaySocketPort"]))
	return port, err == nil && port > 0 && kvEventsConfig["discoverPods"] != false
}
