// Package redis makes the Redis of a stack.
package redis

import (
	"cmp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/schema"
)

// data is the working directory of the official image, and its volume.
const data = "/data"

// Objects makes a Redis, unless the stack names one that is there. Its pods are not the
// pool's: they have no llm-d label.
func Objects(s *base.Stack) []base.Object {
	r := s.Spec.KVCache.Redis
	switch {
	case r == nil || r.Address != "":
		return nil
	case r.Persistence == nil:
		return []base.Object{service(s), deployment(s, &corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}})}
	case r.Persistence.ClaimName != "":
		volume := &corev1.PersistentVolumeClaimVolumeSource{ClaimName: r.Persistence.ClaimName}
		return []base.Object{claim(s), service(s), deployment(s, &corev1.VolumeSource{PersistentVolumeClaim: volume})}
	default:
		return []base.Object{service(s), statefulSet(s)}
	}
}

// claim is a claim that has a name of its own.
func claim(s *base.Stack) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: s.Meta(base.ComponentRedis, s.Spec.KVCache.Redis.Persistence.ClaimName),
		Spec:       claimSpec(s),
	}
}

func claimSpec(s *base.Stack) corev1.PersistentVolumeClaimSpec {
	persistence := s.Spec.KVCache.Redis.Persistence
	return corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceStorage: persistence.Size.DeepCopy(),
		}},
		StorageClassName: base.Optional(persistence.StorageClassName),
	}
}

func Name(s *base.Stack) string {
	longest := base.MaxLabel
	if p := s.Spec.KVCache.Redis.Persistence; p != nil && p.ClaimName == "" {
		longest = schema.MaxStatefulSetName
	}
	return cmp.Or(s.Spec.KVCache.Redis.Name, base.Derived(s.Metadata.Name, base.ComponentRedis, longest))
}

// Address returns host and port of the Redis, or "" without one.
func Address(s *base.Stack) string {
	switch r := s.Spec.KVCache.Redis; {
	case r == nil:
		return ""
	case r.Address != "":
		return r.Address
	default:
		return base.ServiceHost(Name(s), s.Namespace()) + ":" + args.Text(base.RedisPort)
	}
}

func service(s *base.Stack) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.Meta(base.ComponentRedis, Name(s)),
		Spec: corev1.ServiceSpec{
			Ports:    []corev1.ServicePort{{Name: "redis", Port: base.RedisPort, TargetPort: intstr.FromString("redis"), Protocol: corev1.ProtocolTCP, AppProtocol: new("redis")}},
			Selector: s.Selector(base.ComponentRedis),
			Type:     corev1.ServiceTypeClusterIP,
		},
	}
}

// deployment is a Redis on a volume of its own; two at once would be two databases.
func deployment(s *base.Stack, data *corev1.VolumeSource) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "Deployment"},
		ObjectMeta: s.Meta(base.ComponentRedis, Name(s)),
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(1)),
			Selector: &metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentRedis)},
			Template: pod(s, corev1.Volume{Name: "data", VolumeSource: *data}),
			Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
		},
	}
}

func statefulSet(s *base.Stack) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "StatefulSet"},
		ObjectMeta: s.Meta(base.ComponentRedis, Name(s)),
		Spec: appsv1.StatefulSetSpec{
			Replicas: new(int32(1)),
			Selector: &metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentRedis)},
			Template: pod(s),
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
				ObjectMeta: metav1.ObjectMeta{Name: "data", Labels: s.Selector(base.ComponentRedis)},
				Spec:       claimSpec(s),
			}},
			ServiceName: Name(s),
		},
	}
}

func pod(s *base.Stack, volumes ...corev1.Volume) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: s.Labels(base.ComponentRedis)},
		Spec: corev1.PodSpec{
			Volumes:                      volumes,
			Containers:                   []corev1.Container{container(s)},
			AutomountServiceAccountToken: new(false),
			SecurityContext:              s.PodSecurityContext(),
			ImagePullSecrets:             s.PullSecrets(),
		},
	}
}

// container runs the server as the image's entrypoint does when it is not root. The
// password is not an argument of ours but the Secret's: $(REDIS_PASSWORD) is replaced when the
// container starts.
func container(s *base.Stack) corev1.Container {
	r := s.Spec.KVCache.Redis
	list := []string{"--dir", data}
	if r.Persistence != nil {
		list = append(list, "--appendonly", "yes")
	} else {
		list = append(list, "--save", "")
	}
	var vars []corev1.EnvVar
	if r.PasswordSecret != nil {
		list = append(list, "--requirepass", "$(REDIS_PASSWORD)")
		vars = append(vars, base.SecretEnv("REDIS_PASSWORD", r.PasswordSecret))
	}
	return corev1.Container{
		Name:            "redis",
		Image:           cmp.Or(r.Image, s.Line.Images.Redis),
		Command:         []string{"redis-server"},
		Args:            list,
		Ports:           []corev1.ContainerPort{{Name: "redis", ContainerPort: base.RedisPort, Protocol: corev1.ProtocolTCP}},
		Env:             vars,
		Resources:       base.Resources(r.Resources, resources()),
		VolumeMounts:    []corev1.VolumeMount{{Name: "data", MountPath: data}},
		LivenessProbe:   probe(10, 3),
		ReadinessProbe:  probe(5, 3),
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.ContainerSecurityContext(),
	}
}

func probe(period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:     corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromString("redis")}},
		PeriodSeconds:    period,
		FailureThreshold: failures,
	}
}

func resources() corev1.ResourceRequirements { return base.Amounts("100m", "256Mi", "2Gi") }
