package admission

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/inferstack/inferstack/internal/pattern"
)

const maxID = 1<<31 - 1

func (j *judge) securityContext(at *field.Path, c *corev1.SecurityContext) {
	if c == nil {
		return
	}
	j.id(at.Child("runAsUser"), c.RunAsUser)
	j.id(at.Child("runAsGroup"), c.RunAsGroup)
	j.windows(at.Child("windowsOptions"), c.WindowsOptions)
	j.seccomp(at.Child("seccompProfile"), c.SeccompProfile)
	j.appArmor(at.Child("appArmorProfile"), c.AppArmorProfile)
	if c.ProcMount != nil {
		need(j, at.Child("procMount"), *c.ProcMount, corev1.DefaultProcMount, corev1.UnmaskedProcMount)
	}
	if c.AllowPrivilegeEscalation == nil || *c.AllowPrivilegeEscalation {
		return
	}
	if c.Privileged != nil && *c.Privileged {
		j.bad(at.Child("allowPrivilegeEscalation"), "must not be false with privileged: true")
	}
	if c.Capabilities != nil {
		for i, added := range c.Capabilities.Add {
			if added == "CAP_SYS_ADMIN" {
				j.bad(at.Child("capabilities").Child("add").Index(i), "CAP_SYS_ADMIN needs allowPrivilegeEscalation: true")
			}
		}
	}
}

func (j *judge) windows(at *field.Path, o *corev1.WindowsSecurityContextOptions) {
	if o != nil {
		j.bad(at, "must be left out: these are pods of Linux")
	}
}

func (j *judge) id(at *field.Path, id *int64) {
	if id != nil {
		ranged(j, at, *id, 0, maxID)
	}
}

func (j *judge) seccomp(at *field.Path, p *corev1.SeccompProfile) {
	if p == nil {
		return
	}
	need(j, at.Child("type"), p.Type, corev1.SeccompProfileTypeRuntimeDefault, corev1.SeccompProfileTypeLocalhost, corev1.SeccompProfileTypeUnconfined)
	at = at.Child("localhostProfile")
	switch local := p.Type == corev1.SeccompProfileTypeLocalhost; {
	case local && p.LocalhostProfile == nil:
		j.missing(at)
	case local:
		j.below(at, *p.LocalhostProfile)
	case p.LocalhostProfile != nil:
		j.bad(at, "goes with type: Localhost only")
	}
}

func (j *judge) appArmor(at *field.Path, p *corev1.AppArmorProfile) {
	if p == nil {
		return
	}
	need(j, at.Child("type"), p.Type, corev1.AppArmorProfileTypeRuntimeDefault, corev1.AppArmorProfileTypeLocalhost, corev1.AppArmorProfileTypeUnconfined)
	at = at.Child("localhostProfile")
	switch local := p.Type == corev1.AppArmorProfileTypeLocalhost; {
	case local && (p.LocalhostProfile == nil || *p.LocalhostProfile == ""):
		j.missing(at)
	case local && strings.TrimSpace(*p.LocalhostProfile) != *p.LocalhostProfile:
		j.bad(at, "must not have space at its ends (got %q)", *p.LocalhostProfile)
	case local && len(*p.LocalhostProfile) > 4095:
		j.bad(at, "must be at most 4095 characters (has %d)", len(*p.LocalhostProfile))
	case !local && p.LocalhostProfile != nil:
		j.bad(at, "goes with type: Localhost only")
	}
}

// sysctlSegment is what stands between the dots and slashes of a sysctl's name.
const sysctlSegment = `[a-z0-9]([-_a-z0-9]*[a-z0-9])?`

var sysctlName = pattern.Lazy(`^(` + sysctlSegment + `[./])*` + sysctlSegment + `$`)

func (j *judge) podSecurityContext(at *field.Path, spec *corev1.PodSpec) {
	c := spec.SecurityContext
	if c == nil {
		return
	}
	j.windows(at.Child("windowsOptions"), c.WindowsOptions)
	j.id(at.Child("fsGroup"), c.FSGroup)
	j.id(at.Child("runAsUser"), c.RunAsUser)
	j.id(at.Child("runAsGroup"), c.RunAsGroup)
	for i := range c.SupplementalGroups {
		j.id(at.Child("supplementalGroups").Index(i), &c.SupplementalGroups[i])
	}
	if p := c.FSGroupChangePolicy; p != nil {
		need(j, at.Child("fsGroupChangePolicy"), *p, corev1.FSGroupChangeOnRootMismatch, corev1.FSGroupChangeAlways)
	}
	if p := c.SupplementalGroupsPolicy; p != nil {
		need(j, at.Child("supplementalGroupsPolicy"), *p, corev1.SupplementalGroupsPolicyMerge, corev1.SupplementalGroupsPolicyStrict)
	}
	if p := c.SELinuxChangePolicy; p != nil {
		need(j, at.Child("seLinuxChangePolicy"), *p, corev1.SELinuxChangePolicyRecursive, corev1.SELinuxChangePolicyMountOption)
	}
	j.seccomp(at.Child("seccompProfile"), c.SeccompProfile)
	j.appArmor(at.Child("appArmorProfile"), c.AppArmorProfile)
	j.sysctls(at.Child("sysctls"), spec)
}

func (j *judge) sysctls(at *field.Path, spec *corev1.PodSpec) {
	seen := map[string]bool{}
	for i, s := range spec.SecurityContext.Sysctls {
		at, name := at.Index(i).Child("name"), strings.ReplaceAll(s.Name, "/", ".")
		switch {
		case len(s.Name) > 253 || !sysctlName().MatchString(s.Name):
			j.bad(at, "must be the name of a sysctl, such as net.core.somaxconn (got %q)", s.Name)
		case seen[s.Name]:
			j.bad(at, "%q is there twice", s.Name)
		case spec.HostNetwork && strings.HasPrefix(name, "net."):
			j.bad(at, "%q cannot be combined with hostNetwork: true", s.Name)
		case spec.HostIPC && (strings.HasPrefix(name, "kernel.shm") || strings.HasPrefix(name, "kernel.msg") || strings.HasPrefix(name, "fs.mqueue.") || name == "kernel.sem"):
			j.bad(at, "%q cannot be combined with hostIPC: true", s.Name)
		}
		seen[s.Name] = true
	}
}
