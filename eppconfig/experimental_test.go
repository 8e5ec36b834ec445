package eppconfig

import "github.com/inferstack/inferstack/release"

// Experimental lists the types of a text's plugins that need the flag for experimental ones.
func Experimental(d *release.Dialect, text string) []string {
	config, _ := read(text)
	list, _ := config["plugins"].([]any)
	var types []string
	for _, entry := range list {
		m, _ := entry.(map[string]any)
		name, _ := m["type"].(string)
		if p := d.Plugin(name); p != nil && p.Alpha {
			types = append(types, name)
		}
	}
	return types
}
