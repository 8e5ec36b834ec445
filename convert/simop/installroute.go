package simop

import (
	"strconv"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
)

// gateway is the SchedulerInstall's Gateway, or the one that its route names.
func (in *install) gateway() {
	gw, parent := &in.spec.Gateway, &in.spec.Routing.ParentGateway
	if !gw.Enabled && !in.spec.Routing.Enabled {
		return
	}
	const to, from = "spec.gateway", "spec.gateway"
	namespace := draft.Unless(in.spec.SchedulerNamespace, in.Doc.Namespace)
	name, nameFrom := draft.Unless(gw.Name, installGateway), from+".name"
	switch {
	case !gw.Enabled:
		in.Set(to+".existing", true, from+".enabled")
		name, nameFrom = draft.Unless(parent.Name, name), "spec.routing.parentGateway.name"
		namespace = draft.Unless(parent.Namespace, namespace)
	case parent.Name != "" && parent.Name != name || parent.Namespace != "" && parent.Namespace != namespace:
		in.Lost("spec.routing.parentGateway", "the route attaches to the Gateway of the stack, %s/%s", namespace, name)
	}
	serving.GatewayClass(in.Part, to, draft.Unless(gw.ClassName, "istio"), from+".className")
	encrypted(in.Part, to, from+".className")
	in.Set(to+".name", name, nameFrom)
	in.shared(namespace, name, nameFrom)
	if namespace != in.spec.SimulatorNamespace {
		in.Set(to+".namespace", namespace, "spec.schedulerNamespace")
	}
	in.listener(to, gw)
	in.filter()
}

func (in *install) listener(to string, gw *Gateway) {
	protocol := draft.Unless(gw.ListenerProtocol, "HTTP")
	if protocol == "HTTPS" {
		// A Gateway needs certificateRefs (Gateway API v1 ListenerTLSConfig).
		in.Lost("spec.gateway.listenerProtocol", "HTTPS needs a Secret with the certificate, and a SchedulerInstall cannot name one. "+
			"To have it, convert as HTTP and write protocol: HTTPS and tlsSecret: NAME in spec.gateway.listeners of the InferenceStack")
		protocol = "HTTP"
	}
	if or(gw.ListenerPort, 80) == 80 && protocol == "HTTP" {
		return
	}
	in.Set(to+".listeners[0].name", "default", "")
	in.Set(to+".listeners[0].port", or(gw.ListenerPort, 80), "spec.gateway.listenerPort")
	in.Set(to+".listeners[0].protocol", protocol, "spec.gateway.listenerProtocol")
}

// filter is the EnvoyFilter, for Istio without native InferencePools.
func (in *install) filter() {
	const to, from = "spec.gateway", "spec.envoyFilter"
	filter := &in.spec.EnvoyFilter
	if !filter.Enabled {
		return
	}
	if !in.spec.EPP.Enabled && (in.sim == nil || !in.sim.EPP.Enabled) {
		in.On("", from).Fail("needs epp.enabled: true; there is no EPP to ask")
	}
	in.Set(to+".extProc", "envoyFilter", from+".enabled")
	in.Set(to+".envoyFilter.name", draft.Unless(filter.Name, installFilter), from+".name")
	in.Copy(to+".envoyFilter.workloadSelector", from+".workloadSelector")
	in.On(to+".extProc", from).Note("the operator's EnvoyFilter replaces a filter that is not there, sends the EPP no body and ignores its answer; this one asks the EPP and follows it")
}

func (in *install) route() {
	routing := &in.spec.Routing
	if !routing.Enabled {
		if in.spec.Gateway.Enabled {
			in.Set("spec.route.enabled", false, "spec.routing.enabled")
		}
		return
	}
	const to, from = "spec.route", "spec.routing"
	in.Set(to+".name", draft.Unless(routing.HTTPRouteName, installRoute), from+".httpRouteName")
	if ns := draft.Unless(in.spec.SchedulerNamespace, in.Doc.Namespace); ns != in.spec.SimulatorNamespace {
		in.Set(to+".namespace", ns, "spec.schedulerNamespace")
	}
	switch draft.Unless(routing.BackendType, "Service") {
	case "InferencePool":
		in.pool(&routing.InferencePool)
	case "Service":
		if !in.spec.EnvoyFilter.Enabled {
			in.Set(to+".backend", "service", from+".backendType")
		}
	default:
		in.On("", from+".backendType").Fail("must be Service or InferencePool (got %q)", routing.BackendType)
	}
}

// pool checks that the route's pool is the one the EPP watches.
func (in *install) pool(ref *PoolRef) {
	const from = "spec.routing.inferencePool"
	watched := draft.Unless(in.Text("spec.pool.name"), draft.Unless(in.spec.EPP.PoolName, installPool))
	if ref.Name != "" && ref.Name != watched {
		in.Lost(from+".name", "the EPP watches the pool %s", watched)
	}
	if ref.Namespace != "" && ref.Namespace != in.spec.SimulatorNamespace {
		in.Lost(from+".namespace", "the pool is in the namespace of its servers, %s", in.spec.SimulatorNamespace)
	}
	if ref.Port != nil && strconv.Itoa(int(*ref.Port)) != in.Text("spec.server.port") {
		in.Set("spec.pool.targetPorts", []int32{*ref.Port}, from+".port")
	}
}
