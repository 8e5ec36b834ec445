package wiring

import (
	"fmt"
	"strings"
	"testing"
)

func lws(spec string) string {
	return "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: big, namespace: m}\nspec: " + spec + "\n"
}

func server(args string, gpus int) string {
	return fmt.Sprintf("{metadata: {labels: {app: big}}, spec: {containers: [{name: main, image: 'vllm/vllm-openai:v0.23.0', command: [vllm, serve, /m], args: [--port=8000, %s], resources: {limits: {nvidia.com/gpu: %d}}}]}}", args, gpus)
}

func TestGroupDevices(t *testing.T) {
	const ray = "--distributed-executor-backend=ray"
	script := "{spec: {containers: [{name: main, image: 'vllm/vllm-openai:v0.11.0', command: [sh, -c, 'bash multi-node-serving.sh leader --ray_cluster_size=2; python3 -m vllm.entrypoints.openai.api_server --tensor-parallel-size 8 --pipeline_parallel_size 2'], resources: {limits: {nvidia.com/gpu: 8}}}]}}"
	tests := map[string]struct {
		spec  string
		fails bool
	}{
		"Ray over two":               {"{leaderWorkerTemplate: {size: 2, workerTemplate: " + server("--tensor-parallel-size=2, "+ray, 1) + "}}", false},
		"Ray over one":               {"{leaderWorkerTemplate: {size: 1, workerTemplate: " + server("--tensor-parallel-size=2, "+ray, 1) + "}}", true},
		"Ray without a size":         {"{leaderWorkerTemplate: {workerTemplate: " + server("--tensor-parallel-size=2, "+ray, 1) + "}}", true},
		"Ray over two, and too many": {"{leaderWorkerTemplate: {size: 2, workerTemplate: " + server("--tensor-parallel-size=4, "+ray, 1) + "}}", true},
		"nnodes of the group":        {"{leaderWorkerTemplate: {size: 2, workerTemplate: " + server("--tensor-parallel-size=16, --nnodes=$(LWS_GROUP_SIZE)", 8) + "}}", false},
		"nnodes as a number":         {"{leaderWorkerTemplate: {size: 2, workerTemplate: " + server("--tensor-parallel-size=16, --nnodes=2", 8) + "}}", false},
		"nnodes of one":              {"{leaderWorkerTemplate: {size: 2, workerTemplate: " + server("--tensor-parallel-size=16, --nnodes=1", 8) + "}}", true},
		"alone in a group":           {"{leaderWorkerTemplate: {size: 2, workerTemplate: " + server("--tensor-parallel-size=16", 8) + "}}", true},
		"pipeline":                   {"{leaderWorkerTemplate: {size: 2, workerTemplate: " + server("--tensor-parallel-size=8, --pipeline-parallel-size=2, "+ray, 8) + "}}", false},
		"a leader of its own":        {"{leaderWorkerTemplate: {size: 2, leaderTemplate: " + script + ", workerTemplate: " + server("", 8) + "}}", false},
		"a leader, and weak workers": {"{leaderWorkerTemplate: {size: 2, leaderTemplate: " + script + ", workerTemplate: " + server("", 4) + "}}", true},
		"a size to be filled in":     {"{leaderWorkerTemplate: {size: '${SIZE}', workerTemplate: " + server("--tensor-parallel-size=16, "+ray, 8) + "}}", false},
	}
	for name, tt := range tests {
		if got := said(t, lws(tt.spec), "accelerator-count"); (got != nil) != tt.fails {
			t.Errorf("%s: %q", name, got)
		}
	}
	set := "apiVersion: disaggregatedset.x-k8s.io/v1\nkind: DisaggregatedSet\nmetadata: {name: pd, namespace: m}\nspec: {roles: [{name: prefill, spec: {leaderWorkerTemplate: {size: 2, workerTemplate: " +
		server("--tensor-parallel-size=2, "+ray, 1) + "}}}, {name: decode, leaderWorkerTemplate: {size: 1, workerTemplate: " + server("--tensor-parallel-size=2, "+ray, 1) + "}}]}\n"
	if got := said(t, set, "accelerator-count"); len(got) != 1 {
		t.Errorf("the second role of a DisaggregatedSet has too few: %q", got)
	}
}

// TestControllerLabels selects pods by labels that their controllers add.
func TestControllerLabels(t *testing.T) {
	group := lws("{leaderWorkerTemplate: {size: 2, leaderTemplate: " + server("", 8) + ", workerTemplate: {spec: {containers: [{name: w, image: x}]}}}}")
	stateful := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: chat, namespace: m}\nspec: {selector: {matchLabels: {app: chat}}, template: {metadata: {labels: {app: chat}}, spec: {containers: [{name: c, image: x}]}}}\n"
	set := "apiVersion: disaggregatedset.x-k8s.io/v1\nkind: DisaggregatedSet\nmetadata: {name: pd, namespace: m}\nspec: {roles: [{name: prefill, spec: {leaderWorkerTemplate: {workerTemplate: " + server("", 1) + "}}}]}\n"
	tests := []struct {
		workload, selector string
		nothing            bool
	}{
		{group, "leaderworkerset.sigs.k8s.io/name: big", false},
		{group, "leaderworkerset.sigs.k8s.io/name: small", true},
		{group, "leaderworkerset.sigs.k8s.io/name: big, leaderworkerset.sigs.k8s.io/worker-index: '0'", false},
		{group, "leaderworkerset.sigs.k8s.io/worker-index: '0', app: big, leaderworkerset.sigs.k8s.io/group-index: '3'", false},
		{group, "leaderworkerset.sigs.k8s.io/worker-index: '1', app: big", true},
		{group, "leaderworkerset.sigs.k8s.io/worker-index: '1'", false},
		{group, "leaderworkerset.sigs.k8s.io/group-key: 06ab", false},
		{stateful, "statefulset.kubernetes.io/pod-name: chat-0", false},
		{stateful, "statefulset.kubernetes.io/pod-name: chat-7", false},
		{stateful, "statefulset.kubernetes.io/pod-name: other-0", true},
		{stateful, "apps.kubernetes.io/pod-index: '2', app: chat", false},
		{stateful, "statefulset.kubernetes.io/pod-name: chat-0, app: other", true},
		{set, "disaggregatedset.x-k8s.io/name: pd, disaggregatedset.x-k8s.io/role: prefill", false},
		{set, "disaggregatedset.x-k8s.io/role: decode", true},
	}
	for _, tt := range tests {
		service := "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: m}\nspec: {selector: {" + tt.selector + "}, ports: [{port: 80}]}\n"
		if got := said(t, tt.workload+service, "service-selects-nothing"); (got != nil) != tt.nothing {
			t.Errorf("%s: %q", tt.selector, strings.Join(got, ""))
		}
	}
}
