package admission

import (
	"encoding/json"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/internal/apis"
)

const (
	template = `"template":{"spec":{"containers":[{"name":"a","image":"a:1"}]}}`
	selected = `"selector":{"matchLabels":{"a":"b"}},` + template
	groups   = `"leaderWorkerTemplate":{"size":2,"workerTemplate":{"spec":{"containers":[{"name":"a","image":"a:1"}]}}}`
	roles    = `{"name":"prefill","spec":{"replicas":1,` + groups + `}},{"name":"decode","spec":{"replicas":2,` + groups + `}}`
)

// TestWholeObjects tries fields of a spec and of the metadata, apart from pods.
func TestWholeObjects(t *testing.T) {
	for _, c := range []struct {
		object     metav1.Object
		text, want string
	}{
		{&appsv1.Deployment{}, `{` + selected + `}`, ""},
		{&appsv1.Deployment{}, `{"strategy":{"rollingUpdate":{"maxSurge":"150%","maxUnavailable":0}},` + selected + `}`, ""},
		{&appsv1.Deployment{}, `{"replicas":-1,` + template + `}`, "spec.replicas: must be at least 0 (got -1)\nspec.selector: required, but missing"},
		{&appsv1.Deployment{}, `{"selector":{},` + template + `}`, "spec.selector: must not be empty"},
		{&appsv1.Deployment{}, `{"strategy":{"type":"Recreate","rollingUpdate":{}},` + selected + `}`, "spec.strategy.rollingUpdate: must be left out with type Recreate"},
		{&appsv1.Deployment{}, `{"strategy":{"type":"Rolling"},` + selected + `}`, `spec.strategy.type: must be one of RollingUpdate, Recreate (got "Rolling")`},
		{&appsv1.Deployment{}, `{"strategy":{"rollingUpdate":{"maxSurge":"0%","maxUnavailable":"0%"}},` + selected + `}`, "spec.strategy.rollingUpdate.maxUnavailable: must not be 0 beside maxSurge: 0"},
		{&appsv1.Deployment{}, `{"strategy":{"rollingUpdate":{"maxSurge":"x"}},` + selected + `}`, `spec.strategy.rollingUpdate.maxSurge: must be a number or a percentage`},
		{&appsv1.Deployment{}, `{"minReadySeconds":60,"progressDeadlineSeconds":60,` + selected + `}`, "spec.progressDeadlineSeconds: must be above minReadySeconds, 60 (got 60)"},
		{&corev1.Service{}, `{"externalTrafficPolicy":"Local","ports":[{"port":80,"nodePort":30080}]}`, "spec.externalTrafficPolicy: must be left out unless the type is NodePort or LoadBalancer\nspec.ports[0].nodePort: must be left out"},
		{&corev1.Service{}, `{"type":"NodePort","externalTrafficPolicy":"Local","ports":[{"port":80,"nodePort":30080}]}`, ""},
		{&appsv1.StatefulSet{}, `{"podManagementPolicy":"parallel",` + selected + `}`, `spec.podManagementPolicy: must be one of OrderedReady, Parallel (got "parallel"); did you mean "Parallel"?`},
		{&appsv1.DaemonSet{}, `{` + template + `}`, "spec.selector: required, but missing"},
		{&policyv1.PodDisruptionBudget{}, `{"minAvailable":1,"maxUnavailable":1}`, "spec.minAvailable: must not stand beside maxUnavailable"},
		{&policyv1.PodDisruptionBudget{}, `{"minAvailable":"50%"}`, ""},
		{&autoscalingv2.HorizontalPodAutoscaler{}, `{"minReplicas":5,"maxReplicas":2,"scaleTargetRef":{"kind":"Deployment","name":"d"}}`, "spec.maxReplicas: must be at least minReplicas, 5 (got 2)"},
		{&autoscalingv2.HorizontalPodAutoscaler{}, `{"minReplicas":0,"maxReplicas":0,"scaleTargetRef":{}}`, "spec.maxReplicas: must be at least 1 (got 0)\nspec.minReplicas: must be at least 1 (got 0)\nspec.scaleTargetRef.kind: required, but missing\nspec.scaleTargetRef.name: required, but missing"},
		{&corev1.Service{}, `{"ports":[{"port":80},{"port":80}]}`, "spec.ports[0].name: required, but missing\nspec.ports[1].name: required, but missing\nspec.ports[1]: 80/TCP is there twice"},
		{&corev1.Service{}, `{"ports":[{"name":"a","port":80},{"name":"b","port":80,"protocol":"UDP","targetPort":"toolongaportname"}]}`, "spec.ports[1].targetPort: must be a port name"},
		{&corev1.Service{}, `{"clusterIP":"None"}`, ""},
		{&corev1.Service{}, `{"clusterIP":"None","type":"NodePort","ports":[{"port":0}]}`, "spec.clusterIP: must not be None with type NodePort\nspec.ports[0].port: must be a port from 1 to 65535 (got 0)"},
		{&corev1.Service{}, `{}`, "spec.ports: required, but missing"},
		{&corev1.Service{}, `{"type":"ExternalName"}`, "spec.externalName: required, but missing"},
		{&lwsv1.LeaderWorkerSet{}, `{"replicas":-1,` + strings.Replace(groups, "2", "0", 1) + `}`, "spec.replicas: must be at least 0 (got -1)\nspec.leaderWorkerTemplate.size: must be at least 1 (got 0)"},
		{&lwsv1.LeaderWorkerSet{}, `{` + strings.Replace(groups, `2`, `8,"subGroupPolicy":{"subGroupSize":3}`, 1) + `}`, "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize: must divide the size of a group, 8, or its workers, 7 (got 3)"},
		{&lwsv1.LeaderWorkerSet{}, `{` + strings.Replace(groups, `2`, `8,"subGroupPolicy":{"subGroupSize":4}`, 1) + `}`, ""},
		{&lwsv1.LeaderWorkerSet{}, `{` + strings.Replace(groups, `2`, `8,"subGroupPolicy":{"subGroupSize":4,"subGroupPolicyType":"LeaderExcluded"}`, 1) + `}`, "subGroupSize: must divide"},
		{&lwsv1.LeaderWorkerSet{}, `{` + strings.Replace(groups, `2`, `8,"subGroupPolicy":{"subGroupSize":9}`, 1) + `}`, "subGroupSize: must not be above the size of a group, 8 (got 9)"},
		{&apis.DisaggregatedSet{}, `{"slices":100,"placementPolicy":{"type":"ExclusiveSlice","topology":"zone"},"roles":[` + roles + `]}`, ""},
		{&apis.DisaggregatedSet{}, `{"slices":0,"roles":[]}`, "spec.roles: must have from 2 to 10 roles (has 0)\nspec.slices: must be from 1 to 100 (got 0)"},
		{&apis.DisaggregatedSet{}, `{"roles":[` + strings.ReplaceAll(roles, "prefill", "decode") + `]}`, "spec.roles[1].name: decode is there twice"},
		{&apis.DisaggregatedSet{}, `{"roles":[` + strings.Replace(roles, `"replicas":2,`, "", 1) + `]}`, "spec.roles[1].spec.replicas: is 0, and other roles have servers"},
		{&apis.DisaggregatedSet{}, `{"roles":[` + strings.ReplaceAll(strings.ReplaceAll(roles, `"replicas":2`, `"replicas":0`), `"replicas":1`, `"replicas":0`) + `]}`, ""},
		{&apis.DisaggregatedSet{}, `{"roles":[` + strings.Replace(roles, `"replicas":2`, `"replicas":2,"rolloutStrategy":{"type":"OnDelete","rollingUpdateConfiguration":{"partition":1,"maxSurge":1,"maxUnavailable":0}}`, 1) + `]}`, "spec.roles[1].spec.rolloutStrategy.type: must be one of RollingUpdate (got \"OnDelete\")\nspec.roles[1].spec.rolloutStrategy.rollingUpdateConfiguration.partition: must be left out"},
		{&apis.DisaggregatedSet{}, `{"placementPolicy":{"type":"ExclusiveTopology"},"roles":[` + roles + `]}`, "spec.placementPolicy.topology: required, but missing"},
		{&apis.DisaggregatedSet{}, `{"placementPolicy":{"type":"ExclusiveTopology","topology":"zone"},"roles":[` + strings.Replace(roles, `"spec"`, `"metadata":{"annotations":{"leaderworkerset.sigs.k8s.io/exclusive-topology":"rack"}},"spec"`, 1) + `]}`, "spec.roles[0].metadata.annotations[leaderworkerset.sigs.k8s.io/exclusive-topology]: must not stand beside"},
		{&apis.DisaggregatedSet{}, `{"placementPolicy":{"type":"ExclusiveTopology","topology":"zone"},"roles":[` + strings.Replace(roles, `"workerTemplate":{`, `"workerTemplate":{"metadata":{"annotations":{"leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology":"rack"}},`, 1) + `]}`, "spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.metadata.annotations[leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology]: must not stand beside"},
		{&apis.DisaggregatedSet{}, `{"roles":[` + strings.Replace(roles, "decode", strings.Repeat("d", 60), 1) + `]}`, "spec.roles[1].name: makes the name of a Service of 77 characters"},
	} {
		object := c.object
		if err := json.Unmarshal([]byte(`{"metadata":{"name":"o"},"spec":`+c.text+`}`), object); err != nil {
			t.Fatal(err)
		}
		if got := said(object); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%T %s:\n%s\nwant %s", object, c.text, got, c.want)
		}
	}
}

func said(o metav1.Object) string {
	var lines []string
	for _, f := range Object(o) {
		lines = append(lines, f.Path+": "+f.Message)
	}
	return strings.Join(lines, "\n")
}

func TestNames(t *testing.T) {
	for name, refused := range map[string]bool{"": false, "a": false, "a.b": false, "A": true, "a_b": true, "-a": true, strings.Repeat("a", 254): true} {
		if o := (&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}); (said(o) != "") != refused {
			t.Errorf("ConfigMap %.60q: %s", name, said(o))
		}
	}
	for name, refused := range map[string]bool{"a": false, "a1": false, "a.b": true, "1a": true, strings.Repeat("a", 64): true} {
		o := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "ns"}, Spec: corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone}}
		if (said(o) != "") != refused {
			t.Errorf("Service %.60q: %s", name, said(o))
		}
	}
	if got := said(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "n.s"}}); !strings.Contains(got, "metadata.namespace: must be a DNS label") {
		t.Error(got)
	}
}
