package rules

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// An offloading is an offload section and the roles that it counts for.
type offloading struct {
	*schema.Offload
	path  string
	roles []schema.Workload
}

// offloadings returns the offload sections that are written.
func (s stack) offloadings() (out []offloading) {
	var shared []schema.Workload
	for _, r := range s.Workloads() {
		if r.Offload != nil {
			i := slices.IndexFunc(out, func(o offloading) bool { return o.Offload == r.Offload })
			if i < 0 {
				i, out = len(out), append(out, offloading{Offload: r.Offload, path: s.offloadPath(r)})
			}
			out[i].roles = append(out[i].roles, r)
		} else {
			shared = append(shared, r)
		}
	}
	if o := s.Spec.KVCache.Offload; o != nil {
		out = append([]offloading{{o, "spec.kvCache.offload", shared}}, out...)
	}
	return out
}

// offloadPath is where the section's offload is written: a variant may have its role's.
func (s stack) offloadPath(r schema.Workload) string {
	if r.Variant != nil && r.Variant.Offload == nil {
		return inherited(r) + ".offload"
	}
	return r.Path + ".offload"
}

// offloadFits checks the sections of what keeps KV blocks outside of the accelerators'
// memory against engine, release line, image and accelerator.
func offloadFits(s stack) []schema.Problem {
	line := s.line()
	if line == nil {
		return nil
	}
	var out []schema.Problem
	for _, o := range s.offloadings() {
		switch {
		case len(o.roles) == 0:
			out = append(out, s.Problem(schema.Info, o.path, "has no effect: every role has an offload section of its own"))
		case s.Spec.Server.Engine == "sglang":
			out = append(out, s.hicacheFits(o, line)...)
		case !s.RunsVLLM():
			out = append(out, s.Problem(schema.Error, o.path, "is for vLLM and SGLang, and %s is %s", schema.Path(enginePath), s.Spec.Server.Engine))
		case s.Spec.KVTransfer.Config != nil:
			out = append(out, s.Problem(schema.Error, o.path, "cannot be combined with %s, which is the whole configuration; write the OffloadingConnector there", schema.Path("spec.kvTransfer.config")))
		default:
			out = append(out, s.connectorOffloads(o, line)...)
		}
		out = append(out, s.tiersFit(o)...)
	}
	return append(out, s.claimsAgree()...)
}

// connectorOffloads checks a section of vLLM.
func (s stack) connectorOffloads(o offloading, line *release.Line) []schema.Problem {
	var out []schema.Problem
	accelerators, connector := line.VLLM.OffloadAccelerators, line.VLLM.OffloadConnector
	switch {
	case o.Connector != schema.OffloadNative:
		accelerators, connector = line.VLLM.StoreAccelerators, line.VLLM.StoreConnectors[o.Connector]
		if connector == "" {
			return []schema.Problem{s.Problem(schema.Error, o.path+".connector", "release %s has no connector %s; move to a later release, or write %s", s.Spec.Release, o.Connector, schema.Path("spec.kvTransfer.config"))}
		}
	case line.VLLM.OffloadSizeKey == "":
		return []schema.Problem{s.Problem(schema.Error, o.path, "the vLLM of release %s takes no size in bytes; write the OffloadingConnector into %s, or move to a later release", s.Spec.Release, schema.Path("spec.kvTransfer.config"))}
	}
	for _, r := range o.roles {
		if vendor := s.AcceleratorOf(r.Role).Type; !slices.Contains(accelerators, vendor) {
			out = append(out, s.Problem(schema.Error, o.path, "%s does not work on %s, which %s uses; it does on %s. For another connector write %s", connector, vendor, schema.Path(r.Path), strings.Join(accelerators, ", "), schema.Path("spec.kvTransfer.config")))
			break
		}
	}
	out = append(out, s.offloadSpans(o)...)
	out = append(out, s.storeDevices(o)...)
	out = append(out, s.offloadImages(o, line)...)
	return append(out, s.offloadSettings(o, line)...)
}

// offloadSpans judges copies of the model that span nodes. vLLM's own connector maps one file in
// /dev/shm for all of a copy's workers, and those on the first node wait for the others' part of
// it until they end (vllm-project/vllm#54415). LMCache asks the workers of the other nodes by
// sockets of the first, and each request waits for them (LMCache/LMCache#814, #2755).
func (s stack) offloadSpans(o offloading) []schema.Problem {
	i := slices.IndexFunc(o.roles, func(r schema.Workload) bool { return r.Parallelism.SpansNodes() })
	switch {
	case i < 0:
		return nil
	case o.Connector == schema.OffloadNative:
		return []schema.Problem{s.Problem(schema.Error, o.path, "needs each copy of the model on one node: vLLM keeps the blocks of a copy in one file of shared memory, and its servers do not start where %s spreads one over %d nodes; use connector mooncake, or nodes: 1", schema.Path(o.roles[i].Path), o.roles[i].Parallelism.Nodes)}
	case o.Connector == schema.OffloadLMCache:
		return []schema.Problem{s.Problem(schema.Warning, o.path+".connector", "is not known to work where %s spreads a copy of the model over %d nodes: LMCache in the servers asks for blocks by sockets of one node; try it first, or use mooncake", schema.Path(o.roles[i].Path), o.roles[i].Parallelism.Nodes)}
	}
	return nil
}

// offloadImages refuses images whose vLLM is known to be older than what the section asks for.
func (s stack) offloadImages(o offloading, line *release.Line) []schema.Problem {
	need, field := "", ""
	switch {
	case o.Connector == schema.OffloadMooncake:
		need, field = "mooncake-store", ".connector"
	case o.Connector == schema.OffloadNative && len(o.SecondaryTiers) > 0:
		need, field = "offload-tiers", ".secondaryTiers"
	default:
		return nil
	}
	for _, r := range o.roles {
		image := s.ServerImage(r.Role, line)
		if known := release.ModelServer(image); known != nil && known.Value(need) == "" {
			return []schema.Problem{s.Problem(schema.Error, o.path+field, "needs vLLM %s or later, and the image of %s is %s", known.Component.Since(need), schema.Path(r.Path), image)}
		}
	}
	return nil
}

// offloadSettings refuses settings that the connector does not have.
func (s stack) offloadSettings(o offloading, line *release.Line) (out []schema.Problem) {
	refuse := func(field, why string, args ...any) {
		if s.Has(o.path + "." + field) {
			out = append(out, s.Problem(schema.Error, o.path+"."+field, why, args...))
		}
	}
	policies := line.VLLM.OffloadPolicies[o.Connector]
	switch {
	case len(policies) == 0:
		refuse("evictionPolicy", "must be left out with connector: %s, whose master evicts", o.Connector)
	case !slices.Contains(policies, cmp.Or(o.EvictionPolicy, policies[0])):
		refuse("evictionPolicy", "must be one of %s with connector: %s (got %s)", strings.Join(policies, ", "), o.Connector, o.EvictionPolicy)
	}
	block := int32(engineBlockSize)
	if s.Spec.KVCache.BlockSize != nil || s.precisePrefix() {
		block = s.EventBlockSize()
	}
	switch {
	case o.Connector != schema.OffloadNative:
		refuse("blockSize", "is for connector: native only (connector is %s)", o.Connector)
	case o.BlockSize != nil && *o.BlockSize%block != 0:
		refuse("blockSize", "must be a multiple of the %d tokens of a block (got %d)", block, *o.BlockSize)
	}
	switch {
	case o.Connector == schema.OffloadMooncake && o.Mooncake == nil:
		out = append(out, s.Problem(schema.Error, o.path+".mooncake", "is required with connector: mooncake: masterAddress says where the store is"))
	case o.Connector != schema.OffloadMooncake:
		refuse("mooncake", "is for connector: mooncake only (connector is %s)", o.Connector)
	}
	return out
}

// engineBlockSize is the tokens of a block of vLLM where nothing sets them.
const engineBlockSize = 16

// hicacheFits checks a section of SGLang, whose HiCache counts whole gigabytes for each
// accelerator (sglang python/sglang/srt/mem_cache/memory_pool_host.py).
func (s stack) hicacheFits(o offloading, line *release.Line) (out []schema.Problem) {
	if e, _ := s.EngineOf(line); e.Flags["hicacheSize"] == "" {
		return []schema.Problem{s.Problem(schema.Error, o.path, "release %s has no form of it for SGLang; move to a later release", s.Spec.Release)}
	}
	if o.Connector != schema.OffloadNative {
		out = append(out, s.Problem(schema.Error, o.path+".connector", "must be native with engine: sglang (got %s)", o.Connector))
	}
	for _, field := range []string{"evictionPolicy", "blockSize", "mooncake"} {
		if s.Has(o.path + "." + field) {
			out = append(out, s.Problem(schema.Error, o.path+"."+field, "is for vLLM only, and %s is sglang", schema.Path(enginePath)))
		}
	}
	for _, r := range o.roles {
		switch {
		case s.Spec.Prefill != nil && r.RoleName == schema.RoleDecode:
			out = append(out, s.Problem(schema.Error, o.path, "is for prefill servers: SGLang's decode servers keep no prefix cache beside prefill servers, and end; write it as %s", schema.Path("spec.prefill.offload")))
		case s.OffloadPerDevice(r.Role) < 1e9:
			out = append(out, s.Problem(schema.Error, o.path+".cpuMemory", "must be at least 1G for each of the %d accelerators of a rank, which is what SGLang counts in (got %s)", r.Parallelism.Tensor*r.Parallelism.Pipeline, o.CPUMemory.String()))
		}
	}
	return out
}

// tiersFit checks the storage behind the host memory.
func (s stack) tiersFit(o offloading) []schema.Problem {
	var out []schema.Problem
	at := o.path + ".secondaryTiers"
	switch single := s.Spec.Server.Engine == "sglang" || o.Connector == schema.OffloadLMCache; {
	case len(o.SecondaryTiers) == 0:
		return nil
	case o.Connector == schema.OffloadMooncake:
		return []schema.Problem{s.Problem(schema.Error, at, "must be left out with connector: mooncake: the store has its own storage")}
	case single && len(o.SecondaryTiers) > 1:
		out = append(out, s.Problem(schema.Error, at, "must have one entry; only vLLM's own connector asks several (got %d)", len(o.SecondaryTiers)))
	}
	mounts := map[string]int{}
	for i := range o.SecondaryTiers {
		t, at := &o.SecondaryTiers[i], finding.Indexed(at, i)
		out = append(out, s.tierVolume(t, at)...)
		out = append(out, s.tierSize(o, t, at)...)
		out = append(out, s.tierUse(o, t, at)...)
		out = append(out, s.ownDirectory(at+".mountPath", t.Mount(i))...)
		if other, taken := mounts[t.Mount(i)]; taken {
			out = append(out, s.Problem(schema.Error, at+".mountPath", "%s is that of tier %d too", t.Mount(i), other))
		}
		mounts[t.Mount(i)] = i
	}
	return append(out, s.nodeStorageFits(o)...)
}

// tierVolume checks that the fields of a tier belong to its volume.
func (s stack) tierVolume(t *schema.SecondaryTier, at string) (out []schema.Problem) {
	made := t.Type == "pvc" && t.ExistingClaim == ""
	for _, f := range []struct {
		name string
		used bool
		why  string
	}{
		{"name", made, "belongs to a claim that is made, with type: pvc and without existingClaim"},
		{"existingClaim", t.Type == "pvc", "needs type: pvc"},
		{"path", t.Type == "pvc", "needs type: pvc"},
		{"storageClassName", made || t.Type == "ephemeral", "belongs to a claim that is made, with type: pvc or ephemeral and without existingClaim"},
		{"accessMode", made || t.Type == "ephemeral", "belongs to a claim that is made, with type: pvc or ephemeral and without existingClaim"},
	} {
		if s.Has(at+"."+f.name) && !f.used {
			out = append(out, s.Problem(schema.Error, at+"."+f.name, "%s", f.why))
		}
	}
	if t.Size == nil && (made || t.Type != "pvc") {
		out = append(out, s.Problem(schema.Error, at+".size", "is required: nothing else says how large the volume is"))
	}
	for _, step := range strings.Split(t.Path, "/") {
		if step == ".." {
			out = append(out, s.Problem(schema.Error, at+".path", "must not lead out of the claim with .."))
			break
		}
	}
	return out
}

// tierSize holds what a tier keeps to its volume, and to the memory before it.
func (s stack) tierSize(o offloading, t *schema.SecondaryTier, at string) (out []schema.Problem) {
	lmcache := s.RunsVLLM() && o.Connector == schema.OffloadLMCache
	switch {
	case t.Capacity != nil && !lmcache:
		out = append(out, s.Problem(schema.Error, at+".capacity", "is LMCache's: %s keeps no count of what it writes, and stops when the volume is full", s.offloader(o)))
	case t.Capacity != nil && t.Size != nil && t.Capacity.Cmp(*t.Size) >= 0:
		out = append(out, s.Problem(schema.Error, at+".capacity", "must be below the size of the volume, %s (got %s)", t.Size.String(), t.Capacity.String()))
	}
	for _, r := range o.roles {
		if memory := o.CPUMemory.Value() * int64(r.Parallelism.LocalRanks()); t.Size != nil && t.Size.Value() <= memory {
			out = append(out, s.Problem(schema.Warning, at+".size", "is not above the host memory before it, %s in a %s pod, and so keeps nothing that is not there (got %s)", resource.NewQuantity(memory, resource.BinarySI), r.Path[len("spec."):], t.Size.String()))
			break
		}
	}
	return out
}

// offloader names what keeps the blocks.
func (s stack) offloader(o offloading) string {
	switch {
	case s.Spec.Server.Engine == "sglang":
		return "SGLang"
	case o.Connector == schema.OffloadLMCache:
		return "LMCache"
	default:
		return "vLLM"
	}
}

// tierUse checks a tier against what writes it.
func (s stack) tierUse(o offloading, t *schema.SecondaryTier, at string) (out []schema.Problem) {
	who := s.offloader(o)
	lmcache := who == "LMCache"
	for _, field := range []string{"readThreads", "writeThreads"} {
		if s.Has(at+"."+field) && who != "vLLM" {
			out = append(out, s.Problem(schema.Error, at+"."+field, "is for vLLM's own connector only"))
		}
	}
	switch {
	case lmcache && t.Type == "pvc":
		out = append(out, s.Problem(schema.Error, at+".type", "must be emptyDir or ephemeral with connector: lmcache: each server counts and evicts only what it has written itself"))
	case !lmcache && t.Type == "emptyDir" && t.Size != nil:
		out = append(out, s.Problem(schema.Warning, at+".type", "%s deletes no block, and the kubelet evicts a pod whose emptyDir is above its size, here %s; with ephemeral or pvc a full volume only takes no more", who, t.Size.String()))
	case t.Type == "pvc" && t.ExistingClaim == "":
		out = append(out, s.tierShared(o, t, at+".accessMode")...)
	}
	return out
}

// tierShared reports a claim that is made for one node or one pod, and is to serve several.
func (s stack) tierShared(o offloading, t *schema.SecondaryTier, at string) []schema.Problem {
	pods := int64(0)
	for _, r := range o.roles {
		pods += s.mostPods(r)
	}
	return s.sharedClaim(t.AccessMode, at, pods)
}

// nodeStorageFits holds the tiers on the disk of the node to what the container may use of it.
func (s stack) nodeStorageFits(o offloading) []schema.Problem {
	for _, r := range o.roles {
		resources, at := s.resourcesOf(r)
		if resources == nil {
			continue
		}
		need := resource.NewQuantity(s.NodeStorage(r.Role), resource.BinarySI)
		if limit, limited := resources.Limits["ephemeral-storage"]; limited && limit.Cmp(*need) < 0 {
			return []schema.Problem{s.Problem(schema.Error, at+".limits.ephemeral-storage", "must be at least %s, which the emptyDirs of %s.secondaryTiers take (got %s)", need, schema.Path(o.path), limit.String())}
		}
	}
	return nil
}

// anyOffload reports whether it is so for a role.
func (s stack) anyOffload(is func(stack, *schema.Role) bool) bool {
	return slices.ContainsFunc(s.Workloads(), func(r schema.Workload) bool { return is(s, r.Role) })
}

func (s stack) usesLMCache(r *schema.Role) bool {
	o := s.OffloadOf(r)
	return o != nil && o.Connector == schema.OffloadLMCache
}

func (s stack) usesMooncake(r *schema.Role) bool {
	o := s.OffloadOf(r)
	return o != nil && o.Connector == schema.OffloadMooncake
}
