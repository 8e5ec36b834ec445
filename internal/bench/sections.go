package main

import (
	"fmt"
	"os"
	"strings"
)

// examples that are measured, from the smallest to a full stack.
var examples = []string{"quickstart", "prefill-decode-istio", "production-vllm"}

// single compares the function on one stack with the no-op function on its output.
func (b *bench) single() (string, error) {
	t := newTable("One stack", "the KRM function, against a no-op kyaml function that hands the same output through (at most 2 times)")
	for _, name := range examples {
		stack, err := example(name)
		if err != nil {
			return "", err
		}
		in, err := b.write(name+".yaml", generatorInput(stack))
		if err != nil {
			return "", err
		}
		if err := b.versusNoop(t, name, in); err != nil {
			return "", err
		}
	}
	return t.String(), nil
}

// versusNoop adds a comparison with the no-op function.
func (b *bench) versusNoop(t *table, name, in string) error {
	ours, out := command{args: []string{b.ours}, stdin: in}, b.path("output.yaml")
	if _, err := ours.run(out); err != nil {
		return err
	}
	samples, err := b.compare(ours, command{args: []string{b.noop}, stdin: out})
	if err != nil {
		return err
	}
	t.add(name, samples[0], samples[1])
	return nil
}

// kustomize compares kustomize build with the function and with the rendered objects.
func (b *bench) kustomize() (string, error) {
	t := newTable("kustomize build", "with the function as generator, against the same objects already rendered (at most 1.15 times)")
	kustomize, err := b.buildModule("kustomize", kustomizeModule, ".")
	if err != nil {
		return t.missing(err.Error()), nil
	}
	for _, name := range examples {
		stack, err := example(name)
		if err != nil {
			return "", err
		}
		with, rendered := b.path(name, "with"), b.path(name, "rendered")
		for file, text := range map[string]string{
			name + "/with/kustomization.yaml":     "generators: [stack.yaml]\n",
			name + "/with/stack.yaml":             strings.Replace(stack, "../../bin/inferstack", b.ours, 1),
			name + "/rendered/kustomization.yaml": "resources: [objects.yaml]\n",
		} {
			if _, err := b.write(file, []byte(text)); err != nil {
				return "", err
			}
		}
		render := command{args: []string{b.ours, "render", with + "/stack.yaml"}}
		if _, err := render.run(rendered + "/objects.yaml"); err != nil {
			return "", err
		}
		samples, err := b.compare(
			command{args: []string{kustomize, "build", "--enable-alpha-plugins", "--enable-exec", with}},
			command{args: []string{kustomize, "build", rendered}})
		if err != nil {
			return "", err
		}
		t.add(name, samples[0], samples[1])
	}
	return t.String(), nil
}

// helm compares render with helm template of upstream's chart of one pool.
func (b *bench) helm() (string, error) {
	t := newTable("helm template", "render of a stack, against helm template of upstream's inferencepool chart, which makes the endpoint picker and the pool alone (at most 0.12 times)")
	helm, err := b.buildModule("helm", helmModule, "./cmd/helm")
	if err != nil {
		return t.missing(err.Error()), nil
	}
	chart, err := b.chart()
	if err != nil {
		return "", err
	}
	values := []string{helm, "template", "llama", chart, "--set", "inferencePool.modelServers.matchLabels.app=llama", "--set", "provider.name=istio"}
	for _, name := range examples {
		samples, err := b.compare(command{args: []string{b.ours, "render", "examples/" + name + "/stack.yaml"}}, command{args: values})
		if err != nil {
			return "", err
		}
		t.add(name, samples[0], samples[1])
	}
	return t.String(), os.Remove(helm)
}

// yardstickLimit is the number of stacks from which on the no-op function takes more
// memory than most machines have.
const yardstickLimit = 1000

// many compares the function on many stacks in one input with the no-op function, and the
// time for each stack with that of fewer.
func (b *bench) many() (string, error) {
	t := newTable("Many stacks in one input", "copies of production-vllm under names of their own, 22 objects each, against the no-op function on the same output (at most 1.5 times)")
	stack, err := example("production-vllm")
	if err != nil {
		return "", err
	}
	for _, n := range b.counts {
		in, err := b.write("many.yaml", manyInput(stack, n))
		if err != nil {
			return "", err
		}
		name := fmt.Sprintf("%d stacks", n)
		if n <= yardstickLimit {
			err = b.versusNoop(t, name, in)
		} else {
			err = b.alone(t, name, in)
		}
		if err != nil {
			return "", err
		}
	}
	return t.String() + t.slope(b.counts), nil
}

func (b *bench) alone(t *table, name, in string) error {
	samples, err := b.compare(command{args: []string{b.ours}, stdin: in})
	if err != nil {
		return err
	}
	t.add(name, samples[0], sample{})
	return nil
}
