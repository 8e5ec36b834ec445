package kubelet

import (
	"regexp"

	corev1 "k8s.io/api/core/v1"
)

// secret is the value of every key of every Secret.
const secret = "a-secret"

// Env returns the container's environment with what comes from the Pod filled in.
func (s *Sandbox) Env(container corev1.Container) map[string]string {
	fields := map[string]string{
		"metadata.name": s.Name, "metadata.namespace": s.Namespace, "status.podIP": s.IP, "status.hostIP": s.IP,
	}
	env := map[string]string{}
	for _, variable := range container.Env {
		switch from := variable.ValueFrom; {
		case from == nil:
			env[variable.Name] = expand(variable.Value, env)
		case from.FieldRef != nil:
			env[variable.Name] = fields[from.FieldRef.FieldPath]
		case from.SecretKeyRef != nil:
			env[variable.Name] = secret
		}
	}
	return env
}

// Args returns the container's command and arguments with the environment filled in.
func Args(container corev1.Container, env map[string]string) []string {
	var args []string
	for _, arg := range append(append([]string{}, container.Command...), container.Args...) {
		args = append(args, expand(arg, env))
	}
	return args
}

var reference = regexp.MustCompile(`\$\$|\$\([^()]*\)`)

// expand fills in $(NAME) where there is such a variable; $$ stands for one dollar sign.
func expand(text string, env map[string]string) string {
	return reference.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$$" {
			return "$"
		}
		if value, known := env[found[2:len(found)-1]]; known {
			return value
		}
		return found
	})
}
