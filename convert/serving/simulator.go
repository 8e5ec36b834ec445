package serving

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

const simulatorSection = "spec.server.simulator."

// SimulatorSettings moves the simulator's flags that a stack writes by itself
// (llm-d-inference-sim pkg/common/config.go). verbosity are the document's own fields for
// that.
func (l *Lift) SimulatorSettings(verbosity ...string) {
	l.Field(Setting{Flag: "mode", To: simulatorSection + "mode", Default: "random", Value: Text})
	l.Field(Setting{Flag: "v", To: simulatorSection + "verbosity", Old: verbosity, Value: Scalar})
	for _, t := range []struct{ flag, field string }{
		{"time-to-first-token", "timeToFirstToken"}, {"inter-token-latency", "interTokenLatency"}, {"kv-cache-transfer-latency", "kvCacheTransferLatency"},
	} {
		if l.everywhere(t.flag) { // else they are arguments of one role
			l.Field(Setting{Flag: t.flag, To: simulatorSection + t.field, Value: milliseconds})
		}
	}
	l.Field(Setting{Flag: "force-dummy-tokenizer", To: simulatorSection + "dummyTokenizer", Default: "true", Value: Scalar})
	const url = "spec.scheduler.tokenizer.url"
	l.Field(Setting{Flag: "render-url", To: url, Value: Text})
	if l.Has(url) && !l.Has(simulatorSection+"dummyTokenizer") {
		l.Set(simulatorSection+"dummyTokenizer", false, "") // which would not ask it
	}
}

// milliseconds is a time as a stack has it; the simulator before v0.7 has plain numbers.
func milliseconds(word string) any {
	if n, err := strconv.ParseUint(word, 10, 32); err == nil {
		return strconv.FormatUint(n, 10) + "ms"
	}
	if _, err := time.ParseDuration(word); err != nil {
		return nil
	}
	return word
}

// ServedNames moves the names that the servers answer to.
func (l *Lift) ServedNames() {
	const flag, to = "served-model-name", "spec.model.servedNames"
	var names []string
	var from string
	for _, line := range l.Lines {
		switch own := line.Names(); {
		case own == nil:
		case names == nil:
			names, from = own, line.From
		case !slices.Equal(names, own):
			l.Lost(line.From, "--%s %s, where %s says %s: the servers of a stack have the same names", flag, strings.Join(own, " "), from, strings.Join(names, " "))
		}
	}
	switch {
	case names == nil:
	case len(names) == 1 && names[0] == l.Draft.Text("spec.model.name"):
		l.same[from] = append(l.same[from], "--"+flag+"="+names[0])
	default:
		l.Set(to, names, from)
		l.moved[from] = append(l.moved[from], "--"+flag)
	}
}

// Ranks moves the number of data-parallel ranks of a role.
func (l *Lift) Ranks() {
	for _, line := range l.Lines {
		if ranks, ok := line.Take("data-parallel-size"); ok {
			l.Set("spec."+line.Role+".parallelism.data", Scalar(ranks), line.From)
			l.moved[line.From] = append(l.moved[line.From], "--data-parallel-size")
		}
	}
}
