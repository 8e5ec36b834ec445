package rules

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/schema"
)

// secretNames end the names of variables and flags whose value is a secret; secretFlags are
// the same words as flags spell them.
const (
	secretNames = `(^|_)(TOKEN|PASSWORD|PASSWD|PASSPHRASE|SECRET|API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|AUTH_KEY|CREDENTIALS?)$`
	secretFlags = `^--?([a-z0-9-]+-)?(token|password|passwd|passphrase|secret|api-?key|access-key|secret-key|private-key|auth-key|credentials?)$`
	// modelTokens are tokens of a model, not of a user.
	modelTokens = `(FIRST|PER|NEXT|LAST|MAX|MIN|NUM|BOS|EOS|PAD|END|STOP|MASK|SEP|UNK|IMAGE|AUDIO|VIDEO)[-_]TOKEN$`
)

// secretsInClear refuses keys, tokens and passwords that are written where everyone reads
// them: in an argument or a variable. By their form alone they are refused everywhere; here
// the name tells what the value is. The value is not repeated.
func secretsInClear(s stack) (out []schema.Problem) {
	for _, l := range s.argumentLists() {
		out = append(out, s.clearArgs(l)...)
	}
	for _, l := range s.variableLists() {
		for i, v := range l.vars {
			if v.ValueFrom == nil && holdsSecret(strings.ToUpper(v.Name), v.Value) {
				out = append(out, s.Problem(schema.Error, finding.Indexed(l.path, i)+".value",
					"%s would be in clear for all who read this file or the pod; put it into a Secret, and write valueFrom: {secretKeyRef: {name: <secret>, key: <key>}}", v.Name))
			}
		}
	}
	for _, r := range s.patches() {
		out = append(out, s.clearPatch(r.path, r.patch)...)
	}
	return out
}

// holdsSecret reports whether a variable is one by its name, and its value is not a reference to
// another variable, no path and no setting.
func holdsSecret(name, value string) bool {
	return pattern.Matches(secretNames, name) && !pattern.Matches(modelTokens, name) && secretValue(value)
}

func secretValue(value string) bool {
	if _, err := strconv.ParseFloat(value, 64); err == nil || value == "" {
		return false
	}
	switch strings.ToLower(value) {
	case "true", "false", "none", "null", "no", "yes", "auto":
		return false
	}
	return !strings.HasPrefix(value, "/") && !strings.Contains(value, "$(")
}

// An argumentList is a list of arguments and where it is written.
type argumentList struct {
	path string
	args []string
}

// argumentLists lists the arguments that the user writes.
func (s stack) argumentLists() []argumentList {
	out := []argumentList{
		{"spec.server.command", s.Spec.Server.Command}, {"spec.server.args", s.Spec.Server.Args},
		{"spec.kvTransfer.sidecar.args", s.Spec.KVTransfer.Sidecar.Args},
	}
	for _, r := range s.Workloads() {
		out = append(out, argumentList{r.Path + ".command", r.Command}, argumentList{r.Path + ".args", r.Args})
	}
	for _, list := range s.addedContainers() {
		for i, c := range list.containers {
			at := finding.Indexed(list.path, i)
			out = append(out, argumentList{at + ".command", c.Command}, argumentList{at + ".args", c.Args})
		}
	}
	return out
}

// A variableList is a list of variables and where it is written.
type variableList struct {
	path string
	vars []corev1.EnvVar
}

// variableLists lists the variables that the user writes.
func (s stack) variableLists() []variableList {
	out := []variableList{{"spec.server.env", s.Spec.Server.Env}, {schedulerPath + ".env", s.Spec.Scheduler.Env}}
	for _, r := range s.Workloads() {
		out = append(out, variableList{r.Path + ".env", r.Env})
	}
	for _, list := range s.addedContainers() {
		for i, c := range list.containers {
			out = append(out, variableList{finding.Indexed(list.path, i) + ".env", c.Env})
		}
	}
	return out
}

func (s stack) clearArgs(l argumentList) (out []schema.Problem) {
	for w := range argv.Of(l.args) {
		flag := strings.ToLower(argv.Hyphened(w.Name))
		if pattern.Matches(secretFlags, flag) && !pattern.Matches(modelTokens, strings.ToUpper(flag)) && secretValue(w.Value) {
			out = append(out, s.Problem(schema.Error, finding.Indexed(l.path, w.At),
				"%s would be in clear for all who read this file or the pod; put it into a Secret, take it into a variable with env and valueFrom: {secretKeyRef: …}, and write %s=$(NAME)", w.Name, w.Name))
		}
	}
	return out
}

// A podPatch is a patch of a pod template and where it is written.
type podPatch struct {
	path  string
	patch map[string]any
}

func (s stack) patches() []podPatch {
	out := []podPatch{{"spec.server.podTemplatePatch", s.Spec.Server.PodTemplatePatch}, {schedulerPath + ".podTemplatePatch", s.Spec.Scheduler.PodTemplatePatch}}
	for _, r := range s.Workloads() {
		out = append(out, podPatch{r.Path + ".podTemplatePatch", r.PodTemplatePatch})
	}
	return out
}

// clearPatch looks for secrets in the variables and arguments of a patch.
func (s stack) clearPatch(at string, value any) (out []schema.Problem) {
	switch v := value.(type) {
	case map[string]any:
		name, _ := v["name"].(string)
		text, _ := v["value"].(string)
		if holdsSecret(strings.ToUpper(name), text) {
			out = append(out, s.Problem(schema.Error, at+".value", "%s would be in clear for all who read this file or the pod; put it into a Secret, and write valueFrom: {secretKeyRef: {name: <secret>, key: <key>}}", name))
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, s.clearPatch(finding.Join(at, key, 0), v[key])...)
		}
	case []any:
		var args []string
		for i, item := range v {
			if text, ok := item.(string); ok {
				args = append(args, text)
			}
			out = append(out, s.clearPatch(finding.Indexed(at, i), item)...)
		}
		if len(args) == len(v) {
			out = append(out, s.clearArgs(argumentList{at, args})...)
		}
	}
	return out
}
