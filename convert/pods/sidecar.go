package pods

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/argv"
)

// oldSidecar is where the routing sidecar was published until llm-d renamed it.
const oldSidecar = "ghcr.io/llm-d/llm-d-routing-sidecar"

// sidecarFlags follow from the stack, in the spelling of every release
// (llm-d-router pkg/sidecar/proxy/options.go, llm-d-routing-sidecar v0.4.0).
var sidecarFlags = map[string]bool{
	"port": true, "vllm-port": true, "model-server-port": true, "connector": true, "kv-connector": true,
	"secure-proxy": true, "data-parallel-size": true, "zap-encoder": true,
}

// sidecar takes over the routing sidecar of a stack with prefill or encode servers.
func (s *Servers) sidecar(r *Role) {
	c := r.sidecar
	if c == nil || !s.splits() {
		return
	}
	const to = "spec.kvTransfer.sidecar."
	if c.Image != "" && !strings.HasPrefix(c.Image, oldSidecar+":") {
		s.Set(to+"image", c.Image, r.From)
	} else if c.Image != "" && !serving.TakesSidecar(s.Text("spec.release"), c.Image) {
		s.On("spec.kvTransfer.sidecar", r.From).Replaced().Note("%s speaks the flags of an older release; the sidecar of the release catalogue takes its place", c.Image)
	}
	var args []string
	for f := range argv.Of(c.Args) {
		switch name := serving.FlagName(f.Name); {
		case name == "secure-proxy" && f.Value != "false":
			s.Lost(r.From, "TLS on the servers' port; with server.certSecret, which names a Secret, servers and sidecars of a stack speak it")
		case (name == "connector" || name == "kv-connector") && f.Value != "nixlv2" && f.Value != "nixl":
			s.Set("spec.kvTransfer.connector", f.Value, r.From)
		case name == "ec-connector" && s.Encodes():
			if f.Value != "ec-nixl" {
				s.Set("spec.ecTransfer.connector", f.Value, r.From)
			}
		case name == "v" || name == "zap-log-level":
			if n, ok := serving.Scalar(f.Value).(int64); ok {
				s.Set(to+"verbosity", n, r.From)
			} else if f.Value == "debug" {
				s.Set(to+"verbosity", 1, r.From)
			}
		case !sidecarFlags[name]:
			args = append(args, f.Words...)
		}
	}
	if len(args) > 0 {
		s.Set(to+"args", args, r.From)
	}
	if section := resources(c.Resources); len(section) > 0 {
		s.Set(to+"resources", section, r.From)
	}
	s.sidecarLeftovers(r, c)
}

// sidecarLeftovers says what of the sidecar's container has no place in a stack.
func (s *Servers) sidecarLeftovers(r *Role, c *corev1.Container) {
	if len(c.Env) > 0 || len(c.EnvFrom) > 0 || len(c.VolumeMounts) > 0 || len(c.Command) > 0 {
		s.Lost(r.From, "the routing sidecar's command, environment and volumes")
	}
	if c.ImagePullPolicy != "" {
		s.On("spec.kvTransfer.sidecar", r.From).Dropped().Note("imagePullPolicy %s of the routing sidecar is left out: images.pullPolicy is that of all containers", c.ImagePullPolicy)
	}
	s.sidecarSecurity(r, c.SecurityContext)
}

// sidecarSecurity says that the stack has a security context for the sidecar.
func (s *Servers) sidecarSecurity(r *Role, c *corev1.SecurityContext) {
	if c == nil {
		return
	}
	const left = "securityContext of the routing sidecar is left out: the stack writes its own"
	rest := "; write what else it says into the podTemplatePatch of the role"
	hardened(c, func() { rest = "" })
	if rest == "" {
		s.On("spec.kvTransfer.sidecar", r.From).Dropped().Note("%s", left)
		return
	}
	s.On("spec.kvTransfer.sidecar", r.From).Dropped().Warn("%s", left+rest)
}
