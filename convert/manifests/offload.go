package manifests

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/internal/lists"
)

// offloads are the choices of what keeps KV blocks outside of the accelerators' memory, and of
// the role that a server has in KV transfer.
func (s *sources) offloads(t *trial, r role) [][]proposal {
	choices := one("spec."+r.name+".kvRole", "kv_both")
	offload := s.connectorOffload(r)
	switch {
	case offload != nil:
	case r.number("hicache-size") != nil:
		offload = object{"cpuMemory": r.times(r.number("hicache-size"), 1e9)}
		if dir := r.variable("SGLANG_HICACHE_FILE_BACKEND_STORAGE_DIR"); dir != "" {
			offload["secondaryTiers"] = []any{s.tier(r, 0, dir)}
		}
	default:
		return [][]proposal{choices}
	}
	var offloads []proposal
	for _, to := range []string{"spec.kvCache.offload", "spec." + r.name + ".offload"} {
		instead := proposal{to: offload}
		for _, section := range []string{"spec.server.", "spec." + r.name + "."} {
			for _, field := range []string{"args", "env", "volumes", "volumeMounts"} {
				if have := list(plain(node(at(t.stack, steps(section+field)...)))); have != nil {
					instead[section+field] = slices.DeleteFunc(have, offloading)
				}
			}
		}
		offloads = append(offloads, proposal{to: offload}, instead)
	}
	return [][]proposal{choices, offloads}
}

// offloading reports whether an argument, variable, volume or mount is among those that a stack
// makes for what is offloaded.
func offloading(e any) bool {
	name := cmp.Or(text(e, "name"), text(e))
	prefixes := []string{"--kv-transfer-config=", "--hicache-", "--enable-hierarchical-cache", "PYTHONHASHSEED", "LMCACHE_", "MOONCAKE_", "SGLANG_HICACHE_", "kv-cache-", "mooncake-config"}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// aConnector is vLLM's --kv-transfer-config, as far as it says what is offloaded.
type aConnector struct {
	Name  string `json:"kv_connector"`
	Extra struct {
		Bytes     int64        `json:"cpu_bytes_to_use"`
		Policy    string       `json:"eviction_policy"`
		BlockSize int          `json:"block_size"`
		Inner     []aConnector `json:"connectors"`
		Tiers     []struct {
			Root  string `json:"root_dir"`
			Read  int    `json:"n_read_threads"`
			Write int    `json:"n_write_threads"`
		} `json:"secondary_tiers"`
	} `json:"kv_connector_extra_config"`
}

// connectorOffload is what vLLM's connectors keep, or nil.
func (s *sources) connectorOffload(r role) object {
	for _, value := range r.flag("kv-transfer-config") {
		var whole aConnector
		if json.Unmarshal([]byte(value), &whole) != nil {
			continue
		}
		for _, c := range append(whole.Extra.Inner, whole) {
			switch {
			case c.Extra.Bytes > 0:
				return s.nativeOffload(r, c)
			case strings.HasPrefix(c.Name, "LMCache"):
				return s.lmcacheOffload(r)
			case strings.HasPrefix(c.Name, "MooncakeStore"):
				return s.storeOffload(r)
			}
		}
	}
	return nil
}

func (s *sources) nativeOffload(r role, c aConnector) object {
	out := object{"cpuMemory": resource.NewQuantity(c.Extra.Bytes, resource.BinarySI).String()}
	if c.Extra.Policy != "" {
		out["evictionPolicy"] = c.Extra.Policy
	}
	if c.Extra.BlockSize > 0 {
		out["blockSize"] = c.Extra.BlockSize
	}
	var tiers []any
	for i, t := range c.Extra.Tiers {
		tier := s.tier(r, i, t.Root)
		if t.Read > 0 {
			tier["readThreads"] = t.Read
		}
		if t.Write > 0 {
			tier["writeThreads"] = t.Write
		}
		tiers = append(tiers, tier)
	}
	if tiers != nil {
		out["secondaryTiers"] = tiers
	}
	return out
}

func (s *sources) lmcacheOffload(r role) object {
	out := object{"connector": "lmcache", "cpuMemory": r.times(r.variable("LMCACHE_MAX_LOCAL_CPU_SIZE"), 1<<30)}
	if policy := r.variable("LMCACHE_CACHE_POLICY"); policy != "" {
		out["evictionPolicy"] = strings.ToLower(policy)
	}
	if dir := r.variable("LMCACHE_LOCAL_DISK"); dir != "" {
		out["secondaryTiers"] = []any{s.tier(r, 0, strings.TrimPrefix(dir, "file://"))}
	}
	return out
}

// storeOffload is that of a Mooncake store, whose file is in a ConfigMap.
func (s *sources) storeOffload(r role) object {
	for _, m := range s.g.of("ConfigMap") {
		var file struct {
			Metadata string `json:"metadata_server"`
			Master   string `json:"master_server_address"`
			Segment  int64  `json:"global_segment_size"`
			Buffer   int64  `json:"local_buffer_size"`
			Protocol string `json:"protocol"`
			Device   string `json:"device_name"`
		}
		if json.Unmarshal([]byte(text(m.what, "data", "mooncake_config.json")), &file) != nil || file.Segment == 0 {
			continue
		}
		store := object{"masterAddress": file.Master, "protocol": file.Protocol,
			"localBuffer": resource.NewQuantity(file.Buffer, resource.BinarySI).String()}
		if strings.Contains(file.Metadata, "://") {
			store["metadataServer"] = file.Metadata
		}
		if file.Device != "" {
			store["deviceName"] = file.Device
		}
		return object{"connector": "mooncake", "cpuMemory": r.times(file.Segment, 1), "mooncake": store}
	}
	return nil
}

// times is a size for all accelerators of a rank, of one for each in some unit.
func (r role) times(each any, unit float64) string {
	n, _ := strconv.ParseFloat(text(each), 64)
	for _, flags := range [][]string{{"tensor-parallel-size", "tp", "tp-size"}, {"pipeline-parallel-size", "pp-size"}} {
		if m, ok := r.number(flags...).(int); ok {
			n *= float64(m)
		}
	}
	return resource.NewQuantity(int64(n*unit), resource.BinarySI).String()
}

// variable is the value of an environment variable of the server.
func (r role) variable(name string) string {
	return text(lists.First(list(r.main["env"]), func(e any) bool { return text(e, "name") == name }), "value")
}

// tier is the volume of a directory with KV blocks.
func (s *sources) tier(r role, i int, dir string) object {
	dir = path.Clean(dir)
	out := object{}
	if dir != "/mnt/kv-cache-"+strconv.Itoa(i) {
		out["mountPath"] = dir
	}
	for _, m := range list(r.main["volumeMounts"]) {
		if path.Clean(text(m, "mountPath")) != dir {
			continue
		}
		if sub := text(m, "subPath"); sub != "" {
			out["path"] = sub
		}
		for _, v := range list(at(r.pod, "spec", "volumes")) {
			if text(v, "name") == text(m, "name") {
				s.tierVolume(out, v)
			}
		}
	}
	return out
}

func (s *sources) tierVolume(out object, v any) {
	claim := at(v, "ephemeral", "volumeClaimTemplate", "spec")
	name := text(v, "persistentVolumeClaim", "claimName")
	switch {
	case claim != nil:
		out["type"] = "ephemeral"
	case name != "":
		out["type"], out["existingClaim"] = "pvc", name
		for _, m := range s.g.of("PersistentVolumeClaim") {
			if m.ref.Name == name {
				claim = at(m.what, "spec")
				delete(out, "existingClaim")
				out["name"] = name
			}
		}
	default:
		out["size"] = at(v, "emptyDir", "sizeLimit")
	}
	for field, value := range map[string]any{"size": at(claim, "resources", "requests", "storage"), "storageClassName": at(claim, "storageClassName"), "accessMode": at(claim, "accessModes", "")} {
		if value != nil {
			out[field] = value
		}
	}
}
