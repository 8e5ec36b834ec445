package admission

import (
	"maps"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	helpers "k8s.io/component-helpers/resource"
)

// template judges a pod template of a Deployment, a StatefulSet or a LeaderWorkerSet.
func (j *judge) template(at *field.Path, t *corev1.PodTemplateSpec) {
	j.labels(at.Child("metadata").Child("labels"), t.Labels)
	j.annotations(at.Child("metadata").Child("annotations"), t.Annotations)
	j.podSpec(at.Child("spec"), &t.Spec)
}

// jobTemplate judges that of a Job, whose pods end.
func (j *judge) jobTemplate(at *field.Path, t *corev1.PodTemplateSpec) {
	need(j, at.Child("spec").Child("restartPolicy"), t.Spec.RestartPolicy, corev1.RestartPolicyNever, corev1.RestartPolicyOnFailure)
	lasting := t.DeepCopy()
	lasting.Spec.RestartPolicy = ""
	j.template(at, lasting)
}

func (j *judge) podSpec(at *field.Path, s *corev1.PodSpec) {
	j.volumes(at.Child("volumes"), s.Volumes)
	j.podClaims(at.Child("resourceClaims"), s.ResourceClaims)
	j.containers(at, s)
	oneOf(j, at.Child("restartPolicy"), s.RestartPolicy, corev1.RestartPolicyAlways)
	if s.ActiveDeadlineSeconds != nil {
		j.bad(at.Child("activeDeadlineSeconds"), "must be left out: what the pod belongs to would start it again and again")
	}
	if len(s.EphemeralContainers) > 0 {
		j.bad(at.Child("ephemeralContainers"), "must be left out: they are added to running pods")
	}
	if g := s.TerminationGracePeriodSeconds; g != nil {
		least(j, at.Child("terminationGracePeriodSeconds"), *g, 0)
	}
	j.labels(at.Child("nodeSelector"), s.NodeSelector)
	j.podSecurityContext(at.Child("securityContext"), s)
	if s.Affinity != nil {
		j.affinity(at.Child("affinity"), s.Affinity)
	}
	for i := range s.TopologySpreadConstraints {
		j.spread(at.Child("topologySpreadConstraints").Index(i), &s.TopologySpreadConstraints[i])
	}
	j.repeated(at.Child("topologySpreadConstraints"), s.TopologySpreadConstraints)
	for i := range s.Tolerations {
		j.toleration(at.Child("tolerations").Index(i), &s.Tolerations[i])
	}
	j.podNames(at, s)
	j.dns(at, s)
	j.host(at, s)
	j.rest(at, s)
}

func (j *judge) podNames(at *field.Path, s *corev1.PodSpec) {
	j.optional(at.Child("serviceAccountName"), s.ServiceAccountName, dnsSubdomain)
	j.optional(at.Child("serviceAccount"), s.DeprecatedServiceAccount, dnsSubdomain)
	j.optional(at.Child("nodeName"), s.NodeName, dnsSubdomain)
	if s.NodeName != "" && len(s.SchedulingGates) > 0 {
		j.bad(at.Child("nodeName"), "must not stand beside schedulingGates")
	}
	j.optional(at.Child("hostname"), s.Hostname, dnsLabel)
	j.optional(at.Child("subdomain"), s.Subdomain, dnsLabel)
	j.optional(at.Child("priorityClassName"), s.PriorityClassName, dnsSubdomain)
	if s.RuntimeClassName != nil {
		j.text(at.Child("runtimeClassName"), *s.RuntimeClassName, dnsSubdomain)
	}
	if s.HostnameOverride != nil {
		j.text(at.Child("hostnameOverride"), *s.HostnameOverride, dnsSubdomain)
	}
	for i, gate := range s.ReadinessGates {
		j.text(at.Child("readinessGates").Index(i).Child("conditionType"), string(gate.ConditionType), labelKey)
	}
	seen := map[string]bool{}
	for i, gate := range s.SchedulingGates {
		at := at.Child("schedulingGates").Index(i).Child("name")
		j.text(at, gate.Name, labelKey)
		if seen[gate.Name] {
			j.bad(at, "%q is there twice", gate.Name)
		}
		seen[gate.Name] = true
	}
}

func (j *judge) dns(at *field.Path, s *corev1.PodSpec) {
	oneOf(j, at.Child("dnsPolicy"), s.DNSPolicy, corev1.DNSClusterFirst, corev1.DNSClusterFirstWithHostNet, corev1.DNSDefault, corev1.DNSNone)
	config, at := s.DNSConfig, at.Child("dnsConfig")
	if s.DNSPolicy == corev1.DNSNone && (config == nil || len(config.Nameservers) == 0) {
		j.bad(at.Child("nameservers"), "required with dnsPolicy: None")
	}
	if config == nil {
		return
	}
	if n := len(config.Nameservers); n > 3 {
		j.bad(at.Child("nameservers"), "must be at most 3 (got %d)", n)
	}
	for i, ns := range config.Nameservers {
		j.ip(at.Child("nameservers").Index(i), ns)
	}
	if n := len(config.Searches); n > 32 {
		j.bad(at.Child("searches"), "must be at most 32 (got %d)", n)
	}
	if n := len(strings.Join(config.Searches, " ")); n > 2048 {
		j.bad(at.Child("searches"), "must be at most 2048 characters together (has %d)", n)
	}
	for i, search := range config.Searches {
		if search != "." {
			j.text(at.Child("searches").Index(i), strings.ReplaceAll(strings.TrimSuffix(search, "."), "_", "a"), dnsSubdomain)
		}
	}
	for i, o := range config.Options {
		j.there(at.Child("options").Index(i).Child("name"), o.Name)
	}
}

func (j *judge) ip(at *field.Path, ip string) {
	if a, err := netip.ParseAddr(ip); err != nil || a.Zone() != "" {
		j.bad(at, "must be an IP address (got %q)", ip)
	}
}

// host judges what the pod shares with its node.
func (j *judge) host(at *field.Path, s *corev1.PodSpec) {
	for i, alias := range s.HostAliases {
		at := at.Child("hostAliases").Index(i)
		j.ip(at.Child("ip"), alias.IP)
		for k, name := range alias.Hostnames {
			j.text(at.Child("hostnames").Index(k), name, dnsSubdomain)
		}
	}
	if s.HostNetwork {
		for i, c := range s.Containers {
			for k, p := range c.Ports {
				if p.HostPort != 0 && p.HostPort != p.ContainerPort {
					j.bad(at.Child("containers").Index(i).Child("ports").Index(k).Child("hostPort"), "must be containerPort, %d, with hostNetwork: true (got %d)", p.ContainerPort, p.HostPort)
				}
			}
		}
	}
	if s.ShareProcessNamespace != nil && *s.ShareProcessNamespace && s.HostPID {
		j.bad(at.Child("shareProcessNamespace"), "must not stand beside hostPID: true")
	}
	if s.HostUsers != nil && !*s.HostUsers {
		for name, on := range map[string]bool{"hostNetwork": s.HostNetwork, "hostPID": s.HostPID, "hostIPC": s.HostIPC} {
			if on {
				j.bad(at.Child(name), "must not be true with hostUsers: false")
			}
		}
		return
	}
	for _, list := range []containerList{{"initContainers", s.InitContainers}, {"containers", s.Containers}} {
		for i, c := range list.items {
			if c.SecurityContext != nil && c.SecurityContext.ProcMount != nil && *c.SecurityContext.ProcMount == corev1.UnmaskedProcMount {
				j.bad(at.Child(list.name).Index(i).Child("securityContext").Child("procMount"), "Unmasked needs hostUsers: false")
			}
		}
	}
}

// rest judges what few pods have.
func (j *judge) rest(at *field.Path, s *corev1.PodSpec) {
	if p := s.PreemptionPolicy; p != nil {
		need(j, at.Child("preemptionPolicy"), *p, corev1.PreemptLowerPriority, corev1.PreemptNever)
	}
	if len(s.Overhead) > 0 {
		j.bad(at.Child("overhead"), "must be left out: it is set from the RuntimeClass")
	}
	if s.Priority != nil {
		j.bad(at.Child("priority"), "must be left out: it is set from priorityClassName")
	}
	if s.SchedulingGroup != nil {
		j.bad(at.Child("schedulingGroup"), "needs a feature of Kubernetes that is off by default, GenericWorkload, and a LeaderWorkerSet does not know the field")
	}
	if s.OS != nil {
		need(j, at.Child("os").Child("name"), s.OS.Name, corev1.Linux)
	}
	if s.HostnameOverride != nil && (s.SetHostnameAsFQDN != nil && *s.SetHostnameAsFQDN || s.HostNetwork) {
		j.bad(at.Child("hostnameOverride"), "must not stand beside setHostnameAsFQDN or hostNetwork")
	}
	if s.Resources != nil {
		j.podResources(at.Child("resources"), s)
	}
}

func (j *judge) volumes(at *field.Path, list []corev1.Volume) {
	seen := map[string]bool{}
	for i := range list {
		v := &list[i]
		j.volume(at.Index(i), v)
		if v.Name != "" && seen[v.Name] {
			j.bad(at.Index(i).Child("name"), "%q is the name of another volume of the pod", v.Name)
		}
		seen[v.Name] = true
	}
}

func (j *judge) podClaims(at *field.Path, list []corev1.PodResourceClaim) {
	seen := map[string]bool{}
	for i, c := range list {
		at := at.Index(i)
		j.text(at.Child("name"), c.Name, dnsLabel)
		if seen[c.Name] {
			j.bad(at.Child("name"), "%q is the name of another claim of the pod", c.Name)
		}
		seen[c.Name] = true
		j.members(at, []string{"resourceClaimName", "resourceClaimTemplateName"}, c.ResourceClaimName != nil, c.ResourceClaimTemplateName != nil)
		if c.ResourceClaimName != nil {
			j.text(at.Child("resourceClaimName"), *c.ResourceClaimName, dnsSubdomain)
		}
		if c.ResourceClaimTemplateName != nil {
			j.text(at.Child("resourceClaimTemplateName"), *c.ResourceClaimTemplateName, dnsSubdomain)
		}
	}
}

// podResources judges the resources of the pod as a whole.
func (j *judge) podResources(at *field.Path, s *corev1.PodSpec) {
	r := s.Resources
	if len(r.Claims) > 0 {
		j.bad(at.Child("claims"), "must be left out: containers take claims")
	}
	j.resources(at, *r)
	for part, list := range map[string]corev1.ResourceList{"requests": r.Requests, "limits": r.Limits} {
		for name := range list {
			if name != corev1.ResourceCPU && name != corev1.ResourceMemory && !strings.HasPrefix(string(name), hugePages) {
				j.bad(at.Child(part).Key(string(name)), "must be cpu, memory or hugepages-<size> for the pod as a whole")
			}
		}
	}
	j.podAmounts(at, s)
	for i, c := range s.Containers {
		for name, limit := range c.Resources.Limits {
			if whole, ok := r.Limits[name]; ok && limit.Cmp(whole) > 0 {
				j.bad(at.Child("limits").Key(string(name)), "must not be below the limit of containers[%d], %s (got %s)", i, limit.String(), whole.String())
			}
		}
	}
}

// podAmounts holds the amounts of the pod as a whole against those of its containers: sidecars count
// beside the others, init containers where they need more (Kubernetes v1.36.3
// pkg/apis/core/v1/defaults.go, defaultPodRequests, and pkg/apis/core/validation/validation.go,
// validatePodResourceConsistency).
func (j *judge) podAmounts(at *field.Path, s *corev1.PodSpec) {
	pod := &corev1.Pod{Spec: *s.DeepCopy()}
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			completeRequests(&list[i].Resources)
		}
	}
	options := helpers.PodResourcesOptions{}
	requests := helpers.AggregateContainerRequests(pod, options)
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		sum := requests[name]
		whole, written := s.Resources.Requests[name]
		if written && sum.Cmp(whole) > 0 {
			j.bad(at.Child("requests").Key(string(name)), "must not be below what the containers request together, %s (got %s)", sum.String(), whole.String())
		}
		limit, limited := s.Resources.Limits[name]
		if !written && limited && !strings.HasPrefix(string(name), hugePages) && sum.Cmp(limit) > 0 {
			j.bad(at.Child("limits").Key(string(name)), "must not be below what the containers request together, %s (got %s)", sum.String(), limit.String())
		}
	}
	limits := helpers.AggregateContainerLimits(pod, options)
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		sum := limits[name]
		whole, written := s.Resources.Limits[name]
		if written && strings.HasPrefix(string(name), hugePages) && sum.Cmp(whole) > 0 {
			j.bad(at.Child("limits").Key(string(name)), "must not be below the limits of the containers together, %s (got %s)", sum.String(), whole.String())
		}
	}
}

// completeRequests requests what is limited and not requested, as the API server does.
func completeRequests(r *corev1.ResourceRequirements) {
	for name, limit := range r.Limits {
		if _, ok := r.Requests[name]; !ok {
			if r.Requests == nil {
				r.Requests = corev1.ResourceList{}
			}
			r.Requests[name] = limit
		}
	}
}
