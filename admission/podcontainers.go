package admission

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/inferstack/inferstack/internal/lists"
)

// defaultGrace is the time that a pod has to end when it does not say how long.
const defaultGrace = 30

// A containerList is one of the pod's lists.
type containerList struct {
	name  string
	items []corev1.Container
}

func (j *judge) containers(at *field.Path, s *corev1.PodSpec) {
	volumes := map[string]*corev1.VolumeSource{}
	for i := range s.Volumes {
		volumes[s.Volumes[i].Name] = &s.Volumes[i].VolumeSource
	}
	claims := lists.Map(s.ResourceClaims, func(c corev1.PodResourceClaim) string { return c.Name })
	names, hostPorts := map[string]string{}, map[string]bool{}
	for _, list := range []containerList{{"containers", s.Containers}, {"initContainers", s.InitContainers}} {
		for i := range list.items {
			c, at := &list.items[i], at.Child(list.name).Index(i)
			j.container(at, c)
			j.lives(at, c, list.name == "initContainers")
			j.sleeps(at, c, s)
			if other, taken := names[c.Name]; taken && c.Name != "" {
				j.bad(at.Child("name"), "%q is the name of %s as well", c.Name, other)
			}
			names[c.Name] = fmt.Sprintf("%s[%d]", list.name, i)
			j.claims(at.Child("resources").Child("claims"), c.Resources.Claims, claims)
			j.mounted(at, c, volumes)
			if list.name == "containers" {
				j.nodePorts(at.Child("ports"), c.Ports, hostPorts)
			}
		}
	}
	if len(s.Containers) == 0 {
		j.missing(at.Child("containers"))
	}
}

// nodePorts refuses a port of the node that another container of the pod has; the
// container's own are held against each other by ports.
func (j *judge) nodePorts(at *field.Path, ports []corev1.ContainerPort, taken map[string]bool) {
	own := map[string]bool{}
	for i, p := range ports {
		if p.HostPort == 0 {
			continue
		}
		if key := nodePort(p); taken[key] {
			j.bad(at.Index(i).Child("hostPort"), "%d is taken by another container of the pod", p.HostPort)
		} else {
			own[key] = true
		}
	}
	maps.Copy(taken, own)
}

// mounted refuses mounts of volumes that are not there.
func (j *judge) mounted(at *field.Path, c *corev1.Container, volumes map[string]*corev1.VolumeSource) {
	for i, m := range c.VolumeMounts {
		if m.Name != "" && volumes[m.Name] == nil {
			j.bad(at.Child("volumeMounts").Index(i).Child("name"), "there is no volume %q in the pod", m.Name)
		}
	}
	for i, d := range c.VolumeDevices {
		v := volumes[d.Name]
		switch at := at.Child("volumeDevices").Index(i).Child("name"); {
		case v == nil:
			j.bad(at, "there is no volume %q in the pod", d.Name)
		case v.PersistentVolumeClaim == nil && v.Ephemeral == nil:
			j.bad(at, "must be a volume of a claim: %q is none", d.Name)
		}
	}
	for i, e := range c.Env {
		if e.ValueFrom == nil || e.ValueFrom.FileKeyRef == nil {
			continue
		}
		name := e.ValueFrom.FileKeyRef.VolumeName
		if v := volumes[name]; v == nil || v.EmptyDir == nil {
			j.bad(at.Child("env").Index(i).Child("valueFrom").Child("fileKeyRef").Child("volumeName"), "must be an emptyDir of the pod (got %q)", name)
		}
	}
}

// sleeps refuses a hook that sleeps longer than the pod has to end.
func (j *judge) sleeps(at *field.Path, c *corev1.Container, s *corev1.PodSpec) {
	if c.Lifecycle == nil {
		return
	}
	grace := int64(defaultGrace)
	if g := s.TerminationGracePeriodSeconds; g != nil {
		grace = *g
	}
	for name, h := range map[string]*corev1.LifecycleHandler{"postStart": c.Lifecycle.PostStart, "preStop": c.Lifecycle.PreStop} {
		if h != nil && h.Sleep != nil && h.Sleep.Seconds > grace {
			j.bad(at.Child("lifecycle").Child(name).Child("sleep").Child("seconds"), "must be at most terminationGracePeriodSeconds, %d (got %d)", grace, h.Sleep.Seconds)
		}
	}
	if c.Lifecycle.StopSignal != nil && s.OS == nil {
		j.bad(at.Child("lifecycle").Child("stopSignal"), "needs spec.os.name: linux in the pod")
	}
}
