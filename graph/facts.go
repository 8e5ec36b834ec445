package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/wiring"
)

// describe writes what is worth knowing of each node.
func (b *builder) describe() {
	needs := b.needs()
	for _, n := range b.picture.Nodes {
		switch {
		case n.State == wiring.Missing:
			n.Facts = append(n.Facts, "missing")
		case n.State == wiring.Prerequisite:
			n.Facts = append(n.Facts, "must already exist")
			if n.Ref.Kind == "Gateway" {
				n.Facts = append(n.Facts, nonempty("in namespace ", n.Ref.Namespace)...)
			}
		case n.Object != nil:
			n.Facts = append(facts(n), shorten(needs[n], 2)...)
			n.Facts = append(n.Facts, b.omits(n)...)
		}
		if n.State == wiring.Present {
			n.Kind = prefix(n) + n.Kind
		}
	}
}

// prefix is what a node's role adds to its kind.
func prefix(n *Node) string {
	switch n.Role {
	case Picker:
		return "Endpoint picker · "
	case Filter:
		return "ext_proc · "
	case Prefill:
		return "Prefill · "
	case Encode:
		return "Encode · "
	case Server:
		if n.Ref.Kind == "DisaggregatedSet" {
			return "Model servers · "
		}
		if n.traits.Sidecar {
			return "Decode · "
		}
		return "Model server · "
	}
	return ""
}

func facts(n *Node) []string {
	o := read(n.Object)
	spec := o.at("spec")
	switch n.Ref.Kind {
	case "Gateway":
		return gatewayFacts(spec)
	case "HTTPRoute", "GRPCRoute":
		return routeFacts(spec)
	case "InferencePool":
		return poolFacts(spec)
	case "Service":
		return servicePorts(spec)
	case "PersistentVolumeClaim":
		return nonempty(spec.at("resources", "requests", "storage").text())
	case "HorizontalPodAutoscaler":
		return []string{spec.at("minReplicas").or("1") + "–" + spec.at("maxReplicas").text() + " replicas"}
	case "ScaledObject":
		return []string{spec.at("minReplicaCount").or("0") + "–" + spec.at("maxReplicaCount").or("100") + " replicas"}
	}
	if workloads[n.Ref.Kind] {
		return workloadFacts(n, spec)
	}
	return nil
}

func gatewayFacts(spec value) []string {
	out := nonempty("class ", spec.at("gatewayClassName").text())
	for _, l := range spec.at("listeners").list() {
		out = append(out, l.at("protocol").text()+" :"+l.at("port").text()+suffix(" ", l.at("hostname").text()))
	}
	return shorten(out, 3)
}

func routeFacts(spec value) []string {
	out := lists.Map(spec.at("hostnames").list(), value.text)
	out = shorten(out, 2)
	var paths []string
	for _, r := range spec.at("rules").list() {
		for _, m := range r.at("matches").list() {
			if p := m.at("path", "value").text(); p != "" && p != "/" && !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	return slices.Concat(out, shorten(paths, 2), shorten(shares(spec), 4))
}

// shares are the parts of the traffic that a route's backends get, where it is split.
func shares(spec value) (out []string) {
	for _, r := range spec.at("rules").list() {
		backends := r.at("backendRefs").list()
		weights, sum := make([]float64, len(backends)), 0.0
		for i, b := range backends {
			weights[i], _ = strconv.ParseFloat(b.at("weight").or("1"), 64)
			sum += weights[i]
		}
		for i, b := range backends {
			if len(backends) > 1 && sum > 0 {
				out = append(out, fmt.Sprintf("%.3g %% to %s", 100*weights[i]/sum, b.at("name").text()))
			}
		}
	}
	return out
}

func poolFacts(spec value) []string {
	ports := lists.Map(spec.at("targetPorts").list(), func(p value) string { return ":" + p.at("number").text() })
	if len(ports) == 0 {
		ports = nonempty(":", spec.at("targetPortNumber").text())
	}
	if len(ports) > 3 {
		ports = []string{ports[0] + "–" + ports[len(ports)-1]}
	}
	out := nonempty("pods ", strings.Join(ports, " "))
	if mode := spec.at("endpointPickerRef", "failureMode").text(); mode == "FailOpen" {
		out = append(out, "without picker: any pod")
	}
	return out
}

func servicePorts(spec value) []string {
	ports := lists.Map(spec.at("ports").list(), func(p value) string { return p.at("port").text() })
	return nonempty("port ", strings.Join(shorten(ports, 4), ", "))
}

// templates are where the pods of a kind are described.
func templates(kind string, spec value) value {
	switch kind {
	case "Pod":
		return spec
	case "CronJob":
		return spec.at("jobTemplate", "spec", "template", "spec")
	case "LeaderWorkerSet":
		return spec.at("leaderWorkerTemplate", "workerTemplate", "spec")
	default:
		return spec.at("template", "spec")
	}
}

// setFacts are how many servers of each role a DisaggregatedSet has.
func setFacts(n *Node, spec value) []string {
	var out []string
	for _, role := range spec.at("roles").list() {
		groups := role.at("spec")
		size := groups.at("replicas").or("1")
		if nodes := groups.at("leaderWorkerTemplate", "size").or("1"); nodes != "1" {
			size += "×" + nodes + " pods"
		}
		size += suffix("×", devicesOf(templates("LeaderWorkerSet", groups)))
		out = append(out, role.at("name").text()+" "+size)
	}
	out = append(out, nonempty("slices: ", spec.at("slices").text())...)
	return append(out, nonempty(n.traits.Engine+suffix(" · ", imageName(n.traits.Image)))...)
}

func workloadFacts(n *Node, spec value) []string {
	if n.Ref.Kind == "DisaggregatedSet" {
		return setFacts(n, spec)
	}
	size := n.replicas(spec)
	if n.Ref.Kind == "LeaderWorkerSet" {
		size += "×" + spec.at("leaderWorkerTemplate", "size").or("1") + " pods"
	}
	devices := devicesOf(templates(n.Ref.Kind, spec))
	switch {
	case devices != "":
		size += "×" + devices
	case size == "1":
		size = ""
	case n.Ref.Kind != "LeaderWorkerSet":
		size += " replicas"
	}
	out := nonempty(n.traits.Engine + suffix(" · ", size))
	if n.traits.Engine == "" {
		out = nonempty(size)
	}
	return append(out, nonempty(imageName(n.traits.Image))...)
}

// replicas are as many as are written, or the range in which an autoscaler decides.
func (n *Node) replicas(spec value) string {
	for _, o := range n.Holds {
		if o.Kind == "HorizontalPodAutoscaler" || o.Kind == "ScaledObject" {
			return strings.TrimSuffix(facts(&Node{Object: o, Ref: o.Ref})[0], " replicas")
		}
	}
	return spec.at("replicas").or("1")
}

// devicesOf counts the devices that a pod's containers are given.
func devicesOf(pods value) string {
	for _, c := range pods.at("containers").list() {
		limits := c.at("resources", "limits")
		for _, name := range limits.keys() {
			if domain, device, ok := strings.Cut(name, "/"); ok && domain != "rdma" && !strings.Contains(device, "rdma") {
				return limits.at(name).text() + " " + name
			}
		}
	}
	if len(pods.at("resourceClaims").list()) > 0 {
		return "resource claim"
	}
	return ""
}

// imageName is an image without its registry and digest.
func imageName(image string) string {
	image, _, _ = strings.Cut(image, "@")
	return image[strings.LastIndex(image, "/")+1:]
}

// needs are what must already exist, by the nodes that need it.
func (b *builder) needs() map[*Node][]string {
	type need struct {
		*Node
		text string
	}
	out := map[*Node][]string{}
	known := map[need]bool{}
	for _, e := range b.g.Edges {
		_, stands := standing[e.To.Kind]
		if e.State != wiring.Prerequisite || b.all || stands || e.To.Kind == "GatewayClass" {
			continue
		}
		one := need{b.node(e.From), fmt.Sprintf("needs %s %s", e.To.Kind, e.To.Name)}
		if one.Node != nil && !known[one] {
			known[one], out[one.Node] = true, append(out[one.Node], one.text)
		}
	}
	return out
}

// omits says how many edges of an object that selects very many others are not drawn.
func (b *builder) omits(n *Node) []string {
	omitted := b.g.Unlinked(n.Object)
	if omitted == 0 {
		return nil
	}
	b.picture.Omitted += omitted
	return []string{fmt.Sprintf("selects %d more", omitted)}
}

// shorten keeps the first so many and says how many more there are.
func shorten(items []string, most int) []string {
	if len(items) <= most {
		return items
	}
	return append(slices.Clone(items[:most-1]), fmt.Sprintf("and %d more", len(items)-most+1))
}

// nonempty is the parts put together, or nothing when the last is empty.
func nonempty(parts ...string) []string {
	if parts[len(parts)-1] == "" {
		return nil
	}
	return []string{strings.Join(parts, "")}
}

// suffix is a text with what joins it, when there is one.
func suffix(join, text string) string {
	if text == "" {
		return ""
	}
	return join + text
}

// or is the text, or what stands for it when there is none.
func (v value) or(otherwise string) string {
	return cmp.Or(v.text(), otherwise)
}
