package kserve

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
)

// sharedMemory keeps the preset's shared memory, which no document writes.
func (s *service) sharedMemory(w *set, r *pods.Role) {
	if serving.Simulated(main(&r.Pod).Image) {
		return
	}
	shipped := "1Gi"
	if w.worker != nil {
		shipped = "8Gi"
	}
	for i := range r.Pod.Volumes {
		if v := &r.Pod.Volumes[i]; v.Name == "dshm" {
			main(&r.Pod).VolumeMounts = append(main(&r.Pod).VolumeMounts, corev1.VolumeMount{Name: v.Name, MountPath: "/dev/shm"})
			return
		}
	}
	mounted := slices.ContainsFunc(main(&r.Pod).VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == "/dev/shm" })
	if offloads := s.offloads(); !mounted && offloads && w.name == decode {
		s.On("spec.server", s.at(w.from)).Note("the %s of shared memory that KServe gives is left out: vLLM keeps offloaded blocks there, and a stack makes it as large as they need", shipped)
	} else if !mounted && !offloads {
		s.Set("spec.server.sharedMemory", shipped, "")
	}
	s.unmounted(w, r)
}

// offloads reports whether arguments of the service make vLLM keep blocks in shared memory.
func (s *service) offloads() bool {
	data, _ := json.Marshal(s.merged) // it was JSON
	return bytes.Contains(data, []byte("OffloadingConnector"))
}

// unmounted drops volumes that no container mounts, whose names the stack may need.
func (s *service) unmounted(w *set, r *pods.Role) {
	r.Pod.Volumes = slices.DeleteFunc(r.Pod.Volumes, func(v corev1.Volume) bool {
		for _, c := range slices.Concat(r.Pod.InitContainers, r.Pod.Containers) {
			if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == v.Name }) {
				return false
			}
		}
		s.On("spec."+w.name, s.at(w.from+".template.volumes")).Note("the volume %s is left out: no container mounts it", v.Name)
		return true
	})
}

// probes are asked on the port that the stack knows, over TLS where the servers speak it.
func (s *service) probes(w *set, c *corev1.Container) {
	for _, p := range []*corev1.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
		if p == nil {
			continue
		}
		s.askServer(w, p)
		if p.HTTPGet == nil {
			continue
		}
		if p.HTTPGet.Scheme == corev1.URISchemeHTTPS && !s.encrypted {
			s.On("spec.server.probes", s.at(s.container(w.from+".template.containers", mainName))).Dropped().Note("scheme HTTPS of a probe is left out: the servers of a stack speak HTTP, as KServe's do unless enableLLMInferenceServiceTLS is set")
		}
		p.HTTPGet.Scheme = ""
		p.SuccessThreshold = 0
	}
}

// askServer turns a probe of the port on which the presets start a decode server behind the
// sidecar to the one that a stack gives it.
func (s *service) askServer(w *set, p *corev1.Probe) {
	const presets, stacks = 8001, 8200
	if w.name != decode || s.spec.Prefill == nil || !s.startedByPreset(w.spec) {
		return
	}
	behind := intstr.FromInt32(presets)
	if get := p.HTTPGet; get != nil && get.Port == behind {
		get.Port = intstr.FromInt32(stacks)
	}
	if socket := p.TCPSocket; socket != nil && socket.Port == behind {
		socket.Port = intstr.FromInt32(stacks)
	}
}

// security is what the presets give the servers: that they may run as root matters only where
// they are to, and over several nodes they get capabilities for RDMA.
func (s *service) security(w *set, r *pods.Role) {
	c := main(&r.Pod)
	if sc := c.SecurityContext; sc != nil && sc.RunAsNonRoot != nil && !*sc.RunAsNonRoot && sc.RunAsUser == nil {
		sc.RunAsNonRoot = nil
		s.On("spec."+w.name, s.at(s.container(w.from+".template.containers", mainName)+".securityContext")).Dropped().Note("runAsNonRoot: false is left out: the pods run as user 1000 with a home directory of their own (security.runAsUser), which vLLM's images take")
		if equalJSON(sc, &corev1.SecurityContext{}) {
			c.SecurityContext = nil
		}
	}
	if w.worker == nil || w.role != nil {
		return
	}
	if c.SecurityContext == nil {
		c.SecurityContext = &corev1.SecurityContext{}
	}
	if c.SecurityContext.Capabilities == nil {
		c.SecurityContext.Capabilities = &corev1.Capabilities{Add: []corev1.Capability{"IPC_LOCK", "SYS_RAWIO", "NET_RAW"}, Drop: []corev1.Capability{"ALL"}}
	}
}

// sidecar is the routing sidecar, as far as it is not as the preset has it. One that a service
// replaces is taken over with its flags.
func (s *service) sidecar(w *set, r *pods.Role) {
	i := slices.IndexFunc(r.Pod.InitContainers, func(c corev1.Container) bool { return c.Name == sidecarName })
	if i < 0 {
		return
	}
	c := &r.Pod.InitContainers[i]
	from := s.at(s.container(w.from+".template.initContainers", sidecarName))
	if w.name != decode || s.spec.Prefill == nil {
		s.On("spec."+w.name, from).Dropped().Note("the container %s is left out: without prefill servers it has nothing to do", sidecarName)
		r.Pod.InitContainers = slices.Delete(r.Pod.InitContainers, i, i+1)
		return
	}
	c.Name = proxyName
	if len(c.Command) > 1 {
		c.Args = slices.Concat(c.Command[1:], c.Args)
	}
	c.Command, c.Ports, c.RestartPolicy = nil, nil, nil
	if c.LivenessProbe != nil || c.ReadinessProbe != nil || c.StartupProbe != nil {
		s.On("spec.kvTransfer.sidecar", from).Dropped().Note("probes of the routing sidecar are left out: the stack has none on it, and those of the server behind it decide")
	}
	c.LivenessProbe, c.ReadinessProbe, c.StartupProbe = nil, nil, nil
	c.Args = append([]string{"--port=8000"}, s.sidecarArgs(c.Args, from)...)
}

// sidecarArgs are the flags of the routing sidecar without those by which it learns of the
// pool and of certificates: a stack's sidecar asks whom the EPP names.
func (s *service) sidecarArgs(args []string, from string) []string {
	line := serving.ReadLine(slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "" }))
	own := []string{"enable-ssrf-protection", "pool-group", "inference-pool", "inference-pool-namespace", "inference-pool-name", "cert-path", "enable-tls"}
	if s.encrypted {
		own = append(own, "secure-proxy")
	}
	own = slices.DeleteFunc(own, func(flag string) bool { _, found := line.Take(flag); return !found })
	if len(own) > 0 {
		s.On("spec.kvTransfer.sidecar", from).Dropped().Note("--%s: left out, since a stack's sidecar has no rights to read the pool, and a certificate where the servers have one", strings.Join(own, ", --"))
	}
	return line.Words()
}

// initializer is what a service says of the container that downloads the weights.
func (s *service) initializer(w *set, r *pods.Role) {
	const name = "storage-initializer"
	i := slices.IndexFunc(r.Pod.InitContainers, func(c corev1.Container) bool { return c.Name == name })
	if i < 0 {
		return
	}
	from := s.at(s.container(w.from+".template.initContainers", name))
	c := r.Pod.InitContainers[i]
	r.Pod.InitContainers = slices.Delete(r.Pod.InitContainers, i, i+1)
	m := main(&r.Pod)
	for _, e := range c.Env {
		if e.Name == "HF_TOKEN" && !slices.ContainsFunc(m.Env, func(have corev1.EnvVar) bool { return have.Name == e.Name }) {
			m.Env = append(m.Env, e)
			s.On("spec.model", from).Note("HF_TOKEN goes to the servers, which download the model")
		}
	}
	s.On("spec.model", from).Dropped().Note("the rest of the container %s is left out: the servers of a stack download the model by themselves", name)
}

// patchMain changes the generated container of a role.
func (s *service) patchMain(role string, fields map[string]any, from string) {
	to := "spec." + role + ".podTemplatePatch"
	container := map[string]any{"name": pods.ModelServer}
	pod := map[string]any{}
	if n := s.Get(to); n != nil {
		var patch struct {
			Spec map[string]any `yaml:"spec"`
		}
		if n.Decode(&patch) == nil && patch.Spec != nil {
			pod = patch.Spec
		}
		for _, e := range list(pod["containers"]) {
			if m, _ := e.(map[string]any); m["name"] == pods.ModelServer {
				container = m
			}
		}
	}
	for key, value := range fields {
		container[key] = append(list(container[key]), list(value)...)
	}
	pod["containers"] = []any{container}
	s.Set(to, map[string]any{"spec": pod}, from)
}
