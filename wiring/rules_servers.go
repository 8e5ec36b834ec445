package wiring

import (
	"slices"
	"strconv"
	"strings"
)

// accelerators are the extended resources that count devices.
var accelerators = []string{"nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe", "habana.ai/gaudi", "rebellions.ai/ATOM"}

var serverRules = []Rule{
	{
		ID: "accelerator-count", Severity: Error,
		Doc: "vLLM is told to spread the model over more devices than its container gets: tensor times pipeline times local data parallelism. " +
			"It ends at start. A server that is spread over a LeaderWorkerSet's group, by Ray or --nnodes, has the devices of all its pods. TPUs " +
			"are left out, where a chip may hold several.",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			if c.spread() && p.group.is() {
				p.judgeGroup(r, c)
				return
			}
			have, at := devices(c)
			if need, known := c.devicesNeeded(); known && have > 0 && need > have {
				r.add(p.place(at), Ref{}, "%s needs %d devices and gets %d", c.name, need, have).fix("ask for %d, or lower --tensor-parallel-size", need)
			}
		}},
	},
	{
		ID: "group-ranks", Severity: Error,
		Doc: "The data-parallel ranks of a LeaderWorkerSet's group are not those of its pods: --data-parallel-size is another number than " +
			"leaderWorkerTemplate.size times --data-parallel-size-local. vLLM waits for ranks that nobody starts, or a pod has ranks that do not exist.",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			size, sized := p.size()
			all, given := c.given("data-parallel-size", "dp")
			local, givenLocal := c.given("data-parallel-size-local", "dpl")
			n, err := strconv.Atoi(all.value)
			each, err2 := strconv.Atoi(local.value)
			several := p.group.at("leaderWorkerTemplate", "leaderTemplate").is()
			if !p.group.is() || !sized || several || !given || !givenLocal || err != nil || err2 != nil || n == size*each {
				return
			}
			r.add(p.place(all.at), Ref{}, "%s wants %d data-parallel ranks, and the group has %d pods with %d each", c.name, n, size, each).
				fix("set --data-parallel-size=%d, or change leaderWorkerTemplate.size", size*each)
		}},
	},
	{
		ID: "accelerator-idle", Severity: Warning,
		Doc: "A container gets more devices than vLLM is told to use. The rest is paid for and idle.",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			have, at := devices(c)
			if need, known := c.devicesNeeded(); known && have > need && !p.group.is() {
				r.add(p.place(at), Ref{}, "%s gets %d devices and uses %d", c.name, have, need).fix("ask for %d, or set --tensor-parallel-size=%d", need, have)
			}
		}},
	},
	{
		ID: "simulator-tokenizer", Severity: Warning,
		Doc: "The simulator from 0.9 on asks a render service to split prompts when the model's name looks like one of Hugging Face, by " +
			"default at localhost:8082. Without one it fails (llm-d-router#2887).",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			for _, c := range p.containers {
				if !c.isSimulator() || c.known == nil || c.known.Value("asks-render-service") == "" || !strings.Contains(c.flag("model"), "/") {
					continue
				}
				_, dummy := c.given("force-dummy-tokenizer")
				_, url := c.given("render-url")
				if !dummy && !url && !slices.ContainsFunc(p.containers, (*container).isRender) {
					r.add(p.place(c.at("args")), Ref{}, "the simulator looks for a render service for %s", c.flag("model")).fix("add --force-dummy-tokenizer, or --render-url")
				}
			}
		}},
	},
	engineLabelRule,
	{
		ID: "model-name", Severity: Error,
		Doc: "Servers of one pool serve different models under different names. The pool's requests go to any of them, and those with " +
			"another model's name are answered with 404.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			var first *Pods
			for _, p := range g.selected(pool, poolSelector(pool)) {
				name := p.model()
				switch {
				case name == "" || templated(name):
				case first == nil:
					first = p
				case first.model() != name:
					r.add(pool.in("spec", "selector"), p.Ref, "%s serves %s, and %s %s", p.Ref, name, first.Ref, first.model()).fix("select by a label that tells the models apart")
				}
			}
		}},
	},
}

func eachVLLM(g *G, visit func(p *Pods, c *container)) {
	eachContainer(g, func(p *Pods, c *container) {
		if c.isVLLM() {
			visit(p, c)
		}
	})
}

// devices that the container gets, and where it says so.
func devices(c *container) (int, field) {
	limits := c.at("resources", "limits")
	for _, name := range accelerators {
		if n, ok := limits.at(name).number(); ok {
			return n, limits.at(name)
		}
	}
	return 0, limits
}

// devicesNeeded by the parallelism; known is false when a value cannot be told.
func (c *container) devicesNeeded() (n int, known bool) {
	n = 1
	for _, names := range [][]string{{"tensor-parallel-size", "tp", "tensor_parallel_size"}, {"pipeline-parallel-size", "pp"}, {"data-parallel-size-local", "dpl"}} {
		size, ok := c.port(1, names...)
		if !ok {
			return 0, false
		}
		n *= size
	}
	if _, local := c.given("data-parallel-size-local"); !local && !c.rankOfMany() {
		size, ok := c.port(1, "data-parallel-size", "dp")
		return n * size, ok
	}
	if nodes, _ := strconv.Atoi(c.flag("nnodes")); nodes > 1 {
		return 0, false
	}
	return n, true
}

// judgeGroup holds a server that is spread over the pods of its group against their devices.
func (p *Pods) judgeGroup(r *report, c *container) {
	have, at := devices(c)
	_, sized := p.size()
	tensor, ok := c.port(1, "tensor-parallel-size", "tp")
	pipeline, ok2 := c.port(1, "pipeline-parallel-size", "pp")
	all := p.groupDevices(c)
	if need := tensor * pipeline; sized && ok && ok2 && have > 0 && need > all {
		r.add(p.place(at), Ref{}, "%s needs %d devices, and all pods of its group have %d", c.name, need, all).
			fix("ask for more in each pod, raise leaderWorkerTemplate.size, or lower --tensor-parallel-size")
	}
}

// spread says that the server uses the devices of several nodes.
func (c *container) spread() bool {
	nodes, given := c.given("nnodes")
	n, err := strconv.Atoi(nodes.value)
	if given && (err != nil || n > 1) {
		return true
	}
	return c.flag("distributed-executor-backend") == "ray" || slices.ContainsFunc(c.words, func(word string) bool {
		return word == "ray" || strings.HasPrefix(word, "--ray_") || strings.HasPrefix(word, "--ray-")
	})
}

// rankOfMany says that the server is one rank of several, or spread over nodes.
func (c *container) rankOfMany() bool {
	_, ok := c.given("data-parallel-rank", "data-parallel-address", "data-parallel-external-lb", "nnodes", "distributed-executor-backend")
	return ok
}

// model is the first name under which the pods serve.
func (p *Pods) model() string {
	c := p.server()
	if c == nil {
		return ""
	}
	if name := c.flag("served-model-name", "model"); name != "" {
		return name
	}
	for i, w := range c.words {
		if w == "serve" && i+1 < len(c.words) && !strings.HasPrefix(c.words[i+1], "-") {
			return c.words[i+1]
		}
	}
	return ""
}
