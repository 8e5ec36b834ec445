package podpatch

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// TestClaims merges the claims of a container by name, which kubectl replaces.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		patch string
		want  []string
	}{
		{`{claims: [{name: other}]}`, []string{"other", "r"}},
		{`{claims: [{name: r, request: gpu}]}`, []string{"r gpu"}},
		{`{claims: [{name: r, $patch: delete}, {name: other}]}`, []string{"other"}},
		{`{claims: [{$patch: replace}, {name: other}]}`, []string{"other"}},
		{`{claims: null}`, nil},
		{`{limits: {cpu: "2"}}`, []string{"r"}},
	} {
		got, _, err, _ := apply(t, `{spec: {containers: [{name: a, resources: `+c.patch+`}]}}`)
		if err != nil {
			t.Errorf("%s: %v", c.patch, err)
			continue
		}
		var names []string
		for _, claim := range got.Spec.Containers[0].Resources.Claims {
			names = append(names, strings.TrimSpace(claim.Name+" "+claim.Request))
		}
		if diff := cmp.Diff(c.want, names); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.patch, diff)
		}
	}
}

// atomic are the lists of objects in a pod template that the API replaces as a whole
// (listType=atomic in k8s.io/api core/v1/types.go and meta/v1/types.go, v0.36).
var atomic = []string{
	"ConfigMapProjection.items", "ConfigMapVolumeSource.items", "Container.envFrom", "Container.resizePolicy",
	"Container.restartPolicyRules", "DownwardAPIProjection.items", "DownwardAPIVolumeSource.items",
	"EphemeralContainerCommon.envFrom", "EphemeralContainerCommon.resizePolicy", "EphemeralContainerCommon.restartPolicyRules",
	"HTTPGetAction.httpHeaders", "LabelSelector.matchExpressions", "NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
	"NodeSelector.nodeSelectorTerms", "NodeSelectorTerm.matchExpressions", "NodeSelectorTerm.matchFields", "ObjectMeta.managedFields",
	"PodAffinity.preferredDuringSchedulingIgnoredDuringExecution", "PodAffinity.requiredDuringSchedulingIgnoredDuringExecution",
	"PodAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution", "PodAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution",
	"PodDNSConfig.options", "PodSecurityContext.sysctls", "PodSpec.readinessGates", "PodSpec.tolerations",
	"ProjectedVolumeSource.sources", "SecretProjection.items", "SecretVolumeSource.items",
}

// TestListsWithoutMerge finds the lists of objects that a strategic merge replaces: a new
// one in the API is either atomic there, or belongs in keyed.
func TestListsWithoutMerge(t *testing.T) {
	found := map[string]bool{}
	lists(reflect.TypeFor[corev1.PodTemplateSpec](), found, map[reflect.Type]bool{})
	if diff := cmp.Diff(atomic, slices.Sorted(maps.Keys(found))); diff != "" {
		t.Errorf("(-known +found)\n%s", diff)
	}
}

func lists(t reflect.Type, found map[string]bool, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		list := name != "" && f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct
		if list && !strings.Contains(f.Tag.Get("patchStrategy"), "merge") && keyed[t][name] == "" {
			found[t.Name()+"."+name] = true
		}
		lists(f.Type, found, seen)
	}
}
