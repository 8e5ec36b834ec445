package serving

import (
	"fmt"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema"
)

// GatewayClass takes over a gatewayClassName. A name that is not a class of the schema is
// written as it is, and the schema says so.
func GatewayClass(p *draft.Part, to, name, from string) {
	class, served := schema.ClassServing(name)
	switch {
	case strings.HasPrefix(name, "gke-l7-"):
		p.Set(to+".class", "gke", from)
		if name != schema.ClassNamed("gke").Names[0] {
			p.Set(to+".gke.loadBalancer", name, from)
		}
	case name == "agentgateway-v2":
		p.Set(to+".class", "agentgateway", from)
		p.On(to+".class", from).Note("agentgateway-v2 is the old name of agentgateway")
	case served && name != class.Names[0]:
		p.Set(to+".class", class.Name, from)
		p.Set(to+".className", name, from)
	default:
		p.Set(to+".class", name, from)
	}
}

// ServiceType takes over the Service type of the gateway's proxy, and reports whether it
// is written. GKE's load balancers have no Service: the class alone says who reaches them.
func ServiceType(p *draft.Part, to, typ, from string) bool {
	switch {
	case typ == "":
		return false
	case !schema.ClassNamed(p.Text(to + ".class")).Outside:
		p.Set(to+".serviceType", typ, from)
		return true
	case typ == "LoadBalancer":
		p.On(to, from).Dropped().Note("left out: GKE's load balancer has no Service in the cluster")
	default:
		p.On(to, from).Dropped().Warn("left out: GKE's load balancer has no Service in the cluster, and %s does not keep it from being reached from outside; gateway.gke.loadBalancer: gke-l7-rilb is one inside the network", typ)
	}
	return false
}

// NextGateway is the section for one more gateway: the stack's first, unless that is
// taken, or a further one.
func NextGateway(d *draft.Draft, taken bool) string {
	if !taken && !d.Has("spec.gateway") {
		return "spec.gateway"
	}
	for i := 0; ; i++ {
		if path := fmt.Sprintf("spec.extraGateways[%d]", i); !d.Has(path) {
			return path
		}
	}
}
