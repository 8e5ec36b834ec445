package helm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	catalogue "github.com/inferstack/inferstack/release"
)

const cacheSection = "spec.kvCache"

// follow takes what servers and EPP have to agree on out of the servers' command lines and
// variables, where the EPP follows their caches: a stack writes it on both sides.
func (r *release) follow() {
	if r.model == nil || !r.follows() {
		return
	}
	for _, e := range []struct {
		name   string
		values *Role
	}{{"decode", r.model.Decode}, {"prefill", r.model.Prefill}} {
		if e.values == nil || !create(e.values) || len(e.values.Containers) == 0 {
			continue
		}
		c := &e.values.Containers[0]
		if c.ModelCommand == "vllmServe" || c.ModelCommand == "imageDefault" {
			r.eventFlags(c, e.name+".containers[0].args")
		}
		r.eventVariables(c, e.name+".containers[0].env")
	}
}

// follows reports whether the EPP's configuration has a plugin that follows the caches.
func (r *release) follows() bool {
	if r.pool == nil {
		return false
	}
	ext := &r.pool.InferenceExtension
	file := draft.Unless(ext.PluginsConfigFile, defaultFile)
	if text, custom := ext.PluginsCustomConfig[file]; custom {
		var config map[string]any
		return yaml.Unmarshal([]byte(text), &config) == nil && following(config)
	}
	if r.router != nil && len(r.router.Router.EPP.PluginsConfig) > 0 {
		return following(r.router.Router.EPP.PluginsConfig)
	}
	return r.own && olderFiles[file] == precisePreset
}

func following(config map[string]any) bool {
	plugins, _ := config["plugins"].([]any)
	return trackingOf(config) != nil || slices.ContainsFunc(plugins, func(e any) bool {
		plugin, _ := e.(map[string]any)
		typ, _ := plugin["type"].(string)
		return slices.ContainsFunc(catalogue.Names(), func(name string) bool {
			line, err := catalogue.Load(name)
			return err == nil && line.EPP.Plugin(typ) != nil && line.EPP.Plugin(typ).FollowsEvents
		})
	})
}

// eventFlags are the block size and the way of the events.
func (r *release) eventFlags(c *Container, from string) {
	line := serving.ReadLine(c.Args)
	if size, ok := line.Take("block-size"); ok {
		r.agree("blockSize", serving.Scalar(size), from)
	}
	if text, ok := line.Take("kv-events-config"); ok {
		var config struct {
			Endpoint string `json:"endpoint"`
		}
		err := json.Unmarshal([]byte(text), &config)
		port, bound := strings.CutPrefix(config.Endpoint, "tcp://*:")
		if n, bad := strconv.Atoi(port); bound && err == nil && bad == nil {
			r.msPart.Set(cacheSection+".events.port", n, from)
		}
		r.msPart.On(cacheSection, from).Dropped().Note("--kv-events-config: left out, since it follows from kvCache.events")
	}
	c.Args = line.Words()
}

// eventVariables are the seed of the hashes and the address by which a server is known.
func (r *release) eventVariables(c *Container, from string) {
	c.Env = slices.DeleteFunc(slices.Clone(c.Env), func(e corev1.EnvVar) bool {
		switch {
		case e.Name == "PYTHONHASHSEED" && e.ValueFrom == nil:
			r.agree("hashSeed", e.Value, from)
		case e.Name == "POD_IP" && e.ValueFrom != nil && e.ValueFrom.FieldRef != nil && e.ValueFrom.FieldRef.FieldPath == "status.podIP":
			r.msPart.On(cacheSection, from).Dropped().Note("POD_IP: left out, since the stack sets it for the events")
		default:
			return false
		}
		return true
	})
}

// agree writes what the EPP and the servers share. Where two of them differ, no request found the
// prefix that it shares with another.
func (r *release) agree(field string, value any, from string) {
	to := cacheSection + "." + field
	want := fmt.Sprint(value)
	if have := r.Text(to); have != "" && have != want {
		r.msPart.On(to, from).Dropped().Warn("left out: %s is %s here and %s elsewhere, with which no request finds the prefix that it shares; all have %s now", field, want, have, have)
		return
	}
	r.msPart.Set(to, value, from)
}

// differs says where the EPP wants something else than the servers said.
func (r *release) differs(p *draft.Part, field string, value any, from string) {
	if have := r.Text(cacheSection + "." + field); have != "" && have != fmt.Sprint(value) {
		p.On(cacheSection+"."+field, from).Warn("%s is %v here and %s on the servers, with which no request finds the prefix that it shares; all have %v now", field, value, have, value)
	}
}
