package server

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

func TestDeployment(t *testing.T) {
	for _, tc := range []struct {
		name, spec string
		replicas   *int32
		deadline   *int32
	}{
		{"an hour to start, and more until that is a failure", `
model: {name: m}
decode: {replicas: 3}`, new(int32(3)), new(int32(4200))},
		{"the simulator starts at once", `
model: {name: m}
server: {engine: simulator}`, new(int32(1)), nil},
		{"the user's start-up", `
model: {name: m}
server: {probes: {startup: {initialDelaySeconds: 100, periodSeconds: 20, failureThreshold: 100}}}`, new(int32(1)), new(int32(2700))},
		{"no start-up probe", `
model: {name: m}
server: {probes: {startup: {enabled: false}}}`, new(int32(1)), nil},
		{"an autoscaler owns the number", `
model: {name: m}
monitoring: {}
decode: {autoscaling: {max: 2, targetRunningRequests: 4}}`, nil, new(int32(4200))},
		{"none is a number", `
model: {name: m}
decode: {replicas: 0}`, new(int32(0)), new(int32(4200))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Objects(stacktest.Parse(t, tc.spec))[0].(*appsv1.Deployment)
			if diff := cmp.Diff(tc.replicas, d.Spec.Replicas); diff != "" {
				t.Error("replicas", diff)
			}
			if diff := cmp.Diff(tc.deadline, d.Spec.ProgressDeadlineSeconds); diff != "" {
				t.Error("deadline", diff)
			}
		})
	}
}

func TestGroups(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
pool: {selector: {pool: mine}}
server: {podLabels: {team: a}}
decode: {replicas: 2, parallelism: {tensor: 8, pipeline: 2, nodes: 2}}`)
	set := Objects(s)[0].(*lwsv1.LeaderWorkerSet)
	if *set.Spec.Replicas != 2 || *set.Spec.LeaderWorkerTemplate.Size != 2 || set.Spec.LeaderWorkerTemplate.RestartPolicy != lwsv1.RecreateGroupOnPodRestart {
		t.Errorf("%+v", set.Spec)
	}
	leader, worker := set.Spec.LeaderWorkerTemplate.LeaderTemplate, &set.Spec.LeaderWorkerTemplate.WorkerTemplate
	if c := worker.Spec.Containers[0]; c.ReadinessProbe != nil || len(c.Ports) > 0 || !slices.Contains(c.Args, "--headless") {
		t.Errorf("a worker serves nothing: %+v", c)
	}
	if c := leader.Spec.Containers[0]; c.ReadinessProbe == nil || len(c.Ports) == 0 {
		t.Errorf("the leader serves: %+v", c)
	}
	for _, c := range [][]string{leader.Spec.Containers[0].Args, worker.Spec.Containers[0].Args} {
		if len(c) < 8 || c[5] != "--nnodes=2" {
			t.Error(c)
		}
	}
	for _, selector := range []map[string]string{s.PoolSelector(), s.Selector("decode")} {
		selects := labels.SelectorFromSet(selector)
		if !selects.Matches(labels.Set(leader.Labels)) || selects.Matches(labels.Set(worker.Labels)) {
			t.Errorf("%v must select the leader alone", selector)
		}
	}
	if worker.Labels["team"] != "a" {
		t.Error("the user's labels are missing")
	}
	if got := worker.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"]; got.Value() != 8 {
		t.Errorf("16 accelerators over two nodes, not %s", got.String())
	}
}

func TestGroupsOfRanksServeAll(t *testing.T) {
	set := Objects(stacktest.Parse(t, `
model: {name: m}
decode: {parallelism: {data: 16, nodes: 2, expert: true}}
prefill: {}`))[0].(*lwsv1.LeaderWorkerSet)
	template := set.Spec.LeaderWorkerTemplate
	if template.LeaderTemplate != nil || len(template.WorkerTemplate.Spec.InitContainers) != 1 {
		t.Error("every pod of the group is a server with a sidecar")
	}
	if got := len(template.WorkerTemplate.Spec.InitContainers[0].Ports); got != 8 {
		t.Errorf("%d ports of the sidecar", got)
	}
}

func TestServersMadeElsewhere(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
server: {create: false, service: {enabled: true}}
pool: {selector: {app: theirs}}`)
	if made := Objects(s); made != nil {
		t.Error(made)
	}
	stacktest.AsYAML(t, `
- apiVersion: v1
  kind: Service
  metadata:
    labels:
      app.kubernetes.io/component: decode
      app.kubernetes.io/instance: demo
      app.kubernetes.io/managed-by: inferstack
      app.kubernetes.io/name: llm-d
      app.kubernetes.io/part-of: llm-d
    name: demo
    namespace: llm
  spec:
    ports:
    - appProtocol: http
      name: http
      port: 8000
      protocol: TCP
      targetPort: 8000
    selector:
      app: theirs
    type: ClusterIP
  status:
    loadBalancer: {}`, Services(s))
}

func TestServices(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"none unless something needs it", `
model: {name: m}`, `[]`},
		{"without an EPP", `
model: {name: m}
scheduler: {enabled: false}`, `
- demo 8000 -> http of decode`},
		{"decode is reached through its sidecar", `
model: {name: m}
prefill: {service: {name: p, port: 81}}
decode: {service: {}}
server: {service: {enabled: true, name: plain, port: 80}}`, `
- plain 80 -> sidecar of decode
- demo-decode 8000 -> sidecar of decode
- p 81 -> http of prefill`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := []string{}
			for _, o := range Services(stacktest.Parse(t, tc.spec)) {
				svc := o.(*corev1.Service)
				got = append(got, svc.Name+" "+args.Text(svc.Spec.Ports[0].Port)+" -> "+svc.Spec.Ports[0].TargetPort.String()+
					" of "+svc.Spec.Selector[base.LabelComponent])
			}
			stacktest.AsYAML(t, tc.want, got)
		})
	}
}

func TestPodTemplatePatch(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
server: {podTemplatePatch: {spec: {hostname: a, containers: [{name: modelserver, env: [{name: X, value: "1"}]}]}}}
decode: {podTemplatePatch: {spec: {hostname: b, terminationGracePeriodSeconds: null, containers: [{name: modelserver, args: [only]}, {name: more, image: i}]}}}`)
	pod := template(t, s, "decode")
	if pod.Spec.Hostname != "b" {
		t.Error("the role's patch comes last:", pod.Spec.Hostname)
	}
	if pod.Spec.TerminationGracePeriodSeconds != nil {
		t.Error("null deletes")
	}
	if len(pod.Spec.Containers) != 2 || pod.Spec.Containers[1].Name != "modelserver" && pod.Spec.Containers[0].Name != "modelserver" {
		t.Fatal(pod.Spec.Containers)
	}
	for _, c := range pod.Spec.Containers {
		if c.Name != "modelserver" {
			continue
		}
		if d := cmp.Diff([]string{"only"}, c.Args); d != "" {
			t.Error(d)
		}
		if c.Image == "" || c.Env[0].Name != "X" && c.Env[len(c.Env)-1].Name != "X" {
			t.Error("the rest must stay, and env is merged by name:", c.Env)
		}
	}
	if !cmp.Equal(metav1.ObjectMeta{Labels: s.Decode().PodLabels()}, pod.ObjectMeta) {
		t.Error(pod.ObjectMeta)
	}
}

func TestSpreadCountsTheRole(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
server: {topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}
prefill: {tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}, {key: spot, operator: Exists}]}`)
	pod := template(t, s, "prefill").Spec
	if got := pod.TopologySpreadConstraints[0].LabelSelector.MatchLabels[base.LabelComponent]; got != "prefill" {
		t.Error(got)
	}
	if len(pod.Tolerations) != 2 {
		t.Error("equal tolerations are written once:", pod.Tolerations)
	}
}
