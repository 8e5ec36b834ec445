package simop

import (
	"maps"
	"strconv"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema/document"
)

// Names that a SchedulerInstall has unless it says otherwise
// (controllers/schedulerinstall_controller.go).
const (
	installEPP     = "gaie-inference-scheduling-epp"
	installPool    = "gaie-inference-scheduling"
	installGateway = "infra-inference-scheduling-inference-gateway"
	installRoute   = "llm-d-inference-scheduling"
	installFilter  = "epp-ext-proc"
)

var proxySelector = map[string]string{"llm-d.ai/role": "decode", "llm-d.ai/inferenceServing": "true"}

// An install is a SchedulerInstall on its way into a draft; sim is the
// SimulatorDeployment of the same servers, if there is one.
// several says that there are more of them.
type install struct {
	*draft.Part
	spec    *InstallSpec
	sim     *SimulatorSpec
	simDoc  document.Document
	several bool
	fronts  fronts
}

func (in *install) convert() {
	in.servers()
	in.service()
	if in.spec.EPP.Enabled {
		in.scheduler()
	} else if in.sim == nil || !in.sim.EPP.Enabled {
		in.Set("spec.scheduler.enabled", false, "spec.epp.enabled")
	}
	in.gateway()
	in.route()
	in.rule()
}

// servers are those of the SimulatorDeployment, or such as already exist.
func (in *install) servers() {
	if in.sim != nil {
		if in.several {
			in.Set("spec.pool.selector", map[string]string{"llm-d.ai/inferenceServing": "true"}, "")
		}
		in.MoreMetadata()
		return
	}
	in.Metadata()
	in.Set("metadata.namespace", in.spec.SimulatorNamespace, "spec.simulatorNamespace")
	in.Set("spec.model.name", modelName, "")
	in.Set("spec.server.engine", "simulator", "")
	in.Set("spec.server.create", false, "")
	in.Set("spec.server.port", in.targetPort(), "spec.proxyService.targetPort")
	in.Set("spec.pool.selector", in.selector(), "spec.proxyService.selector")
	in.On("spec.server.create", "spec.proxyService").Note("a SchedulerInstall makes no servers; the ones that its proxy Service selects are there already. Their model has no name here, and %q stands in", modelName)
}

func (in *install) targetPort() int32 {
	return or(in.spec.ProxyService.TargetPort, or(in.spec.ProxyService.Port, serverPort))
}

func (in *install) selector() map[string]string {
	if len(in.spec.ProxyService.Selector) > 0 {
		return in.spec.ProxyService.Selector
	}
	return maps.Clone(proxySelector)
}

func (in *install) service() {
	const to, from = "spec.server.service", "spec.proxyService"
	service := &in.spec.ProxyService
	in.Set(to+".enabled", true, "")
	if !in.settled(shared{"spec.service.name", from + ".name"}) {
		in.Set(to+".name", draft.Unless(service.Name, proxyName), from+".name")
	}
	if port := or(service.Port, serverPort); !in.settled(shared{"spec.service.port", from + ".port"}) && in.Text("spec.server.port") != strconv.Itoa(int(port)) {
		in.Set(to+".port", port, from+".port")
	}
	if in.sim != nil && (in.several || !maps.Equal(in.selector(), proxySelector)) {
		in.Set(to+".selector", in.selector(), from+".selector")
	}
	if in.sim != nil && service.TargetPort != nil && in.Text("spec.server.port") != strconv.Itoa(int(*service.TargetPort)) {
		in.Lost(from+".targetPort", "the SimulatorDeployment's servers listen on %s", in.Text("spec.server.port"))
	}
}

func (in *install) scheduler() {
	epp := &in.spec.EPP
	in.Set("spec.scheduler.name", draft.Unless(epp.Name, installEPP), "spec.epp.name")
	in.Set("spec.pool.name", draft.Unless(epp.PoolName, installPool), "spec.epp.poolName")
	in.Copy("spec.scheduler.port", "spec.epp.port")
	if ns := epp.PoolNamespace; ns != "" && ns != in.spec.SimulatorNamespace {
		in.Lost("spec.epp.poolNamespace", "a pool must be in the namespace of its servers, %s", in.spec.SimulatorNamespace)
	}
	in.namespace()
	picker(in.Part, &epp.EPP)
	in.profile(epp.ConfigProfile)
	in.On("spec.pool", "spec.epp.poolName").Note("the InferencePool, which the operator refers to but never makes, is made now; the EPP's Role lets it read only")
}

// namespace keeps the EPP in schedulerNamespace where the gateway can reach it there.
func (in *install) namespace() {
	ns := draft.Unless(in.spec.SchedulerNamespace, in.Doc.Namespace)
	simulators := in.Text("spec.gateway.class") == "istio" // the SimulatorDeployment's gateway; in.gateway comes later
	native := (in.spec.Routing.BackendType == "InferencePool" || simulators) && !in.spec.EnvoyFilter.Enabled
	switch {
	case ns == "" || ns == in.spec.SimulatorNamespace:
	case native:
		in.On("spec.scheduler", "spec.schedulerNamespace").Warn("the EPP moves from %s to %s: an InferencePool reaches only an EPP in its own namespace; with envoyFilter.enabled it could stay", ns, in.spec.SimulatorNamespace)
	default:
		in.Set("spec.scheduler.namespace", ns, "spec.schedulerNamespace")
	}
}

// profile is the EPP's configuration.
func (in *install) profile(name string) {
	const from = "spec.epp.configProfile"
	switch name {
	case "", "default":
		if name != "" || in.sim == nil || !in.sim.Prefill.Enabled {
			in.Set("spec.scheduler.preset", "simulator", from)
		}
	case "proxy-performance":
		in.Set("spec.scheduler.config", serving.ProxyPerformance(false, in.Text("spec.release")), from)
	case "proxy-performance-by-backend":
		in.Set("spec.scheduler.config", serving.ProxyPerformance(true, in.Text("spec.release")), from)
	default:
		in.On("", from).Fail("must be one of default, proxy-performance, proxy-performance-by-backend (got %q)", name)
	}
}
