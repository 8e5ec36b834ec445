package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkFunction is the program as a KRM function, without the start of the process:
// a full stack alone, and many in one input, whose time per stack must not grow.
func BenchmarkFunction(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("stacks=%d", n), func(b *testing.B) {
			input := manyStacks(b, n)
			b.ReportAllocs()
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				var stderr bytes.Buffer
				if code := run([]string{}, streams{bytes.NewReader(input), io.Discard, &stderr}); code != exitOK {
					b.Fatal(stderr.String())
				}
			}
		})
	}
}

// manyStacks is a ResourceList of that many copies of an example under names of their own.
func manyStacks(b *testing.B, n int) []byte {
	example, err := os.ReadFile(filepath.Join("..", "examples", "prefill-decode-istio", "stack.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	out.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for i := range n {
		prefix := "- "
		named := false
		for line := range strings.Lines(string(example)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			if name, ok := strings.CutPrefix(line, "  name: "); ok && !named {
				line, named = fmt.Sprintf("  name: %s-%d\n", strings.TrimSpace(name), i), true
			}
			out.WriteString(prefix + line)
			prefix = "  "
		}
	}
	return out.Bytes()
}
