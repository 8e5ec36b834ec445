package pods

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/release"
)

// firstVLLM is how the names of llm-d's first vLLM images begin, the default of llmd-operator
// among them.
var firstVLLM = strings.TrimRight(release.DefaultImage("llmd-operator/vllm"), "0123456789")

// images are common to the roles when they agree.
func (s *Servers) images() {
	for _, r := range s.Roles {
		if strings.HasPrefix(r.main.Image, firstVLLM) {
			s.On("spec."+r.Name, r.field("image")).Warn("%s is kept as written, but it is the vLLM of May 2025: it may refuse flags of the release line; without an image, the release catalogue's is used", r.main.Image)
		}
	}
	s.shared("image", func(r *Role) any { return orNil(r.main.Image) })
	for _, r := range s.Roles {
		r.main.Image = ""
		if r.main.ImagePullPolicy == corev1.PullIfNotPresent {
			r.main.ImagePullPolicy = ""
		}
	}
}

// environment goes over to the stack, without the variables that it sets by itself.
func (s *Servers) environment() {
	s.token()
	s.sideChannel()
	s.ecSideChannel()
	for _, r := range s.Roles {
		r.main.Env = slices.DeleteFunc(r.main.Env, func(e corev1.EnvVar) bool {
			cache := e.Name == "HF_HOME" || e.Name == "HF_HUB_CACHE"
			return cache && s.MountPath != "" && (e.Value == s.MountPath || e.Value == s.MountPath+"/")
		})
	}
	for _, r := range s.Roles {
		s.generated(r)
	}
	s.sameOrder()
	s.shared("env", func(r *Role) any { return orNil(r.main.Env) })
	s.shared("envFrom", func(r *Role) any { return orNil(r.main.EnvFrom) })
	for _, r := range s.Roles {
		r.main.Env, r.main.EnvFrom = nil, nil
	}
}

// generated takes out the variables that the stack writes itself. One that says the same is
// not missed; another one is lost, since two of a name are one too many.
func (s *Servers) generated(r *Role) {
	r.main.Env = slices.DeleteFunc(slices.Clone(r.main.Env), func(e corev1.EnvVar) bool {
		field, same := s.writes(e)
		switch {
		case field == "" || same:
		case caches(e):
			r.patched = append(r.patched, e)
			s.On("spec."+r.Name, r.field("env")).Note("%s is patched over the stack's own, by which the weights would be in model.storage", e.Name)
		default:
			s.Lost(r.field("env"), "%s, which the stack writes itself: %s", e.Name, field)
		}
		return field != ""
	})
}

// caches reports whether a variable says where the weights are kept, in a volume of the user's
// own perhaps.
func caches(e corev1.EnvVar) bool {
	return (e.Name == "HF_HOME" || e.Name == "HF_HUB_CACHE") && e.ValueFrom == nil
}

// podFields are fields of the pod that variables of the simulator are made of.
var podFields = map[string]string{"POD_IP": "status.podIP", "POD_NAME": "metadata.name", "POD_NAMESPACE": "metadata.namespace"}

// writes says by which field a stack writes a variable itself, if it does (schema,
// rules_serverargs.go), and whether that is the value here.
func (s *Servers) writes(e corev1.EnvVar) (field string, same bool) {
	scheme, _, _ := strings.Cut(cmp.Or(s.Text("spec.model.source"), "hf://"), "://")
	switch path := podFields[e.Name]; {
	case s.Simulator && path != "":
		return "it is the pod's " + path, e.ValueFrom != nil && e.ValueFrom.FieldRef != nil && e.ValueFrom.FieldRef.FieldPath == path
	case s.Simulator:
		return "", false
	case strings.HasPrefix(e.Name, "VLLM_NIXL_SIDE_CHANNEL_") && s.Disaggregated() && cmp.Or(s.Text("spec.kvTransfer.connector"), "nixlv2") == "nixlv2":
		return "it follows from the pod's address and kvTransfer.sideChannelPort", false
	case e.Name == "HF_TOKEN" && s.Has("spec.model.tokenSecret"):
		return "it follows from model.tokenSecret", false
	case e.Name == "HF_HOME" && scheme == "hf", e.Name == "HF_HUB_CACHE" && scheme != "oci" && scheme != "pvc":
		return "it follows from model.source and model.storage.mountPath", false
	}
	return "", false
}

// sameOrder gives the variables of the roles one order when they are the same ones.
func (s *Servers) sameOrder() {
	byName := func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) }
	first := slices.SortedFunc(slices.Values(s.Roles[0].main.Env), byName)
	for _, r := range s.Roles[1:] {
		if equal(first, slices.SortedFunc(slices.Values(r.main.Env), byName)) {
			r.main.Env = s.Roles[0].main.Env
		}
	}
}

// token is the Secret with the Hugging Face token.
func (s *Servers) token() {
	for _, r := range s.Roles {
		e := takeEnv(r, "HF_TOKEN", func(e corev1.EnvVar) bool { return e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil })
		if e != nil && !s.Has("spec.model.tokenSecret") {
			s.Set("spec.model.tokenSecret.name", e.ValueFrom.SecretKeyRef.Name, r.field("env"))
			s.Set("spec.model.tokenSecret.key", e.ValueFrom.SecretKeyRef.Key, r.field("env"))
		}
	}
}

// sideChannel is NIXL's, which a stack with prefill servers sets up.
func (s *Servers) sideChannel() {
	if !s.Disaggregated() || s.Simulator {
		return
	}
	for _, r := range s.Roles {
		takeEnv(r, "VLLM_NIXL_SIDE_CHANNEL_HOST", func(e corev1.EnvVar) bool {
			return e.ValueFrom != nil && e.ValueFrom.FieldRef != nil && e.ValueFrom.FieldRef.FieldPath == "status.podIP"
		})
		e := takeEnv(r, "VLLM_NIXL_SIDE_CHANNEL_PORT", func(e corev1.EnvVar) bool { return e.Value != "" })
		if e == nil {
			continue
		}
		port, err := strconv.Atoi(e.Value)
		switch {
		case err != nil || s.Has("spec.kvTransfer.sideChannelPort") && s.Text("spec.kvTransfer.sideChannelPort") != e.Value:
			s.Lost(r.field("env"), "VLLM_NIXL_SIDE_CHANNEL_PORT %s; all servers of a stack have one side-channel port", e.Value)
		default:
			s.Set("spec.kvTransfer.sideChannelPort", port, r.field("env"))
		}
	}
}

// takeEnv removes a variable that is as expected.
func takeEnv(r *Role, name string, expected func(corev1.EnvVar) bool) *corev1.EnvVar {
	i := slices.IndexFunc(r.main.Env, func(e corev1.EnvVar) bool { return e.Name == name && expected(e) })
	if i < 0 {
		return nil
	}
	e := r.main.Env[i]
	r.main.Env = slices.Delete(slices.Clone(r.main.Env), i, i+1)
	return &e
}

// storage takes the volumes that the stack makes by itself out of the pods: the
// model's and the shared memory.
func (s *Servers) storage() {
	for _, r := range s.Roles {
		for _, name := range s.ModelVolumes {
			dropVolume(r, name)
		}
		s.sharedMemory(r)
		s.unmounted(r)
	}
	s.shared("volumes", func(r *Role) any { return orNil(r.Pod.Volumes) })
	s.shared("volumeMounts", func(r *Role) any { return orNil(r.main.VolumeMounts) })
	for _, r := range s.Roles {
		r.Pod.Volumes, r.main.VolumeMounts = nil, nil
	}
}

// sharedSize is the size of /dev/shm, the larger one of several roles.
func (s *Servers) sharedSize(r *Role, limit *resource.Quantity) {
	const to = "spec.server.sharedMemory"
	if have, err := resource.ParseQuantity(s.Text(to)); err == nil && have.Cmp(*limit) != 0 {
		s.On(to, r.field("volumes")).Warn("/dev/shm is %s for one role and %s for another; all servers of a stack have the larger one", have.String(), limit.String())
		if have.Cmp(*limit) > 0 {
			return
		}
	}
	s.Set(to, limit, r.field("volumes"))
}

// unmounted drops the scratch volumes that no container mounts, whose names a stack may have a
// use for.
func (s *Servers) unmounted(r *Role) {
	all := slices.Concat([]corev1.Container{r.main}, r.Pod.Containers, r.Pod.InitContainers)
	r.Pod.Volumes = slices.DeleteFunc(slices.Clone(r.Pod.Volumes), func(v corev1.Volume) bool {
		idle := v.EmptyDir != nil && !slices.ContainsFunc(all, func(c corev1.Container) bool {
			return slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == v.Name })
		})
		if idle {
			s.On("spec."+r.Name, r.field("volumes")).Dropped().Note("the volume %s is left out: no container mounts it", v.Name)
		}
		return idle
	})
}

func dropVolume(r *Role, name string) {
	r.Pod.Volumes = slices.DeleteFunc(r.Pod.Volumes, func(v corev1.Volume) bool { return v.Name == name })
	r.main.VolumeMounts = slices.DeleteFunc(r.main.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == name })
}

func (s *Servers) sharedMemory(r *Role) {
	for _, m := range r.main.VolumeMounts {
		if m.MountPath != "/dev/shm" {
			continue
		}
		for _, v := range r.Pod.Volumes {
			if v.Name == m.Name && v.EmptyDir != nil && (v.EmptyDir.Medium == corev1.StorageMediumMemory || v.EmptyDir.Medium == "") {
				if v.EmptyDir.Medium == "" {
					s.On("spec."+r.Name, r.field("volumes")).Note("/dev/shm is in memory in every stack")
				}
				if limit := v.EmptyDir.SizeLimit; limit != nil {
					s.sharedSize(r, limit)
				}
				dropVolume(r, v.Name)
				return
			}
		}
	}
}
