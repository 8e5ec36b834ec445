package wiring

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"
)

// A tier is a directory to which a server offloads KV blocks.
type tier struct {
	dir string
	// bytes that are kept there at most, or 0 where nothing is counted.
	bytes int64
	// at is where the directory or its size is written.
	at field
}

// eachTier visits the directories of all servers.
func eachTier(g *G, visit func(p *Pods, c *container, t tier)) {
	eachContainer(g, func(p *Pods, c *container) {
		for _, t := range c.tiers() {
			visit(p, c, t)
		}
	})
}

// tiers are the directories that the container's server is told of, as far as they are
// written as they are.
func (c *container) tiers() (out []tier) {
	if f, given := c.given("kv-transfer-config"); given && c.isVLLM() {
		var config tiered
		if text := c.flag("kv-transfer-config"); !templated(text) && json.Unmarshal([]byte(text), &config) == nil {
			for _, dir := range config.dirs() {
				out = append(out, tier{dir: dir, at: f.at})
			}
		}
	}
	if dir := c.env["SGLANG_HICACHE_FILE_BACKEND_STORAGE_DIR"].at("value"); dir.is() {
		out = append(out, tier{dir: dir.text(), at: dir})
	}
	if dir := c.env["LMCACHE_LOCAL_DISK"].at("value"); dir.is() {
		disk := c.env["LMCACHE_MAX_LOCAL_DISK_SIZE"].at("value")
		t := tier{dir: strings.TrimPrefix(dir.text(), "file://"), at: dir}
		if gibibytes, err := strconv.ParseFloat(disk.text(), 64); err == nil && gibibytes < 1<<30 {
			count, _ := devices(c)
			t.bytes, t.at = int64(gibibytes*float64(max(1, count))*(1<<30)), disk
		}
		out = append(out, t)
	}
	return out
}

// tiered is the part of vLLM's --kv-transfer-config that names directories (vLLM 0.30
// docs/features/kv_offloading_usage.md).
type tiered struct {
	Extra struct {
		Tiers []struct {
			Type string `json:"type"`
			Root string `json:"root_dir"`
		} `json:"secondary_tiers"`
		Connectors []tiered `json:"connectors"`
	} `json:"kv_connector_extra_config"`
}

func (t tiered) dirs() (out []string) {
	for _, one := range t.Extra.Tiers {
		if one.Type == "fs" && path.IsAbs(one.Root) {
			out = append(out, one.Root)
		}
	}
	for _, c := range t.Extra.Connectors {
		out = append(out, c.dirs()...)
	}
	return out
}

// volumeAt returns the mount under which a directory of the container is, and its volume.
func (p *Pods) volumeAt(c *container, dir string) (mount, volume field) {
	mount = c.mountOf(path.Clean(dir))
	for _, v := range p.spec.at("volumes").list() {
		if mount.is() && v.at("name").text() == mount.at("name").text() {
			volume = v
		}
	}
	return mount, volume
}
