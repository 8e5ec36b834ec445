package main

import (
	"fmt"
	"os"
	"strings"
)

// A curve is how the processor time and the memory of a command grow with its input, in times of
// what the smallest takes.
type curve struct {
	name string
	cpu  []float64
	// memory of the largest.
	memory float64
}

// growing are the commands, with STACKS and OBJECTS for what they read, and their exit codes: the
// objects differ from none. What status reads has to be live.
var growing = []struct {
	line  string
	exits int
}{{"render STACKS", 0}, {"validate STACKS", 0}, {"check OBJECTS", 0}, {"graph OBJECTS", 0}, {"diff OBJECTS NONE", 1}}

// growth measures each command on copies of production-vllm, and draws the curves.
func (b *bench) growth() (string, error) {
	stack, err := example("production-vllm")
	if err != nil {
		return "", err
	}
	curves := make([]curve, len(growing))
	for i, c := range growing {
		curves[i].name, _, _ = strings.Cut(c.line, " ")
	}
	first := make([]sample, len(growing))
	for k, n := range b.counts {
		replace, err := b.sized(stack, n)
		if err != nil {
			return "", err
		}
		for i, c := range growing {
			samples, err := b.compare(command{args: append([]string{b.ours}, strings.Fields(replace.Replace(c.line))...), exits: c.exits})
			if err != nil {
				return "", err
			}
			one := median(samples[0])
			if k == 0 {
				first[i] = one
			}
			curves[i].cpu = append(curves[i].cpu, float64(one.cpu)/float64(first[i].cpu))
			curves[i].memory = float64(one.memory) / float64(first[i].memory)
		}
	}
	if b.plot != "" {
		if err := os.WriteFile(b.plot, plot(b.counts, curves), 0o644); err != nil {
			return "", err
		}
	}
	return growthTable(b.counts, curves), nil
}

// sized writes n stacks and their objects.
func (b *bench) sized(stack string, n int) (*strings.Replacer, error) {
	stacks, err := b.write("stacks.yaml", []byte(strings.Join(copies(stack, n), "---\n")))
	if err != nil {
		return nil, err
	}
	objects, none := b.path("objects.yaml"), b.path("none.yaml")
	if err := os.WriteFile(none, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: none, namespace: llm-d}\n"), 0o600); err != nil {
		return nil, err
	}
	_, err = (command{args: []string{b.ours, "render", stacks}}).run(objects)
	return strings.NewReplacer("STACKS", stacks, "OBJECTS", objects, "NONE", none), err
}

func growthTable(counts []int, curves []curve) string {
	var out strings.Builder
	out.WriteString("### Growth\n\nProcessor time of each command on copies of production-vllm in one namespace, 22 objects each, in times of that on the fewest; in the last column the memory on the most.\n\n")
	out.WriteString("![How each command grows](pictures/growth.svg)\n\n| objects |")
	for _, n := range counts {
		fmt.Fprintf(&out, " %d |", 22*n)
	}
	out.WriteString(" memory |\n|---|" + strings.Repeat("--:|", len(counts)+1) + "\n| as many times |")
	for _, n := range counts {
		fmt.Fprintf(&out, " %.0f |", float64(n)/float64(counts[0]))
	}
	out.WriteString(" |\n")
	for _, c := range curves {
		fmt.Fprintf(&out, "| `%s` |", c.name)
		for _, times := range c.cpu {
			fmt.Fprintf(&out, " %.1f |", times)
		}
		fmt.Fprintf(&out, " %.1f |\n", c.memory)
	}
	return out.String()
}
