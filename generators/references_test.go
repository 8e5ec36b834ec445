package generators

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/generators/scaling"
	"github.com/inferstack/inferstack/schema"
)

// referencesResolve follows every name by which one object refers to another.
func referencesResolve(t *testing.T, s *base.Stack, objects []base.Object) {
	for _, p := range allPods(objects) {
		podRefers(t, s, p, objects)
	}
	for _, o := range objects {
		switch o := o.(type) {
		case *rbacv1.RoleBinding:
			needs(t, objects, o, o.RoleRef.Kind, o.Namespace, o.RoleRef.Name)
			subjectsAre(t, o, o.Subjects, objects)
		case *rbacv1.ClusterRoleBinding:
			needs(t, objects, o, o.RoleRef.Kind, "", o.RoleRef.Name)
			subjectsAre(t, o, o.Subjects, objects)
		case *autoscalingv2.HorizontalPodAutoscaler:
			needs(t, objects, o, o.Spec.ScaleTargetRef.Kind, o.Namespace, o.Spec.ScaleTargetRef.Name)
		case *scaling.ScaledObject:
			needs(t, objects, o, o.Spec.ScaleTargetRef.Kind, o.Namespace, o.Spec.ScaleTargetRef.Name)
		case *gwapiv1.HTTPRoute:
			routeRefers(t, s, o, objects)
		}
		switch manifest.KindOf(o) {
		case "InferencePool":
			poolRefers(t, s, o, objects)
		case "DestinationRule":
			hostIs(t, o, objects)
		}
	}
}

func subjectsAre(t *testing.T, o base.Object, subjects []rbacv1.Subject, objects []base.Object) {
	for _, subject := range subjects {
		if subject.Kind == "ServiceAccount" {
			needs(t, objects, o, subject.Kind, subject.Namespace, subject.Name)
		}
	}
}

// podRefers wants what pods mount and run as, except what the user has promised.
func podRefers(t *testing.T, s *base.Stack, p pods, objects []base.Object) {
	if name := p.spec.ServiceAccountName; name != "" && name != s.Spec.Server.ServiceAccountName {
		needs(t, objects, p.workload, "ServiceAccount", p.namespace, name)
	}
	volumes := map[string]bool{}
	for _, v := range p.spec.Volumes {
		volumes[v.Name] = true
		switch {
		case v.ConfigMap != nil:
			needs(t, objects, p.workload, "ConfigMap", p.namespace, v.ConfigMap.Name)
		case v.PersistentVolumeClaim != nil && !promised(s, v.PersistentVolumeClaim.ClaimName):
			needs(t, objects, p.workload, "PersistentVolumeClaim", p.namespace, v.PersistentVolumeClaim.ClaimName)
		case v.Secret != nil && !promised(s, v.Secret.SecretName):
			needs(t, objects, p.workload, "Secret", p.namespace, v.Secret.SecretName)
		}
	}
	for _, c := range p.spec.ResourceClaims {
		needs(t, objects, p.workload, "ResourceClaimTemplate", p.namespace, *c.ResourceClaimTemplateName)
	}
	for _, c := range slices.Concat(p.spec.InitContainers, p.spec.Containers) {
		containerRefers(t, s, p, c, volumes)
	}
	portsAreUnique(t, p)
}

func containerRefers(t *testing.T, s *base.Stack, p pods, c corev1.Container, volumes map[string]bool) {
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] && !claimedBy(p.workload, m.Name) {
			t.Errorf("%s: container %s mounts %s, which is not a volume", identity(p.workload), c.Name, m.Name)
		}
	}
	for _, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil && !promised(s, e.ValueFrom.SecretKeyRef.Name) {
			t.Errorf("%s: %s comes from a Secret that nobody promised: %s", identity(p.workload), e.Name, e.ValueFrom.SecretKeyRef.Name)
		}
	}
	for _, probe := range []*corev1.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
		if probe != nil && probe.HTTPGet != nil && !p.serves(probe.HTTPGet.Port) {
			t.Errorf("%s: a probe asks port %s of %s", identity(p.workload), probe.HTTPGet.Port.String(), c.Name)
		}
		if probe != nil && probe.GRPC != nil && !p.serves(intstr.FromInt32(probe.GRPC.Port)) {
			t.Errorf("%s: a probe asks port %d of %s", identity(p.workload), probe.GRPC.Port, c.Name)
		}
	}
}

// claimedBy reports whether a StatefulSet makes the claim of that name.
func claimedBy(o base.Object, name string) bool {
	set, ok := o.(*appsv1.StatefulSet)
	return ok && slices.ContainsFunc(set.Spec.VolumeClaimTemplates, func(c corev1.PersistentVolumeClaim) bool { return c.Name == name })
}

// keeps reports whether a tier of the KV cache is a claim that already exists.
func keeps(s *base.Stack, claim string) bool {
	for _, server := range s.Servers() {
		if slices.ContainsFunc(s.SecondaryTiers(server.Own), func(t schema.SecondaryTier) bool { return t.ExistingClaim == claim }) {
			return true
		}
	}
	return false
}

// promised reports whether the spec names something that already exists.
func promised(s *base.Stack, name string) bool {
	model, scheduler, redis := &s.Spec.Model, &s.Spec.Scheduler, s.Spec.KVCache.Redis
	return model.TokenSecret != nil && model.TokenSecret.Name == name ||
		model.Download != nil && model.Download.CredentialsSecret == name ||
		scheduler.CertSecret == name ||
		s.Spec.Server.CertSecret == name ||
		s.Spec.ECTransfer.ClaimName == name ||
		model.Storage.ExistingClaim == name || keeps(s, name) ||
		slices.ContainsFunc(model.AdapterVolumes(), func(v schema.AdapterVolume) bool { return v.Claim == name }) ||
		redis != nil && redis.PasswordSecret != nil && redis.PasswordSecret.Name == name ||
		strings.HasPrefix(model.Source, "pvc://"+name+"/") ||
		strings.HasPrefix(model.Source, "pvc+hf://"+name+"/")
}

func portsAreUnique(t *testing.T, p pods) {
	names, numbers := map[string]bool{}, map[int32]bool{}
	for _, c := range slices.Concat(p.spec.InitContainers, p.spec.Containers) {
		for _, port := range c.Ports {
			if names[port.Name] || numbers[port.ContainerPort] || len(port.Name) > 15 {
				t.Errorf("%s: port %s %d twice, or a name over 15 characters", identity(p.workload), port.Name, port.ContainerPort)
			}
			names[port.Name], numbers[port.ContainerPort] = true, true
		}
	}
}

func routeRefers(t *testing.T, s *base.Stack, route *gwapiv1.HTTPRoute, objects []base.Object) {
	for _, parent := range route.Spec.ParentRefs {
		if !s.Spec.Gateway.Existing {
			needs(t, objects, route, "Gateway", namespaceOf(parent.Namespace, route), string(parent.Name))
		}
	}
	for _, rule := range route.Spec.Rules {
		for _, backend := range rule.BackendRefs {
			namespace, name := namespaceOf(backend.Namespace, route), string(backend.Name)
			switch {
			case namespace != route.Namespace && !granted(objects, namespace):
				t.Errorf("%s may not refer to %s in %s: no ReferenceGrant", identity(route), name, namespace)
			case elsewhere(s, name):
			case backend.Kind == nil || *backend.Kind == "Service":
				servicePortOf(t, objects, route, namespace, name, *backend.Port)
			default:
				needs(t, objects, route, string(*backend.Kind), namespace, name)
			}
		}
	}
}

func namespaceOf(namespace *gwapiv1.Namespace, o base.Object) string {
	if namespace == nil {
		return o.GetNamespace()
	}
	return string(*namespace)
}

func granted(objects []base.Object, namespace string) bool {
	return slices.ContainsFunc(objects, func(o base.Object) bool {
		return manifest.KindOf(o) == "ReferenceGrant" && o.GetNamespace() == namespace
	})
}

// elsewhere reports whether a backend is that of another stack.
func elsewhere(s *base.Stack, name string) bool {
	for _, rule := range s.RouteRules() {
		if slices.ContainsFunc(rule.Backends, func(b schema.PlannedBackend) bool { return !b.Own && b.Name == name }) {
			return true
		}
	}
	return false
}

// poolRefers wants the EPP's Service, and that every pod that the pool selects serves the
// pool's ports, or says by annotation which of them.
func poolRefers(t *testing.T, s *base.Stack, pool base.Object, objects []base.Object) {
	spec := withoutStatus(t, pool)["spec"].(map[string]any)
	picker := spec["endpointPickerRef"].(map[string]any)
	port := picker["port"].(map[string]any)["number"].(float64)
	servicePortOf(t, objects, pool, pool.GetNamespace(), picker["name"].(string), int32(port))
	selector := map[string]string{}
	for k, v := range spec["selector"].(map[string]any)["matchLabels"].(map[string]any) {
		selector[k] = v.(string)
	}
	targets := selected(allPods(objects), pool.GetNamespace(), selector)
	if s.Spec.Server.Create && len(targets) != len(s.Servers()) {
		t.Errorf("%s selects %d kinds of pods, of %d roles", identity(pool), len(targets), len(s.Servers()))
	}
	for i, target := range spec["targetPorts"].([]any) {
		number := int32(target.(map[string]any)["number"].(float64))
		for _, p := range targets {
			if !p.serves(intstr.FromInt32(number)) && i == 0 {
				t.Errorf("%s: port %d is not served by %s", identity(pool), number, identity(p.workload))
			}
		}
	}
}

// hostIs wants a Service behind a DestinationRule's host.
func hostIs(t *testing.T, rule base.Object, objects []base.Object) {
	host := withoutStatus(t, rule)["spec"].(map[string]any)["host"].(string)
	name, rest, _ := strings.Cut(host, ".")
	namespace, _, _ := strings.Cut(rest, ".")
	if namespace == "" {
		namespace = rule.GetNamespace()
	}
	for _, o := range objects {
		if manifest.KindOf(o) == "InferencePool" && name == schema.IstioPoolService(o.GetName()) {
			name = ""
			needs(t, objects, rule, "InferencePool", namespace, o.GetName())
		}
	}
	if name != "" {
		needs(t, objects, rule, "Service", namespace, name)
	}
}
