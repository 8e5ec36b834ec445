package pods

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// ModelServer is the name of the container that a stack generates.
const ModelServer = "modelserver"

// containers beside the main one.
func (s *Servers) containers(r *Role) {
	if len(r.Pod.InitContainers) > 0 {
		s.Set("spec."+r.Name+".initContainers", r.Pod.InitContainers, r.field("initContainers"))
	}
	if len(r.Pod.Containers) > 0 {
		s.Set("spec."+r.Name+".containers", r.Pod.Containers, r.field("containers"))
	}
	r.Pod.InitContainers, r.Pod.Containers = nil, nil
	s.sidecar(r)
}

// leftovers of the pod become a patch of the generated one.
func (s *Servers) leftovers(r *Role) {
	s.generatedPorts(r)
	hardened(r.main.SecurityContext, func() { r.main.SecurityContext = nil })
	asRoot(r)
	escalates(r)
	r.main.Name, r.main.Env = "", r.patched
	main := plainMap(r.main)
	delete(main, "name")
	pod := plainMap(r.Pod)
	delete(pod, "containers")
	if len(main) > 0 {
		main["name"] = ModelServer
		pod["containers"] = []any{main}
	}
	if len(pod) == 0 {
		return
	}
	to := "spec." + r.Name + ".podTemplatePatch"
	s.Set(to, map[string]any{"spec": pod}, r.From)
	s.On(to, r.From).Note("what has no field of its own is patched into the generated pod")
}

// nixlPort is the name of the port that a stack generates for NIXL's side channel.
const nixlPort = "nixl"

// generatedPorts drops the ports that the stack generates by itself.
func (s *Servers) generatedPorts(r *Role) {
	known := map[string]bool{cmp.Or(s.Text("spec.kvTransfer.sideChannelPort"), "5600"): s.Disaggregated()}
	for _, port := range s.serving() {
		known[port] = true
	}
	r.main.Ports = slices.DeleteFunc(r.main.Ports, func(p corev1.ContainerPort) bool {
		if r.Name == "encode" && strconv.Itoa(int(p.ContainerPort)) == cmp.Or(s.Text("spec.ecTransfer.sideChannelPort"), "5601") {
			return true
		}
		if p.Name == nixlPort && s.Disaggregated() {
			s.On("spec."+r.Name, r.From).Dropped().Note("port %d, named %s, is left out: the side channel of NIXL is on kvTransfer.sideChannelPort", p.ContainerPort, p.Name)
			return true
		}
		return known[strconv.Itoa(int(p.ContainerPort))] && (p.Protocol == "" || p.Protocol == corev1.ProtocolTCP) && p.HostPort == 0
	})
	for i := range r.main.Ports {
		if name := &r.main.Ports[i].Name; *name != "" && len(validation.IsValidPortName(*name)) > 0 {
			s.On("spec."+r.Name, r.From).Dropped().Warn("the name %s of port %d is left out: the API server refuses it", *name, r.main.Ports[i].ContainerPort)
			*name = ""
		}
	}
}

// hardened drops a security context that the generated one already holds or exceeds:
// no privilege escalation, not root, all capabilities dropped.
func hardened(c *corev1.SecurityContext, drop func()) {
	if c == nil {
		return
	}
	rest := *c
	if rest.AllowPrivilegeEscalation != nil && !*rest.AllowPrivilegeEscalation {
		rest.AllowPrivilegeEscalation = nil
	}
	if rest.RunAsNonRoot != nil && *rest.RunAsNonRoot {
		rest.RunAsNonRoot = nil
	}
	if rest.Capabilities != nil && len(rest.Capabilities.Add) == 0 {
		rest.Capabilities = nil
	}
	if equal(rest, corev1.SecurityContext{}) {
		drop()
	}
}

// asRoot lets what is to run as root do so: the generated pod says that nothing does, and
// the kubelet would refuse to start the container.
func asRoot(r *Role) {
	no := false
	if c := r.main.SecurityContext; c != nil && c.RunAsUser != nil && *c.RunAsUser == 0 && c.RunAsNonRoot == nil {
		c = c.DeepCopy()
		c.RunAsNonRoot = &no
		r.main.SecurityContext = c
	}
	if c := r.Pod.SecurityContext; c != nil && c.RunAsUser != nil && *c.RunAsUser == 0 && c.RunAsNonRoot == nil {
		c = c.DeepCopy()
		c.RunAsNonRoot = &no
		r.Pod.SecurityContext = c
	}
}

// escalates lets a privileged container be one: the generated pod says that no process may
// gain privileges, which the API server refuses beside privileged and CAP_SYS_ADMIN.
func escalates(r *Role) {
	c := r.main.SecurityContext
	if c == nil || c.AllowPrivilegeEscalation != nil {
		return
	}
	admin := c.Capabilities != nil && slices.ContainsFunc(c.Capabilities.Add, func(name corev1.Capability) bool {
		return name == "SYS_ADMIN" || name == "CAP_SYS_ADMIN"
	})
	if admin || c.Privileged != nil && *c.Privileged {
		yes := true
		c = c.DeepCopy()
		c.AllowPrivilegeEscalation = &yes
		r.main.SecurityContext = c
	}
}
