package kserve

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// offloadConnector is vLLM's KV connector for blocks that leave the accelerator
// (kserve workload_kvcache.go, v0.20.0).
func offloadConnector(o *KVCacheOffloading) map[string]any {
	policy := o.EvictionPolicy
	if policy == "" {
		policy = "lru"
	}
	extra := map[string]any{"spec_name": "TieringOffloadingSpec", "cpu_bytes_to_use": o.CPU.Value(), "eviction_policy": policy}
	var tiers []any
	for i := range o.Secondary {
		tiers = append(tiers, map[string]any{"type": "fs", "root_dir": tierPath(i)})
	}
	if len(tiers) > 0 {
		extra["secondary_tiers"] = tiers
	}
	return map[string]any{"kv_connector": "OffloadingConnector", "kv_role": "kv_both", "kv_connector_extra_config": extra}
}

func tierPath(i int) string { return fmt.Sprintf("/mnt/kv-cache-%d", i) }

// offloading keeps evicted blocks of the KV cache. A stack has one configuration for all
// servers.
func (s *service) offloading(sets []*set) {
	var first *KVCacheOffloading
	for _, w := range sets {
		o := w.spec.KVCacheOffloading
		if o == nil {
			continue
		}
		from := s.at(w.from + ".kvCacheOffloading")
		if len(sets) > 1 {
			s.Lost(from, "offloading beside the transfer between prefill and decode servers, for which KServe configures one connector and a stack another; write kvTransfer.config of an InferenceStack with a MultiConnector")
			continue
		}
		first = o
		s.tiers(w, o)
		s.roomFor(o, from)
		if len(o.Secondary) == 0 && (o.EvictionPolicy == "" || o.EvictionPolicy == "lru") {
			s.Set("spec.kvCache.offload.cpuMemory", o.CPU.String(), s.at(w.from+".kvCacheOffloading.cpu"))
			continue
		}
		s.Set("spec.kvTransfer.config", offloadConnector(o), from)
	}
	if first != nil && !s.Doc.Has("spec.kvCacheOffloading") {
		s.On("spec.kvTransfer", "spec.baseRefs").Note("kvCacheOffloading of a base configuration is in effect now: KServe makes arguments of vLLM only of what the service itself writes")
	}
}

// roomFor makes the shared memory of the presets large enough for what is offloaded, which vLLM
// keeps there. One that the service writes stands.
func (s *service) roomFor(o *KVCacheOffloading, from string) {
	const to = "spec.server.sharedMemory"
	size, err := resource.ParseQuantity(s.Text(to))
	if err != nil {
		return
	}
	size.Add(o.CPU)
	s.Set(to, size.String(), from)
	s.On(to, from).Note("as much more than the preset's shared memory as is offloaded: vLLM keeps it there")
}

// tiers are the volumes of the secondary tiers.
func (s *service) tiers(w *set, o *KVCacheOffloading) {
	c := main(&w.role.Pod)
	for i, tier := range o.Secondary {
		from := s.at(indexed(w.from+".kvCacheOffloading.secondary", i))
		name := fmt.Sprintf("kv-cache-secondary-%d", i)
		v := corev1.Volume{Name: name}
		mount := corev1.VolumeMount{Name: name, MountPath: tierPath(i)}
		fs := tier.FileSystem
		switch {
		case fs != nil && fs.EmptyDir != nil && fs.PVC == nil:
			size := fs.EmptyDir.Size
			v.EmptyDir = &corev1.EmptyDirVolumeSource{SizeLimit: &size}
			s.ephemeral(c, fs)
		case fs != nil && fs.PVC != nil && fs.PVC.Ref != nil && fs.EmptyDir == nil:
			v.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: fs.PVC.Ref.Name}
			mount.SubPath = fs.PVC.Ref.Path
		case fs != nil && fs.PVC != nil && fs.PVC.Spec != nil && fs.EmptyDir == nil:
			v.Ephemeral = &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: *fs.PVC.Spec}}
		default:
			s.On("", from).Fail("exactly one of emptyDir, pvc.spec and pvc.ref is required")
			continue
		}
		w.role.Pod.Volumes = append(w.role.Pod.Volumes, v)
		c.VolumeMounts = append(c.VolumeMounts, mount)
	}
}

// ephemeral adds the size of a tier to what the servers ask of the node's disk.
func (s *service) ephemeral(c *corev1.Container, fs *FileSystemTier) {
	requests := c.Resources.Requests.DeepCopy()
	if requests == nil {
		requests = corev1.ResourceList{}
	}
	sum := requests[corev1.ResourceEphemeralStorage]
	sum.Add(fs.EmptyDir.Size)
	requests[corev1.ResourceEphemeralStorage] = sum
	c.Resources.Requests = requests
}
