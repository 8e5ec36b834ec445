package admission

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/near"
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

// scaler judges a trigger's settings as its scaler does. A scaler that is not known may be a newer one's.
func (j *judge) scaler(t Trigger) {
	for _, f := range scalerSettings[t.Type] {
		value, written := t.Metadata[f.name]
		if !written && f.required {
			j.bad(t.At.Child("metadata"), "must have %s, which the scaler %s needs", f.name, t.Type)
		}
		if _, err := strconv.ParseFloat(value, 64); written && f.number && err != nil {
			j.bad(t.At.Child("metadata").Child(f.name), "must be a number in quotes (got %q)", value)
		}
	}
}

// KnownScaler reports whether KEDA has a scaler of that name, and which one may be meant.
func KnownScaler(name string) (known bool, meant string) {
	all := strings.Fields(scalers)
	return slices.Contains(all, name), near.Of(name, all)
}
