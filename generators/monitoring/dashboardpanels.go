package monitoring

import (
	"slices"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
)

// serverPanels show what the model servers say of themselves.
func serverPanels(s *base.Stack) []panel {
	of := matching(s, inNamespace, ofPod)
	waiting, running, kv := series.OfServer(s, "waitingRequests"), series.OfServer(s, "runningRequests"), series.OfServer(s, "kvCacheUsage")
	hits, queries := series.OfServer(s, "prefixHits"), series.OfServer(s, "prefixQueries")
	prompt, generated := series.OfServer(s, "promptTokens"), series.OfServer(s, "generatedTokens")
	byPod := "sum by (" + series.RoleLabel + ", pod) ("
	legend := "{{" + series.RoleLabel + "}} {{pod}}"
	return slices.Concat(
		graph("Running requests", unitShort, "Requests that a server works on.",
			query{running, byPod + running + of + ")", legend}),
		graph("Waiting requests", unitShort, "Requests in a server's queue. Growing queues mean too few servers.",
			query{waiting, byPod + waiting + of + ")", legend}),
		graph("KV cache use", unitPercent, "Share of the KV-cache blocks in use. Near 100 % requests are preempted.",
			query{kv, "avg by (" + series.RoleLabel + ", pod) (" + kv + of + ")", legend}),
		graph("Time to first token", unitSeconds, "As a server sees it, from the arrival of the request.",
			quantiles(series.OfServer(s, "timeToFirstToken"), of, series.RoleLabel)...),
		graph("Inter-token latency", unitSeconds, "Time between two tokens of an answer.",
			quantiles(series.OfServer(s, "interTokenLatency"), of, series.RoleLabel)...),
		graph("Request duration", unitSeconds, "From the arrival of the request to its last token.",
			quantiles(series.OfServer(s, "requestDuration"), of, series.RoleLabel)...),
		graph("Tokens per second", unitShort, "Tokens read and written.",
			query{prompt, rate("", prompt, of), "prompt"},
			query{generated, rate("", generated, of), "generated"}),
		graph("Prefix cache hits", unitPercent, "Share of the prompt tokens that a server found in its KV cache.",
			query{hits, rate(" by ("+series.RoleLabel+", pod)", hits, of) + " / " + rate(" by ("+series.RoleLabel+", pod)", queries, of), legend}),
	)
}

// eppPanels show what the endpoint picker sees and does.
func eppPanels(s *base.Stack) []panel {
	of := matching(s, inNamespace)
	requests, errors, queue := series.OfEPP(s, "requests"), series.OfEPP(s, "errors"), series.OfEPP(s, "queueSize")
	ready, saturation, decisions := series.OfEPP(s, "readyServers"), series.OfEPP(s, "poolSaturation"), series.OfEPP(s, "disaggregationDecisions")
	if !s.Disaggregated() {
		decisions = ""
	}
	return slices.Concat(
		graph("Ready servers", unitShort, "Servers that the endpoint picker can choose.",
			query{ready, "max(" + ready + of + ")", "ready"}),
		graph("Requests", unitPerSec, "Requests that pass the endpoint picker.",
			query{requests, rate(" by (model_name)", requests, of), "{{model_name}}"}),
		graph("Errors by code", unitPerSec, "Requests that failed.",
			query{errors, rate(" by (error_code)", errors, of), "{{error_code}}"}),
		graph("Scheduling latency", unitSeconds, "Time to choose a server.",
			quantiles(series.OfEPP(s, "schedulingDuration"), of, "")...),
		graph("Slowest plugins, p95", unitSeconds, "Time that a plugin of the endpoint picker takes.",
			slowestPlugins(series.OfEPP(s, "pluginDuration"), of)),
		graph("Time to first token at the endpoint picker", unitSeconds, "As clients see it, prefill servers included.",
			quantiles(series.OfEPP(s, "timeToFirstToken"), of, "")...),
		graph("Prefix hits expected by the endpoint picker", unitPercent, "Share of the prompt that the endpoint picker's index expects in the chosen server's cache.",
			indexHits(series.OfEPP(s, "prefixHitRatio"), of)),
		graph("Requests held back", unitShort, "Requests in the queue of flow control, where it is switched on.",
			query{queue, "sum by (priority) (" + queue + of + ")", "priority {{priority}}"}),
		graph("Pool saturation", unitShort, "From 1 on, flow control holds requests back.",
			query{saturation, "max by (stage) (" + saturation + of + ")", "{{stage}}"}),
		graph("Prefill/decode decisions", unitPerSec, "How requests were split over prefill and decode servers.",
			query{decisions, rate(" by (decision_type)", decisions, of), "{{decision_type}}"}),
	)
}

func slowestPlugins(metric, of string) query {
	return query{metric, "topk(5, histogram_quantile(0.95, sum by (le, plugin_type) (rate(" + metric + "_bucket" + of + "[$__rate_interval]))))", "{{plugin_type}}"}
}

func indexHits(metric, of string) query {
	return query{metric, rate("", metric+"_sum", of) + " / " + rate("", metric+"_count", of), "mean"}
}
