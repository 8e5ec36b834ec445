package gateway

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// A maker is what a class of gateways has made besides Gateway and route; its row of
// schema.GatewayClasses says the rest.
type maker struct {
	// parameters configures the proxies, by an object of the row's kind.
	parameters func(front, metav1.ObjectMeta) []base.Object
	// policies are for what the route leads to, once whatever the number of gateways.
	policies func(front) []base.Object
}

var makers = map[string]maker{
	"istio":        {parameters: front.istioOptions},
	"kgateway":     {parameters: front.kgatewayParameters, policies: front.kgatewayTLS},
	"agentgateway": {parameters: front.agentgatewayParameters, policies: front.agentgatewayTLS},
	"gke":          {policies: front.backendPolicies},
}

// policies makes the policies of each class once. An existing Gateway may have a route from
// elsewhere.
func policies(s *base.Stack) (objects []base.Object) {
	seen := map[string]bool{}
	for _, f := range fronts(s) {
		class := f.Gateway.Class
		if make := makers[class].policies; make != nil && (f.HasRoute() || f.RoutedElsewhere()) && !seen[class] {
			seen[class] = true
			objects = append(objects, make(f)...)
		}
	}
	return objects
}
