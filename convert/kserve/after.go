package kserve

import (
	"github.com/inferstack/inferstack/convert/pods"
)

// afterwards is what depends on the roles being in the draft.
func (s *service) afterwards(sets []*set) {
	var roles []string
	for _, w := range sets {
		if w.role.Launch != pods.LaunchImage {
			roles = append(roles, w.name)
		}
	}
	s.stored(roles)
	for _, w := range sets {
		if w.role.Launch == pods.LaunchCustom {
			s.custom(w)
		}
	}
}

// custom is a start by a command of the service's own, which finds the weights where KServe
// puts them.
func (s *service) custom(w *set) {
	u := parseURI(s.spec.Model.URI)
	s.On("spec."+w.name, s.at(w.from+".template")).Warn("the %s servers are started by a command of their own; port, parallelism and KV transfer are its own business", w.name)
	if u.scheme == "hf" {
		s.Lost(s.at("spec.model.uri"), "weights that an init container puts at %s, where the command of the %s servers may look for them: a stack's servers download them by the model's name; start them by vllm serve, or name a claim as pvc://claim/path", modelPath, w.name)
	}
}
