package rules

import (
	"path"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// amounts refuses sizes that nothing can have, and directories that a container cannot
// give away.
func amounts(s stack) []schema.Problem {
	var out []schema.Problem
	size := func(at string, q *resource.Quantity, zero bool) {
		switch {
		case q == nil || q.Value() >= schema.LeastMemory || q.IsZero() && zero:
		case q.Sign() > 0:
			out = append(out, s.Problem(schema.Error, at, "is %d bytes, in which nothing fits: units such as Mi and Gi follow the number (got %s)", q.Value(), q.String()))
		case zero:
			out = append(out, s.Problem(schema.Error, at, "must not be negative (got %s)", q.String()))
		default:
			out = append(out, s.Problem(schema.Error, at, "must be above 0 (got %s)", q.String()))
		}
	}
	size("spec.model.storage.size", s.Spec.Model.Storage.Size, false)
	size("spec.server.sharedMemory", &s.Spec.Server.SharedMemory, true)
	size("spec.ecTransfer.cpuMemory", &s.Spec.ECTransfer.CPUMemory, false)
	for _, o := range s.offloadings() {
		size(o.path+".cpuMemory", &o.CPUMemory, false)
		for i := range o.SecondaryTiers {
			at := finding.Indexed(o.path+".secondaryTiers", i)
			size(at+".size", o.SecondaryTiers[i].Size, false)
			size(at+".capacity", o.SecondaryTiers[i].Capacity, false)
		}
		if o.Mooncake != nil {
			size(o.path+".mooncake.localBuffer", &o.Mooncake.LocalBuffer, false)
		}
	}
	if r := s.Spec.KVCache.Redis; r != nil && r.Persistence != nil {
		size("spec.kvCache.redis.persistence.size", &r.Persistence.Size, false)
	}
	if seed, err := strconv.ParseUint(s.Spec.KVCache.HashSeed, 10, 64); err != nil || seed > 1<<32-1 {
		out = append(out, s.Problem(schema.Error, "spec.kvCache.hashSeed", "must be at most 4294967295: Python takes no larger PYTHONHASHSEED and ends (got %s)", s.Spec.KVCache.HashSeed))
	}
	out = append(out, s.ownDirectory("spec.model.storage.mountPath", s.Spec.Model.Storage.MountPath)...)
	out = append(out, s.ownDirectory(schedulerPath+".configMap.mountPath", s.Spec.Scheduler.ConfigMap.MountPath)...)
	if n := len(s.Spec.Pool.Selector); n > 64 {
		out = append(out, s.Problem(schema.Error, "spec.pool.selector", "must have at most 64 labels, which is what an InferencePool takes (has %d)", n))
	}
	if caching := s.Spec.Server.VLLM.PrefixCaching; caching != nil && !*caching && s.precisePrefix() {
		out = append(out, s.Problem(schema.Error, "spec.server.vllm.prefixCaching", "must not be false with preset precise-prefix, which routes by the servers' prefix cache"))
	}
	return append(out, s.claimShared()...)
}

// ownDirectory refuses a mount over what an image or the kernel has there.
func (s stack) ownDirectory(at, dir string) []schema.Problem {
	clean := path.Clean(dir)
	switch clean {
	case "/", "/bin", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr", "/var", "/run":
		return []schema.Problem{s.Problem(schema.Error, at, "must be a directory of its own: a volume at %s would hide what the container needs to start", clean)}
	case "/dev/shm":
		return []schema.Problem{s.Problem(schema.Error, at, "is where the shared memory is; choose another directory")}
	}
	if strings.Contains(dir, ":") {
		return []schema.Problem{s.Problem(schema.Error, at, "must not contain a colon, which the kubelet refuses (got %q)", dir)}
	}
	return nil
}

// claimShared reports a claim that is made for one node or one pod, and is to serve several.
func (s stack) claimShared() []schema.Problem {
	storage := &s.Spec.Model.Storage
	if storage.Type != "pvc" || storage.ExistingClaim != "" || s.Simulated() || !s.Spec.Server.Create {
		return nil
	}
	pods := int64(0)
	for _, r := range s.Workloads() {
		pods += s.mostPods(r)
	}
	return s.sharedClaim(storage.AccessMode, "spec.model.storage.accessMode", pods)
}

// mostPods are the pods that the role can grow to.
func (s stack) mostPods(r schema.Workload) int64 {
	return int64(mostReplicas(r)) * int64(r.Parallelism.Nodes) * int64(s.slices())
}

// sharedClaim reports the access mode of a claim that so many pods need.
func (s stack) sharedClaim(mode, at string, pods int64) []schema.Problem {
	switch {
	case pods < 2:
	case mode == "ReadWriteOncePod":
		return []schema.Problem{s.Problem(schema.Error, at, "ReadWriteOncePod lets one pod have the volume, and the stack has up to %d that need it; use ReadWriteMany", pods)}
	case mode == "ReadWriteOnce":
		return []schema.Problem{s.Problem(schema.Warning, at, "ReadWriteOnce holds all of the up to %d pods on one node; use ReadWriteMany where they do not fit there", pods)}
	}
	return nil
}
