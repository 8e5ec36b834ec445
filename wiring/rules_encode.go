package wiring

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
)

var encodeRules = []Rule{
	{
		ID: "encode-sidecar", Severity: Error,
		Doc: "A pool has encode pods, and the routing sidecar of decode pods is started without --ec-connector, or with an empty one. It passes over the encode pod that " +
			"was chosen, and the servers encode for themselves.",
		each: visit3[*Pods, *Pods, bool]{eachEncoded, func(g *G, r *report, encode, other *Pods, _ bool) {
			c := other.sidecar()
			if c == nil {
				return
			}
			_, file := c.given("configuration", "configuration-file")
			connector, said := c.given("ec-connector")
			if file || connector.value != "" {
				return
			}
			at := c.at("args")
			if said {
				at = connector.at
			}
			r.add(other.place(at), encode.Ref, "the routing sidecar leaves out the encode servers of its pool").fix("start it with --ec-connector=ec-nixl, or ec-example, as the servers exchange embeddings")
		}},
	},
	{
		ID: "ec-connector", Severity: Error,
		Doc: "The encode servers of a pool and the servers that are to read their embeddings exchange them by different connectors, or one or both " +
			"have none (--ec-transfer-config). The readers encode for themselves.",
		each: visit3[*Pods, *Pods, bool]{eachEncoded, func(g *G, r *report, encode, other *Pods, reads bool) {
			from, to := encode.server(), other.server()
			if !reads || !from.isVLLM() || !to.isVLLM() || !from.tellsEC() || !to.tellsEC() {
				return
			}
			a, b := from.ecConnector(), to.ecConnector()
			if a == "" {
				noConnector(r, encode, other.Ref, "encode server %s writes embeddings by no connector, and server %s reads them by %s", from.name, to.name, orNone(b))
			}
			if b == "" || a != b && a != "" {
				noConnector(r, other, encode.Ref, "server %s reads embeddings by %s, and encode server %s writes them by %s", to.name, orNone(b), from.name, orNone(a))
			}
		}},
	},
	{
		ID: "ec-host", Severity: Error,
		Doc: "An encode server offers its embeddings to others by NIXL, and VLLM_EC_SIDE_CHANNEL_HOST is not the pod's address: it is " +
			"localhost where it is not set. No transfer succeeds, and the others encode for themselves.",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			if c.offersEmbeddings() {
				p.wantsOwnAddress(r, c, "VLLM_EC_SIDE_CHANNEL_HOST", "offers embeddings")
			}
		}},
	},
}

// noConnector reports a server that exchanges embeddings by no connector, or by another one.
func noConnector(r *report, p *Pods, other Ref, message string, args ...any) {
	c := p.server()
	at, remedy := c.at("args"), "give both an --ec-transfer-config with one ec_connector"
	if c.lacks("ec-transfer-config") {
		at, remedy = c.insteadOf("ec-transfer-config", remedy)
	}
	r.add(p.place(at), other, message, args...).fix("%s", remedy)
}

// eachExchange visits each two servers of vLLM of which one reads what the other encodes, where
// both say by which connector.
func eachExchange(g *G, visit func(encode, reader *Pods, from, to *container)) {
	eachEncoded(g, func(encode, other *Pods, reads bool) {
		from, to := encode.server(), other.server()
		if reads && from.isVLLM() && to.isVLLM() && from.ecConnector() != "" && from.ecConnector() == to.ecConnector() {
			visit(encode, other, from, to)
		}
	})
}

// eachEncoded visits each encode workload of a pool with each other set of servers, and says
// whether those read the embeddings: they do if they prefill, and where no servers are for that
// alone, all do.
func eachEncoded(g *G, visit func(encode, other *Pods, reads bool)) {
	for _, pool := range g.Kinds("InferencePool") {
		encodes, others := paired(encoding(g.selected(pool, poolSelector(pool))))
		prefilled := slices.ContainsFunc(others, (*Pods).prefills)
		for _, e := range encodes {
			for _, o := range others {
				visit(e, o, o.prefills() || !prefilled)
			}
		}
	}
}

// encoding are the servers that encode and do nothing else, and the others.
func encoding(servers []*Pods) (encodes, others []*Pods) {
	for _, p := range servers {
		switch {
		case p.server() == nil:
		case p.encodes() && !p.prefills() && !p.decodes():
			encodes = append(encodes, p)
		default:
			others = append(others, p)
		}
	}
	return encodes, others
}

// ecTransfer is vLLM's --ec-transfer-config, as far as servers must agree on it.
type ecTransfer struct {
	Connector string `json:"ec_connector"`
	Role      string `json:"ec_role"`
	Extra     struct {
		NIXL  any   `json:"ec_enable_nixl"`
		Bytes int64 `json:"ec_cpu_bytes"`
	} `json:"ec_connector_extra_config"`
}

func (c *container) ecTransfer() (config ecTransfer) {
	if text := c.flag("ec-transfer-config"); !templated(text) {
		_ = json.Unmarshal([]byte(text), &config) // what is not JSON vLLM refuses itself
	}
	return config
}

// tellsEC reports whether the command line says by which EC connector, or that by none.
func (c *container) tellsEC() bool { return c.ecConnector() != "" || c.lacks("ec-transfer-config") }

func (c *container) ecConnector() string { return c.ecTransfer().Connector }

// offersEmbeddings reports whether others read the server's embeddings by NIXL.
func (c *container) offersEmbeddings() bool {
	config := c.ecTransfer()
	return config.Connector == "ECCPUConnector" && (config.Role == "ec_producer" || config.Role == "ec_both") && config.Extra.NIXL == true
}

func orNone(name string) string {
	return cmp.Or(name, "no connector")
}

// embeddings are the flows of encode servers: sidecars ask them, and readers fetch what they
// have made over their side channel (vLLM, VLLM_EC_SIDE_CHANNEL_PORT).
func (g *G) embeddings() (all []flow) {
	eachEncoded(g, func(encode, other *Pods, reads bool) {
		server := encode.server()
		if port, known := server.port(8000, "port"); known && other.sidecar() != nil {
			all = append(all, flow{endOf(other), endOf(encode), port, "the sidecar sends requests to the encode servers"})
		}
		if reads && server.offersEmbeddings() {
			if n, err := strconv.Atoi(server.env["VLLM_EC_SIDE_CHANNEL_PORT"].at("value").or("5601")); err == nil {
				all = append(all, flow{endOf(other), endOf(encode), n, "servers fetch embeddings from encode servers"})
			}
		}
	})
	return all
}
