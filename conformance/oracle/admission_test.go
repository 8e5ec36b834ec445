package oracle

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/admission"
)

// tries is how many values are made, SPECS or enough for a quick run.
func tries(t *testing.T) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("SPECS")); err == nil {
		return n
	}
	return 3000
}

// first is the number of the first value, FIRST: another one makes others.
func first(t *testing.T) int {
	t.Helper()
	n, _ := strconv.Atoi(os.Getenv("FIRST"))
	return n
}

// TestAdmissionIsAsStrict makes objects at random and holds the product's judgement against
// upstream's: what it accepts, upstream accepts, and what it refuses, upstream refuses, but
// for what is listed as stricter.
func TestAdmissionIsAsStrict(t *testing.T) {
	kinds := []func(*maker) metav1.Object{deployment, autoscaler, deployment, route, workload, service, workload, budget}
	var lax, strict tally
	accepted, n := 0, tries(t)
	for i := first(t); i < first(t)+n; i++ {
		m := &maker{rand.New(rand.NewPCG(uint64(i), 7)), 5 + 25*(i/len(kinds)%4)}
		o := kinds[i%len(kinds)](m)
		flaws, errs := admission.Object(o), Judge(o)
		switch {
		case len(flaws) == 0 && len(errs) > 0:
			lax.add(i, errs[0].Error())
		case len(flaws) > 0 && len(errs) == 0 && !stricter(flaws):
			strict.add(i, fmt.Sprint(flaws[0]))
		case len(errs) == 0:
			accepted++
		}
	}
	t.Logf("%d objects, %d accepted by both", n, accepted)
	lax.report(t, "accepted, but refused upstream")
	strict.report(t, "refused, but accepted upstream")
	if accepted < n/50 {
		t.Errorf("only %d of %d objects are right: the test proves little", accepted, n)
	}
}

// known are refusals on purpose, of what the API server takes and nothing can use.
var known = []string{
	"needs a feature of Kubernetes that is off by default", // dropped or refused, as the cluster has it
	"must be left out: it is set from",                     // refused by an admission plugin, when it differs
	"needs spec.os.name: linux",                            // dropped without the feature
	"must be a signal of Linux",
	"clusterTrustBundle", "podCertificate", // dropped without the feature
	"which otherwise ends before the others start", // the same of a stopSignal
	"these are pods of Linux",
	"serviceAccount must be",                                    // serviceAccountName hides it
	"terminationGracePeriodSeconds must be at least 0 (got -1)", // the API server makes 1 of it
	"is in labelSelector as well",                               // the API server merges them
}

func stricter(flaws []admission.Flaw) bool {
	for _, f := range flaws {
		found := false
		for _, k := range known {
			found = found || strings.Contains(f.Path+" "+f.Message, k)
		}
		if !found {
			return false
		}
	}
	return true
}

func deployment(m *maker) metav1.Object {
	d := &appsv1.Deployment{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}}
	d.Name, d.Namespace = "d", "ns"
	labels := map[string]string{"app": "d"}
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	d.Spec.Template.Labels = labels
	pod := &d.Spec.Template.Spec
	pod.Containers = []corev1.Container{{Name: "a", Image: "a:1"}}
	for range 1 + m.IntN(3) {
		m.field(reflect.ValueOf(m.part(pod)).Elem())
	}
	tidy(pod, m)
	return d
}

// part is the pod or a container of it, which may be a new one.
func (m *maker) part(pod *corev1.PodSpec) any {
	switch m.IntN(6) {
	case 0, 1:
		return pod
	case 2:
		pod.InitContainers = append(pod.InitContainers, corev1.Container{Name: "b", Image: "b:1"})
		return &pod.InitContainers[len(pod.InitContainers)-1]
	case 3:
		pod.Containers = append(pod.Containers, corev1.Container{Name: "c", Image: "c:1"})
	}
	return &pod.Containers[len(pod.Containers)-1]
}

// tidy makes names agree that would hardly ever do so by chance.
func tidy(s *corev1.PodSpec, m *maker) {
	for _, list := range [][]corev1.Container{s.Containers, s.InitContainers} {
		for i := range list {
			if !m.odd() {
				list[i].Name = fmt.Sprintf("%s%d", list[i].Name, i)
			}
			for k := range list[i].VolumeMounts {
				if len(s.Volumes) == 0 && !m.odd() {
					s.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
				}
				if len(s.Volumes) > 0 && !m.odd() {
					list[i].VolumeMounts[k].Name = s.Volumes[m.IntN(len(s.Volumes))].Name
				}
			}
		}
	}
}

func autoscaler(m *maker) metav1.Object {
	h := &autoscalingv2.HorizontalPodAutoscaler{TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"}}
	h.Name, h.Namespace = "h", "ns"
	h.Spec.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "d"}
	h.Spec.MaxReplicas = 3
	var spec autoscalingv2.MetricSpec
	m.value(reflect.ValueOf(&spec).Elem(), "metric", 0)
	h.Spec.Metrics = []autoscalingv2.MetricSpec{spec}
	return h
}

func route(m *maker) metav1.Object {
	r := &gwapiv1.HTTPRoute{TypeMeta: metav1.TypeMeta{APIVersion: "gateway.networking.k8s.io/v1", Kind: "HTTPRoute"}}
	r.Name, r.Namespace = "r", "ns"
	rule := gwapiv1.HTTPRouteRule{}
	for range m.IntN(3) {
		var match gwapiv1.HTTPRouteMatch
		m.value(reflect.ValueOf(&match).Elem(), "match", 0)
		rule.Matches = append(rule.Matches, match)
	}
	for range m.IntN(2) {
		var filter gwapiv1.HTTPRouteFilter
		v := reflect.ValueOf(&filter).Elem()
		if i := 1 + m.IntN(v.NumField()-1); !m.odd() {
			filter.Type = gwapiv1.HTTPRouteFilterType(v.Type().Field(i).Name)
			m.value(v.Field(i), "filter", 1)
		} else {
			m.value(v, "filter", 1)
		}
		rule.Filters = append(rule.Filters, filter)
	}
	port := gwapiv1.PortNumber(80)
	rule.BackendRefs = []gwapiv1.HTTPBackendRef{{BackendRef: gwapiv1.BackendRef{BackendObjectReference: gwapiv1.BackendObjectReference{Name: "s", Port: &port}}}}
	r.Spec.Rules = []gwapiv1.HTTPRouteRule{rule}
	return r
}

// A tally counts what went wrong by its kind.
type tally map[string][]string

func (t *tally) add(seed int, message string) {
	if *t == nil {
		*t = tally{}
	}
	kind := essence(message)
	(*t)[kind] = append((*t)[kind], fmt.Sprintf("seed %d: %s", seed, message))
}

// essence is a message without the names and values in it.
func essence(message string) string {
	var out strings.Builder
	quoted := false
	for _, r := range message {
		switch {
		case r == '"':
			quoted = !quoted
		case !quoted && (r < '0' || r > '9'):
			out.WriteRune(r)
		}
	}
	return out.String()
}

func (t tally) report(tb testing.TB, what string) {
	tb.Helper()
	var kinds []string
	for k := range t {
		kinds = append(kinds, k)
	}
	sort.Slice(kinds, func(a, b int) bool { return len(t[kinds[a]]) > len(t[kinds[b]]) })
	for i, k := range kinds {
		if i == 40 {
			tb.Errorf("and %d more kinds", len(kinds)-i)
			break
		}
		first := t[k][0]
		tb.Errorf("%s, %d times, such as %.600s", what, len(t[k]), first)
	}
}
