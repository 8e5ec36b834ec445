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
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/origin"
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

// policyUsage is the usage of the flag --policy.
const policyUsage = "CUE file that stacks must agree with"

// policyTime is how long policies may take to evaluate, and policyTimeEach how much longer for each
// stack.
var (
	policyTime     = 10 * time.Second
	policyTimeEach = 100 * time.Millisecond
)

// judge judges stacks by the policies that are named and, if asked to, by those beside each.
func judge(stacks []product, names []string, beside bool) (finding.List, error) {
	var r verdict.Request
	read := map[string]int{} // places of policies
	facts := make([]policyFacts, len(stacks))
	var judged []int
	for i, p := range stacks {
		files := slices.Clone(names)
		if beside {
			files = append(files, policiesBeside(p.of, names)...)
		}
		if len(files) == 0 {
			continue
		}
		subject, err := subjectOf(p, &facts[i])
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if _, known := read[file]; !known {
				policy, err := readPolicy(file)
				if err != nil {
					return nil, err
				}
				read[file] = len(r.Policies)
				r.Policies = append(r.Policies, policy)
			}
			subject.Policies = append(subject.Policies, read[file])
		}
		r.Stacks, judged = append(r.Stacks, subject), append(judged, i)
	}
	if len(r.Stacks) == 0 {
		return nil, nil
	}
	answer, err := ask(r)
	if err != nil {
		return nil, err
	}
	var found finding.List
	for _, text := range answer.Invalid {
		found = append(found, problem("%s", text))
	}
	found = append(found, unknownNames(answer.Names)...)
	for i, violations := range answer.Violations {
		found = append(found, stacks[judged[i]].violates(violations, &facts[judged[i]])...)
	}
	return found, nil
}

// policiesBeside are the policies in the directories of the files that a unit is of, without those
// that are named.
func policiesBeside(u unit, names []string) (out []string) {
	files := []string{u.Source.File}
	if u.root != "" {
		files = append(files, filepath.Join(u.root, policyFile))
	}
	if u.made != nil {
		files = append(files, origin.Shown(u.made.texts[len(u.made.texts)-1].file))
	}
	for _, file := range files {
		beside := filepath.Join(filepath.Dir(file), policyFile)
		same := func(name string) bool { return sameFile(name) == sameFile(beside) }
		if file == "" || strings.HasPrefix(file, "<") || slices.ContainsFunc(slices.Concat(names, out), same) {
			continue
		}
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			out = append(out, beside)
		}
	}
	return out
}

// readPolicy reads a CUE file.
func readPolicy(name string) (verdict.Policy, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return verdict.Policy{}, plain(err)
	case !info.Mode().IsRegular():
		return verdict.Policy{}, fmt.Errorf("%s: must be a file", name)
	case info.Size() > mostPolicy:
		return verdict.Policy{}, fmt.Errorf("%s: has more than 1 MiB", name)
	}
	text, err := os.ReadFile(name)
	return verdict.Policy{File: name, Text: string(text)}, plain(err)
}

// subjectOf is a stack as policies see it.
func subjectOf(p product, facts *policyFacts) (verdict.Subject, error) {
	var err error
	if *facts, err = factsOf(p.Made); err != nil {
		return verdict.Subject{}, err
	}
	stack, err := json.Marshal(struct {
		*schema.Stack
		Facts policyFacts `json:"facts"`
	}{p.Spec, *facts})
	return verdict.Subject{Stack: stack}, err
}

// violates puts what policies say at the fields of the stack.
func (p product) violates(violations []verdict.Violation, facts *policyFacts) (found finding.List) {
	for _, v := range violations {
		if len(v.Absent) > 0 && checkName(v.Absent) != nil {
			continue // is misspelt
		}
		rule := fmt.Sprintf("%s:%d", v.File, v.Line)
		if !p.of.traced(p.Spec) { // else the stack is named with its files
			rule = p.Title() + ", " + rule
		}
		f := p.Spec.Problem(schema.Error, facts.field(v.Path), "%s (%s)", v.Message, rule)
		found = append(found, p.of.about(p.Spec, f))
	}
	return found
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

// ask runs the program that evaluates CUE, for a time.
func ask(r verdict.Request) (answer verdict.Answer, err error) {
	function, err := self()
	if err != nil {
		return answer, err
	}
	program, err := companion(function, policyProgram)
	if err != nil {
		return answer, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return answer, err
	}
	most := policyTime + time.Duration(len(r.Stacks))*policyTimeEach
	bound, stop := context.WithTimeout(context.Background(), most)
	defer stop()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(bound, program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &out, &said
	switch err = cmd.Run(); {
	case bound.Err() != nil:
		return answer, fmt.Errorf("%s: takes more than %s to evaluate", policyNames(r), most.Round(time.Second))
	case err != nil && said.Len() > 0:
		line, _, _ := strings.Cut(strings.TrimPrefix(said.String(), "error: "), "\n")
		return answer, fmt.Errorf("%s: %s", policyNames(r), line)
	case err != nil:
		return answer, err
	}
	return answer, json.Unmarshal(out.Bytes(), &answer)
}

func policyNames(r verdict.Request) string {
	if r.Package != nil {
		return r.Package.Files[0].File
	}
	return strings.Join(lists.Map(r.Policies, func(p verdict.Policy) string { return p.File }), ", ")
}

// unjudged refuses, where there are policies, kustomizations of which kustomize compiles stacks: no
// policy sees those.
func (w *whole) unjudged(policies []string) (found finding.List) {
	for _, k := range w.kustomizations {
		beside := policiesBeside(unit{root: k.name}, policies)
		if len(policies)+len(beside) > 0 {
			found = append(found, unseen(k.functions)...)
		}
	}
	return found
}

// unseen refuses what kustomize compiles.
func unseen(functions []string) finding.List {
	return lists.Map(functions, func(place string) finding.Finding {
		return problem("%s: is compiled by kustomize, where no policy sees it; list stacks under generators, without generators of other kinds beside them, and build without buildMetadata", place)
	})
}
