package admission

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// signals are those of Linux (k8s.io/api core/v1, Signal): named ones, and the real-time
// ones as SIGRTMIN+1 to +15 and SIGRTMAX-1 to -14.
var signals = append(strings.Fields(`SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL
	SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1
	SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIGRTMIN SIGRTMAX`), realTime()...)

func realTime() (out []string) {
	for i := 1; i <= 15; i++ {
		out = append(out, "SIGRTMIN+"+strconv.Itoa(i))
		if i < 15 {
			out = append(out, "SIGRTMAX-"+strconv.Itoa(i))
		}
	}
	return out
}

func known(list []string, value string) bool { return slices.Contains(list, value) }

// container judges what init containers and others have in common, as far as it can be
// seen without the rest of the pod.
func (j *judge) container(at *field.Path, c *corev1.Container) {
	j.text(at.Child("name"), c.Name, dnsLabel)
	if c.Image == "" {
		j.missing(at.Child("image"))
	}
	oneOf(j, at.Child("terminationMessagePolicy"), c.TerminationMessagePolicy, corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError)
	oneOf(j, at.Child("imagePullPolicy"), c.ImagePullPolicy, corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever)
	j.ports(at.Child("ports"), c.Ports)
	for i := range c.Env {
		j.envVar(at.Child("env").Index(i), &c.Env[i])
	}
	for i := range c.EnvFrom {
		j.envFrom(at.Child("envFrom").Index(i), &c.EnvFrom[i])
	}
	j.mounts(at, c)
	j.resources(at.Child("resources"), c.Resources)
	j.resizePolicy(at.Child("resizePolicy"), c.ResizePolicy)
	j.securityContext(at.Child("securityContext"), c.SecurityContext)
	j.restartRules(at, c)
}

func (j *judge) ports(at *field.Path, ports []corev1.ContainerPort) {
	names, hostPorts := map[string]bool{}, map[string]bool{}
	for i, p := range ports {
		at := at.Index(i)
		j.optional(at.Child("name"), p.Name, portName)
		if p.Name != "" && names[p.Name] {
			j.bad(at.Child("name"), "%q is the name of another port of the container", p.Name)
		}
		names[p.Name] = true
		if p.ContainerPort == 0 {
			j.missing(at.Child("containerPort"))
		} else {
			j.port(at.Child("containerPort"), p.ContainerPort)
		}
		oneOf(j, at.Child("protocol"), p.Protocol, corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
		if p.HostPort != 0 {
			j.port(at.Child("hostPort"), p.HostPort)
			if hostPorts[nodePort(p)] {
				j.bad(at.Child("hostPort"), "%d is the hostPort of another port of the container", p.HostPort)
			}
			hostPorts[nodePort(p)] = true
		}
	}
}

// nodePort is a port of the node as it can be taken once.
func nodePort(p corev1.ContainerPort) string {
	return string(protocolOf(p.Protocol)) + "/" + p.HostIP + "/" + strconv.Itoa(int(p.HostPort))
}

func (j *judge) resizePolicy(at *field.Path, list []corev1.ContainerResizePolicy) {
	seen := map[corev1.ResourceName]bool{}
	for i, p := range list {
		at := at.Index(i)
		need(j, at.Child("resourceName"), p.ResourceName, corev1.ResourceCPU, corev1.ResourceMemory)
		need(j, at.Child("restartPolicy"), p.RestartPolicy, corev1.NotRequired, corev1.RestartContainer)
		if seen[p.ResourceName] {
			j.bad(at.Child("resourceName"), "%q is there twice", p.ResourceName)
		}
		seen[p.ResourceName] = true
	}
}

// restartRules judges when a single container is started again.
func (j *judge) restartRules(at *field.Path, c *corev1.Container) {
	if c.RestartPolicy == nil && len(c.RestartPolicyRules) > 0 {
		j.bad(at.Child("restartPolicy"), "required, since restartPolicyRules are there")
	}
	if c.RestartPolicy != nil {
		need(j, at.Child("restartPolicy"), *c.RestartPolicy, corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure)
	}
	if n := len(c.RestartPolicyRules); n > 20 {
		j.bad(at.Child("restartPolicyRules"), "must be at most 20 (got %d)", n)
	}
	for i, rule := range c.RestartPolicyRules {
		at := at.Child("restartPolicyRules").Index(i)
		need(j, at.Child("action"), rule.Action, corev1.ContainerRestartRuleActionRestart, corev1.ContainerRestartRuleActionRestartAllContainers)
		if rule.ExitCodes == nil {
			j.missing(at.Child("exitCodes"))
			continue
		}
		need(j, at.Child("exitCodes").Child("operator"), rule.ExitCodes.Operator, corev1.ContainerRestartRuleOnExitCodesOpIn, corev1.ContainerRestartRuleOnExitCodesOpNotIn)
		if n := len(rule.ExitCodes.Values); n > 255 {
			j.bad(at.Child("exitCodes").Child("values"), "must be at most 255 (got %d)", n)
		}
	}
}
