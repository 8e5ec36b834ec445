package fn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/internal/verdict"
	"github.com/inferstack/inferstack/schema"
)

const (
	// policyFile is the policy that is looked for beside stacks.
	policyFile = "policy.cue"
	// policyProgram is the program that links CUE.
	policyProgram = "inferstack-policy"
	// mostPolicy bounds a policy, in bytes.
	mostPolicy = 1 << 20
)

// policyTime is how long the policies of a stack may take to evaluate.
var policyTime = 10 * time.Second

// judge judges what was made by the policies that are named, and those beside each stack.
func judge(made []generators.Made, names []string) (finding.List, error) {
	var found finding.List
	for _, m := range made {
		policies, err := policiesFor(m, names)
		if err != nil || len(policies) == 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		more, err := judgeStack(m, policies)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// policiesFor reads policies.
func policiesFor(m generators.Made, names []string) ([]verdict.Policy, error) {
	names = slices.Clone(names)
	if file := m.Spec.Source().File; file != "" && !strings.HasPrefix(file, "<") {
		beside := filepath.Join(filepath.Dir(file), policyFile)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() && !slices.ContainsFunc(names, func(name string) bool { return sameFile(name) == sameFile(beside) }) {
			names = append(names, beside)
		}
	}
	var out []verdict.Policy
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, plain(err)
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s: a policy is a file", name)
		case info.Size() > mostPolicy:
			return nil, fmt.Errorf("%s: a policy has at most 1 MiB", name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, plain(err)
		}
		out = append(out, verdict.Policy{File: name, Text: string(text)})
	}
	return out, nil
}

// judgeStack puts what policies say at the fields of the stack.
func judgeStack(m generators.Made, policies []verdict.Policy) (finding.List, error) {
	facts, err := factsOf(m)
	if err != nil {
		return nil, failure{err}
	}
	stack, err := json.Marshal(struct {
		*schema.Stack
		Facts policyFacts `json:"facts"`
	}{m.Spec, facts})
	if err != nil {
		return nil, failure{err}
	}
	answer, err := ask(verdict.Request{Policies: policies, Stack: stack})
	if err != nil {
		return nil, err
	}
	var found finding.List
	for _, text := range answer.Invalid {
		found = append(found, problem("%s", text))
	}
	for _, v := range answer.Violations {
		if _, err := schema.Describe(v.Path); v.Absent && strings.HasPrefix(v.Path, "spec.") && err != nil {
			found = append(found, problem("%s:%d: %v", v.File, v.Line, err))
			continue
		}
		p := m.Spec.Problem(schema.Error, facts.field(v.Path), "%s (%s, %s:%d)", v.Message, m.Title(), v.File, v.Line)
		found = append(found, onStack(m.Spec, p))
	}
	return found, nil
}

// field is the stack's field behind one of the facts.
func (f *policyFacts) field(path string) string {
	if rest, ok := strings.CutPrefix(path, "facts.images["); ok {
		if i, err := strconv.Atoi(strings.TrimSuffix(rest, "]")); err == nil && i < len(f.Images) {
			return f.fields[f.Images[i]]
		}
	}
	if strings.HasPrefix(path, "facts.") {
		return "spec.decode"
	}
	return path
}

// ask runs the program that evaluates policies, for a time.
func ask(r verdict.Request) (answer verdict.Answer, err error) {
	function, err := self()
	if err != nil {
		return answer, failure{err}
	}
	program, err := companion(function, policyProgram)
	if err != nil {
		return answer, failure{err}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return answer, failure{err}
	}
	bound, stop := context.WithTimeout(context.Background(), policyTime)
	defer stop()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(bound, program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &out, &said
	switch err = cmd.Run(); {
	case bound.Err() != nil:
		return answer, fmt.Errorf("%s: takes more than %s to evaluate", r.Policies[0].File, policyTime)
	case err != nil && said.Len() > 0:
		line, _, _ := strings.Cut(strings.TrimPrefix(said.String(), "error: "), "\n")
		return answer, fmt.Errorf("%s: %s", r.Policies[0].File, line)
	case err != nil:
		return answer, failure{err}
	}
	return answer, json.Unmarshal(out.Bytes(), &answer)
}

// unjudged refuses, where policies are named, kustomizations that compile stacks as they are
// built: no policy sees those.
func (w *whole) unjudged(policies []string) finding.List {
	var found finding.List
	for _, k := range w.kustomizations {
		compiled := slices.ContainsFunc(k.objects, func(d schema.Document) bool { return d.Kind == "InferencePool" })
		if len(policies) > 0 && compiled {
			found = append(found, problem("%s compiles stacks as it is built, where no policy sees them; validate the directories that it lists as generators", k.name))
		}
	}
	return found
}
