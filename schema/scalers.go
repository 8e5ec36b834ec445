package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// scalers are KEDA's, by the type of their trigger (kedacore/keda
// pkg/scaling/scalers_builder.go, v2.18.0).
const scalers = `
	activemq apache-kafka arangodb artemis-queue aws-cloudwatch aws-dynamodb aws-dynamodb-streams
	aws-kinesis-stream aws-sqs-queue azure-app-insights azure-blob azure-data-explorer azure-eventhub
	azure-log-analytics azure-monitor azure-pipelines azure-queue azure-servicebus beanstalkd cassandra
	couchdb cpu cron datadog dynatrace elasticsearch etcd external external-mock external-push
	forgejo-runner gcp-cloudtasks gcp-pubsub gcp-stackdriver gcp-storage github-runner graphite
	huawei-cloudeye ibmmq influxdb kafka kubernetes-workload liiklus loki memory metrics-api mongodb
	mssql mysql nats-jetstream new-relic nsq openstack-metric openstack-swift postgresql predictkube
	prometheus pulsar rabbitmq redis redis-cluster redis-cluster-streams redis-sentinel
	redis-sentinel-streams redis-streams selenium-grid solace-direct-messaging solace-event-queue
	solarwinds solr splunk splunk-observability stan sumologic temporal`

// A setting of a scaler that it does not start without, or that must be a number.
type setting struct {
	name             string
	required, number bool
}

// scalerSettings are those of the scalers that stacks use most (kedacore/keda
// pkg/scalers/prometheus_scaler.go, cron_scaler.go and cpu_memory_scaler.go, v2.18.0).
var scalerSettings = map[string][]setting{
	"prometheus": {{"serverAddress", true, false}, {"query", true, false}, {"threshold", true, true}, {"activationThreshold", false, true}},
	"cron":       {{"timezone", true, false}, {"start", true, false}, {"end", true, false}, {"desiredReplicas", true, true}},
	"cpu":        {{"value", true, true}},
	"memory":     {{"value", true, false}},
}

// scalerFits judges the metadata of a trigger as its scaler does.
func (s *Stack) scalerFits(at, kind string, metadata map[string]any) []Problem {
	if known := strings.Fields(scalers); kind != "" && !slices.Contains(known, kind) {
		why := "is not a scaler of KEDA"
		if near := Near(kind, known); near != "" {
			why += "; did you mean " + near + "?"
		}
		return []Problem{s.Problem(Warning, at+".type", "%s (got %q)", why, kind)}
	}
	var out []Problem
	for _, f := range scalerSettings[kind] {
		value, written := metadata[f.name]
		if !written && f.required {
			out = append(out, s.Problem(Error, at+".metadata", "must have %s, which the scaler %s needs", f.name, kind))
		}
		text, isText := value.(string)
		if _, err := strconv.ParseFloat(text, 64); written && isText && f.number && err != nil {
			out = append(out, s.Problem(Error, fmt.Sprintf("%s.metadata.%s", at, f.name), "must be a number in quotes (got %q)", text))
		}
	}
	return out
}
