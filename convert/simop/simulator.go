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
// SchedulerInstall of the same servers, if there is one. It is the nth of its namespace;
// served says that another stack's pool and Service lead to its servers.
type simulator struct {
	*draft.Part
	spec    *SimulatorSpec
	install *InstallSpec
	nth     int
	served  bool
}

// fixed is a name that the operator writes whatever its resource is called, so that two
// in one namespace overwrite each other. The second one's ends with its own name.
func (s *simulator) fixed(name string) string {
	if s.nth == 0 {
		return name
	}
	return name + "-" + s.Doc.Name
}

func (s *simulator) convert() {
	s.Metadata()
	s.Set("spec.model.name", modelName, "")
	s.Set("spec.server.engine", "simulator", "")
	s.Set("spec.server.podLabels", map[string]string{"llm-d.ai/inferenceServing": "true"}, "")
	if s.staged() {
		s.stages()
	} else {
		s.single()
	}
	if s.nth > 0 && (s.staged() || !s.served) {
		s.On("spec.decode", "metadata.name").Warn("another SimulatorDeployment in this namespace has the operator's fixed names, under which the two overwrote each other: this one's end with -%s now", s.Doc.Name)
	}
	if s.served {
		s.serversAlone()
		return
	}
	s.service()
	loadBalancing(s.Part, &s.spec.LoadBalancing)
	if s.spec.LoadBalancing.Enabled {
		s.On("spec.loadBalancing", "spec.loadBalancing").Note("the operator documents this DestinationRule but never makes it; it is made now")
	}
	s.scheduler()
	s.gateways()
}

// serversAlone leaves the way to the servers to the SchedulerInstall of the first
// SimulatorDeployment.
func (s *simulator) serversAlone() {
	s.Set("spec.scheduler.enabled", false, "")
	s.On("spec.scheduler", "metadata.name").Note("the pool and the Service of the SchedulerInstall lead to these servers too")
	if s.spec.Service.Name != "" {
		s.service()
	}
	for field, there := range map[string]bool{
		"spec.epp": s.spec.EPP.Enabled, "spec.gateway": s.spec.Gateway.Enabled,
		"spec.inferenceGateway": s.spec.InferenceGateway.Enabled, "spec.loadBalancing": s.spec.LoadBalancing.Enabled,
	} {
		if there {
			s.On("spec.scheduler", field).Dropped().Warn("left out: the SchedulerInstall has one for all servers of this namespace")
		}
	}
}

func (s *simulator) staged() bool { return s.spec.Decode.Enabled || s.spec.Prefill.Enabled }

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
	s.arguments()
	s.setUnlessThere("spec.server.port", or(decode.Port, serverPort), "spec.decode.port")
	s.setUnlessThere("spec.server.simulator.verbosity", or(decode.LogVerbosity, or(s.spec.LogVerbosity, verbosity)), "spec.decode.logVerbosity")
	s.stage("decode", decode)
	if !prefill.Enabled {
		return
	}
	s.stage("prefill", prefill)
	s.likeDecode()
	if s.Text("spec.server.port") == strconv.Itoa(serverPort) {
		s.Set("spec.server.sidecarTargetPort", behindProxy, "")
	}
	s.On("spec.prefill", "spec.prefill").Note("no request ever reached the operator's prefill servers: its EPP filters them out and nothing forwards to them; now the decode servers' routing sidecar has them do the prefill")
}

func (s *simulator) stage(role string, stage *Stage) {
	to, from := "spec."+role, "spec."+role
	s.Set(to+".name", s.fixed(stageName+role), "")
	s.Set(to+".service", map[string]string{}, "")
	s.Set(to+".replicas", or(stage.Replicas, replicas), from+".replicas")
	image, imageFrom := s.imageOf(role, stage)
	serving.SimulatorImage(s.Part, to+".image", image, imageFrom)
	serving.Resources(s.Part, to+".resources", from+".resources", stage.Resources)
}

// imageOf is a stage's image and its field.
func (s *simulator) imageOf(role string, stage *Stage) (image, from string) {
	if stage.Image == "" {
		return s.spec.Image, "spec.image"
	}
	return stage.Image, "spec." + role + ".image"
}

// image is that of the decode servers.
func (s *simulator) image() (image, from string) {
	if !s.staged() {
		return s.spec.Image, "spec.image"
	}
	return s.imageOf("decode", &s.spec.Decode)
}

func (s *simulator) setUnlessThere(path string, value any, from string) {
	if !s.Has(path) {
		s.Set(path, value, from)
	}
}

// likeDecode holds what prefill says of its own against decode's, where there is one value
// for both.
func (s *simulator) likeDecode() {
	port, verbosity := s.Text("spec.server.port"), s.Text("spec.server.simulator.verbosity")
	switch own := s.spec.Prefill.Port; {
	case own != nil && strconv.Itoa(int(*own)) != port:
		s.Lost("spec.prefill.port", "the pool reaches decode and prefill servers on one port, and decode's is %s", port)
	case own == nil && port != strconv.Itoa(serverPort):
		s.On("spec.prefill", "spec.prefill").Note("the prefill servers listen on %s and not on %d: the pool reaches both on one port", port, serverPort)
	}
	if v := s.spec.Prefill.LogVerbosity; v != nil && strconv.Itoa(int(*v)) != verbosity {
		s.Lost("spec.prefill.logVerbosity", "all servers of a stack log alike, and decode's verbosity is %s", verbosity)
	}
}

// service is the proxy Service over the decode servers.
func (s *simulator) service() {
	service := &s.spec.Service
	s.Set("spec.server.service.enabled", true, "")
	s.Set("spec.server.service.name", draft.Unless(service.Name, s.fixed(proxyName)), "spec.service.name")
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
