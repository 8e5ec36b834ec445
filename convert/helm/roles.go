package helm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
)

// role is the pod that the chart makes of a role's values.
func (r *release) role(name string, values *Role) *pods.Role {
	p, to := r.msPart, "spec."+name
	p.Set(to+".name", r.fullname()+"-"+name, "")
	r.replicas(p, name, values)
	r.parallelism(p, name, values)
	role := &pods.Role{Name: name, From: name, Fields: r.origins(p, name), Main: "vllm", Pod: r.pod(name, values), Launch: launches[r.command(name, values)]}
	r.accelerator(role, values)
	for i := range values.Containers {
		r.decode(p, fmt.Sprintf("%s.containers[%d].extraConfig", name, i), &role.Pod.Containers[i])
	}
	r.decode(p, name+".extraConfig", &role.Pod)
	r.tpu(role, values)
	r.probeless(role)
	r.roleRest(p, name, values)
	return role
}

// probeless leaves probes out of groups of pods whose servers are started by a command of
// the user's own, unless the values have some: the command may serve on the first pod alone,
// as with Ray, and the others would never be ready.
func (r *release) probeless(role *pods.Role) {
	main := &role.Pod.Containers[0]
	nodes, _ := strconv.Atoi(r.Text("spec." + role.Name + ".parallelism.nodes"))
	if role.Launch != pods.LaunchCustom || nodes < 2 || main.StartupProbe != nil || main.ReadinessProbe != nil || main.LivenessProbe != nil {
		return
	}
	for _, probe := range []string{"startup", "readiness", "liveness"} {
		r.msPart.Set("spec.server.probes."+probe+".enabled", false, "")
	}
	r.msPart.On("spec.server.probes", role.Name+".containers[0].command").Note("no probes, as with the chart: a command of your own may serve on the first pod of a group alone, and probes would restart the others")
}

// launches are the chart's ways to start a server.
var launches = map[string]string{"vllmServe": pods.LaunchServe, "imageDefault": pods.LaunchImage, "custom": pods.LaunchCustom, "": pods.LaunchCustom}

func (r *release) command(name string, values *Role) string {
	if len(values.Containers) == 0 {
		return "imageDefault"
	}
	main := &values.Containers[0]
	if main.ModelCommand == "vllmServe" && serving.Simulated(main.Image) {
		r.msPart.On("spec."+name, name+".containers[0].modelCommand").Note("the simulator is started by its image's own command: there is no vllm in it")
		return "imageDefault"
	}
	return main.ModelCommand
}

func (r *release) replicas(p *draft.Part, name string, values *Role) {
	if values.Autoscaling["enabled"] == true {
		p.Lost(name+".autoscaling", "autoscaling without its numbers; %s.autoscaling of the stack has them", name)
		return
	}
	if name == "prefill" && values.Replicas == nil {
		p.Set("spec.prefill.replicas", 0, "prefill")
	}
	p.Copy("spec."+name+".replicas", name+".replicas")
}

// parallelism follows the chart's rules for what is left out.
func (r *release) parallelism(p *draft.Part, name string, values *Role) {
	to, from := "spec."+name+".parallelism.", name+".parallelism"
	par := &values.Parallelism
	tensor, local, workers := or(par.Tensor, 1), or(par.DataLocal, 0), or(par.Workers, 0)
	data := or(par.Data, 0)
	if asked := r.askedFor(values); r.model.Multinode && local == 0 && workers == 0 && asked > 0 && data*tensor > asked && data*tensor%asked == 0 {
		workers = data * tensor / asked
		p.On(to+"nodes", from+".data").Note("%d accelerators of a pod are %d of %d ranks: one server has %d nodes, as of charts before 0.3", asked, data/workers, data, workers)
	}
	if local == 0 && data > 0 {
		local = data / max(1, workers)
	}
	if workers == 0 && data > 0 && local > 0 {
		workers = data / local
	}
	local, workers = max(1, local), max(1, workers)
	data = max(data, local*workers)
	if data != local*workers {
		p.On("", from).Fail("data (%d) must be dataLocal (%d) times workers (%d)", data, local, workers)
	}
	p.Set(to+"tensor", tensor, from+".tensor")
	if !r.model.Multinode {
		if workers > 1 {
			p.On("spec."+name, from+".workers").Warn("has no effect without multinode: all ranks run in one pod")
		}
		p.Set(to+"data", data, from+".data")
		return
	}
	if workers == 1 {
		p.On("spec."+name, "multinode").Note("the %s servers have one node each and are a Deployment; the chart makes LeaderWorkerSets of one Pod", name)
	}
	p.Set(to+"nodes", workers, from+".workers")
	p.Set(to+"data", data, from+".data")
	if data != local*workers {
		p.Set(to+"dataLocal", local, from+".dataLocal")
	}
}

// askedFor are the accelerators that the values of a role ask for by themselves.
func (r *release) askedFor(values *Role) int32 {
	if len(values.Containers) == 0 {
		return 0
	}
	return int32(min(serving.Asked(values.Containers[0].Resources), 1<<16))
}

// pod is the chart's pod, without what a stack makes by itself.
func (r *release) pod(name string, values *Role) corev1.PodSpec {
	pod := corev1.PodSpec{
		NodeSelector: values.NodeSelector, Tolerations: values.Tolerations, Affinity: values.Affinity,
		SchedulerName:      draft.Unless(values.SchedulerName, r.model.SchedulerName),
		ServiceAccountName: draft.Unless(r.model.ServiceAccountOverride, r.fullname()),
		HostIPC:            values.HostIPC, HostPID: values.HostPID, EnableServiceLinks: values.EnableServiceLinks,
		TerminationGracePeriodSeconds: values.TerminationGracePeriodSeconds,
		Volumes:                       values.Volumes, InitContainers: values.InitContainers,
		ImagePullSecrets: values.ImagePullSecrets, SecurityContext: values.PodSecurityContext,
		ResourceClaims: values.ResourceClaims, RuntimeClassName: values.RuntimeClassName,
	}
	if values.PriorityClassName != "none" {
		pod.PriorityClassName = values.PriorityClassName
	}
	for i := range values.Containers {
		pod.Containers = append(pod.Containers, r.container(name, i, &values.Containers[i]))
	}
	if len(pod.Containers) == 0 {
		pod.Containers = []corev1.Container{{Name: "vllm", Image: chartImage}}
	}
	main := &pod.Containers[0]
	for _, claim := range values.ResourceClaims {
		if !slices.ContainsFunc(main.Resources.Claims, func(c corev1.ResourceClaim) bool { return c.Name == claim.Name }) {
			main.Resources.Claims = append(main.Resources.Claims, corev1.ResourceClaim{Name: claim.Name})
		}
	}
	if strings.HasPrefix(main.Image, chartImage) && serving.Latest(main.Image) {
		if main.Image != chartImage {
			r.msPart.On("spec.server", name+".containers").Replaced().Note("%s is not pinned; the simulator of the release catalogue takes its place", main.Image)
		}
		main.Image = chartImage
	}
	return pod
}

// container is one container of the chart's; the first one serves.
func (r *release) container(name string, i int, c *Container) corev1.Container {
	out := *c.Container.DeepCopy()
	if i == 0 {
		r.served(name, c)
	}
	if i > 0 {
		if c.MountModelVolume {
			out.VolumeMounts = append(out.VolumeMounts, corev1.VolumeMount{Name: modelVolume, MountPath: r.mountPath()})
		}
		return out
	}
	switch c.ModelCommand {
	case "vllmServe", "imageDefault":
		out.Command = nil
		out.Env = append(out.Env, slices.DeleteFunc(r.sizes(name), func(v corev1.EnvVar) bool { return !refersTo(&out, v.Name) })...)
	case "custom", "":
		if len(c.Command) == 0 {
			r.msPart.On("", name+".containers[0].command").Fail("required, since modelCommand is not vllmServe or imageDefault")
		}
		sizes := r.sizes(name)
		out.Env = append(slices.DeleteFunc(out.Env, func(e corev1.EnvVar) bool {
			own := slices.ContainsFunc(sizes, func(s corev1.EnvVar) bool { return s.Name == e.Name })
			if own {
				r.msPart.On("spec."+name, name+".containers[0].env").Dropped().Warn("%s is left out: it has had no effect, since the chart's own comes after it; it follows from %s.parallelism", e.Name, name)
			}
			return own
		}), sizes...)
	default:
		r.msPart.On("", name+".containers[0].modelCommand").Fail("must be vllmServe, imageDefault or custom (got %q)", c.ModelCommand)
	}
	return out
}

// served is what every stack says of the container that serves.
func (r *release) served(name string, c *Container) {
	from := name + ".containers[0]"
	if !c.MountModelVolume && r.msPart.Doc.Has(from) {
		r.msPart.On("spec."+name, from+".mountModelVolume").Note("the model's volume is mounted: a server without it would download the model into its own file system")
	}
	if c.Name != "" && c.Name != pods.ModelServer {
		r.msPart.On("spec."+name, from+".name").Note("the container that serves is called %s in every stack", pods.ModelServer)
	}
}

// sizes are the variables by which a command line of the user's own learns the
// parallelism.
func (r *release) sizes(name string) (out []corev1.EnvVar) {
	number := func(field string) int {
		n, _ := strconv.Atoi(cmp.Or(r.Text("spec."+name+".parallelism."+field), "1"))
		return max(n, 1)
	}
	local := number("data") / number("nodes")
	if r.Has("spec." + name + ".parallelism.dataLocal") {
		local = number("dataLocal")
	}
	for _, v := range []struct {
		name  string
		value int
	}{{"DP_SIZE", number("data")}, {"TP_SIZE", number("tensor")}, {"DP_SIZE_LOCAL", max(local, 1)}} {
		out = append(out, corev1.EnvVar{Name: v.name, Value: strconv.Itoa(v.value)})
	}
	return out
}

// refersTo reports whether an argument or a variable of a container has $(NAME) in it, which
// the kubelet replaces where the variable is there, and leaves as it is otherwise.
func refersTo(c *corev1.Container, name string) bool {
	has := func(text string) bool { return strings.Contains(text, "$("+name+")") }
	return slices.ContainsFunc(c.Args, has) || slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return has(e.Value) })
}

// strategy is how servers are replaced by those of a changed pod.
func (r *release) strategy(p *draft.Part, name string, values map[string]any) {
	to, from := "spec."+name+".rollout", name+".strategy"
	if len(values) == 0 {
		return
	}
	var s appsv1.DeploymentStrategy
	r.decode(p, from, &s)
	if s.Type == "" && s.RollingUpdate == nil {
		return
	}
	p.Set(to+".type", draft.Unless(string(s.Type), "RollingUpdate"), from+".type")
	if u := s.RollingUpdate; u != nil {
		p.Copy(to+".maxSurge", from+".rollingUpdate.maxSurge")
		p.Copy(to+".maxUnavailable", from+".rollingUpdate.maxUnavailable")
	}
}

// subGroupExclusive is the annotation by which the LeaderWorkerSet controller gives each subgroup a
// domain of its own (sigs.k8s.io/lws api/leaderworkerset/v1).
const subGroupExclusive = "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology"

// roleRest are the strategy and annotations of the workload, and what a stack cannot say, when it
// is used.
func (r *release) roleRest(p *draft.Part, name string, values *Role) {
	r.strategy(p, name, values.Strategy)
	annotations, podAnnotations := maps.Clone(values.Annotations), maps.Clone(values.PodAnnotations)
	if values.SubGroupExclusiveTopology && r.model.Multinode {
		for _, m := range []*map[string]string{&annotations, &podAnnotations} {
			if *m == nil {
				*m = map[string]string{}
			}
			(*m)[subGroupExclusive] = "kubernetes.io/hostname"
		}
	}
	if len(annotations) > 0 {
		p.Set("spec."+name+".annotations", annotations, name+".annotations")
	}
	if len(podAnnotations) > 0 {
		p.Set("spec."+name+".podAnnotations", podAnnotations, name+".podAnnotations")
	}
	if len(values.SubGroupPolicy) > 0 && r.model.Multinode {
		p.Lost(name+".subGroupPolicy", "subgroups of a LeaderWorkerSet")
	}
}

func or(n *int32, fallback int32) int32 {
	if n == nil {
		return fallback
	}
	return *n
}
