package schedop

import (
	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema/document"
)

// The kind of the operator.
const (
	APIVersion = "llm.llm-d.io/v1alpha1"
	Kind       = "InferenceScheduler"
)

// oldImage is the operator's default for the servers.
const oldImage = "vllm/vllm-openai:latest"

// Convert turns each InferenceScheduler into a draft. Names are those the operator
// derives (internal/controller/resources.go); where the stack derives the same, none
// is written.
func Convert(docs []document.Document, lossy bool) (drafts []*draft.Draft) {
	for _, doc := range docs {
		if doc.Kind != Kind {
			continue
		}
		var in InferenceScheduler
		d := draft.New(doc, lossy)
		if d.Decoded(document.Decode(doc, &in)) {
			s := &scheduler{Part: d.Part(doc), spec: &in.Spec}
			s.Metadata()
			s.servers()
			s.picker()
			s.gateway()
		}
		drafts = append(drafts, d)
	}
	return drafts
}

type scheduler struct {
	*draft.Part
	spec *Spec
}

func (s *scheduler) servers() {
	ms := &s.spec.ModelServer
	const from = "spec.modelServer"
	if ms.Type != "" && ms.Type != "vllm" {
		s.On("", from+".type").Fail("no servers can be made for %q: the EPP cannot read their load; use vllm, which serves the same models", ms.Type)
	}
	s.Set("spec.model.name", ms.ModelName, from+".modelName")
	s.Set("spec.model.tokenSecret.name", ms.HFTokenSecretName, from+".hfTokenSecretName")
	s.Set("spec.model.tokenSecret.key", "token", "")
	s.Set("spec.decode.name", s.Doc.Name+"-vllm", "")
	s.Set("spec.decode.replicas", replicas(ms.Replicas), from+".replicas")
	s.Copy("spec.server.port", from+".port")
	s.Set("spec.server.service.enabled", true, "")
	s.Set("spec.server.service.name", s.Doc.Name+"-vllm", "")
	s.Copy("spec.server.podLabels", from+".labels")
	if ms.Labels["model"] != "" || ms.Labels["app"] != "" {
		s.On("spec.server.podLabels", from+".labels").Note("app and model are free labels now; the operator selects pods by them, so that its Service and pool find none once they are changed")
	}
	if serving.Simulated(ms.Image) {
		s.simulator(ms)
		return
	}
	serving.VLLMImage(s.Part, "spec.server.image", ms.Image, from+".image", oldImage)
	s.vllm(ms)
}

func (s *scheduler) simulator(ms *ModelServer) {
	s.Set("spec.server.engine", "simulator", "spec.modelServer.image")
	serving.SimulatorImage(s.Part, "spec.server.image", ms.Image, "spec.modelServer.image")
	serving.Devices(s.Part, "spec.modelServer.resources", ms.Resources)
	serving.Resources(s.Part, "spec.server.resources", "spec.modelServer.resources", ms.Resources)
}

func (s *scheduler) vllm(ms *ModelServer) {
	const from = "spec.modelServer"
	s.accelerator(ms)
	serving.Resources(s.Part, "spec.server.resources", from+".resources", ms.Resources)
	s.Copy("spec.server.vllm.gpuMemoryUtilization", from+".gpuMemoryUtilization")
	if s.Copy("spec.server.vllm.prefixCaching", from+".enablePrefixCaching") && !*ms.EnablePrefixCaching {
		s.On("spec.server.vllm.prefixCaching", from+".enablePrefixCaching").Note("now really off: the operator only leaves the flag out, and vLLM's default is on")
	}
	s.On("spec.decode", from).Note("the servers get probes with a start-up budget for the download of the model, and time to finish requests")
}

// accelerator is what the container's resources say of it.
func (s *scheduler) accelerator(ms *ModelServer) {
	const to, from = "spec.server.accelerator", "spec.modelServer.resources"
	typ, count, resource := serving.Devices(s.Part, from, ms.Resources)
	s.Set(to+".type", typ, from)
	if serving.OwnResource(resource) {
		s.Set(to+".resourceName", resource, from)
	}
	if count > 1 {
		s.Set(to+".count", count, from)
		s.On(to+".count", from).Warn("vLLM uses one of the %d accelerators: the operator never sets tensor parallelism, and an InferenceScheduler has no field for it; to use all, convert and set spec.decode.parallelism.tensor of the InferenceStack", count)
	}
	other := serving.Extended(ms.Resources)
	switch {
	case typ == "google-tpu":
		s.On("", from).Fail("google.com/tpu needs the node labels by which GKE picks a slice of TPUs, for which an InferenceScheduler has no field: take it out, convert the rest with inferstack convert, and add to the InferenceStack, with the labels of your nodes, spec.server.accelerator: {type: google-tpu, count: %d, tpu: {accelerator: tpu-v6e-slice, topology: 2x4}}", count)
	case typ != "cpu":
	case other != "" && ms.Image == "":
		s.On("", from).Fail("%s is a device for which the release catalogue has no image; set modelServer.image to a vLLM that is made for it", other)
	case other == "" && ms.Image != "":
		s.On("spec.server.image", "spec.modelServer.image").Warn("no accelerator is asked for, but this image needs one unless it is a CPU build; without an image, the release catalogue's CPU build is used")
	}
}

func (s *scheduler) gateway() {
	const to, from = "spec.gateway", "spec.gateway"
	gw := &s.spec.Gateway
	serving.GatewayClass(s.Part, to, draft.Unless(gw.ClassName, "kgateway"), from+".className")
	s.Copy(to+".name", from+".name")
	if port := gw.ListenerPort; port != nil && *port != 80 {
		s.Set(to+".listeners[0].name", "http", "")
		s.Set(to+".listeners[0].port", *port, from+".listenerPort")
	}
	if serving.ServiceType(s.Part, to, gw.ServiceType, from+".serviceType") {
		s.On(to+".serviceType", from+".serviceType").Note("now in effect: the operator never passes it on to the gateway")
	}
	s.Set("spec.route.name", s.Doc.Name+"-route", "")
	s.Set("spec.route.matches", []any{map[string]any{"path": map[string]any{"type": "PathPrefix", "value": "/v1/"}}}, "")
}

func replicas(n *int32) int32 {
	if n == nil {
		return 2
	}
	return *n
}

// Groups are the documents each by itself: none changes what becomes of another.
func Groups(docs []document.Document) (out [][]document.Document) {
	for _, doc := range docs {
		out = append(out, []document.Document{doc})
	}
	return out
}
