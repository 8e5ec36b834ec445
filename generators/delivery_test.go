package generators

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/manifest"
)

func TestDeliveryMarksTheObjectAlone(t *testing.T) {
	s := stacktest.StackOf(t, `
delivery: {labels: {team: ml, grafana_dashboard: "9"}, annotations: {owner: me}, syncWaves: true}
monitoring: {}
model: {name: m, storage: {type: pvc, size: 1Gi}}
gateway: {class: istio}
`)
	waves := map[string]string{}
	for _, o := range Generate(s.Stack, s.Line) {
		waves[manifest.KindOf(o)] = o.GetAnnotations()[annotationSyncWave]
		if o.GetLabels()["team"] != "ml" || o.GetAnnotations()["owner"] != "me" {
			t.Errorf("%s is not marked", identity(o))
		}
		if want := map[bool]string{true: "1", false: "9"}[o.GetName() == "demo-dashboard"]; o.GetLabels()["grafana_dashboard"] != want {
			t.Errorf("%s: a label for all won over the object's own", identity(o))
		}
	}
	want := map[string]string{"ServiceAccount": "-2", "Gateway": "-1", "PersistentVolumeClaim": "0", "Deployment": "0", "HTTPRoute": "0", "PodMonitor": "1"}
	for kind := range waves {
		if _, ok := want[kind]; !ok {
			delete(waves, kind)
		}
	}
	if d := cmp.Diff(want, waves); d != "" {
		t.Error(d)
	}
	for _, p := range allPods(Generate(s.Stack, s.Line)) {
		if p.labels["team"] != "" || p.selector["team"] != "" {
			t.Errorf("the label reached pods or selector of %s", identity(p.workload))
		}
	}
}

func TestFluxIsToldWhereTextLooksLikeAVariable(t *testing.T) {
	for spec, want := range map[string]int{
		"server: {args: ['--a=${b}']}":                                           1,
		"server: {args: ['--a=${b}']}\ndelivery: {fluxSubstitutionGuard: false}": 0,
		"server: {args: ['--a=$b']}":                                             0,
	} {
		s, guarded := stacktest.StackOf(t, spec), 0
		objects := Generate(s.Stack, s.Line)
		if len(Manifests(s.Stack, objects)) != len(objects) {
			t.Error("not every object is written")
		}
		for _, o := range objects {
			if o.GetAnnotations()[annotationSubstitute] == "disabled" {
				guarded++
			}
		}
		if guarded != want {
			t.Errorf("%s: %d objects are guarded, want %d", spec, guarded, want)
		}
	}
}
