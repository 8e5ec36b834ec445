package kserve

import (
	"fmt"
	"reflect"

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

// offloading keeps evicted blocks of the KV cache.
func (s *service) offloading(sets []*set) {
	var first *KVCacheOffloading
	for _, w := range sets {
		o := w.spec.KVCacheOffloading
		if o == nil {
			continue
		}
		from := s.at(w.from + ".kvCacheOffloading")
		if len(sets) > 1 {
			s.Lost(from, "offloading beside the transfer between prefill and decode servers, for which KServe configures one connector and a stack both; write spec.decode.offload or spec.prefill.offload of an InferenceStack")
			continue
		}
		first = o
		s.roomFor(o, from)
		tiers, plain := secondaryTiers(o)
		if !plain {
			s.tiers(w, o)
			s.Set("spec.kvTransfer.config", offloadConnector(o), from)
			continue
		}
		s.Set("spec.kvCache.offload.cpuMemory", o.CPU.String(), s.at(w.from+".kvCacheOffloading.cpu"))
		if o.EvictionPolicy != "" && o.EvictionPolicy != "lru" {
			s.Set("spec.kvCache.offload.evictionPolicy", o.EvictionPolicy, s.at(w.from+".kvCacheOffloading.evictionPolicy"))
		}
		if len(tiers) > 0 {
			s.Set("spec.kvCache.offload.secondaryTiers", tiers, s.at(w.from+".kvCacheOffloading.secondary"))
			s.nodeStorage(w, o)
		}
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

// secondaryTiers are the tiers as a stack has them. plain is false where a tier has what the
// fields of a stack do not say.
func secondaryTiers(o *KVCacheOffloading) (tiers []any, plain bool) {
	for _, tier := range o.Secondary {
		fs := tier.FileSystem
		switch {
		case fs != nil && fs.EmptyDir != nil && fs.PVC == nil:
			tiers = append(tiers, map[string]any{"type": "emptyDir", "size": fs.EmptyDir.Size.String()})
		case fs != nil && fs.EmptyDir == nil && fs.PVC != nil && fs.PVC.Ref != nil:
			tiers = append(tiers, claimTier(fs.PVC.Ref))
		case fs != nil && fs.EmptyDir == nil && fs.PVC != nil && fs.PVC.Spec != nil:
			t, whole := ephemeralTier(fs.PVC.Spec)
			if !whole {
				return nil, false
			}
			tiers = append(tiers, t)
		default:
			return nil, false
		}
	}
	return tiers, true
}

func claimTier(ref *PVCRef) map[string]any {
	t := map[string]any{"type": "pvc", "existingClaim": ref.Name}
	if ref.Path != "" {
		t["path"] = ref.Path
	}
	return t
}

// ephemeralTier is a claim of each pod. whole is false where its specification has more than
// a stack says.
func ephemeralTier(spec *corev1.PersistentVolumeClaimSpec) (t map[string]any, whole bool) {
	rest, size := spec.DeepCopy(), spec.Resources.Requests[corev1.ResourceStorage]
	t = map[string]any{"type": "ephemeral", "size": size.String()}
	if len(spec.AccessModes) == 1 && spec.AccessModes[0] != corev1.ReadOnlyMany {
		t["accessMode"] = string(spec.AccessModes[0])
		rest.AccessModes = nil
	}
	if spec.StorageClassName != nil && *spec.StorageClassName != "" {
		t["storageClassName"] = *spec.StorageClassName
		rest.StorageClassName = nil
	}
	delete(rest.Resources.Requests, corev1.ResourceStorage)
	if len(rest.Resources.Requests) == 0 {
		rest.Resources.Requests = nil
	}
	return t, !size.IsZero() && reflect.DeepEqual(*rest, corev1.PersistentVolumeClaimSpec{})
}

// nodeStorage adds the tiers on the node's disk to what the servers ask of it already; a stack
// asks for them by itself otherwise.
func (s *service) nodeStorage(w *set, o *KVCacheOffloading) {
	c := main(&w.role.Pod)
	if _, asked := c.Resources.Requests[corev1.ResourceEphemeralStorage]; !asked {
		return
	}
	for _, tier := range o.Secondary {
		if tier.FileSystem.EmptyDir != nil {
			s.ephemeral(c, tier.FileSystem)
		}
	}
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
