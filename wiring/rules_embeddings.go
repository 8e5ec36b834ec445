package wiring

import "github.com/inferstack/inferstack/release"

// sidecarConnectors are the routing sidecar's names of vLLM's connectors (llm-d-router v0.10
// pkg/sidecar; vllm distributed/ec_transfer).
var sidecarConnectors = map[string]string{"ECCPUConnector": "ec-nixl", "ECExampleConnector": "ec-example"}

// embeddingRules are about the two sides of an exchange of embeddings by one connector.
var embeddingRules = []Rule{
	{
		ID: "ec-sidecar-connector", Severity: Error,
		Doc: "The routing sidecar of decode pods is told another way of exchanging embeddings (--ec-connector) than the encode servers of its " +
			"pool use (--ec-transfer-config). What it tells the readers of a request's embeddings means nothing to them, and they encode for themselves.",
		each: visit3[*Pods, *Pods, bool]{eachEncoded, func(g *G, r *report, encode, other *Pods, _ bool) {
			server, c := encode.server(), other.sidecar()
			if c == nil || !server.isVLLM() {
				return
			}
			said, given := c.given("ec-connector")
			want := sidecarConnectors[server.ecConnector()]
			if given && said.value != "" && want != "" && said.value != want && !templated(said.value) {
				r.add(other.place(said.at), encode.Ref, "the routing sidecar exchanges embeddings by %s, and %s by %s", said.value, server.name, server.ecConnector()).
					fix("start it with --ec-connector=%s", want)
			}
		}},
	},
	{
		ID: "ec-role", Severity: Error,
		Doc: "An encode server is told to read embeddings alone, or a server that reads them to write alone (ec_role of --ec-transfer-config). " +
			"Nothing is exchanged, and the readers encode for themselves.",
		find: func(g *G, r *report) {
			eachExchange(g, func(encode, reader *Pods, from, to *container) {
				if role := from.ecTransfer().Role; role == "ec_consumer" {
					r.add(encode.place(from.at("args")), reader.Ref, "encode server %s has ec_role %s, and is to write what others read", from.name, role).fix("set ec_role: ec_producer")
				}
				if role := to.ecTransfer().Role; role == "ec_producer" {
					r.add(reader.place(to.at("args")), encode.Ref, "server %s has ec_role %s, and is to read what encode servers write", to.name, role).fix("set ec_role: ec_consumer")
				}
			})
		},
	},
	{
		ID: "ec-nixl", Severity: Error,
		Doc: "Encode servers and the readers of their embeddings keep these in the memory of their own pods (ECCPUConnector), and one side is not " +
			"told to exchange them by NIXL (ec_enable_nixl). The readers find nothing, and encode for themselves.",
		find: func(g *G, r *report) {
			eachExchange(g, func(encode, reader *Pods, from, to *container) {
				if from.ecConnector() != "ECCPUConnector" {
					return
				}
				for _, side := range []struct {
					own, other *Pods
					c          *container
				}{{encode, reader, from}, {reader, encode, to}} {
					if side.c.ecTransfer().Extra.NIXL != true {
						r.add(side.own.place(side.c.at("args")), side.other.Ref, "%s keeps embeddings in the memory of its pod, without ec_enable_nixl", side.c.name).
							fix("set ec_enable_nixl: true in ec_connector_extra_config on both sides")
					}
				}
			})
		},
	},
	{
		ID: "ec-shared-memory", Severity: Error,
		Doc: "vLLM is to keep more embeddings (ec_cpu_bytes) than fit into the volume at /dev/shm, where ECCPUConnector has them, or than the 64Mi " +
			"that a container has there without a volume. It ends when they are written.",
		each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
			limit, config := p.sharedMemory(c), c.ecTransfer()
			if config.Connector != "ECCPUConnector" {
				return
			}
			if !c.mountOf(sharedMemory).is() && !p.sharesHostIPC() && config.Extra.Bytes > runtimeSharedMemory {
				f, _ := c.given("ec-transfer-config")
				r.add(p.place(f.at), Ref{}, "%s keeps %s of embeddings in shared memory, and has %s of it: no volume is mounted at %s", c.name, size(config.Extra.Bytes), size(runtimeSharedMemory), sharedMemory).
					fix("mount an emptyDir of medium Memory at %s, or lower ec_cpu_bytes", sharedMemory)
			}
			if exceeds(config.Extra.Bytes, limit) {
				r.add(p.place(limit), Ref{}, "%s keeps %s of embeddings and has %s of shared memory", c.name, size(config.Extra.Bytes), limit.text()).
					fix("raise sizeLimit, or lower ec_cpu_bytes in --ec-transfer-config")
			}
		}},
	},
	{
		ID: "encode-whole-model", Severity: Warning,
		Doc: "An encode server loads the whole model, since it is started without --mm-encoder-only: it takes the memory of a server that " +
			"generates, and is ready as late.",
		find: func(g *G, r *report) {
			eachExchange(g, func(encode, reader *Pods, from, _ *container) {
				if _, said := from.given("mm-encoder-only", "config"); !said && from.lacks("mm-encoder-only") {
					r.add(encode.place(from.at("args")), reader.Ref, "encode server %s loads the language model too", from.name).fix("add --mm-encoder-only")
				}
			})
		},
	},
	{
		ID: "encode-version", Severity: Warning,
		Doc: "Encode servers and the readers of their embeddings run different versions of one image. Embeddings, and the protocol by which they " +
			"are exchanged, may differ between versions of vLLM.",
		find: func(g *G, r *report) {
			eachExchange(g, func(encode, reader *Pods, from, to *container) {
				mine, written := release.SplitImage(from.image)
				theirs, read := release.SplitImage(to.image)
				if mine == theirs && written != "" && read != "" && written != read && !templated(from.image+to.image) {
					r.add(encode.place(from.at("image")), reader.Ref, "encode server %s runs %s, and the reader of its embeddings %s", from.name, written, read).
						fix("run one version on both sides")
				}
			})
		},
	},
}
