package rules

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// Names in the model servers' pods that are the compiler's (generators/server/pod.go).
const (
	serverContainer  = "modelserver"
	sidecarContainer = "routing-proxy"
)

// ownLabels are the labels of server pods that the stack sets: by them selectors, the
// pool and the EPP's filters find the pods.
var ownLabels = []string{
	"app.kubernetes.io/component", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by",
	"app.kubernetes.io/name", "app.kubernetes.io/part-of",
	schema.VariantLabel, "llm-d.ai/inference-serving", "llm-d.ai/model", "llm-d.ai/role",
}

// serverPods checks what the user adds to the servers' pods.
func serverPods(s stack) []schema.Problem {
	out := s.podLabels("spec.server.podLabels", s.Spec.Server.PodLabels, false)
	for _, r := range s.Workloads() {
		out = append(out, s.podLabels(r.Path+".podLabels", r.PodLabels, len(r.Selector) > 0)...)
		out = append(out, s.mistaken(r)...)
	}
	for _, r := range s.Workloads() {
		found := append(s.volumes(r), s.containers(r)...)
		out = append(out, found...)
		if len(found) > 0 {
			break // what server says would be said again
		}
	}
	return out
}

// podLabels checks labels of pods; those that were there before the stack have none that it sets.
func (s stack) podLabels(at string, labels map[string]string, before bool) (out []schema.Problem) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if slices.Contains(ownLabels, key) && !before {
			out = append(out, s.Problem(schema.Error, finding.Join(at, key, 0), "is set by the stack, and selectors rely on it"))
		}
		if want, selected := s.Spec.Pool.Selector[key]; selected && want != labels[key] {
			out = append(out, s.Problem(schema.Error, finding.Join(at, key, 0), "must be %q, as %s says, or be left out (got %q)", want, schema.Path("spec.pool.selector"), labels[key]))
		}
	}
	return out
}

// mistaken refuses labels of pods that were there before the stack by which it selects its other pods.
func (s stack) mistaken(r schema.Workload) []schema.Problem {
	const component = "app.kubernetes.io/component"
	labels := s.labelsOf(r)
	_, written := r.PodLabels[component]
	if len(r.Selector) == 0 || !written || labels["app.kubernetes.io/instance"] != s.Metadata.Name || labels[component] == r.RoleName {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Error, finding.Join(r.Path+".podLabels", component, 0), "must be %q, or be left out: with app.kubernetes.io/instance, it selects other pods of the stack (got %q)", r.RoleName, labels[component])}
}

// mounts of the compiler, by path.
func (s stack) ownMounts(r schema.Workload) map[string]string {
	if s.Simulated() {
		return nil
	}
	mounts := map[string]string{s.Spec.Model.Storage.MountPath: "the model", "/home/vllm": "the server's caches"}
	if !s.Spec.Server.SharedMemory.IsZero() {
		mounts["/dev/shm"] = "spec.server.sharedMemory"
	}
	for _, v := range s.Spec.Model.AdapterVolumes() {
		mounts[v.MountPath] = loraPath
	}
	for i, t := range s.SecondaryTiers(r.Role) {
		mounts[t.Mount(i)] = "a tier of the KV cache"
	}
	if s.SharesFiles(r.Role) {
		mounts[schema.EmbeddingsDirectory] = "spec.ecTransfer.claimName"
	}
	return mounts
}

// volumes checks names and mounts of the role's volumes: each name once, each path once,
// and nothing mounted that is not there.
func (s stack) volumes(r schema.Workload) (out []schema.Problem) {
	taken := map[string]bool{}
	if !s.Simulated() {
		taken = map[string]bool{"model": true, "home": true, "shm": true}
		for i := range s.Spec.Model.AdapterVolumes() {
			taken[schema.AdapterVolumeName(i)] = true
		}
		for i := range s.SecondaryTiers(r.Role) {
			taken[schema.TierVolumeName(i)] = true
		}
		if s.usesMooncake(r.Role) {
			taken["mooncake-config"] = true
		}
		if s.SharesFiles(r.Role) {
			taken[schema.EmbeddingsVolume] = true
		}
	}
	for _, list := range []struct {
		at      string
		volumes []corev1.Volume
	}{{"spec.server.volumes", s.Spec.Server.Volumes}, {r.Path + ".volumes", r.Volumes}} {
		for i, v := range list.volumes {
			if taken[v.Name] {
				out = append(out, s.Problem(schema.Error, finding.Indexed(list.at, i)+".name", "%q is the name of another volume of the %s pods", v.Name, r.Path[len("spec."):]))
			}
			taken[v.Name] = true
		}
	}
	paths := s.ownMounts(r)
	if paths == nil {
		paths = map[string]string{}
	}
	for _, list := range []struct {
		at     string
		mounts []corev1.VolumeMount
	}{{"spec.server.volumeMounts", s.Spec.Server.VolumeMounts}, {r.Path + ".volumeMounts", r.VolumeMounts}} {
		for i, m := range list.mounts {
			at := finding.Indexed(list.at, i)
			if paths[m.MountPath] != "" {
				out = append(out, s.Problem(schema.Error, at+".mountPath", "%s is taken by %s", m.MountPath, paths[m.MountPath]))
			}
			if !taken[m.Name] {
				out = append(out, s.Problem(schema.Error, at+".name", "there is no volume %q; add it to %s or %s", m.Name, schema.Path("spec.server.volumes"), schema.Path(r.Path+".volumes")))
			}
			paths[m.MountPath] = at
		}
	}
	return out
}

// containers checks that each container of the role's pods has a name of its own.
func (s stack) containers(r schema.Workload) (out []schema.Problem) {
	taken := map[string]string{serverContainer: "the model server"}
	if s.HasSidecar(r.RoleName) {
		taken[sidecarContainer] = "the routing sidecar"
	}
	for _, list := range []struct {
		at         string
		containers []corev1.Container
	}{
		{"spec.server.initContainers", s.Spec.Server.InitContainers}, {r.Path + ".initContainers", r.InitContainers},
		{"spec.server.containers", s.Spec.Server.Containers}, {r.Path + ".containers", r.Containers},
	} {
		for i, c := range list.containers {
			at := fmt.Sprintf("%s[%d].name", list.at, i)
			if who := taken[c.Name]; who != "" {
				out = append(out, s.Problem(schema.Error, at, "%q is the name of %s", c.Name, who))
			}
			taken[c.Name] = at
		}
	}
	return out
}

// addedPorts refuses ports of the user's containers that a generated one listens on, or
// by whose name Services and probes find a generated one.
func (s stack) addedPorts(r schema.Workload, ports []claimed) (out []schema.Problem) {
	own := []string{"http", "sidecar", "supervisor", "nixl", "kv-events", "kv-replay"}
	for _, list := range s.addedContainers() {
		if !finding.Within(list.path, "spec.server") && !finding.Within(list.path, r.Path) {
			continue
		}
		for i, c := range list.containers {
			for j, p := range c.Ports {
				at := finding.Indexed(finding.Indexed(list.path, i)+".ports", j)
				for _, taken := range ports {
					if p.ContainerPort >= taken.first && p.ContainerPort <= taken.last {
						out = append(out, s.Problem(schema.Error, at+".containerPort", "%d is taken in the %s pods: %s has %s", p.ContainerPort, r.Path[len("spec."):], taken.field, taken.words()))
					}
				}
				if slices.Contains(own, p.Name) {
					out = append(out, s.Problem(schema.Error, at+".name", "%q is the name of a port of the stack, which others find by it", p.Name))
				}
			}
		}
	}
	return out
}
