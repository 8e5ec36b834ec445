package simop

import (
	"strconv"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
)

// Names and numbers that the operator writes whatever its resource says
// (controllers/simulatordeployment_controller.go).
const (
	proxyName   = "gaie-inference-scheduling-proxy"
	stageName   = "ms-sim-llm-d-modelservice-"
	modelName   = "random"
	serverPort  = 8200
	behindProxy = 8000
	replicas    = 2
	verbosity   = 5
)

// A simulator is a SimulatorDeployment on its way into a draft; install is the
// SchedulerInstall of the same servers, if there is one.
type simulator struct {
	*draft.Part
	spec    *SimulatorSpec
	install *InstallSpec
}

func (s *simulator) convert() {
	s.Metadata()
	s.Set("spec.model.name", modelName, "")
	s.Set("spec.server.engine", "simulator", "")
	s.Set("spec.server.podLabels", map[string]string{"llm-d.ai/inferenceServing": "true"}, "")
	if s.spec.Decode.Enabled || s.spec.Prefill.Enabled {
		s.stages()
	} else {
		s.single()
	}
	s.service()
	loadBalancing(s.Part, &s.spec.LoadBalancing, "spec.loadBalancing")
	if s.spec.LoadBalancing.Enabled {
		s.On("spec.loadBalancing", "spec.loadBalancing").Note("the operator documents this DestinationRule but never makes it; it is made now")
	}
	s.scheduler()
	s.gateways()
}

// single is the mode without stages: one Deployment.
func (s *simulator) single() {
	spec := s.spec
	s.Set("spec.decode.name", "ms-sim-"+s.Doc.Name+"-decode", "")
	s.Set("spec.decode.replicas", or(spec.Replicas, replicas), "spec.replicas")
	s.Set("spec.server.port", or(spec.Service.Port, serverPort), "spec.service.port")
	s.Set("spec.server.simulator.verbosity", or(spec.LogVerbosity, verbosity), "spec.logVerbosity")
	serving.SimulatorImage(s.Part, "spec.server.image", spec.Image, "spec.image")
	serving.Resources(s.Part, "spec.decode.resources", "spec.resources", spec.Resources)
}

// stages is the mode with a Deployment and a Service for each stage.
func (s *simulator) stages() {
	decode, prefill := &s.spec.Decode, &s.spec.Prefill
	if !decode.Enabled {
		s.On("spec.decode", "spec.prefill").Fail("prefill servers alone cannot answer a request; enable decode as well")
		return
	}
	port := or(decode.Port, serverPort)
	s.Set("spec.server.port", port, "spec.decode.port")
	s.Set("spec.server.simulator.verbosity", or(decode.LogVerbosity, or(s.spec.LogVerbosity, verbosity)), "spec.decode.logVerbosity")
	s.stage("decode", decode)
	if !prefill.Enabled {
		return
	}
	if p := or(prefill.Port, serverPort); p != port {
		s.Lost("spec.prefill.port", "the pool reaches decode and prefill servers on one port, and decode's is %d", port)
	}
	s.stage("prefill", prefill)
	if v := prefill.LogVerbosity; v != nil && strconv.Itoa(int(*v)) != s.Text("spec.server.simulator.verbosity") {
		s.Lost("spec.prefill.logVerbosity", "all servers of a stack log alike, and decode's verbosity is %s", s.Text("spec.server.simulator.verbosity"))
	}
	if port == serverPort {
		s.Set("spec.server.sidecarTargetPort", behindProxy, "")
	}
	s.On("spec.prefill", "spec.prefill").Note("no request ever reached the operator's prefill servers: its EPP filters them out and nothing forwards to them; now the decode servers' routing sidecar has them do the prefill")
}

func (s *simulator) stage(role string, stage *Stage) {
	to, from := "spec."+role, "spec."+role
	s.Set(to+".name", stageName+role, "")
	s.Set(to+".service", map[string]string{}, "")
	s.Set(to+".replicas", or(stage.Replicas, replicas), from+".replicas")
	image, imageFrom := stage.Image, from+".image"
	if image == "" {
		image, imageFrom = s.spec.Image, "spec.image"
	}
	serving.SimulatorImage(s.Part, to+".image", image, imageFrom)
	serving.Resources(s.Part, to+".resources", from+".resources", stage.Resources)
	s.Copy(to+".args", from+".args")
}

// service is the proxy Service over the decode servers.
func (s *simulator) service() {
	service := &s.spec.Service
	s.Set("spec.server.service.enabled", true, "")
	s.Set("spec.server.service.name", draft.Unless(service.Name, proxyName), "spec.service.name")
	if port := or(service.Port, serverPort); s.Text("spec.server.port") != strconv.Itoa(int(port)) {
		s.Set("spec.server.service.port", port, "spec.service.port")
	}
	s.Copy("spec.server.service.type", "spec.service.type")
}

func or(value *int32, fallback int32) int32 {
	if value == nil {
		return fallback
	}
	return *value
}
