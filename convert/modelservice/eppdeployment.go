package modelservice

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// eppDeployment takes over what the base says of the EPP's Deployment beside the pod's
// spec. A number of replicas that the ModelService itself names wins.
func (m *service) eppDeployment(d *appsv1.Deployment) {
	const to = "spec.scheduler"
	if d.Spec.Replicas != nil && !m.Has(to+".replicas") {
		m.Set(to+".replicas", *d.Spec.Replicas, fromBase)
	}
	if labels := d.Spec.Template.Labels; len(labels) > 0 {
		m.Set(to+".podLabels", labels, fromBase)
	}
	if annotations := d.Spec.Template.Annotations; len(annotations) > 0 {
		m.Set(to+".podAnnotations", annotations, fromBase)
	}
	rest := d.DeepCopy()
	if rest.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		rest.Spec.Strategy = appsv1.DeploymentStrategy{} // that of every EPP
	}
	m.deploymentRest(to, "eppDeployment", rest)
}

// eppFields are those of the EPP's pod that scheduler has as well.
func (m *service) eppFields(pod *corev1.PodSpec, c *corev1.Container) {
	const to = "spec.scheduler."
	m.from(to+"tolerations", pod.Tolerations, len(pod.Tolerations))
	m.from(to+"nodeSelector", pod.NodeSelector, len(pod.NodeSelector))
	m.from(to+"topologySpreadConstraints", pod.TopologySpreadConstraints, len(pod.TopologySpreadConstraints))
	m.from(to+"volumes", pod.Volumes, len(pod.Volumes))
	m.from(to+"volumeMounts", c.VolumeMounts, len(c.VolumeMounts))
	m.from(to+"priorityClassName", pod.PriorityClassName, len(pod.PriorityClassName))
	m.from(to+"schedulerName", pod.SchedulerName, len(pod.SchedulerName))
	if pod.Affinity != nil {
		m.Set(to+"affinity", pod.Affinity, fromBase)
	}
	if pod.RuntimeClassName != nil {
		m.Set(to+"runtimeClassName", *pod.RuntimeClassName, fromBase)
	}
}

// from writes what the base says n of.
func (m *service) from(path string, value any, n int) {
	if n > 0 {
		m.Set(path, value, fromBase)
	}
}

// podFields and containerFields have a field of their own in a stack, or are read
// elsewhere.
var (
	podFields = []string{
		"containers", "initContainers", "tolerations", "nodeSelector", "topologySpreadConstraints", "volumes",
		"priorityClassName", "schedulerName", "affinity", "runtimeClassName", "serviceAccountName", "serviceAccount",
	}
	containerFields = []string{"name", "image", "args", "env", "resources", "volumeMounts"}
)

// eppProbe leaves a probe of the gRPC health port out, which every EPP has.
func (m *service) eppProbe(name string, probe **corev1.Probe) {
	p := *probe
	if p == nil || p.GRPC == nil {
		return
	}
	*probe = nil
	m.On("spec.scheduler", fromBase).Dropped().Note("%s of eppDeployment is left out, with its delays and thresholds: every EPP has its own", name)
}

// eppRest becomes a patch of the generated pod, but for what the generated one has by
// itself: probes of the gRPC health port, the EPP's ports, and its ServiceAccount.
func (m *service) eppRest(pod *corev1.PodSpec, c *corev1.Container) {
	const to = "spec.scheduler.podTemplatePatch"
	c.Ports = slices.DeleteFunc(c.Ports, func(p corev1.ContainerPort) bool {
		return slices.Contains([]int32{9002, 9003, 9090}, p.ContainerPort)
	})
	m.eppProbe("livenessProbe", &c.LivenessProbe)
	m.eppProbe("readinessProbe", &c.ReadinessProbe)
	if pod.ServiceAccountName != "" {
		m.On("spec.scheduler", fromBase).Note("the EPP has a ServiceAccount of its own instead of %s", pod.ServiceAccountName)
	}
	patch := written(pod)
	for _, field := range podFields {
		delete(patch, field)
	}
	main := written(c)
	for _, field := range containerFields {
		delete(main, field)
	}
	if len(main) > 0 {
		main["name"] = "epp"
		patch["containers"] = []any{main}
	}
	if len(patch) > 0 {
		m.Set(to, map[string]any{"spec": patch}, fromBase)
		m.On(to, fromBase).Note("what has no field of its own is patched into the generated pod")
	}
}
