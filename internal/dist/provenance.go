package main

import (
	"encoding/json"
	"runtime"
)

// A statement says where files come from: in-toto Statement v1 with the predicate SLSA
// Provenance v1 (https://slsa.dev/spec/v1.0/provenance). It is not signed here; who
// publishes the release signs it.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     predicate  `json:"predicate"`
}

type resource struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest"`
}

type predicate struct {
	BuildDefinition buildDefinition `json:"buildDefinition"`
	RunDetails      runDetails      `json:"runDetails"`
}

type buildDefinition struct {
	BuildType            string            `json:"buildType"`
	ExternalParameters   map[string]string `json:"externalParameters"`
	InternalParameters   map[string]string `json:"internalParameters"`
	ResolvedDependencies []resource        `json:"resolvedDependencies"`
}

type runDetails struct {
	Builder map[string]string `json:"builder"`
}

// provenance is the statement on all files of the release. What was linked in is said by
// the bill of materials of each platform, which is one of those files.
func (r release) provenance(files sums) ([]byte, error) {
	s := statement{
		Type:          "https://in-toto.io/Statement/v1",
		PredicateType: "https://slsa.dev/provenance/v1",
		Predicate: predicate{
			BuildDefinition: buildDefinition{
				BuildType:          source + "/blob/main/docs/releasing.md",
				ExternalParameters: map[string]string{"command": "make release", "version": r.version},
				InternalParameters: map[string]string{"go": runtime.Version()},
				ResolvedDependencies: []resource{
					{URI: "git+" + source, Digest: map[string]string{"gitCommit": r.commit}},
				},
			},
			RunDetails: runDetails{Builder: map[string]string{"id": r.builder}},
		},
	}
	for _, f := range files {
		s.Subject = append(s.Subject, resource{Name: f.name, Digest: map[string]string{"sha256": f.digest}})
	}
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}
