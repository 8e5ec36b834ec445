package rules

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// unrestricted lists what a patched pod has that the restricted Pod Security Standard
// refuses (Kubernetes documentation, Pod Security Standards). What the stack makes by
// itself meets the standard, so that a namespace may enforce it.
func unrestricted(spec *corev1.PodSpec) (out []string) {
	for name, on := range map[string]bool{"hostNetwork: true": spec.HostNetwork, "hostPID: true": spec.HostPID, "hostIPC: true": spec.HostIPC} {
		if on {
			out = append(out, name)
		}
	}
	if c := spec.SecurityContext; c != nil {
		out = append(out, asRoot("", c.RunAsUser, c.RunAsNonRoot)...)
	}
	for _, v := range spec.Volumes {
		if v.HostPath != nil {
			out = append(out, "hostPath of volume "+v.Name)
		}
	}
	for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
		out = append(out, unrestrictedContainer(c)...)
		out = append(out, unsaid(spec.SecurityContext, c)...)
	}
	slices.Sort(out)
	return out
}

func unrestrictedContainer(c corev1.Container) []string {
	var out []string
	of := " of container " + c.Name
	for _, p := range c.Ports {
		if p.HostPort != 0 {
			out = append(out, fmt.Sprintf("hostPort %d%s", p.HostPort, of))
		}
	}
	context := c.SecurityContext
	if context == nil {
		return out
	}
	if context.Privileged != nil && *context.Privileged {
		out = append(out, "privileged: true"+of)
	}
	if context.AllowPrivilegeEscalation != nil && *context.AllowPrivilegeEscalation {
		out = append(out, "allowPrivilegeEscalation: true"+of)
	}
	if context.Capabilities != nil {
		for _, added := range context.Capabilities.Add {
			if added != "NET_BIND_SERVICE" {
				out = append(out, "capability "+string(added)+of)
			}
		}
	}
	return append(out, asRoot(of, context.RunAsUser, context.RunAsNonRoot)...)
}

// unsaid lists what the restricted standard wants to be said of a container, in its own
// securityContext or, where that can be, in the pod's.
func unsaid(pod *corev1.PodSecurityContext, c corev1.Container) []string {
	context := c.SecurityContext
	if context == nil {
		context = &corev1.SecurityContext{}
	}
	if pod == nil {
		pod = &corev1.PodSecurityContext{}
	}
	var lacks []string
	if context.AllowPrivilegeEscalation == nil {
		lacks = append(lacks, "allowPrivilegeEscalation: false")
	}
	if context.Capabilities == nil || !slices.Contains(context.Capabilities.Drop, "ALL") {
		lacks = append(lacks, "capabilities.drop: [ALL]")
	}
	if context.SeccompProfile == nil && pod.SeccompProfile == nil {
		lacks = append(lacks, "seccompProfile")
	}
	if context.RunAsNonRoot == nil && pod.RunAsNonRoot == nil {
		lacks = append(lacks, "runAsNonRoot: true")
	}
	if len(lacks) == 0 {
		return nil
	}
	return []string{"container " + c.Name + " lacks " + strings.Join(lacks, " and ")}
}

// holdsRestricted reports whether the pods of a role are made to hold the restricted
// standard, as far as the user does not change them.
func (s stack) holdsRestricted(r *schema.Role) bool {
	if s.Spec.Security.PodSecurity != "restricted" {
		return false
	}
	if r == nil || s.Simulated() {
		return true
	}
	if len(s.RDMACapabilities(r)) > 0 {
		return false
	}
	switch s.AcceleratorOf(r).Type {
	case "amd", "intel-xpu", "google-tpu":
		return false
	}
	return true
}

// podStandard warns of containers and volumes of the user's that a namespace refuses which
// enforces the standard that everything else holds.
func podStandard(s stack) (out []schema.Problem) {
	decode := s.Workloads()[0].Role
	for _, list := range s.addedContainers() {
		role := decode
		if finding.Within(list.path, schedulerPath) {
			role = nil
		}
		for _, r := range s.Workloads() {
			if finding.Within(list.path, r.Path) {
				role = r.Role
			}
		}
		if !s.holdsRestricted(role) {
			continue
		}
		for i, c := range list.containers {
			pod := restrictedPod()
			pod.Containers = []corev1.Container{c}
			out = append(out, s.patchSecurity(finding.Indexed(list.path, i), pod)...)
		}
	}
	for _, list := range s.addedVolumes() {
		for i, v := range list.volumes {
			if v.HostPath != nil {
				out = append(out, s.Problem(schema.Warning, finding.Indexed(list.path, i)+".hostPath", "a namespace that enforces the baseline or the restricted Pod Security Standard refuses pods with directories of their node"))
			}
		}
	}
	return out
}

// restrictedPod is a pod whose securityContext is that of the stack.
func restrictedPod() *corev1.PodSpec {
	return &corev1.PodSpec{SecurityContext: &corev1.PodSecurityContext{
		RunAsNonRoot:   new(true),
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}}
}

// A volumeList is a list of the user's volumes and where it is written.
type volumeList struct {
	path    string
	volumes []corev1.Volume
}

func (s stack) addedVolumes() []volumeList {
	out := []volumeList{{"spec.server.volumes", s.Spec.Server.Volumes}}
	for _, r := range s.Workloads() {
		out = append(out, volumeList{r.Path + ".volumes", r.Volumes})
	}
	return append(out, volumeList{schedulerPath + ".volumes", s.Spec.Scheduler.Volumes})
}

func asRoot(of string, user *int64, nonRoot *bool) (out []string) {
	if user != nil && *user == 0 {
		out = append(out, "runAsUser: 0"+of)
	}
	if nonRoot != nil && !*nonRoot {
		out = append(out, "runAsNonRoot: false"+of)
	}
	return out
}

// patchSecurity warns of a patch that makes the pods what a namespace may refuse.
func (s stack) patchSecurity(at string, after *corev1.PodSpec) []schema.Problem {
	if list := unrestricted(after); len(list) > 0 {
		return []schema.Problem{s.Problem(schema.Warning, at, "a namespace that enforces the restricted Pod Security Standard refuses these pods: %s", strings.Join(list, ", "))}
	}
	return nil
}

// patchArgs refuses a patch that takes the arguments away, and warns of one that writes
// others in their place: lists of plain values are not merged.
func (s stack) patchArgs(at string, containers []corev1.Container) (out []schema.Problem) {
	for _, c := range containers {
		switch {
		case c.Image != "" || slices.Equal(c.Args, sampleArgs): // the user's own, or untouched
		case len(c.Args) == 0:
			out = append(out, s.Problem(schema.Error, at, "must not remove the args of container %s, which are the stack's", c.Name))
		default:
			out = append(out, s.Problem(schema.Warning, at, "writes args of container %s in the place of all of the stack's; to add some, use args, or flags for the EPP", c.Name))
		}
	}
	return out
}

var sampleArgs = []string{"--sample"}

// platformIDsFit reports ids that the platform is left to choose.
func platformIDsFit(s stack) (out []schema.Problem) {
	for _, field := range []string{"runAsUser", "fsGroup"} {
		if at := "spec.security." + field; s.Spec.Security.PlatformIDs && s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "is the platform's to choose with platformIDs: true; remove one of the two"))
		}
	}
	return out
}
