package server

import (
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

func TestLowPorts(t *testing.T) {
	for spec, want := range map[string]int{
		"model: {name: m}":                                                 0,
		"model: {name: m}\nserver: {port: 80}":                             1,
		"model: {name: m}\nserver: {sidecarTargetPort: 81}\nprefill: {}":   1,
		"model: {name: m}\nkvTransfer: {sideChannelPort: 99}\nprefill: {}": 1,
	} {
		if got := len(template(t, stacktest.Parse(t, spec), "decode").Spec.SecurityContext.Sysctls); got != want {
			t.Errorf("%s: %d sysctls, want %d", spec, got, want)
		}
	}
}
