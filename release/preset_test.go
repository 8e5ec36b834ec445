package release_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/release"
)

// everyFacts is the cross product of what presets are chosen by.
func everyFacts() []release.Facts {
	var out []release.Facts
	for _, prefill := range []string{"true", "false"} {
		for _, decider := range []string{"always", "prefix-based"} {
			for _, events := range []string{"discovery", "centralized"} {
				for _, index := range []string{"redis", "memory"} {
					for _, ha := range []string{"leader-election", "active-active"} {
						for _, slo := range []string{"true", "false"} {
							for _, encode := range []string{"true", "false"} {
								out = append(out, release.Facts{"prefill": prefill, "encode": encode, "decider": decider, "events": events, "replay": strconv.FormatBool(events == "discovery" && index == "memory"), "index": index, "ha": ha, "slo": slo})
							}
						}
					}
				}
			}
		}
	}
	return out
}

// sample has every value that presets may ask for.
func sample() map[string]any {
	return map[string]any{
		"model": "m", "tokenizerURL": "http://r:8000", "blockSize": 64, "blockSizeCharacters": 256, "hashSeed": "42",
		"eventsPort": 5556, "replayPort": 5559, "eventsBind": "tcp://0.0.0.0:5557", "lruCapacityPerServer": 31250, "maxPrefixBlocks": 256,
		"maxPrefixTokens": 4096, "nonCachedTokens": 16, "nonCachedCharacters": 64, "redisAddress": "r:6379", "streaming": true,
		"filterPlugins": []any{}, "filterRefs": []any{},
		"scorerPlugins": []any{map[string]any{"type": "queue-scorer"}},
		"scorerRefs":    []any{map[string]any{"pluginRef": "queue-scorer", "weight": 1}},
		"pickerPlugins": []any{map[string]any{"type": "max-score-picker"}},
		"pickerRefs":    []any{map[string]any{"pluginRef": "max-score-picker"}},
	}
}

// TestPresetsAreSound holds that every preset of every line, in every form, is what the
// line's own check accepts, with nothing left to replace.
func TestPresetsAreSound(t *testing.T) {
	for _, name := range release.Names() {
		line, err := release.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, preset := range append(line.EPP.PresetNames(), "listed") {
			forms := 0
			for _, facts := range everyFacts() {
				config := line.EPP.Preset(preset, facts, sample())
				if preset == "listed" {
					config = line.EPP.Around(facts, sample())
				}
				if config == nil {
					continue
				}
				forms++
				where := fmt.Sprintf("%s %s %v", name, preset, facts)
				for _, f := range eppconfig.Check(line.EPP.Speaks(), config, eppconfig.ForLine(line)) {
					t.Errorf("%s: %s: %s", where, f.Path(), f.Message)
				}
				if text, _ := json.Marshal(config); strings.Contains(string(text), `"$`) {
					t.Errorf("%s: something is not replaced: %s", where, text)
				}
				wantProfiles := 1
				for _, role := range []string{"prefill", "encode"} {
					if facts[role] == "true" && (role == "prefill" || line.Encodes()) {
						wantProfiles++
					}
				}
				if got := len(config["schedulingProfiles"].([]any)); got != wantProfiles {
					t.Errorf("%s: %d profiles, want %d", where, got, wantProfiles)
				}
			}
			if forms == 0 {
				t.Errorf("%s %s: no form for any facts", name, preset)
			}
		}
	}
}

func TestLinesHaveTheSamePresets(t *testing.T) {
	want := []string{"default", "load-aware", "pd-disaggregation", "precise-prefix", "prefix-aware", "queue", "random", "simulator"}
	for _, name := range release.Names() {
		line, _ := release.Load(name)
		want := slices.Clone(want)
		if line.Images.LatencyTraining != "" {
			want = slices.Insert(want, 4, "predicted-latency")
		}
		if line.Encodes() {
			want = slices.Insert(want, 1, "e-disaggregation")
		}
		if diff := cmp.Diff(want, line.EPP.PresetNames()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFill(t *testing.T) {
	c := release.Configuration{
		Pieces: map[string][]release.Variant{
			"list":  {{Value: []any{"a", "$value"}}},
			"never": {{When: map[string]string{"x": "y"}, Value: "z"}},
		},
		Presets: map[string][]release.Variant{"p": {{Value: map[string]any{
			"spliced": []any{"$list", "b"}, "gone": "$never", "text": "a $value stays",
		}}}},
	}
	value := map[string]any{"deep": []any{"$value"}}
	got := c.Preset("p", nil, map[string]any{"value": value})
	want := map[string]any{"spliced": []any{"a", value, "b"}, "text": "a $value stays"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got["spliced"].([]any)[1].(map[string]any)["deep"] = nil
	if value["deep"] == nil {
		t.Error("the result shares memory with the values")
	}
}

func TestStateful(t *testing.T) {
	line, err := release.Load("0.10")
	if err != nil {
		t.Fatal(err)
	}
	facts := release.Facts{"prefill": "false", "encode": "false", "events": "discovery", "ha": "active-active"}
	for preset, want := range map[string][]string{
		"queue":          nil,
		"precise-prefix": nil,
		"default":        {"approx-prefix-cache-producer", "prefix-cache-scorer"},
		"load-aware":     {"active-request-scorer"},
	} {
		if diff := cmp.Diff(want, line.EPP.Stateful(line.EPP.Preset(preset, facts, sample()))); diff != "" {
			t.Errorf("%s: %s", preset, diff)
		}
	}
}
