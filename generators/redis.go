package generators

import (
	"cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/schema"
)

// redisData is the working directory of the official image, and its volume.
const redisData = "/data"

// redis makes a Redis, unless the stack names one that is there. Its pods are not the
// pool's: they have no llm-d label.
func redis(s *Stack) []Object {
	r := s.Spec.KVCache.Redis
	switch {
	case r == nil || r.Address != "":
		return nil
	case r.Persistence == nil:
		return []Object{redisService(s), redisDeployment(s, &corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}})}
	case r.Persistence.ClaimName != "":
		volume := &corev1.PersistentVolumeClaimVolumeSource{ClaimName: r.Persistence.ClaimName}
		return []Object{redisClaim(s), redisService(s), redisDeployment(s, &corev1.VolumeSource{PersistentVolumeClaim: volume})}
	default:
		return []Object{redisService(s), redisStatefulSet(s)}
	}
}

// redisClaim is a claim that has a name of its own.
func redisClaim(s *Stack) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: s.meta(componentRedis, s.Spec.KVCache.Redis.Persistence.ClaimName),
		Spec:       s.redisClaimSpec(),
	}
}

func (s *Stack) redisClaimSpec() corev1.PersistentVolumeClaimSpec {
	persistence := s.Spec.KVCache.Redis.Persistence
	return corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceStorage: persistence.Size.DeepCopy(),
		}},
		StorageClassName: optional(persistence.StorageClassName),
	}
}

func (s *Stack) redisName() string {
	longest := maxLabel
	if p := s.Spec.KVCache.Redis.Persistence; p != nil && p.ClaimName == "" {
		longest = schema.MaxStatefulSetName
	}
	return cmp.Or(s.Spec.KVCache.Redis.Name, derived(s.Metadata.Name, componentRedis, longest))
}

// redisAddress returns host and port of the Redis, or "" without one.
func (s *Stack) redisAddress() string {
	switch r := s.Spec.KVCache.Redis; {
	case r == nil:
		return ""
	case r.Address != "":
		return r.Address
	default:
		return serviceHost(s.redisName(), s.namespace()) + ":" + text(redisPort)
	}
}

func redisService(s *Stack) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.meta(componentRedis, s.redisName()),
		Spec: corev1.ServiceSpec{
			Ports:    []corev1.ServicePort{{Name: "redis", Port: redisPort, TargetPort: intstr.FromString("redis"), Protocol: corev1.ProtocolTCP, AppProtocol: new("redis")}},
			Selector: s.selector(componentRedis),
			Type:     corev1.ServiceTypeClusterIP,
		},
	}
}

// redisDeployment is a Redis on a volume of its own; two at once would be two databases.
func redisDeployment(s *Stack, data *corev1.VolumeSource) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "Deployment"},
		ObjectMeta: s.meta(componentRedis, s.redisName()),
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(1)),
			Selector: &metav1.LabelSelector{MatchLabels: s.selector(componentRedis)},
			Template: redisPod(s, corev1.Volume{Name: "data", VolumeSource: *data}),
			Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
		},
	}
}

func redisStatefulSet(s *Stack) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "StatefulSet"},
		ObjectMeta: s.meta(componentRedis, s.redisName()),
		Spec: appsv1.StatefulSetSpec{
			Replicas: new(int32(1)),
			Selector: &metav1.LabelSelector{MatchLabels: s.selector(componentRedis)},
			Template: redisPod(s),
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
				ObjectMeta: metav1.ObjectMeta{Name: "data", Labels: s.selector(componentRedis)},
				Spec:       s.redisClaimSpec(),
			}},
			ServiceName: s.redisName(),
		},
	}
}

func redisPod(s *Stack, volumes ...corev1.Volume) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: s.labels(componentRedis)},
		Spec: corev1.PodSpec{
			Volumes:                      volumes,
			Containers:                   []corev1.Container{redisContainer(s)},
			AutomountServiceAccountToken: new(false),
			SecurityContext:              s.podSecurityContext(),
			ImagePullSecrets:             s.pullSecrets(),
		},
	}
}

// redisContainer runs the server as the image's entrypoint does when it is not root. The
// password is no argument of ours but the Secret's: $(REDIS_PASSWORD) is replaced when the
// container starts.
func redisContainer(s *Stack) corev1.Container {
	r := s.Spec.KVCache.Redis
	list := []string{"--dir", redisData}
	if r.Persistence != nil {
		list = append(list, "--appendonly", "yes")
	} else {
		list = append(list, "--save", "")
	}
	var vars []corev1.EnvVar
	if r.PasswordSecret != nil {
		list = append(list, "--requirepass", "$(REDIS_PASSWORD)")
		vars = append(vars, secretEnv("REDIS_PASSWORD", r.PasswordSecret))
	}
	return corev1.Container{
		Name:            "redis",
		Image:           cmp.Or(r.Image, s.Line.Images.Redis),
		Command:         []string{"redis-server"},
		Args:            list,
		Ports:           []corev1.ContainerPort{{Name: "redis", ContainerPort: redisPort, Protocol: corev1.ProtocolTCP}},
		Env:             vars,
		Resources:       resources(r.Resources, redisResources()),
		VolumeMounts:    []corev1.VolumeMount{{Name: "data", MountPath: redisData}},
		LivenessProbe:   redisProbe(10, 3),
		ReadinessProbe:  redisProbe(5, 3),
		ImagePullPolicy: s.pullPolicy(),
		SecurityContext: s.containerSecurityContext(),
	}
}

func redisProbe(period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:     corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromString("redis")}},
		PeriodSeconds:    period,
		FailureThreshold: failures,
	}
}

func redisResources() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("2Gi")},
		Requests: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("100m"),
			corev1.ResourceMemory: resource.MustParse("256Mi"),
		},
	}
}
