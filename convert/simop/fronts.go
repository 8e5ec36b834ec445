package simop

// fronts are the Gateways that the SchedulerInstalls so far have, by namespace and name.
type fronts map[string]front

// A front is the SchedulerInstall that has a Gateway, and whether its route asks for all of
// the Gateway's requests, as every route of the operator does.
type front struct {
	install string
	routed  bool
}

// shared attaches to a Gateway that another SchedulerInstall makes. Two routes cannot have
// all of its requests: the older would be given them, and the other none.
func (in *install) shared(namespace, name, nameFrom string) {
	key := namespace + "/" + name
	other, there := in.fronts[key]
	routed := in.spec.Routing.Enabled
	in.fronts[key] = front{in.Doc.Name, routed || other.routed}
	switch {
	case !there:
	case routed && other.routed:
		in.On("", nameFrom).Fail("the Gateway %s is that of the SchedulerInstall %s too, and the routes of both ask for all of its requests, which only one would get: name another Gateway here; or convert each by itself, and let one stack have gateway.existing: true and route.hostnames or route.matches of its own", name, other.install)
	case in.spec.Gateway.Enabled:
		in.Set("spec.gateway.existing", true, "spec.gateway.enabled")
		in.On("spec.gateway", "spec.gateway").Note("the SchedulerInstall %s makes the Gateway %s", other.install, name)
	}
}
