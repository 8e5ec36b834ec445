package wiring

// Traits say what a workload does in an inference stack, as the rules see it.
type Traits struct {
	// Picker is an endpoint picker, Renderer vLLM's tokenizer service.
	Picker, Renderer bool
	// Server serves a model. Prefills and Decodes are its roles; Sidecar says that the
	// routing proxy of disaggregated serving is beside it.
	Server, Prefills, Decodes, Encodes, Sidecar bool
	// Engine is what serves: vLLM, SGLang, TensorRT-LLM or simulator.
	Engine string
	// Model that a server serves, by the name that clients use.
	Model string
	// Image of the container that does it, or of the first one.
	Image string
}

// Traits of a workload; of one with several templates, such as a LeaderWorkerSet, those
// of the first that serves, and the roles of all.
func (g *G) Traits(o *Object) (t Traits) {
	for _, p := range g.podsOf[o] {
		if t.Image == "" && len(p.containers) > 0 {
			t.Image = p.containers[len(p.containers)-1].image
		}
		for _, c := range p.containers {
			if c.isEPP() || c.isRender() {
				t.Picker, t.Renderer, t.Image = c.isEPP(), c.isRender(), c.image
			}
		}
		if c := p.server(); c != nil && !t.Server {
			t.Server, t.Engine, t.Image = true, c.engine(), c.image
			t.Model = p.model()
		}
		if p.server() != nil {
			t.Prefills, t.Decodes = t.Prefills || p.prefills(), t.Decodes || p.decodes()
			t.Encodes, t.Sidecar = t.Encodes || p.encodes(), t.Sidecar || p.sidecar() != nil
		}
	}
	return t
}

// engine of a container that serves.
func (c *container) engine() string {
	switch {
	case c.isSimulator():
		return "simulator"
	case c.isVLLM():
		return "vLLM"
	case c.isTRTLLM():
		return "TensorRT-LLM"
	default:
		return "SGLang"
	}
}
