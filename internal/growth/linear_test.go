package growth

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// Bounds of growth: twice as much takes at most this many times the statements and the memory.
// The bar of ten times as many objects in twelve times the time is 2.11 at each doubling.
const (
	mostStatements = 2.11
	mostMemory     = 2.11
	enoughMemory   = 64 << 10 // kB; below that what the program is itself counts most
	least          = 200      // objects, then twice and four times as many
)

// A command of the program, with FILE for what it reads.
type command struct{ name, line string }

func (c command) with(file string) []string {
	return strings.Fields(strings.ReplaceAll(c.line, "FILE", file))
}

// commands that read manifests.
var commands = []command{
	{"check", "check FILE"},
	{"graph", "graph FILE"},
	{"graph --all -o html", "graph --all -o html FILE"},
	{"diff", "diff FILE testdata/one.yaml"},
	{"status", "status FILE"},
}

// TestManifests grows linearly with the objects, whatever refers to what among them.
func TestManifests(t *testing.T) {
	long.Skip(t)
	for _, shape := range Manifests {
		t.Run(shape.Name, func(t *testing.T) {
			t.Parallel()
			for _, c := range commands {
				grows(t, c.name, func(n int) run { return measure(t, c.with(write(t, living(shape.Make(n))))...) })
			}
		})
	}
}

// TestStacks grows linearly with the stacks, and with what they are rendered to.
func TestStacks(t *testing.T) {
	long.Skip(t)
	for _, shape := range Stacks {
		t.Run(shape.Name, func(t *testing.T) {
			t.Parallel()
			grows(t, "validate", func(n int) run { return measure(t, "validate", write(t, shape.Make(n/10))) })
			rendered := map[int]string{}
			grows(t, "render", func(n int) run {
				made := measure(t, "render", write(t, shape.Make(n/20)))
				rendered[n] = write(t, living(made.out))
				return made
			})
			for _, c := range append(commands, command{"graph -o dot", "graph -o dot FILE"}, command{"graph -o mermaid", "graph --all -o mermaid FILE"}) {
				grows(t, c.name, func(n int) run { return measure(t, c.with(rendered[n])...) })
			}
		})
	}
}

// TestUnknownKeys grows linearly with what is wrong in one mapping.
func TestUnknownKeys(t *testing.T) {
	long.Skip(t)
	grows(t, "validate", func(n int) run { return measure(t, "validate", write(t, UnknownKeys(n))) })
}

// living gives each object a uid, as the API server does.
func living(manifests string) string {
	var out strings.Builder
	for i, part := range strings.Split(manifests, "\nmetadata:") {
		if i > 0 {
			out.WriteString("\nmetadata:")
			uid := fmt.Sprintf(" {uid: u%d, ", i)
			if after, flow := strings.CutPrefix(part, " {"); flow {
				part = uid + after
			} else {
				part = fmt.Sprintf("\n  uid: u%d", i) + part
			}
		}
		out.WriteString(part)
	}
	return out.String()
}

// grows takes a measure of n, 2n and 4n objects.
func grows(t *testing.T, what string, take func(n int) run) {
	t.Helper()
	n := least
	last := take(n)
	for range 2 {
		n *= 2
		next := take(n)
		if ratio := next.statements / last.statements; ratio > mostStatements {
			t.Errorf("%s: %d objects take %.2f times the statements of %d", what, n, ratio, n/2)
		}
		if ratio := float64(next.memory) / float64(max(last.memory, enoughMemory)); ratio > mostMemory {
			t.Errorf("%s: %d objects take %.2f times the memory of %d", what, n, ratio, n/2)
		}
		if testing.Verbose() {
			t.Logf("%s: %d: %.1f M statements, %d MB", what, n, next.statements/1e6, next.memory>>10)
		}
		last = next
	}
}
