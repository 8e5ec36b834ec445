// Package pods moves pods of model servers, as existing systems describe them, into a
// draft: what a stack has a field for goes there, what it generates by itself is left
// out, and what remains goes into podTemplatePatch, so that nothing is lost.
package pods

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/lists"
)

// Servers are the decode and prefill servers of one stack.
type Servers struct {
	*draft.Part
	Roles []*Role // decode first
	// Loads are the words that mean the stack's model on a command line.
	Loads []string
	// MountPath is where the model volume is, and ModelVolumes its possible names.
	MountPath    string
	ModelVolumes []string
	// Simulator says that the image is the llm-d simulator.
	Simulator bool
}

// Role is the pod of one role.
type Role struct {
	Name string // decode or prefill
	From string // field of the document that it came from
	// Fields are the fields of the document that fields of the role came from, as
	// image, args or accelerator.tpu, where the system says so.
	Fields map[string]string
	Pod    corev1.PodSpec
	// Main is the name of the container that serves; the first one without it.
	Main string
	// Launch is how it is started, when the system says so.
	Launch string
	// Accelerator holds what is known of accelerator beside the container's resources.
	Accelerator map[string]any

	main    corev1.Container
	sidecar *corev1.Container
	line    line
	patched []corev1.EnvVar // over those of the stack
}

// Carry moves the pods into the draft.
func (s *Servers) Carry() {
	for _, r := range s.Roles {
		r.open()
		numbered(&r.main)
		s.unquote(r)
	}
	s.launch()
	s.ports()
	s.model()
	s.settings()
	s.transfer()
	s.embeddings()
	for _, r := range s.Roles {
		s.parallelism(r)
	}
	s.accelerators()
	s.images()
	s.environment()
	s.storage()
	s.placement()
	s.probes()
	s.shared("args", func(r *Role) any { return orNil(r.line.Words()) })
	for _, r := range s.Roles {
		s.containers(r)
		s.leftovers(r)
	}
}

// open takes the main container and the routing sidecar out of the pod.
func (r *Role) open() {
	i := max(0, slices.IndexFunc(r.Pod.Containers, func(c corev1.Container) bool { return c.Name == r.Main }))
	if i < len(r.Pod.Containers) {
		r.main = r.Pod.Containers[i]
		r.Pod.Containers = slices.Delete(slices.Clone(r.Pod.Containers), i, i+1)
	}
	if i := slices.IndexFunc(r.Pod.InitContainers, func(c corev1.Container) bool { return c.Name == "routing-proxy" }); i >= 0 {
		r.sidecar = r.Pod.InitContainers[i].DeepCopy()
		r.Pod.InitContainers = slices.Delete(slices.Clone(r.Pod.InitContainers), i, i+1)
	}
	r.line = parseLine(r.main.Command, r.main.Args)
	switch r.Launch {
	case "", r.line.launch:
	case LaunchServe:
		r.line = parseLine([]string{"vllm", "serve"}, slices.Concat(r.main.Command, r.main.Args))
	case LaunchImage:
		r.line = parseLine(nil, r.main.Args)
		r.line.launch = LaunchImage
	case LaunchCustom:
		r.line = line{launch: LaunchCustom, command: r.main.Command, CommandLine: serving.CommandLine{Flags: whole(r.main.Args)}}
	}
	r.main.Command, r.main.Args = nil, nil
}

func (s *Servers) role(name string) *Role {
	return lists.First(s.Roles, func(r *Role) bool { return r.Name == name })
}

// Disaggregated reports whether there are prefill servers.
func (s *Servers) Disaggregated() bool { return s.role("prefill") != nil }

// Encodes reports whether there are encode servers.
func (s *Servers) Encodes() bool { return s.role("encode") != nil }

// splits reports whether decode servers leave a part of the work to others, by their sidecar.
func (s *Servers) splits() bool { return s.Disaggregated() || s.Encodes() }

// launch is common to the roles.
func (s *Servers) launch() {
	first := s.Roles[0]
	for _, r := range s.Roles[1:] {
		if r.line.launch != first.line.launch {
			s.Lost(r.field("launch"), "%s servers are started by %q, %s servers by %q; a stack starts all in one way", first.Name, first.line.launch, r.Name, r.line.launch)
		}
	}
	switch {
	case s.Simulator && first.line.launch == LaunchImage:
		s.Set("spec.server.engine", "simulator", first.field("image"))
	case first.line.launch != LaunchServe:
		s.Set("spec.server.launch", first.line.launch, first.field("launch"))
	}
	s.shared("command", func(r *Role) any { return orNil(r.line.command) })
}

// shared writes a field to the server section when all roles agree on it, else to each
// role.
func (s *Servers) shared(field string, value func(*Role) any) {
	first := value(s.Roles[0])
	same := len(s.Roles) > 1
	for _, r := range s.Roles[1:] {
		same = same && equal(first, value(r))
	}
	if same {
		if first != nil {
			s.carry("spec.server."+field, first, s.Roles[0].field(field))
		}
		return
	}
	for _, r := range s.Roles {
		if v := value(r); v != nil {
			s.carry("spec."+r.Name+"."+field, v, r.field(field))
		}
	}
}

func (s *Servers) carry(path string, value any, from string) {
	s.Set(path, value, from)
	s.items(path, from)
}
