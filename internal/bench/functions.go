package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// examples that are measured, from the smallest to a full stack.
var examples = []string{"quickstart", "prefill-decode-istio", "production-vllm"}

// single compares the function on one stack with the no-op function on its output.
func (b *bench) single() (string, error) {
	t := newTable("One stack", "the KRM function, against a no-op kyaml function that hands the same output through (at most 1.15 times)")
	for _, name := range examples {
		stack, err := example(name)
		if err != nil {
			return "", err
		}
		if err := b.versusNoop(t, name, generatorInput(stack)); err != nil {
			return "", err
		}
	}
	return t.String(), nil
}

// versusNoop adds a comparison with the no-op function.
func (b *bench) versusNoop(t *table, name string, input []byte) error {
	in, err := b.write(name+".yaml", input)
	if err != nil {
		return err
	}
	ours, out := command{args: []string{b.ours}, stdin: in}, b.path("output.yaml")
	if _, err := ours.run(out); err != nil {
		return err
	}
	samples, err := b.compare(ours, command{args: []string{b.noop}, stdin: out})
	if err != nil {
		return err
	}
	t.add(name, samples)
	return nil
}

// many compares the function on many stacks in one input with the no-op function.
func (b *bench) many() (string, error) {
	t := newTable("Many stacks in one input", "copies of production-vllm under names of their own, 22 objects each, against the no-op function on the same output")
	stack, err := example("production-vllm")
	if err != nil {
		return "", err
	}
	for _, n := range []int{10, 100, 1000} {
		if err := b.versusNoop(t, fmt.Sprintf("%d stacks", n), manyInput(stack, n)); err != nil {
			return "", err
		}
	}
	return t.String(), nil
}

// A built is a stack in the forms that kustomize takes.
type built struct{ stack, with, rendered string }

// kustomizations writes a stack as a generator, and what it makes as a resource.
func (b *bench) kustomizations(name string) (built, error) {
	stack, err := example(name)
	if err != nil {
		return built{}, err
	}
	dirs := built{"examples/" + name + "/stack.yaml", b.path(name, "with"), b.path(name, "rendered")}
	for file, text := range map[string]string{
		name + "/with/kustomization.yaml":     "generators: [stack.yaml]\n",
		name + "/with/stack.yaml":             strings.Replace(stack, "../../bin/inferstack", b.ours, 1),
		name + "/rendered/kustomization.yaml": "resources: [objects.yaml]\n",
	} {
		if _, err := b.write(file, []byte(text)); err != nil {
			return built{}, err
		}
	}
	render := command{args: []string{b.ours, "render", dirs.stack}}
	_, err = render.run(filepath.Join(dirs.rendered, "objects.yaml"))
	return dirs, err
}

// patched is the example of an overlay.
const patched = "overlays/prod"

func (b *bench) forKustomize(name string) (built, error) {
	if name == patched {
		return b.overlay("prod")
	}
	return b.kustomizations(name)
}

// overlay is the kustomization of an example that patches a stack of another one, and what it makes as a resource.
func (b *bench) overlay(name string) (built, error) {
	dirs := built{with: b.path("overlays", name), rendered: b.path("overlays", "rendered")}
	err := filepath.WalkDir("examples/overlays", func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		_, err = b.write(strings.TrimPrefix(file, "examples/"), bytes.ReplaceAll(text, []byte("../../../bin/inferstack"), []byte(b.ours)))
		return err
	})
	if err != nil {
		return built{}, err
	}
	if _, err := b.write("overlays/rendered/kustomization.yaml", []byte("resources: [objects.yaml]\n")); err != nil {
		return built{}, err
	}
	_, err = command{args: []string{b.ours, "build", dirs.with}}.run(filepath.Join(dirs.rendered, "objects.yaml"))
	return dirs, err
}

// kustomize compares the builds of kustomizations with a stack.
func (b *bench) kustomize() (string, error) {
	inProcess := newTable("inferstack build", "of a kustomization with a stack, or of an overlay of one, against `kustomize build` of the same objects already rendered (at most 1.15 times)")
	function := newTable("inferstack build in place of the function", "against `kustomize build` with the function, which it starts as a process (at most 0.5 times)")
	rendered := newTable("kustomize build with the function", "against `kustomize build` of the same objects already rendered")
	theirs, err := b.yardstick(kustomize)
	if err != nil {
		inProcess.missing("kustomize", err)
		return inProcess.String(), nil
	}
	for _, name := range append(examples, patched) {
		dirs, err := b.forKustomize(name)
		if err != nil {
			return "", err
		}
		samples, err := b.compare(
			command{args: []string{b.ours, "build", dirs.with}},
			command{args: []string{theirs, "build", "--enable-alpha-plugins", "--enable-exec", dirs.with}},
			command{args: []string{theirs, "build", dirs.rendered}})
		if err != nil {
			return "", err
		}
		inProcess.add(name, [][]sample{samples[0], samples[2]})
		function.add(name, samples)
		rendered.add(name, samples[1:])
	}
	return strings.Join([]string{inProcess.String(), function.String(), rendered.String()}, "\n"), nil
}

// constants compares render with programs that are given the finished objects.
func (b *bench) constants() (string, error) {
	t := newTable("The finished objects as constants", "render of production-vllm, against programs that are given its 22 objects and only print them as YAML")
	dirs, err := b.kustomizations("production-vllm")
	if err != nil {
		return "", err
	}
	texts, err := b.objects(dirs)
	if err != nil {
		return "", err
	}
	render := command{args: []string{b.ours, "render", dirs.stack}}
	for _, p := range []struct {
		program
		args []string
	}{
		{kustomize, []string{"build", dirs.rendered}},
		{cue, []string{"export", "--out", "yaml", texts + ".cue"}},
		{jsonnet, []string{"--yaml-stream", texts + ".jsonnet"}},
	} {
		theirs, err := b.yardstick(p.program)
		if err != nil {
			t.missing(p.name, err)
			continue
		}
		samples, err := b.compare(render, command{args: append([]string{theirs}, p.args...)})
		if err != nil {
			return "", err
		}
		t.add("`"+p.name+" "+p.args[0]+"`", samples)
	}
	return t.String(), nil
}

// objects writes what a stack makes as JSON, which CUE and Jsonnet are supersets of.
func (b *bench) objects(dirs built) (string, error) {
	list := command{args: []string{b.ours, "render", "-o", "json", dirs.stack}}
	file := b.path("objects")
	if _, err := list.run(file + ".json"); err != nil {
		return "", err
	}
	text, err := os.ReadFile(file + ".json")
	if err != nil {
		return "", err
	}
	if _, err := b.write("objects.cue", text); err != nil {
		return "", err
	}
	_, err = b.write("objects.jsonnet", append(text, ".items"...))
	return file, err
}
