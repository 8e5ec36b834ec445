package kserve

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
)

// podLabels are the labels of a set's pods without those that a stack sets by itself.
func (s *service) podLabels(w *set) map[string]string {
	out, usual := map[string]string{}, s.ownSelector()
	for _, name := range slices.Sorted(maps.Keys(w.spec.Labels)) {
		value, from := w.spec.Labels[name], s.at(w.from+".labels")
		switch {
		case !strings.HasPrefix(name, "app.kubernetes.io/"):
			out[name] = value
		case name == nameLabel && value == owner(s.Doc): // of the pool
		case usual[name] == value:
			s.On("spec."+w.name, from).Note("the label %s is left out: a stack gives its pods one of its own", name)
		default:
			s.Lost(from, "the label %s: %s, which a stack sets by itself. Where the pool of another service is to find these pods, give the stacks of both one pool.selector with a label of your own", name, value)
		}
	}
	return out
}

// workloadSettings are those of a set beside its pods.
func (s *service) workloadSettings(w *set) {
	to := "spec." + w.name
	s.Set(to+".name", s.workload(w.name, w.worker != nil), "")
	if w.spec.Replicas != nil {
		s.Set(to+".replicas", *w.spec.Replicas, s.at(w.from+".replicas"))
	}
	if labels := s.podLabels(w); len(labels) > 0 {
		s.Set(to+".podLabels", labels, s.at(w.from+".labels"))
	}
	annotations := maps.Clone(w.spec.Annotations)
	delete(annotations, routingMarker)
	if len(annotations) > 0 {
		s.Set(to+".podAnnotations", annotations, s.at(w.from+".annotations"))
	}
	if r := w.spec.RolloutStrategy; r != nil {
		for field, value := range map[string]any{"maxUnavailable": r.MaxUnavailable, "maxSurge": r.MaxSurge} {
			if value != nil {
				s.Set(to+".rollout."+field, value, s.at(w.from+".rolloutStrategy."+field))
			}
		}
	}
	s.parallelism(w)
	if w.worker != nil {
		s.nodes(w)
	}
	s.scaling(w)
}

// parallelism of a set. In KServe only what the service itself writes becomes an argument of
// vLLM, and that of data and experts only over several nodes.
func (s *service) parallelism(w *set) {
	p := w.spec.Parallelism
	if p == nil {
		return
	}
	to, from := "spec."+w.name+".parallelism.", w.from+".parallelism."
	for _, f := range []struct {
		field string
		value *int32
	}{{"tensor", p.Tensor}, {"pipeline", p.Pipeline}, {"data", p.Data}} {
		if f.value == nil {
			continue
		}
		s.Set(to+f.field, *f.value, s.at(from+f.field))
		if !s.Doc.Has(from + f.field) {
			s.On(to+f.field, "spec.baseRefs").Note("%s parallelism of a base configuration is in effect now: KServe makes arguments of vLLM only of what the service itself writes", f.field)
		} else if w.worker == nil && f.field != "tensor" && *f.value > 1 {
			s.On(to+f.field, from+f.field).Warn("in effect now: without a worker section KServe takes no notice of %s parallelism", f.field)
		}
	}
	if p.DataLocal != nil && p.Data != nil {
		s.Set(to+"dataLocal", *p.DataLocal, s.at(from+"dataLocal"))
	}
	if p.Expert {
		s.Set(to+"expert", true, s.at(from+"expert"))
		if w.worker == nil {
			s.On(to+"expert", s.at(from+"expert")).Note("in effect now: without a worker section KServe takes no notice of it")
		}
	}
	if p.DataRPCPort != nil {
		s.On(to+"data", s.at(from+"dataRPCPort")).Dropped().Note("dataRPCPort is left out: the nodes of a stack talk to each other on 5555, inside their pods alone")
	}
	if (p.Data == nil) != (p.DataLocal == nil) {
		s.On("", s.at(w.from+".parallelism")).Fail("data and dataLocal go together; the API server takes neither alone")
	}
}

// nodes is a set over several nodes: the same pod on each, in a stack.
func (s *service) nodes(w *set) {
	p := w.spec.Parallelism
	if p == nil || p.Data == nil && p.Pipeline == nil {
		s.On("", s.at(w.from+".worker")).Fail("needs parallelism over several nodes: data and dataLocal, or pipeline")
		return
	}
	nodes := int32(1)
	from := s.at(w.from + ".parallelism.data")
	if p.Data != nil && p.DataLocal != nil && *p.DataLocal > 0 {
		nodes = max(1, *p.Data / *p.DataLocal)
	} else if p.Pipeline != nil {
		nodes, from = *p.Pipeline, s.at(w.from+".parallelism.pipeline")
	}
	s.Set("spec."+w.name+".parallelism.nodes", nodes, from)
	if nodes == 1 {
		s.On("spec."+w.name, from).Warn("all ranks are on one node: a Deployment takes the place of the LeaderWorkerSet")
		s.Set("spec."+w.name+".name", s.workload(w.name, false), "")
		s.On("spec."+w.name, s.at(w.from+".worker")).Dropped().Note("worker is left out: it describes the further nodes of a server, and there are none")
		return
	}
	s.same(w)
}

// same compares the pods of the first node and of the others.
func (s *service) same(w *set) {
	var first, rest corev1.PodSpec
	if !typedPod(w.pod, &first) || !typedPod(w.worker, &rest) {
		return
	}
	a, b := comparable(&first), comparable(&rest)
	for _, key := range slices.Sorted(maps.Keys(merge(a, b))) {
		if !reflect.DeepEqual(a[key], b[key]) {
			s.Lost(s.at(w.from+".worker"), "%s differs from that of template; all nodes of a server have one pod in a stack", key)
		}
	}
}

// comparable is a pod without what only one node has: probes, the sidecar and its port. The
// fields of the main container are named after it.
func comparable(pod *corev1.PodSpec) map[string]any {
	pod = pod.DeepCopy()
	c := corev1.Container{}
	for i := range pod.Containers {
		if pod.Containers[i].Name == mainName {
			c = pod.Containers[i]
		}
	}
	pod.Containers = slices.DeleteFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == mainName })
	pod.InitContainers = slices.DeleteFunc(pod.InitContainers, func(c corev1.Container) bool { return c.Name == sidecarName })
	c.LivenessProbe, c.ReadinessProbe, c.StartupProbe, c.Ports = nil, nil, nil, nil
	slices.SortFunc(c.Env, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	out := plain(pod)
	for key, value := range plain(c) {
		if key != "name" {
			out["container "+mainName+" "+key] = value
		}
	}
	maps.DeleteFunc(out, func(_ string, v any) bool {
		return v == nil || reflect.DeepEqual(v, map[string]any{}) || reflect.DeepEqual(v, []any{})
	})
	return out
}

// devices are accelerators that are claimed by annotations (kserve managed_dra.go, v0.20.0).
func (s *service) devices(sets []*set) {
	class := s.annotation("serving.kserve.io/exp-dra-device-class")
	if class == "" {
		return
	}
	const prefix = "metadata.annotations[serving.kserve.io/exp-dra-"
	dra := map[string]any{"deviceClassName": class}
	if cel := s.annotation("serving.kserve.io/exp-dra-device-cel-selector"); cel != "" {
		dra["selectors"] = slices.DeleteFunc(strings.Split(cel, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
	}
	if name := s.annotation("serving.kserve.io/exp-dra-container-name"); name != "" && name != mainName {
		s.Lost(prefix+"container-name]", "devices for the container %s; accelerators of a stack are the model server's", name)
	}
	for _, w := range sets {
		if resource := serving.DeviceResource(main(&w.role.Pod).Resources); resource != "" {
			s.On("", w.role.From).Fail("the %s servers ask for %s and claim devices of the class %s: one of the two", w.name, resource, class)
		}
		w.role.Accelerator["type"] = vendor(class)
		w.role.Accelerator["dra"] = dra
		if count := s.annotation("serving.kserve.io/exp-dra-device-count"); count != "" {
			w.role.Accelerator["count"] = serving.Scalar(count)
		}
		w.role.Fields["accelerator.dra"] = prefix + "device-class]"
		w.role.Fields["accelerator.count"] = prefix + "device-count]"
	}
}

// vendor is whose devices a class has, by its name.
func vendor(class string) string {
	for domain, typ := range map[string]string{"amd.com": "amd", "gaudi": "intel-gaudi", "tpu": "google-tpu", "gpu.intel.com": "intel-xpu"} {
		if strings.Contains(class, domain) {
			return typ
		}
	}
	return "nvidia"
}

// transferRoles takes the KV transfer off the command lines of prefill and decode servers
// where they say the same: NIXL takes no notice of the role in it
// (vllm distributed/kv_transfer/kv_connector/v1/nixl_connector.py).
func (s *service) transferRoles(sets []*set) {
	if len(sets) != 2 {
		return
	}
	const flag = "kv-transfer-config"
	var lines []*serving.CommandLine
	for _, w := range sets {
		line := serving.ReadLine(main(&w.role.Pod).Args)
		value, ok := line.Value(flag)
		var config map[string]any
		if !ok || w.role.Launch != pods.LaunchServe || json.Unmarshal([]byte(value), &config) != nil {
			return
		}
		delete(config, "kv_role")
		if !reflect.DeepEqual(config, map[string]any{"kv_connector": "NixlConnector"}) {
			return
		}
		line.Take(flag)
		lines = append(lines, line)
	}
	for i, w := range sets {
		main(&w.role.Pod).Args = lines[i].Words()
	}
	s.On("spec.kvTransfer", s.at("spec.prefill")).Dropped().Note("--%s is left out: a stack with prefill servers moves the KV cache by NIXL anyway, which takes no notice of the role in it", flag)
}

// equalJSON reports whether two values are written alike.
func equalJSON(a, b any) bool { return reflect.DeepEqual(plain(a), plain(b)) }
