package wiring

import (
	"fmt"
	"strings"
	"testing"
)

// TestOwnAddress writes the variables by which others find a server in other ways.
func TestOwnAddress(t *testing.T) {
	fieldRef := "valueFrom: {fieldRef: {fieldPath: %s}}"
	for name, v := range map[string]struct {
		env, pod, found string
	}{
		"localhost":              {env: "value: localhost", found: `"localhost"`},
		"loopback":               {env: "value: 127.0.0.1", found: `"127.0.0.1"`},
		"all addresses":          {env: "value: 0.0.0.0", found: `"0.0.0.0"`},
		"loopback of IPv6":       {env: "value: '::1'", found: `"::1"`},
		"loopback in brackets":   {env: "value: '[::1]'", found: `"[::1]"`},
		"empty":                  {env: "value: ''", found: `""`},
		"the node's":             {env: fmt.Sprintf(fieldRef, "status.hostIP"), found: "status.hostIP"},
		"the pod's name":         {env: fmt.Sprintf(fieldRef, "metadata.name"), found: "metadata.name"},
		"by another variable":    {env: "value: $(HOST)}, {name: HOST, value: localhost", found: `"localhost"`},
		"in the node's network":  {env: fmt.Sprintf(fieldRef, "status.hostIP"), pod: "hostNetwork: true, "},
		"the pod's":              {env: fmt.Sprintf(fieldRef, "status.podIP")},
		"the pod's, by another":  {env: "value: $(HOST)}, {name: HOST, " + fmt.Sprintf(fieldRef, "status.podIP")},
		"an address":             {env: "value: 10.0.0.7"},
		"a ConfigMap's":          {env: "valueFrom: {configMapKeyRef: {name: hosts, key: host}}"},
		"a template's":           {env: "value: '{{ .Values.host }}'"},
		"of a variable of shell": {env: "value: $(NODE)"},
	} {
		for rule, server := range map[string][2]string{
			"nixl-host": {"VLLM_NIXL_SIDE_CHANNEL_HOST", `--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"}`},
			"ec-host":   {"VLLM_EC_SIDE_CHANNEL_HOST", `--ec-transfer-config={"ec_connector":"ECCPUConnector","ec_role":"ec_producer","ec_connector_extra_config":{"ec_enable_nixl":true}}`},
		} {
			t.Run(rule+" "+name, func(t *testing.T) {
				found := said(t, fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: m}\nspec: {%scontainers: [{name: vllm, image: 'vllm/vllm-openai:v0.30.0', args: ['%s'], env: [{name: %s, %s}]}]}\n", v.pod, server[1], server[0], v.env), rule)
				if v.found == "" && len(found) > 0 || v.found != "" && (len(found) != 1 || !strings.Contains(found[0], " is "+v.found+", ")) {
					t.Errorf("found %q, want %q", found, v.found)
				}
			})
		}
	}
}

// TestSharedMemoryOfTheRuntime keeps embeddings in containers without a volume at /dev/shm.
func TestSharedMemoryOfTheRuntime(t *testing.T) {
	for name, v := range map[string]struct {
		bytes          int
		pod, container string
		found          bool
	}{
		"no volume":        {bytes: 64<<20 + 1, found: true},
		"another mount":    {bytes: 1 << 30, container: "volumeMounts: [{name: shm, mountPath: /cache}], ", found: true},
		"few":              {bytes: 64 << 20},
		"the node's":       {bytes: 1 << 30, pod: "hostIPC: true, "},
		"mounted":          {bytes: 1 << 30, container: "volumeMounts: [{name: shm, mountPath: /dev/shm/}], "},
		"a mount above it": {bytes: 1 << 30, container: "volumeMounts: [{name: shm, mountPath: /dev}], "},
	} {
		t.Run(name, func(t *testing.T) {
			found := said(t, fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: m}\nspec: {%svolumes: [{name: shm, emptyDir: {medium: Memory}}], containers: [{%sname: vllm, image: 'vllm/vllm-openai:v0.30.0', args: ['--ec-transfer-config={\"ec_connector\":\"ECCPUConnector\",\"ec_connector_extra_config\":{\"ec_cpu_bytes\":%d}}']}]}\n", v.pod, v.container, v.bytes), "ec-shared-memory")
			if v.found != (len(found) == 1) {
				t.Errorf("found %q", found)
			}
		})
	}
}
