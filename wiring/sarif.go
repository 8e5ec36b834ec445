package wiring

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"

	stackrules "github.com/inferstack/inferstack/schema/rules"
)

// SARIF 2.1.0, as far as code scanning of GitHub and GitLab reads it
// (docs.oasis-open.org/sarif/sarif/v2.1.0).
type (
	sarifLog struct {
		Version string     `json:"version"`
		Schema  string     `json:"$schema"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string      `json:"id"`
		FullDescription      sarifText   `json:"fullDescription"`
		DefaultConfiguration sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		// Suppressions is empty and not left out where nothing is silenced, since all results
		// must have it or none (3.27.23).
		Suppressions []sarifSuppression `json:"suppressions"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Logical  []sarifName   `json:"logicalLocations,omitempty"`
	}
	sarifName struct {
		Name string `json:"fullyQualifiedName"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

var sarifLevel = map[Severity]string{Error: "error", Warning: "warning", Info: "note"}

func writeSARIF(w io.Writer, findings []Finding) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "inferstack", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	for _, rule := range Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{rule.ID, sarifText{rule.Doc}, sarifConfig{sarifLevel[rule.Severity]}})
	}
	for _, rule := range stackrules.All() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{rule.ID, sarifText{rule.Doc}, sarifConfig{sarifLevel[rule.Severity]}})
	}
	for _, id := range []string{Unreadable, InvalidStack} {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{id, sarifText{beforeRules[id]}, sarifConfig{sarifLevel[Error]}})
	}
	for _, f := range findings {
		run.Results = append(run.Results, sarifOf(f))
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{"2.1.0", "https://json.schemastore.org/sarif-2.1.0.json", []sarifRun{run}})
}

func sarifOf(f Finding) sarifResult {
	text := sentence(f)
	if f.Remedy != "" {
		text += ". " + f.Remedy
	}
	place := sarifLocation{Physical: sarifPhysical{sarifArtifact{uri(f.File)}, sarifRegion{max(1, f.Line), f.Column}}}
	if f.Object != (Ref{}) {
		place.Logical = []sarifName{{f.Object.String()}}
	}
	silenced := []sarifSuppression{}
	if f.Silenced != "" {
		silenced = append(silenced, sarifSuppression{"inSource", f.Silenced})
	}
	return sarifResult{f.Rule, sarifLevel[f.Severity], sarifText{text}, []sarifLocation{place}, silenced}
}

// uri is a file's name as a URI reference, which artifactLocation wants (SARIF 2.1.0, 3.4.3).
func uri(file string) string { return (&url.URL{Path: filepath.ToSlash(file)}).String() }
