package kustomization

import (
	"strings"
	"testing"
)

// TestReadDefaults goes as far as the file that is not there, behind the defaults.
func TestReadDefaults(t *testing.T) {
	reached := 0
	err := readDefaults(func() { reached++ })
	if err == nil || !strings.Contains(err.Error(), noFile) || reached != 1 {
		t.Errorf("%v; %d times at what is shared", err, reached)
	}
}

// TestPrepareBesideBuilds builds while defaults are read, which a race detector watches.
func TestPrepareBesideBuilds(t *testing.T) {
	for range 4 {
		got, err := built(t, map[string]string{
			"kustomization.yaml": "namePrefix: a-\nopenapi: {version: v1.21.2}\nresources: [c.yaml]\npatches: [{patch: '{apiVersion: v1, kind: Service, metadata: {name: c}, spec: {ports: [{port: 80, name: b}]}}'}]\n",
			"c.yaml":             "apiVersion: v1\nkind: Service\nmetadata:\n  name: c\nspec:\n  ports:\n  - port: 80\n    protocol: TCP\n  - port: 81\n",
		})
		if err != nil || !strings.Contains(got, "name: a-c") || !strings.Contains(got, "protocol: TCP") {
			t.Fatalf("%v\n%s", err, got)
		}
	}
}
