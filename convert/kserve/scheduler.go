package kserve

import (
	"maps"
	"path"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/lists"
)

// Fields of the service and of the stack that the EPP has.
const (
	schedulerFrom = "spec.router.scheduler"
	schedulerTo   = "spec.scheduler"
	versionMarker = "app.kubernetes.io/version"
)

func (s *service) poolName() string {
	if r := s.spec.Router; r != nil && r.Scheduler != nil && r.Scheduler.Pool != nil && r.Scheduler.Pool.Ref != nil {
		return r.Scheduler.Pool.Ref.Name
	}
	return s.child("-inference-pool")
}

// scheduler is the EPP and its pool.
func (s *service) scheduler(sc *Scheduler, sets []*set) {
	if sc.Pool != nil && sc.Pool.Ref != nil {
		s.Lost(s.at(schedulerFrom+".pool.ref"), "a pool that something else makes, with an EPP of its own; let the stack make the pool %s, or make the servers alone and route by the pool's owner", sc.Pool.Ref.Name)
		s.Set(schedulerTo+".enabled", false, "")
		return
	}
	s.Set("spec.pool.name", s.poolName(), "")
	s.Set(schedulerTo+".name", s.child("-epp-service"), "")
	s.Set(schedulerTo+".failureMode", "FailOpen", "")
	if sc.Pool != nil && sc.Pool.Spec != nil {
		s.pool(sc.Pool.Spec)
	}
	if sc.Replicas != nil {
		s.Set(schedulerTo+".replicas", *sc.Replicas, s.at(schedulerFrom+".replicas"))
	}
	if len(sc.Labels) > 0 {
		s.Set(schedulerTo+".podLabels", sc.Labels, s.at(schedulerFrom+".labels"))
	}
	annotations := maps.Clone(sc.Annotations)
	delete(annotations, versionMarker)
	if len(annotations) > 0 {
		s.Set(schedulerTo+".podAnnotations", annotations, s.at(schedulerFrom+".annotations"))
	}
	s.picker(sets)
	s.configuration(sc, sets)
	s.tokenizer(sc)
}

// pool is what the service says of the InferencePool.
func (s *service) pool(p *PoolSpec) {
	const from = schedulerFrom + ".pool.spec"
	ports := lists.Map(p.TargetPorts, func(port Port) int32 { return port.Number })
	if len(ports) > 0 && !slices.Equal(ports, []int32{8000}) {
		s.Set("spec.pool.targetPorts", ports, s.at(from+".targetPorts"))
	}
	if labels, _ := p.Selector["matchLabels"].(map[string]any); len(labels) > 0 {
		if reflect.DeepEqual(labels, s.ownSelector()) {
			s.On("spec.pool", s.at(from+".selector")).Dropped().Note("left out: the pool of a stack selects its own servers")
		} else {
			s.Set("spec.pool.selector", labels, s.at(from+".selector"))
		}
	}
	if p.AppProtocol != "" {
		s.Lost(s.at(from+".appProtocol"), "appProtocol of the pool; the stack says what its servers speak")
	}
	ref := p.EndpointPickerRef
	if ref == nil {
		return
	}
	if ref.Name != "" && ref.Name != s.child("-epp-service") {
		s.Set(schedulerTo+".name", ref.Name, s.at(from+".endpointPickerRef.name"))
	}
	if ref.Kind != "" && ref.Kind != "Service" {
		s.Lost(s.at(from+".endpointPickerRef.kind"), "an endpoint picker of kind %s", ref.Kind)
	}
	if ref.Port != nil && ref.Port.Number != 9002 {
		s.Set(schedulerTo+".port", ref.Port.Number, s.at(from+".endpointPickerRef.port"))
	}
	if ref.FailureMode != "" {
		s.Set(schedulerTo+".failureMode", ref.FailureMode, s.at(from+".endpointPickerRef.failureMode"))
	}
}

// ownSelector are the labels by which KServe's pool selects the servers.
func (s *service) ownSelector() map[string]any {
	return map[string]any{"app.kubernetes.io/name": s.Doc.Name, "app.kubernetes.io/part-of": "llminferenceservice", "kserve.io/component": "workload"}
}

// picker is the EPP's pod.
func (s *service) picker(sets []*set) {
	merged, _ := at(s.merged, "router", "scheduler", "template").(map[string]any)
	shipped, _ := at(s.execute(preset("config-llm-scheduler"), ""), "router", "scheduler", "template").(map[string]any)
	const from = schedulerFrom + ".template"
	var pod, whole corev1.PodSpec
	if !typedPod(subtract(merged, shipped), &pod) || !typedPod(merged, &whole) {
		s.On("", s.at(from)).Fail("what is merged into the pod of the EPP is not a pod")
		return
	}
	i := slices.IndexFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == mainName })
	if i < 0 {
		pod.Containers = append([]corev1.Container{{Name: mainName}}, pod.Containers...)
		i = 0
	}
	c := pod.Containers[i]
	pod.Containers = slices.Delete(pod.Containers, i, i+1)
	at := s.at(s.container(from+".containers", mainName))
	if c.Image != "" {
		serving.EPPImage(s.Part, c.Image, s.at(at+".image"))
	}
	s.pickerArgs(&c, at, sets)
	s.pickerMain(&c, main(&whole), at)
	s.pickerPod(&pod, from)
	s.pickerRest(&pod, &c, from)
}

// pickerArgs are the EPP's flags: behind those of the preset's command, or instead of them.
func (s *service) pickerArgs(c *corev1.Container, from string, sets []*set) {
	words := c.Args
	if len(c.Command) > 0 {
		if path.Base(c.Command[0]) != "epp" {
			s.Lost(s.at(from+".command"), "the command %s of the EPP", c.Command[0])
			return
		}
		words = slices.Concat(c.Command[1:], c.Args)
	}
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" })
	if len(words) > 0 {
		serving.EPPFlags(s.Part, s.withoutConfig(words, from, sets), s.at(from+".args"))
	}
}

// withoutConfig takes the EPP's configuration and certificate off its command line: the first
// is in a ConfigMap of the stack, the second is made by the EPP.
func (s *service) withoutConfig(words []string, from string, sets []*set) []string {
	line := serving.ReadLine(words)
	for _, flag := range []string{"config-text", "configText"} {
		if text, ok := line.Take(flag); ok && !s.Has(schedulerTo+".config") {
			s.commandConfig(text, from, sets)
		}
	}
	if p, ok := line.Take("cert-path"); ok {
		s.On(schedulerTo, s.at(from+".args")).Dropped().Note("cert-path=%s is left out: the EPP of a stack makes its own certificate; scheduler.certSecret names another one", p)
	}
	for _, flag := range []string{"enable-cert-reload", "model-server-metrics-scheme"} {
		if _, ok := line.Take(flag); ok {
			s.On(schedulerTo, s.at(from+".args")).Dropped().Note("%s is left out, as the certificate that it is for", flag)
		}
	}
	return line.Words()
}

// commandConfig is a configuration that stands on the command line.
func (s *service) commandConfig(text, from string, sets []*set) {
	var config map[string]any
	if err := yaml.Unmarshal([]byte(text), &config); err != nil {
		s.On("", s.at(from+".args")).Fail("--config-text holds no YAML: %v", err)
		return
	}
	s.setConfig(config, s.at(from+".args"), sets)
}

// pickerMain are the fields of the EPP's container.
func (s *service) pickerMain(c, whole *corev1.Container, from string) {
	serving.Resources(s.Part, schedulerTo+".resources", s.at(from+".resources"), whole.Resources)
	if len(c.Env) > 0 {
		s.Set(schedulerTo+".env", c.Env, s.at(from+".env"))
	}
	if len(c.VolumeMounts) > 0 {
		s.Set(schedulerTo+".volumeMounts", c.VolumeMounts, s.at(from+".volumeMounts"))
	}
	if c.LivenessProbe != nil || c.ReadinessProbe != nil || c.StartupProbe != nil {
		s.On(schedulerTo, from).Dropped().Note("probes of the EPP are left out, with their delays and thresholds: every EPP of a stack has its own")
	}
	if c.ImagePullPolicy != "" {
		s.On(schedulerTo, s.at(from+".imagePullPolicy")).Dropped().Note("left out: images.pullPolicy is that of all containers")
	}
}

// pickerPod are the fields of the EPP's pod that scheduler has as well.
func (s *service) pickerPod(pod *corev1.PodSpec, from string) {
	for _, f := range []struct {
		field string
		value any
		n     int
	}{
		{"tolerations", pod.Tolerations, len(pod.Tolerations)}, {"nodeSelector", pod.NodeSelector, len(pod.NodeSelector)},
		{"topologySpreadConstraints", pod.TopologySpreadConstraints, len(pod.TopologySpreadConstraints)},
		{"volumes", pod.Volumes, len(pod.Volumes)}, {"priorityClassName", pod.PriorityClassName, len(pod.PriorityClassName)},
		{"schedulerName", pod.SchedulerName, len(pod.SchedulerName)}, {"initContainers", pod.InitContainers, len(pod.InitContainers)},
		{"containers", s.beside(pod.Containers, from), len(s.beside(pod.Containers, from))},
	} {
		if f.n > 0 {
			s.Set(schedulerTo+"."+f.field, f.value, s.at(from+"."+f.field))
		}
	}
	if pod.Affinity != nil {
		s.Set(schedulerTo+".affinity", pod.Affinity, s.at(from+".affinity"))
	}
	if pod.RuntimeClassName != nil {
		s.Set(schedulerTo+".runtimeClassName", *pod.RuntimeClassName, s.at(from+".runtimeClassName"))
	}
}

// beside are the containers beside the EPP, without the tokenizer of KServe 0.20, whose place
// the render service of a stack takes.
func (s *service) beside(containers []corev1.Container, from string) (out []corev1.Container) {
	for _, c := range containers {
		if c.Name == "tokenizer" {
			s.On(schedulerTo+".tokenizer", s.at(from)).Dropped().Note("the container tokenizer is left out: a stack makes a render service where the EPP needs one")
			continue
		}
		out = append(out, c)
	}
	return out
}

// pickerRest is what is left of the EPP's pod.
func (s *service) pickerRest(pod *corev1.PodSpec, c *corev1.Container, from string) {
	if account := pod.ServiceAccountName; account != "" {
		s.Lost(s.at(from+".serviceAccountName"), "the ServiceAccount %s of the EPP; a stack makes one with the rights that its EPP needs", account)
	}
	if len(pod.ImagePullSecrets) > 0 {
		s.pullSecrets(pod.ImagePullSecrets, s.at(from+".imagePullSecrets"))
	}
	rest := *pod
	rest.Tolerations, rest.NodeSelector, rest.TopologySpreadConstraints, rest.Volumes, rest.Affinity, rest.RuntimeClassName = nil, nil, nil, nil, nil, nil
	rest.PriorityClassName, rest.SchedulerName, rest.InitContainers, rest.Containers = "", "", nil, nil
	rest.ServiceAccountName, rest.DeprecatedServiceAccount, rest.ImagePullSecrets = "", "", nil
	left := c.DeepCopy()
	left.Name, left.Image, left.Command, left.Args, left.Env, left.VolumeMounts, left.ImagePullPolicy = "", "", nil, nil, nil, nil, ""
	left.LivenessProbe, left.ReadinessProbe, left.StartupProbe, left.Resources = nil, nil, nil, corev1.ResourceRequirements{}
	patch := said(rest)
	if fields := said(left); len(fields) > 0 {
		fields["name"] = "epp"
		patch["containers"] = []any{fields}
	}
	if len(patch) > 0 {
		s.Set(schedulerTo+".podTemplatePatch", map[string]any{"spec": patch}, s.at(from))
		s.On(schedulerTo+".podTemplatePatch", s.at(from)).Note("what has no field of its own is patched into the generated pod")
	}
}

// said are the fields of a value that say something.
func said(v any) map[string]any {
	out := plain(v)
	maps.DeleteFunc(out, func(_ string, v any) bool {
		switch v := v.(type) {
		case nil:
			return true
		case string:
			return v == ""
		case map[string]any:
			return len(v) == 0
		case []any:
			return len(v) == 0
		}
		return false
	})
	return out
}

// pullSecrets are those of all pods.
func (s *service) pullSecrets(refs []corev1.LocalObjectReference, from string) {
	const to = "spec.images.pullSecrets"
	have := s.Get(to)
	for _, ref := range refs {
		known := false
		if have != nil {
			for _, n := range have.Content {
				known = known || n.Value == ref.Name
			}
		}
		if !known {
			s.Append(to, ref.Name, from)
		}
	}
}

// tokenizer is the render service that precise prefix caching asks.
func (s *service) tokenizer(sc *Scheduler) {
	const to, from = schedulerTo + ".tokenizer", schedulerFrom + ".tokenizer.template"
	if sc.Tokenizer == nil || sc.Tokenizer.Template == nil {
		return
	}
	var pod corev1.PodSpec
	if !typedPod(plain(sc.Tokenizer.Template), &pod) {
		s.On("", s.at(from)).Fail("what is merged into the pod of the tokenizer is not a pod")
		return
	}
	for i := range pod.Containers {
		c := &pod.Containers[i]
		if c.Name != mainName {
			continue
		}
		at := s.at(s.container(from+".containers", mainName))
		if c.Image != "" {
			s.Set(to+".image", c.Image, s.at(at+".image"))
		}
		serving.Resources(s.Part, to+".resources", s.at(at+".resources"), c.Resources)
		c.Name, c.Image, c.Resources = "", "", corev1.ResourceRequirements{}
		if rest := said(c); len(rest) > 0 {
			s.Lost(at, "%s of the tokenizer", joinKeys(rest))
		}
		pod.Containers = slices.Delete(pod.Containers, i, i+1)
		break
	}
	if rest := said(pod); len(rest) > 0 {
		s.Lost(s.at(from), "%s of the tokenizer's pod", joinKeys(rest))
	}
}
