package gateway

import (
	"testing"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/schema"
)

// TestEveryClassIsMade holds the generators to the table of classes: where a row names a
// kind that configures the proxies, an object of that kind is made and named by the
// Gateway; and nothing is made for classes without a row.
func TestEveryClassIsMade(t *testing.T) {
	for _, class := range schema.GatewayClasses {
		if configures := makers[class.Name].parameters != nil; configures != (class.Parameters.Kind != "") {
			t.Errorf("%s: an object configures the proxies: %t, by the table: %t", class.Name, configures, !configures)
			continue
		}
		if class.Parameters.Kind == "" {
			continue
		}
		objects := Objects(stacktest.StackOf(t, "gateway: {class: "+class.Name+", replicas: 3}"))
		made := manifest.IDOf(objects[0])
		ref := objects[1].(*gwapiv1.Gateway).Spec.Infrastructure.ParametersRef
		if made.Group != class.Parameters.Group || made.Kind != class.Parameters.Kind {
			t.Errorf("%s: made %s, by the table %v", class.Name, made, class.Parameters)
		}
		if string(ref.Group) != made.Group || string(ref.Kind) != made.Kind || ref.Name != made.Name {
			t.Errorf("%s: the Gateway names %v, made is %s", class.Name, ref, made)
		}
	}
	for name := range makers {
		if schema.ClassNamed(name).NamedKinds == nil {
			t.Errorf("%s has no row", name)
		}
	}
}

// TestANewClassIsARow adds a class at run time: it has a Gateway and a route to the pool.
func TestANewClassIsARow(t *testing.T) {
	rows := schema.GatewayClasses
	t.Cleanup(func() { schema.GatewayClasses = rows })
	schema.GatewayClasses = append(rows[:len(rows):len(rows)], schema.GatewayClass{Name: "new", Names: []string{"new-class"}, NamedKinds: []string{"Gateway"}})
	s := stacktest.StackOf(t, "gateway: {class: agentgateway, labels: {a: b}}")
	s.Spec.Gateway.Class = "new"

	made := Objects(s)
	gw, ok := made[0].(*gwapiv1.Gateway)
	if len(made) != 1 || !ok || gw.Spec.GatewayClassName != "new-class" || gw.Spec.Infrastructure != nil || gw.Labels["a"] != "b" {
		t.Errorf("%d objects, %+v", len(made), made[0])
	}
	route := Route(s)[0].(*gwapiv1.HTTPRoute)
	if kind := *route.Spec.Rules[0].BackendRefs[0].Kind; kind != "InferencePool" || route.Spec.Rules[0].Timeouts != nil {
		t.Errorf("leads to %s, with timeouts %v", kind, route.Spec.Rules[0].Timeouts)
	}
}
