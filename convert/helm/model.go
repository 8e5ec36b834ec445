package helm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema/document"
)

// Names and numbers of llm-d-modelservice 0.4.12.
const (
	chartName   = "llm-d-modelservice"
	modelMount  = "/model-cache"
	modelVolume = "model-storage"
	chartModel  = "random/model"
	chartImage  = "ghcr.io/llm-d/llm-d-inference-sim"
)

// anyDoc is the document of the first values file.
func (r *release) anyDoc() document.Document {
	for _, p := range []*draft.Part{r.msPart, r.routerPart, r.poolPart, r.infraPart} {
		if p != nil {
			return p.Doc
		}
	}
	return document.Document{}
}

// servers are llm-d-modelservice's, or such as already exist.
func (r *release) servers() {
	if r.model == nil || r.model.Enabled != nil && !*r.model.Enabled {
		r.model = nil
		p := r.Part(r.anyDoc())
		p.Set("spec.model.name", "none", "")
		p.Set("spec.server.create", false, "")
		p.On("spec.server.create", "").Note("these values make no servers; the model's name is not known here")
		return
	}
	p := r.msPart
	r.artifacts(p)
	s := &pods.Servers{Part: p, MountPath: r.mountPath(), ModelVolumes: []string{modelVolume}, Loads: []string{p.Text("spec.model.name")}}
	if !create(r.model.Decode) {
		if r.disaggregated() {
			p.On("", "decode.create").Fail("prefill servers alone cannot answer a request; create decode servers as well")
			return
		}
		p.Set("spec.server.create", false, "decode.create")
		return
	}
	s.Roles = append(s.Roles, r.role("decode", draft.Unless(r.model.Decode, &Role{})))
	if r.disaggregated() {
		s.Roles = append(s.Roles, r.role("prefill", r.model.Prefill))
	}
	s.Simulator = serving.Simulated(s.Roles[0].Pod.Containers[0].Image)
	for _, role := range s.Roles {
		if main := &role.Pod.Containers[0]; main.Image == chartImage {
			main.Image = "" // the release catalogue's
		}
	}
	r.ports(p)
	s.Carry()
	r.secured(p, s)
	r.rest(p)
}

func create(role *Role) bool { return role == nil || role.Create == nil || *role.Create }

// disaggregated reports whether there are prefill servers. The chart's default is to
// make them, and none of them.
func (r *release) disaggregated() bool {
	return r.model != nil && r.model.Prefill != nil && create(r.model.Prefill) && !r.model.Prefill.none()
}

// none reports whether there are no servers of a role, and none described that could be started.
func (v *Role) none() bool {
	return len(v.Containers) == 0 && v.Replicas != nil && *v.Replicas == 0
}

func (r *release) mountPath() string {
	return draft.Unless(r.model.ModelArtifacts.MountPath, modelMount)
}

func (r *release) fullname() string {
	release := r.named("ms")
	name := draft.Unless(r.model.NameOverride, chartName)
	full := release + "-" + name
	switch {
	case r.model.FullnameOverride != "":
		full = r.model.FullnameOverride
	case strings.Contains(release, name):
		full = release
	}
	return strings.TrimSuffix(full[:min(len(full), 55)], "-")
}

// artifacts are the model, its source and its volume.
func (r *release) artifacts(p *draft.Part) {
	a := &r.model.ModelArtifacts
	const from = "modelArtifacts"
	name := draft.Unless(a.Name, chartModel)
	p.Set("spec.model.name", name, from+".name")
	scheme, rest, _ := strings.Cut(draft.Unless(a.URI, "hf://"+name), "://")
	rest = strings.Trim(rest, `"`)
	if scheme != "hf" || rest != name {
		p.Set("spec.model.source", scheme+"://"+rest, from+".uri")
	}
	if a.AuthSecretName != "" {
		p.Set("spec.model.tokenSecret.name", a.AuthSecretName, from+".authSecretName")
	}
	switch claim := a.Volume.ExistingClaim; {
	case claim != "":
		p.Set("spec.model.storage.type", "pvc", from+".volume")
		p.Set("spec.model.storage.existingClaim", claim, from+".volume.existingClaim")
		p.On("spec.model.storage", from+".volume").Warn("the claim is used now: no version of the chart reads modelArtifacts.volume, and each pod downloads the model anew; if its access mode is ReadWriteOnce, all servers have to run on one node")
	case scheme == "hf":
		p.Copy("spec.model.storage.size", from+".size")
	}
	if strings.HasPrefix(scheme, "pvc") && (a.ReadOnly == nil || *a.ReadOnly) {
		p.Set("spec.model.storage.readOnly", true, from+".readOnly")
	}
	p.Set("spec.model.storage.mountPath", r.mountPath(), from+".mountPath")
	r.labels(p, a.Labels)
}

// labels of the pods, among which the pool selects.
func (r *release) labels(p *draft.Part, labels map[string]string) {
	own := map[string]string{}
	if len(labels) == 0 && r.beforePools() {
		p.Set("spec.model.label", r.fullname(), "")
		own["llm-d.ai/inferenceServing"] = "true"
	}
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		v, from := labels[k], "modelArtifacts.labels["+k+"]"
		switch k {
		case "llm-d.ai/model":
			p.Set("spec.model.label", v, from)
		case "llm-d.ai/inference-serving":
			if v != "true" {
				p.Lost(from, "%s: %s; it is true on all servers of a stack, by which the pool selects them", k, v)
			}
		case "llm-d.ai/role":
			p.On("spec.server", from).Note("%s is the role's own label, and not %s on all servers", k, v)
		default:
			own[k] = v
		}
	}
	if len(own) > 0 {
		p.Set("spec.server.podLabels", own, "modelArtifacts.labels")
	}
}

// ports are the pool's, and the server's behind the sidecar.
func (r *release) ports(p *draft.Part) {
	routing := &r.model.Routing
	p.Copy("spec.server.port", "routing.servicePort")
	if !r.disaggregated() {
		if r.behind() {
			p.Set("spec.server.port", or(routing.Proxy.TargetPort, sidecarTarget), "routing.proxy.targetPort")
			p.On("spec.decode", "routing.proxy").Dropped().Note("the routing sidecar is left out: without prefill servers it has nothing to do, and the pool reaches the server on its own port, routing.proxy.targetPort, on which its command is taken to listen")
		} else if made(routing.Proxy.Enabled) {
			p.On("spec.decode", "routing.proxy").Dropped().Note("the routing sidecar is left out: without prefill servers it has nothing to do, and the server itself listens on its port")
		}
		return
	}
	if routing.Proxy.Enabled != nil && !*routing.Proxy.Enabled {
		p.On("spec.kvTransfer", "routing.proxy.enabled").Warn("the routing sidecar is there all the same: without it nothing would ask the prefill servers")
	}
	p.Copy("spec.server.sidecarTargetPort", "routing.proxy.targetPort")
	r.sidecar(p, &routing.Proxy)
}

// sidecarTarget is the chart's port of a server behind the sidecar.
const sidecarTarget = 8200

// behind reports whether a command of the user's own starts decode servers behind a sidecar
// that is left out: they keep the port that the chart has for them there.
func (r *release) behind() bool {
	return r.model != nil && !r.disaggregated() && made(r.model.Routing.Proxy.Enabled) && r.model.Decode != nil &&
		len(r.model.Decode.Containers) > 0 && slices.Contains([]string{"", "custom"}, r.model.Decode.Containers[0].ModelCommand)
}

func (r *release) sidecar(p *draft.Part, proxy *Proxy) {
	const to, from = "spec.kvTransfer.sidecar", "routing.proxy"
	if proxy.Image != "" {
		if strings.HasPrefix(proxy.Image, "ghcr.io/llm-d/llm-d-routing-sidecar:") {
			p.On(to, from+".image").Replaced().Note("%s speaks the flags of an older release; the sidecar of the release catalogue takes its place", proxy.Image)
		} else {
			p.Copy(to+".image", from+".image")
		}
	}
	switch proxy.Connector {
	case "nixl", "nixlv2":
	case "sglang":
		p.Set("spec.server.engine", "sglang", from+".connector")
	default:
		p.Copy("spec.kvTransfer.connector", from+".connector")
	}
	if proxy.Secure {
		p.Lost(from+".secure", "TLS on the servers' port; with server.certSecret, which names a Secret, servers and sidecars of a stack speak it")
	}
	if proxy.ImagePullPolicy != "" && proxy.ImagePullPolicy != "Always" {
		p.On(to, from+".imagePullPolicy").Note("the sidecar is pulled as images.pullPolicy says")
	}
	r.sidecarLog(p, proxy)
	if proxy.PrefillerUseTLS != nil && *proxy.PrefillerUseTLS || proxy.CertPath != "" {
		p.Lost(from, "TLS between the sidecar and the prefill servers")
	}
}

// sidecarLog is how the sidecar logs. The chart's default, JSON, is the sidecar's.
func (r *release) sidecarLog(p *draft.Part, proxy *Proxy) {
	const to, from = "spec.kvTransfer.sidecar", "routing.proxy"
	level := proxy.ZapLogLevel
	if level == nil {
		level = proxy.DebugLevel
	}
	switch level := level.(type) {
	case int64, float64:
		p.Set(to+".verbosity", level, from+".zapLogLevel")
	case string:
		if level == "debug" {
			p.Set(to+".verbosity", 1, from+".zapLogLevel")
		}
	case nil:
	default:
		p.On("", from+".zapLogLevel").Fail("must be debug, info, warn, error, panic or a number")
	}
	var args []string
	for _, flag := range []struct {
		name  string
		value any
		usual any
	}{
		{"zap-devel", proxy.ZapDevel, nil}, {"zap-encoder", proxy.ZapEncoder, "json"},
		{"zap-stacktrace-level", proxy.ZapStacktraceLevel, ""}, {"zap-time-encoding", proxy.ZapTimeEncoding, ""},
	} {
		if flag.value != nil && flag.value != "" && flag.value != flag.usual {
			args = append(args, fmt.Sprintf("--%s=%v", flag.name, flag.value))
		}
	}
	if len(args) > 0 {
		p.Set(to+".args", args, from)
	}
}

// rest is what a stack cannot say, when it is used.
func (r *release) rest(p *draft.Part) {
	if r.model.Requester["enable"] == true {
		p.Lost("requester", "the dual-pod requester of fast model actuation")
	}
	if r.model.Routing.InferencePool["create"] == true && r.pool == nil {
		p.Lost("routing.inferencePool", "a pool without an EPP, which charts before 0.3 could make; routing.epp.create makes one, and so do the values of the inferencepool chart (--pool)")
	}
	r.account(p)
	r.extra(p, "extraObjects", r.model.ExtraObjects)
}

// account is the ServiceAccount that the chart makes for its pods, to which roles and
// security context constraints may be bound.
func (r *release) account(p *draft.Part) {
	if r.model.ServiceAccountOverride != "" {
		return
	}
	r.keep(p, "", map[string]any{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": r.objectMeta(r.fullname())})
	p.On("spec.server.serviceAccountName", "").Note("the chart's own, which is printed behind the stack: roles may be bound to it")
}

// objectMeta are the name and namespace of a further object.
func (r *release) objectMeta(name string) map[string]any {
	out := map[string]any{"name": name}
	if r.values.Namespace != "" {
		out["namespace"] = r.values.Namespace
	}
	return out
}

// secured says how every stack's pods run, where the chart leaves that to the images.
func (r *release) secured(p *draft.Part, s *pods.Servers) {
	at := p.On("spec.server", s.Roles[0].Name)
	if s.Roles[0].Launch == pods.LaunchCustom {
		at.Warn("the servers run as user 1000 instead of the image's own, and without capabilities: your command must not need root; security.podSecurity: baseline leaves both to the image")
		return
	}
	at.Note("the servers run as user 1000 instead of the image's own, and without capabilities; security.podSecurity: baseline leaves both to the image")
}
