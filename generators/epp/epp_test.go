package epp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/manifest"
)

func TestEPPArgs(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"line 0.10", `
model: {name: m}
scheduler: {certSecret: tls, flags: {drain-timeout: 20s}}`, `
--pool-name=demo
--pool-namespace=llm
--pool-group=inference.networking.k8s.io
--zap-encoder=json
--config-file=/config/epp-config.yaml
--grpc-port=9002
--grpc-health-port=9003
--metrics-port=9090
--secure-serving=true
--cert-path=/etc/epp/tls
--enable-cert-reload=true
--metrics-endpoint-auth=false
--ha-enable-leader-election=false
--tracing=false
--v=2
--drain-timeout=20s`},
		{"line 0.4, without a pool", `
release: "0.4"
model: {name: m}
pool: {create: false, selector: {llm-d.ai/inference-serving: "true", team: a}}
scheduler: {replicas: 2, secureServing: false, verbosity: 4}`, `
--endpoint-selector=llm-d.ai/inference-serving=true,team=a
--endpoint-target-ports=8000
--zap-encoder=json
--config-file=/config/epp-config.yaml
--grpc-port=9002
--grpc-health-port=9003
--metrics-port=9090
--secure-serving=false
--metrics-endpoint-auth=false
--ha-enable-leader-election=true
--tracing=false
--kv-cache-usage-percentage-metric=vllm:kv_cache_usage_perc
--v=4`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := strings.Join(arguments(stacktest.Parse(t, tc.spec)), "\n")
			if d := cmp.Diff(strings.TrimSpace(tc.want), got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestExperimentalPluginBringsItsFlag(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
scheduler: {scorers: [{type: session-affinity-scorer}]}`)
	if args := strings.Join(arguments(s), " "); !strings.Contains(args, "--allow-experimental-plugins=true") {
		t.Error(args)
	}
}

// TestEPPHealth holds the health services to what each line's server answers.
func TestEPPHealth(t *testing.T) {
	for _, tc := range []struct{ name, spec, live, ready string }{
		{"one replica", `model: {name: m}`, "inference-extension", "inference-extension"},
		{"leader election", "model: {name: m}\nscheduler: {replicas: 2}", "liveness", "readiness"},
		{"active-active", "model: {name: m}\nscheduler: {replicas: 2, highAvailability: active-active, preset: queue}", "inference-extension", "inference-extension"},
		{"line 0.4", "model: {name: m}\nrelease: \"0.4\"", "envoy.service.ext_proc.v3.ExternalProcessor", "envoy.service.ext_proc.v3.ExternalProcessor"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := deployment(stacktest.Parse(t, tc.spec)).Spec.Template.Spec.Containers[0]
			live, ready := c.LivenessProbe.GRPC, c.ReadinessProbe.GRPC
			if live.Port != 9003 || *live.Service != tc.live || ready.Port != 9003 || *ready.Service != tc.ready {
				t.Errorf("%v %v", live, ready)
			}
		})
	}
}

// TestEPPElsewhere holds that an EPP in another namespace may read in the pool's, and is
// reached from there.
func TestEPPElsewhere(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
gateway: {class: istio, extProc: envoyFilter}
scheduler: {namespace: sched, replicas: 2}`)
	namespaces := map[string][]string{}
	for _, o := range Objects(s) {
		namespaces[manifest.KindOf(o)] = append(namespaces[manifest.KindOf(o)], o.GetNamespace())
		if b, ok := o.(*rbacv1.RoleBinding); ok && b.Subjects[0].Namespace != "sched" {
			t.Errorf("%s binds an account in %q", b.Name, b.Subjects[0].Namespace)
		}
		if svc, ok := o.(*corev1.Service); ok && svc.Namespace == "llm" && svc.Spec.ExternalName != "demo-epp.sched.svc.cluster.local" {
			t.Errorf("alias to %q", svc.Spec.ExternalName)
		}
	}
	want := map[string][]string{
		"ServiceAccount": {"sched"}, "ConfigMap": {"sched"}, "Deployment": {"sched"},
		"Role": {"llm", "llm"}, "RoleBinding": {"llm", "llm"}, "Service": {"sched", "llm"},
	}
	if d := cmp.Diff(want, namespaces); d != "" {
		t.Error(d)
	}
}

// TestMetricsAuthentication holds that what is cluster-wide carries the namespace, and
// that the token is there for a ServiceMonitor only.
func TestMetricsAuthentication(t *testing.T) {
	kinds := func(spec string) map[string]string {
		out := map[string]string{}
		for _, o := range Objects(stacktest.Parse(t, spec)) {
			if k := manifest.KindOf(o); strings.HasPrefix(k, "Cluster") || k == "Secret" {
				out[k] = o.GetName()
			}
		}
		return out
	}
	if d := cmp.Diff(map[string]string{}, kinds("model: {name: m}")); d != "" {
		t.Error(d)
	}
	want := map[string]string{"ClusterRole": "llm.demo-epp-metrics", "ClusterRoleBinding": "llm.demo-epp-metrics"}
	if d := cmp.Diff(want, kinds("model: {name: m}\nscheduler: {metricsAuth: true}")); d != "" {
		t.Error(d)
	}
	want["Secret"] = "demo-epp-metrics-token"
	if d := cmp.Diff(want, kinds("model: {name: m}\nscheduler: {metricsAuth: true}\nmonitoring: {}")); d != "" {
		t.Error(d)
	}
}

// TestConfigRollsThePods holds that the pod template changes with the configuration, and
// with nothing that the configuration does not hold.
func TestConfigRollsThePods(t *testing.T) {
	sum := func(spec string) string {
		return deployment(stacktest.Parse(t, spec)).Spec.Template.Annotations[base.ChecksumAnnotation]
	}
	plain := sum("model: {name: m}")
	if plain == "" || plain == sum("model: {name: m}\nscheduler: {preset: queue}") {
		t.Error("another configuration, the same checksum")
	}
	if plain != sum("model: {name: m}\nscheduler: {verbosity: 5}") {
		t.Error("the same configuration, another checksum")
	}
}
