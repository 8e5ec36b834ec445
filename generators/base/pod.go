package base

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/podpatch"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// Clone copies what a pointer points at.
func Clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// PodSecurityContext holds the Pod Security Standard that the stack asks for: restricted,
// or baseline, which leaves the user to the image. The platform chooses the ids that
// are 0.
func (s *Stack) PodSecurityContext() *corev1.PodSecurityContext {
	security := &s.Spec.Security
	context := &corev1.PodSecurityContext{
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	if security.FsGroup != 0 && !security.PlatformIDs {
		context.FSGroup = new(int64(security.FsGroup))
	}
	if security.PodSecurity == "baseline" {
		return context
	}
	context.RunAsNonRoot = new(true)
	if security.RunAsUser != 0 && !security.PlatformIDs {
		context.RunAsUser = new(int64(security.RunAsUser))
	}
	return context
}

// ContainerSecurityContext is the container's part of the restricted standard, which
// every container we write can hold. Under baseline, images that start as root keep the
// capabilities that this takes for granted.
func (s *Stack) ContainerSecurityContext() *corev1.SecurityContext {
	context := &corev1.SecurityContext{AllowPrivilegeEscalation: new(false)}
	if s.Spec.Security.PodSecurity != "baseline" {
		context.Capabilities = &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}
	}
	return context
}

func (s *Stack) PullPolicy() corev1.PullPolicy {
	return corev1.PullPolicy(s.Spec.Images.PullPolicy)
}

func (s *Stack) PullSecrets() (refs []corev1.LocalObjectReference) {
	for _, name := range s.Spec.Images.PullSecrets {
		refs = append(refs, corev1.LocalObjectReference{Name: name})
	}
	return refs
}

// Amounts are requests, and the most memory that a container may take; no limit where that is "".
func Amounts(cpu, memory, most string) corev1.ResourceRequirements {
	r := corev1.ResourceRequirements{Requests: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
	}}
	if most != "" {
		r.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(most)}
	}
	return r
}

// Resources returns the requirements of a section, or a fresh copy of the default.
func Resources(section *schema.Resources, fallback corev1.ResourceRequirements) corev1.ResourceRequirements {
	if section == nil {
		return *fallback.DeepCopy()
	}
	requests, limits := section.Whole()
	return corev1.ResourceRequirements{Requests: quantities(requests), Limits: quantities(limits)}
}

func quantities[Q ~map[string]V, V interface{ DeepCopy() V }](in Q) map[corev1.ResourceName]V {
	if len(in) == 0 {
		return nil
	}
	out := make(map[corev1.ResourceName]V, len(in))
	for name, q := range in {
		out[corev1.ResourceName(name)] = q.DeepCopy()
	}
	return out
}

// Env joins environment variables; of two with one name the later wins, in the place
// of the first. References $(NAME) keep working because the order stays.
func Env(all ...[]corev1.EnvVar) (out []corev1.EnvVar) {
	for _, list := range all {
		for _, v := range list {
			i := slices.IndexFunc(out, func(o corev1.EnvVar) bool { return o.Name == v.Name })
			if i < 0 {
				out = append(out, *v.DeepCopy())
			} else {
				out[i] = *v.DeepCopy()
			}
		}
	}
	return out
}

// FieldEnv is an environment variable from a field of the pod.
func FieldEnv(name, path string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{
		FieldRef: &corev1.ObjectFieldSelector{FieldPath: path},
	}}
}

// SecretEnv is an environment variable from a Secret.
func SecretEnv(name string, key *schema.SecretKey) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{
		SecretKeyRef: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: key.Name},
			Key:                  key.Key,
		},
	}}
}

// FlagEnv makes variables of those that a release line lists.
func FlagEnv(flags []release.Flag) []corev1.EnvVar {
	return lists.Map(flags, func(f release.Flag) corev1.EnvVar { return corev1.EnvVar{Name: f.Name, Value: f.Value} })
}

// Clones deep-copies a list of API structs, so that no object shares memory with the
// spec.
func Clones[T any, P interface {
	*T
	DeepCopy() *T
}](in []T) (out []T) {
	for i := range in {
		out = append(out, *P(&in[i]).DeepCopy())
	}
	return out
}

// Joined merges maps into a fresh one; later ones win. It returns nil for nothing.
func Joined(in ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range in {
		maps.Copy(out, m)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// ImageUserSecurityContext is PodSecurityContext for an image that names a numeric user
// of its own, whose files it may need.
func (s *Stack) ImageUserSecurityContext() *corev1.PodSecurityContext {
	context := s.PodSecurityContext()
	context.RunAsUser = nil
	return context
}

// Spread lets a constraint that selects no pods count those of the component.
func (s *Stack) Spread(component string, constraints []corev1.TopologySpreadConstraint) []corev1.TopologySpreadConstraint {
	out := Clones(constraints)
	for i := range out {
		if out[i].LabelSelector == nil {
			out[i].LabelSelector = &metav1.LabelSelector{MatchLabels: s.Selector(component)}
		}
	}
	return out
}

// Optional returns nil for the empty string.
func Optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// LowPorts lets a process without capabilities listen on ports below 1024. The sysctl is
// a safe one, which the restricted Pod Security Standard allows
// (k8s.io/pod-security-admission policy/check_sysctls.go).
func LowPorts() []corev1.Sysctl {
	return []corev1.Sysctl{{Name: "net.ipv4.ip_unprivileged_port_start", Value: "0"}}
}

// Merged applies one patch as kubectl patch --type=strategic does.
func Merged(template corev1.PodTemplateSpec, patch map[string]any) corev1.PodTemplateSpec {
	out, err := podpatch.Apply(template, patch)
	check(err)
	return out
}

func check(err error) {
	if err != nil {
		panic(err) // a rule of the schema is missing
	}
}

// TracingEnv configures OpenTelemetry's SDK.
func (s *Stack) TracingEnv(service string) []corev1.EnvVar {
	if s.Spec.Monitoring == nil || s.Spec.Monitoring.Tracing == nil {
		return nil
	}
	tracing := s.Spec.Monitoring.Tracing
	return []corev1.EnvVar{
		{Name: "OTEL_SERVICE_NAME", Value: service},
		{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Value: tracing.Endpoint},
		{Name: "OTEL_TRACES_SAMPLER", Value: "parentbased_traceidratio"},
		{Name: "OTEL_TRACES_SAMPLER_ARG", Value: args.Text(tracing.Ratio)},
	}
}
