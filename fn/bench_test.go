package fn

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/wiring"
)

// BenchmarkFunction is the program as a KRM function, without the start of the process:
// a full stack alone, and many in one input, whose time per stack must not grow.
func BenchmarkFunction(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("stacks=%d", n), func(b *testing.B) {
			input := manyStacks(b, n)
			b.ReportAllocs()
			for b.Loop() {
				var stderr bytes.Buffer
				if code := run([]string{}, streams{bytes.NewReader(input), io.Discard, &stderr}); code != exitOK {
					b.Fatal(stderr.String())
				}
			}
		})
	}
}

// The steps that the commands consist of, each on every example.

func BenchmarkParse(b *testing.B) {
	overExamples(b, func(b *testing.B, path string) {
		for b.Loop() {
			for _, stack := range benchStacks(b, path) {
				if _, problems := stack.parse(); len(problems.Errors()) > 0 {
					b.Fatal(problems)
				}
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	overExamples(b, func(b *testing.B, path string) {
		stacks := benchStacks(b, path)
		for b.Loop() {
			if _, found := compile(stacks); failed(found) {
				b.Fatal(found)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	overExamples(b, func(b *testing.B, path string) {
		made, _ := compile(benchStacks(b, path))
		all := objects(made)
		for b.Loop() {
			if err := manifest.WriteYAML(io.Discard, all); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	overExamples(b, func(b *testing.B, path string) {
		var rendered bytes.Buffer
		made, _ := compile(benchStacks(b, path))
		if err := manifest.WriteYAML(&rendered, objects(made)); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			all, err := wiring.Read("rendered.yaml", rendered.Bytes())
			if err != nil {
				b.Fatal(err)
			}
			if found := wiring.Check(all, wiring.Options{}); wiring.Failed(found) {
				b.Fatalf("the example is not sound: %v", found)
			}
		}
	})
}

// BenchmarkConvert converts the samples of other systems.
func BenchmarkConvert(b *testing.B) {
	inputs, err := filepath.Glob("../testdata/convert/*/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		b.Fatal("no inputs", err)
	}
	for _, input := range inputs {
		dir := filepath.Dir(input)
		b.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchStacks(b, input)
			}
		})
	}
}

func overExamples(b *testing.B, step func(b *testing.B, path string)) {
	files, err := filepath.Glob("../examples/*/stack.yaml")
	if err != nil || len(files) == 0 {
		b.Fatal("no examples", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file) // whole: an example may be several stacks that need each other
		b.Run(filepath.Base(dir), func(b *testing.B) {
			b.ReportAllocs()
			step(b, dir)
		})
	}
}

// benchStacks reads what is to be compiled in a file or a directory.
func benchStacks(b *testing.B, path string) []unit {
	stacks, found, err := readStacks([]string{path}, convert.Options{}, nil)
	if err != nil || failed(found) {
		b.Fatal(err, found)
	}
	return stacks
}

// manyStacks is a ResourceList of that many copies of an example under names of their own.
func manyStacks(tb testing.TB, n int) []byte {
	tb.Helper()
	example, err := os.ReadFile(filepath.Join("..", "examples", "prefill-decode-istio", "stack.yaml"))
	if err != nil {
		tb.Fatal(err)
	}
	_, stack, _ := strings.Cut(string(example), "\n") // the comment
	items := make([]string, n)
	for i := range items {
		items[i] = strings.Replace(stack, "name: llama", fmt.Sprintf("name: llama-%d", i), 1)
	}
	return []byte(resources("", items...))
}
