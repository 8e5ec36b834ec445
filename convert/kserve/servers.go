package kserve

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
)

// mainName is the container that serves, and sidecarName the one in front of it on decode
// servers; proxyName is what every stack calls that.
const (
	mainName    = "main"
	sidecarName = "llm-d-routing-sidecar"
	proxyName   = "routing-proxy"
)

// A set is the servers of one role.
type set struct {
	name, from string // decode or prefill, and where the document has it
	spec       *WorkloadSpec
	pod        map[string]any // of the template, without what the preset says
	worker     map[string]any // of the further nodes, or nil
	role       *pods.Role
}

// sets are the roles of the service, decode first.
func (s *service) sets() []*set {
	out := []*set{s.set(decode, "spec", &s.spec.WorkloadSpec, s.merged, s.presets)}
	if s.spec.Prefill != nil {
		merged, _ := s.merged[prefill].(map[string]any)
		out = append(out, s.set(prefill, "spec.prefill", s.spec.Prefill, merged, at(s.presets, prefill)))
	}
	return out
}

func (s *service) set(name, from string, spec *WorkloadSpec, merged map[string]any, preset any) *set {
	out := &set{name: name, from: from, spec: spec}
	of := func(field string) map[string]any {
		pod, _ := merged[field].(map[string]any)
		shipped, _ := at(preset, field).(map[string]any)
		return subtract(pod, shipped)
	}
	out.pod = of("template")
	if spec.Worker != nil {
		out.worker = of("worker")
	}
	return out
}

// servers moves the pods of all roles into the draft.
func (s *service) servers(sets []*set, epp func()) {
	carried := &pods.Servers{Part: s.Part, Loads: s.loads(), MountPath: modelPath}
	adapters := s.adapters()
	for _, w := range sets {
		w.role = s.role(w)
		if len(adapters) > 0 {
			s.adapted(w, adapters)
		}
		if revision := s.revision(); revision != "" && w.role.Launch == pods.LaunchServe {
			main(&w.role.Pod).Args = append(main(&w.role.Pod).Args, "--revision="+revision)
		}
		if s.spec.Tracing != nil && w.role.Launch == pods.LaunchServe {
			main(&w.role.Pod).Args = append(main(&w.role.Pod).Args, "--collect-detailed-traces=all") // kserve tracing.go
		}
		s.workloadSettings(w)
		carried.Roles = append(carried.Roles, w.role)
	}
	s.devices(sets)
	s.offloading(sets)
	s.transferRoles(sets)
	epp()
	s.unloaded(sets)
	carried.Simulator = serving.Simulated(main(&sets[0].role.Pod).Image)
	if sets[0].role.Launch == pods.LaunchServe && main(&sets[0].role.Pod).Image == "" {
		s.On("spec.server", s.at("spec.template")).Replaced().Note("no image is written: KServe's preset of its release line gives one, and the release catalogue's takes its place")
	}
	if s.startedByPreset(&s.spec.WorkloadSpec) {
		s.Set("spec.model.servedNames", []string{*s.spec.Model.Name, s.published(*s.spec.Model.Name)}, "")
	}
	if len(s.Problems.Errors()) > 0 {
		return
	}
	carried.Carry()
	s.afterwards(sets)
}

// loads are the words that mean the model on a command line.
func (s *service) loads() []string {
	id, _, _ := strings.Cut(parseURI(s.spec.Model.URI).rest, ":")
	return []string{modelPath, *s.spec.Model.Name, id}
}

// role is the pod of a set as it is carried over.
func (s *service) role(w *set) *pods.Role {
	template := w.from + ".template"
	r := &pods.Role{Name: w.name, From: s.at(template), Main: mainName, Accelerator: map[string]any{}}
	if !typedPod(w.pod, &r.Pod) {
		s.On("", s.at(template)).Fail("what is merged into the pod is not a pod")
		return r
	}
	if !slices.ContainsFunc(r.Pod.Containers, func(c corev1.Container) bool { return c.Name == mainName }) {
		r.Pod.Containers = append([]corev1.Container{{Name: mainName}}, r.Pod.Containers...)
	}
	s.places(w, r)
	s.start(w, r)
	s.certified(r, main(&r.Pod))
	s.sharedMemory(w, r)
	s.probes(w, main(&r.Pod))
	s.security(w, r)
	s.sidecar(w, r)
	s.initializer(w, r)
	return r
}

func typedPod(pod map[string]any, into *corev1.PodSpec) bool {
	data, err := json.Marshal(pod)
	return err == nil && json.Unmarshal(data, into) == nil
}

// main is the container that serves.
func main(pod *corev1.PodSpec) *corev1.Container {
	i := slices.IndexFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == mainName })
	return &pod.Containers[max(0, i)]
}

// places says where the document has the fields of the pod.
func (s *service) places(w *set, r *pods.Role) {
	template := w.from + ".template"
	r.Fields = map[string]string{}
	container := s.container(template+".containers", mainName)
	for field, from := range map[string]string{
		"image": ".image", "args": ".args", "command": ".command", "env": ".env", "envFrom": ".envFrom", "resources": ".resources",
		"volumeMounts": ".volumeMounts", "probes.startup": ".startupProbe", "probes.readiness": ".readinessProbe", "probes.liveness": ".livenessProbe",
	} {
		if container != "" && s.Doc.Has(container+from) {
			r.Fields[field] = container + from
		}
	}
	for _, field := range []string{
		"nodeSelector", "tolerations", "affinity", "topologySpreadConstraints", "priorityClassName", "runtimeClassName", "schedulerName",
		"serviceAccountName", "terminationGracePeriodSeconds", "imagePullSecrets", "volumes", "initContainers", "containers",
	} {
		if s.Doc.Has(template + "." + field) {
			r.Fields[field] = template + "." + field
		}
	}
}

// container is where the document has the container of a name, or "".
func (s *service) container(listPath, name string) string {
	n := s.Doc.At(listPath)
	if n == nil {
		return ""
	}
	for i := range n.Content {
		if have := s.Doc.At(indexed(listPath, i) + ".name"); have != nil && have.Value == name {
			return indexed(listPath, i)
		}
	}
	return ""
}

// adapted gives a set the LoRA adapters, unless its own arguments name some.
func (s *service) adapted(w *set, adapters []adapter) {
	c := main(&w.role.Pod)
	from := s.at("spec.model.lora")
	if slices.ContainsFunc(slices.Concat(c.Command, c.Args), func(word string) bool { return strings.Contains(word, "--lora-modules") }) {
		s.On("spec."+w.name, from).Dropped().Note("left out of the %s servers, whose own arguments name adapters", w.name)
		return
	}
	if w.role.Launch == pods.LaunchCustom {
		s.Lost(from, "the %s servers are started by a script of their own, which is told of no adapter", w.name)
		return
	}
	c.Args = slices.Concat(s.adapterArgs(adapters), c.Args)
	for _, a := range adapters {
		if a.volume != nil {
			w.role.Pod.Volumes = append(w.role.Pod.Volumes, *a.volume)
			c.VolumeMounts = append(c.VolumeMounts, *a.mount)
		}
	}
	if w.name == decode {
		s.On("spec."+w.name, from).Note("the adapters are arguments of vLLM, which downloads those of hf:// by itself")
	}
}

// unloaded is about servers for which KServe puts no weights at /mnt/models: a claim that the
// service mounts there itself is the source.
func (s *service) unloaded(sets []*set) {
	const from = "spec.storageInitializer.enabled"
	if e := s.spec.StorageInitializer; e == nil || e.Enabled == nil || *e.Enabled {
		return
	}
	for _, w := range sets {
		c := main(&w.role.Pod)
		i := slices.IndexFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return path.Clean(m.MountPath) == modelPath })
		if w.role.Launch != pods.LaunchServe || parseURI(s.spec.Model.URI).scheme == "hf" && i < 0 {
			continue
		}
		if i < 0 {
			s.Lost(s.at(from), "the weights are where the %s servers expect them by themselves, at %s", w.name, modelPath)
			continue
		}
		m := c.VolumeMounts[i]
		j := slices.IndexFunc(w.role.Pod.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name && v.PersistentVolumeClaim != nil })
		if j < 0 {
			s.Lost(s.at(from), "weights that the %s servers find in the volume %s; a stack loads from Hugging Face, a claim or an image", w.name, m.Name)
			continue
		}
		claim := w.role.Pod.Volumes[j].PersistentVolumeClaim
		s.Set("spec.model.source", "pvc://"+claim.ClaimName+"/"+strings.Trim(m.SubPath, "/"), s.at(w.from+".template.volumes"))
		s.Set("spec.model.storage.mountPath", modelPath, "")
		s.Set("spec.model.storage.readOnly", true, "")
		c.VolumeMounts = slices.Delete(c.VolumeMounts, i, i+1)
		w.role.Pod.Volumes = slices.Delete(w.role.Pod.Volumes, j, j+1)
	}
	if parseURI(s.spec.Model.URI).scheme == "hf" && !s.Has("spec.model.source") && !serving.Simulated(s.mainImage()) {
		s.On("spec.model", s.at(from)).Dropped().Note("left out: the servers of a stack download the model by themselves")
	}
}
