package wiring

import (
	"encoding/json"
	"path"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

var memoryRules = []Rule{
	{
		ID: "kv-offload-memory", Severity: Error,
		Doc: "vLLM's OffloadingConnector is to keep more blocks in the memory of the host than the container's memory limit: " +
			"cpu_bytes_to_use, which is shared by the workers of an engine, times the data-parallel ranks of the container. It is killed as they fill up.",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			limit := c.at("resources", "limits", "memory")
			if offload := c.offloaded(); offload > 0 && exceeds(offload, limit) {
				r.add(p.place(limit), Ref{}, "%s offloads %s and may have %s", c.name, size(offload), limit.text()).
					fix("raise the limit, or lower cpu_bytes_to_use in --kv-transfer-config")
			}
		}},
	},
	{
		ID: "kv-offload-shared-memory", Severity: Warning,
		Doc: "vLLM's OffloadingConnector is to keep more blocks than fit into the volume at /dev/shm, where newer releases have them " +
			"(vllm-project/vllm#50094). These end at startup (vllm-project/vllm#50358).",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			limit := p.sharedMemory(c)
			if offload := c.offloaded(); offload > 0 && exceeds(offload, limit) {
				r.add(p.place(limit), Ref{}, "%s offloads %s and has %s of shared memory", c.name, size(offload), limit.text()).
					fix("raise sizeLimit, or lower cpu_bytes_to_use in --kv-transfer-config")
			}
		}},
	},
	{
		ID: "kv-tier-volume", Severity: Warning,
		Doc: "A directory to which vLLM, LMCache or SGLang offloads KV blocks is on no volume of the container. The blocks go into the " +
			"container's own layer, are lost when it restarts, and fill the disk of the node: vLLM and SGLang delete none.",
		each: visit3[*Pods, *container, tier]{eachTier, func(g *G, r *report, p *Pods, c *container, t tier) {
			if mount, _ := p.volumeAt(c, t.dir); !mount.is() {
				r.add(p.place(t.at), Ref{}, "%s offloads to %s, which is on no volume", c.name, t.dir).
					fix("mount a volume there, or change the directory")
			}
		}},
	},
	{
		ID: "kv-tier-size", Severity: Error,
		Doc: "LMCache is to keep more on a disk than its volume has: LMCACHE_MAX_LOCAL_DISK_SIZE in GiB, which each accelerator of the " +
			"container has for itself. The kubelet evicts a pod whose emptyDir is full, and a full claim takes no more.",
		each: visit3[*Pods, *container, tier]{eachTier, func(g *G, r *report, p *Pods, c *container, t tier) {
			_, volume := p.volumeAt(c, t.dir)
			limit := volume.at("emptyDir", "sizeLimit")
			if !limit.is() {
				limit = volume.at("ephemeral", "volumeClaimTemplate", "spec", "resources", "requests", "storage")
			}
			if t.bytes > 0 && exceeds(t.bytes, limit) {
				r.add(p.place(t.at), Ref{}, "%s keeps up to %s in %s, whose volume has %s", c.name, size(t.bytes), t.dir, limit.text()).
					fix("lower LMCACHE_MAX_LOCAL_DISK_SIZE, or enlarge the volume")
			}
		}},
	},
	{
		ID: "cpu-kv-cache-memory", Severity: Error,
		Doc: "vLLM on processors is to have a KV cache, VLLM_CPU_KVCACHE_SPACE in GiB, that is larger than the container's memory " +
			"limit. It is killed as the cache fills up.",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			limit, variable := c.at("resources", "limits", "memory"), c.env["VLLM_CPU_KVCACHE_SPACE"].at("value")
			space, err := strconv.ParseInt(variable.text(), 10, 32)
			if err == nil && space > 0 && exceeds(space<<30, limit) {
				r.add(p.place(variable), Ref{}, "%s has a KV cache of %dGi and may have %s in all", c.name, space, limit.text()).
					fix("raise the memory limit, or lower VLLM_CPU_KVCACHE_SPACE")
			}
		}},
	},
}

// offloaded returns the bytes of host memory that the container's engines keep blocks in, or
// 0. The workers of an engine share cpu_bytes_to_use (vLLM 0.14 vllm/v1/kv_offload/cpu.py).
func (c *container) offloaded() int64 {
	var config offload
	text := c.flag("kv-transfer-config")
	ranks, known := c.localRanks()
	if !known || templated(text) || json.Unmarshal([]byte(text), &config) != nil {
		return 0
	}
	return int64(config.bytes()) * int64(ranks)
}

// localRanks are the data-parallel ranks of a vLLM server that run in its container.
func (c *container) localRanks() (n int, known bool) {
	if _, local := c.given("data-parallel-size-local", "dpl"); local {
		return c.port(1, "data-parallel-size-local", "dpl")
	}
	if c.rankOfMany() {
		return 1, true
	}
	return c.port(1, "data-parallel-size", "dp")
}

// offload is the part of vLLM's --kv-transfer-config that says how much goes to the host's memory (vLLM 0.14
// vllm/v1/kv_offload/cpu.py).
type offload struct {
	Extra struct {
		Bytes      float64   `json:"cpu_bytes_to_use"`
		Connectors []offload `json:"connectors"`
	} `json:"kv_connector_extra_config"`
}

func (o offload) bytes() float64 {
	sum := o.Extra.Bytes
	for _, one := range o.Extra.Connectors {
		sum += one.bytes()
	}
	return sum
}

// Where a container has its shared memory, and how much of it where no volume is mounted: 64Mi
// from containerd (pkg/oci) and CRI-O (--shm-size).
const (
	sharedMemory        = "/dev/shm"
	runtimeSharedMemory = 64 << 20
)

// sharesHostIPC reports whether the pods have the shared memory of their node.
func (p *Pods) sharesHostIPC() bool { return p.spec.at("hostIPC").text() == "true" }

// sharedMemory is the size of the volume that the container has at /dev/shm, where one is written.
func (p *Pods) sharedMemory(c *container) field {
	for _, mount := range c.at("volumeMounts").list() {
		if path.Clean(mount.at("mountPath").text()) != sharedMemory {
			continue
		}
		for _, volume := range p.spec.at("volumes").list() {
			if volume.at("name").text() == mount.at("name").text() {
				return volume.at("emptyDir", "sizeLimit")
			}
		}
	}
	return field{}
}

// exceeds reports whether bytes are more than a quantity. Text that is no quantity is for other rules to report.
func exceeds(bytes int64, limit field) bool {
	quantity, err := resource.ParseQuantity(limit.text())
	return err == nil && quantity.Sign() > 0 && bytes > quantity.Value()
}

// size is a number of bytes as people write it.
func size(bytes int64) string { return resource.NewQuantity(bytes, resource.BinarySI).String() }
