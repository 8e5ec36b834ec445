package wiring

import (
	"path"
	"strings"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/release"
)

// An epp is an endpoint picker: the container and the pods it is in.
type epp struct {
	*container
	pods *Pods
	// catalogue is the release line of the image, nil when its version is not known.
	catalogue *release.Line
	// config is the EndpointPickerConfig and the place it is written, when it is among
	// the objects.
	config   field
	configAt *Object
	// configText is the scalar that holds its text.
	configText field
	// judgement is what was found in it, once that was asked for.
	judgement *[]eppconfig.Finding
}

// A trade is what a container does in a stack.
type trade struct{ epp, sidecar, simulator, render, vllm, server bool }

// learn finds out what the container does, which rules ask many times.
func (c *container) learn() {
	c.trade.render = c.has("launch render")
	c.trade.simulator = c.imageIs("llm-d-inference-sim")
	_, flags := c.given("model-server-port", "vllm-port")
	c.trade.sidecar = flags || release.Runs(c.image, "sidecar")
	_, pool := c.given("pool-name", "endpoint-selector", "poolName")
	c.trade.epp = !c.trade.sidecar && !c.init && (pool || release.Runs(c.image, "endpoint-picker"))
	other := c.trade.render || c.trade.simulator || c.trade.sidecar || c.trade.epp || c.init
	c.trade.vllm = !other && (c.has("vllm serve") || c.has("vllm.entrypoints.openai.api_server") ||
		c.imageIs("/vllm-openai", "/vllm-tpu", "/vllm-gaudi", "vllm/vllm", "llm-d/llm-d-cuda", "llm-d/llm-d-xpu", "llm-d/llm-d-rocm", "llm-d/llm-d-cpu", "llm-d/llm-d-aws"))
	c.trade.server = !c.init && (c.trade.simulator || c.trade.vllm || c.isSGLang() || c.isTRTLLM())
}

// isEPP knows the picker by its image or by the flags that only it has.
func (c *container) isEPP() bool { return c.trade.epp }

// isSidecar knows llm-d's routing proxy of prefill and decode.
func (c *container) isSidecar() bool { return c.trade.sidecar }

func (c *container) isSimulator() bool { return c.trade.simulator }

// isRender is vLLM's tokenizer service, which serves no model.
func (c *container) isRender() bool { return c.trade.render }

// isVLLM is a vLLM server, by its command or its image.
func (c *container) isVLLM() bool { return c.trade.vllm }

func (c *container) isServer() bool { return c.trade.server }

func (c *container) isSGLang() bool {
	return c.has("sglang.launch_server") || c.imageIs("lmsysorg/sglang")
}

func (c *container) isTRTLLM() bool {
	return c.has("trtllm-serve") || c.imageIs("tensorrt-llm/release")
}

// server is the container that serves the model, nil when there is none.
func (p *Pods) server() *container {
	return lists.First(p.containers, (*container).isServer)
}

// sidecar is the routing proxy, nil when there is none.
func (p *Pods) sidecar() *container {
	return lists.First(p.containers, (*container).isSidecar)
}

// roleLabel says what part of disaggregated serving a pod takes.
const roleLabel = "llm-d.ai/role"

// prefills, decodes and encodes say what the roles of the label do (llm-d-router v0.10
// pkg/epp/framework/plugins/scheduling/filter): without a label a pod decodes.
func (p *Pods) prefills() bool {
	role := p.labels[roleLabel]
	return strings.Contains(role, "prefill") || role == "both"
}

func (p *Pods) decodes() bool {
	role := p.labels[roleLabel]
	return strings.Contains(role, "decode") || role == "both" || role == ""
}

func (p *Pods) encodes() bool { return strings.Contains(p.labels[roleLabel], "encode") }

var versionTag = pattern.Lazy(`:v?(\d+)\.(\d+)\.\d+`)

// version is the image's tag as major.minor, "" when it is none.
func (c *container) version() string {
	m := versionTag().FindStringSubmatch(c.image)
	if m == nil {
		return ""
	}
	return m[1] + "." + m[2]
}

// releaseLine is the line of an llm-d image. An image of another version has none: what
// is true of its neighbours need not be true of it.
func (c *container) releaseLine(kind string) *release.Line {
	if !strings.Contains(c.image, "llm-d-") || !release.Runs(c.image, kind) {
		return nil
	}
	line, err := release.Load(c.version())
	if err != nil {
		return nil
	}
	return line
}

func (g *G) findEPPs() {
	for _, p := range g.Pods {
		for _, c := range p.containers {
			if c.isEPP() {
				e := &epp{container: c, pods: p, catalogue: c.releaseLine("endpoint-picker")}
				e.findConfig(g)
				g.epps = append(g.epps, e)
			}
		}
	}
}

// findConfig follows --config-file to the key of the ConfigMap that is mounted there.
func (e *epp) findConfig(g *G) {
	if text, ok := e.given("config-text"); ok {
		e.configText = field{node: scalar(text.value), parent: text.at.line()}
		e.config, e.configAt = e.configText.embedded(), e.pods.Object
		e.config.offset = text.at.line() - 1
		return
	}
	file := e.flag("config-file")
	if m, key := g.mounted(e.pods, e.container, file); m != nil {
		e.configText = m.at("data", key)
		e.config, e.configAt = e.configText.embedded(), m
	}
}

// mounted is the ConfigMap that holds a file of a container, and the key.
func (g *G) mounted(pods *Pods, c *container, file string) (*Object, string) {
	mount := c.mountOf(file)
	for _, v := range pods.spec.at("volumes").list() {
		source := v.at("configMap")
		if v.at("name").text() != mount.at("name").text() || !source.is() {
			continue
		}
		key := path.Base(file)
		for _, item := range source.at("items").list() {
			if item.at("path").text() == key {
				key = item.at("key").text()
			}
		}
		return g.Object(Ref{Kind: "ConfigMap", Namespace: pods.Namespace, Name: source.at("name").text()}), key
	}
	return nil, ""
}

// mountOf is the volume mount that the file is in.
func (c *container) mountOf(file string) field {
	best, length := field{parent: c.line()}, 0
	for _, m := range c.at("volumeMounts").list() {
		at := path.Clean(m.at("mountPath").text())
		if (file == at || strings.HasPrefix(file, at+"/")) && len(at) > length {
			best, length = m, len(at)
		}
	}
	return best
}

// given is the first of the flags that is there, in the spelling with hyphens or in the
// one before it (poolName).
func (e *epp) given(names ...string) (flag, bool) {
	for _, name := range names {
		if f, ok := e.container.given(name, camel(name)); ok {
			return f, true
		}
	}
	return flag{at: e.container.field}, false
}

func (e *epp) flag(names ...string) string {
	f, _ := e.given(names...)
	return f.value
}

func (e *epp) port(otherwise int, names ...string) (port int, known bool) {
	var all []string
	for _, name := range names {
		all = append(all, name, camel(name))
	}
	return e.container.port(otherwise, all...)
}

func (e *epp) on(name string, otherwise bool) bool {
	if _, ok := e.flags[camel(name)]; ok {
		name = camel(name)
	}
	return e.container.on(name, otherwise)
}

// camel is pool-name as poolName.
func camel(name string) string {
	var out strings.Builder
	for i, word := range strings.Split(name, "-") {
		if i > 0 && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		out.WriteString(word)
	}
	return out.String()
}

// leads reports whether leader election is on.
func (e *epp) leads() bool { return e.on("ha-enable-leader-election", false) }

// pool is the InferencePool among the objects that the EPP picks for.
func (e *epp) pool(g *G) *Object {
	name := e.flag("pool-name")
	if name == "" {
		return nil
	}
	return g.Object(Ref{Kind: "InferencePool", Namespace: e.poolNamespace(), Name: name})
}

// poolNamespace is the one that the flag or the variable NAMESPACE says, or the pod's own.
// Without either the EPP looks in "default" (llm-d-router v0.10 cmd/epp/runner).
func (e *epp) poolNamespace() string {
	if ns := e.flag("pool-namespace"); ns != "" && !templated(ns) {
		return ns
	}
	return e.pods.Namespace
}
