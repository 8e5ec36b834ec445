package wiring

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/schema"
)

var amountRules = []Rule{{
	ID: "amount-without-unit", Severity: Error,
	Doc: "Memory, storage or the size of a volume is less than 1Mi: 2 is 2 bytes, and 512m half of one, since m stands for a thousandth. No container " +
		"starts with so little memory, and nothing fits into such a volume.",
	find: func(g *G, r *report) {
		for _, p := range g.Pods {
			for _, c := range p.containers {
				for _, kind := range []string{"requests", "limits"} {
					for _, name := range []string{"memory", "ephemeral-storage"} {
						tiny(r, p.place(c.at("resources", kind, name)), "resources."+kind+"."+name+" of "+c.name)
					}
				}
			}
			for _, v := range p.spec.at("volumes").list() {
				tiny(r, p.place(v.at("emptyDir", "sizeLimit")), "sizeLimit of volume "+v.at("name").text())
				tiny(r, p.place(v.at("ephemeral", "volumeClaimTemplate", "spec", "resources", "requests", "storage")), "storage of volume "+v.at("name").text())
			}
		}
		for _, o := range g.Kinds("PersistentVolumeClaim") {
			tiny(r, o.in("spec", "resources", "requests", "storage"), "resources.requests.storage")
		}
	},
}, {
	ID: "shared-memory-limit", Severity: Warning,
	Doc: "The memory volume at /dev/shm of a model server may grow to the container's memory limit, against which it counts: a server that uses it " +
		"all is killed.",
	each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
		shm, limit := p.sharedMemory(c), c.at("resources", "limits", "memory")
		if bytes, err := resource.ParseQuantity(shm.text()); err == nil && limit.is() && !exceeds(schema.LeastMemory, limit) && exceeds(bytes.Value()+1, limit) {
			r.add(p.place(limit), Ref{}, "%s may have %s in all, and %s of shared memory", c.name, limit.text(), shm.text()).
				fix("raise the limit, or lower sizeLimit of the volume")
		}
	}},
}}

// tiny reports an amount above zero in which nothing fits.
func tiny(r *report, at place, what string) {
	q, err := resource.ParseQuantity(at.field.text())
	if err == nil && q.Sign() > 0 && q.Value() < schema.LeastMemory {
		r.add(at, Ref{}, "%s is %s, which is %v bytes", what, at.field.text(), q.AsApproximateFloat64()).fix("add the unit, such as Mi or Gi")
	}
}
