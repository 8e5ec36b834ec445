package eppconfig

import (
	"maps"
	"strconv"
	"strings"
)

// readGates checks the feature gates and takes note of what they are set to.
func (j *judge) readGates() {
	j.gates = maps.Collect(j.d.Gates.All())
	list, _ := j.config["featureGates"].([]any)
	for i, entry := range list {
		text, ok := entry.(string)
		if !ok && entry != nil {
			continue // reported as no text
		}
		at := path{"featureGates", i}
		name, value, assigned := strings.Cut(text, "=")
		if !j.d.Loader.GateValues {
			name, assigned = text, false
		}
		if _, known := j.gates[name]; !known {
			j.unknownGate(at, name)
			continue
		}
		on := true
		if assigned {
			value, _, _ = strings.Cut(value, "=")
			parsed, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(value)))
			if err != nil {
				j.add(at, "%s must be true or false (got %q)", name, value)
				continue
			}
			on = parsed
		}
		j.gates[name] = on
	}
}

func (j *judge) unknownGate(at path, name string) {
	if why, removed := j.d.RemovedGates.Find(name); removed {
		j.add(at, "%s has no feature gate %s any more: %s", j.version(), name, why)
		return
	}
	known := j.d.GateNames()
	j.add(at, "%s has no feature gate %q; it has %s", j.version(), name, strings.Join(known, ", ")).near(name, known)
}
