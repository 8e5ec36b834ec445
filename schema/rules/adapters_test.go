package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
)

func TestAdapterRanks(t *testing.T) {
	for _, tc := range []struct{ name, lora, want string }{
		{"none", `{adapters: [{name: a, source: "hf://o/a"}]}`, ""},
		{"the largest, as vLLM can reserve it", `{adapters: [{name: a, source: "hf://o/a", rank: 16}, {name: b, source: "hf://o/b", rank: 48}]}`, ""},
		{"one that vLLM has", `{adapters: [{name: a, source: "hf://o/a", rank: 256}]}`, ""},
		{"the limit's own", `{maxRank: 64, adapters: [{name: a, source: "hf://o/a", rank: 16}]}`, `info spec.model.lora.adapters[0].rank: has no effect beside maxRank, 64`},
		{"above the limit", `{maxRank: 8, adapters: [{name: a, source: "hf://o/a", rank: 16}]}`, `spec.model.lora.adapters[0].rank: must not be above maxRank, 8 (got 16)`},
		{"above all limits", `{adapters: [{name: a, source: "hf://o/a", rank: 600}]}`, `spec.model.lora.adapters[0].rank: must be an integer from 1 to 512 (got 600)`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, strings.TrimSpace(said(t, "\nmodel: {name: o/m, lora: "+tc.lora+"}"))); d != "" {
				t.Error(d)
			}
		})
	}
	for largest, want := range map[int32]int32{1: 1, 2: 8, 8: 8, 9: 16, 257: 320, 512: 512} {
		l := &schema.LoRA{Adapters: []schema.Adapter{{Rank: &largest}, {}}}
		if got := l.RankLimit(); got == nil || *got != want {
			t.Errorf("a rank of %d: %v, want %d", largest, got, want)
		}
	}
}
