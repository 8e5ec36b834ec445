//go:build linux

package fn

import (
	"bytes"
	"context"
	byteorder "encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/inferstack/inferstack/internal/long"
)

// What an input of a mebibyte may cost.
const (
	mebibyte  = 1 << 20
	maxTime   = 10 * time.Second // of the processor: a busy machine is not our fault
	maxMemory = 1 << 30
)

// hostileValues are YAML values, in flow style, to put where a value belongs.
func hostileValues() map[string]string {
	fill := func(text string) string { return strings.Repeat(text, mebibyte/len(text)) }
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	bomb := "{a0: &a0 [x, x, x, x, x, x, x, x, x, x]"
	for i := 1; i < 10; i++ {
		bomb += fmt.Sprintf(", a%d: &a%d [%s]", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return map[string]string{
		"alias bomb":          bomb + "}",
		"many aliases":        "{a: &a {b: [1, 2, 3, 4, 5, 6, 7, 8]}, c: [" + fill("*a, ") + "*a]}",
		"own alias":           "&a [*a]",
		"merges":              "{a: &a {b: 1}, " + numbered(20000, "c%d: {<<: *a, d: 1}, ") + "}",
		"deep lists":          strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
		"deep mappings":       strings.Repeat("{a: ", 10000) + "1" + strings.Repeat("}", 10000),
		"deeper than allowed": fill("["),
		"long string":         `{a: "` + fill("a") + `"}`,
		"long escapes":        `{a: "` + fill(`\u2603`) + `"}`,
		"long key":            `{? "` + fill("a") + `" : 1}`,
		"long number":         "{a: " + fill("9") + "}",
		"huge exponent":       "{a: 1e999999999, b: -1e999999999, c: 0x" + strings.Repeat("f", 1000) + "}",
		"many keys":           "{" + numbered(90000, "a%d: 1, ") + "}",
		"one key, often":      "{" + fill("a: 1, ") + "}",
		"keys within limits":  "{" + numbered(49000, "a%d: 1, ") + "}",
		"pairs within limits": "{" + strings.Repeat("a: 1, ", 9000) + "}",
		"many items":          "[" + fill("a, ") + "]",
		"many nulls":          "[" + fill("~,") + "]",
		"anchors":             "[" + numbered(60000, "&a%d a, ") + "]",
		"tags":                "[" + fill("!!binary a, ") + "!!int x, !<tag:a> {}]",
		"not unique in YAML":  "{a: 1, 'a': 2, \"a\": 3, ? a : 4}",
		"keys of all kinds":   "{1: a, 1.5: b, true: c, ~: d, [e]: f, {g: h}: i, 2026-01-01: j}",
	}
}

// hostileDocuments spoil a whole document, which is valid.
func hostileDocuments(doc string) map[string]string {
	utf := func(order byteorder.AppendByteOrder) string {
		out := []byte{}
		for _, unit := range utf16.Encode([]rune("\ufeff" + doc)) {
			out = order.AppendUint16(out, unit)
		}
		return string(out)
	}
	return map[string]string{
		"nothing":         "",
		"only a mark":     "\ufeff",
		"mark":            "\ufeff" + doc,
		"returns":         strings.ReplaceAll(doc, "\n", "\r\n"),
		"old returns":     strings.ReplaceAll(doc, "\n", "\r"),
		"little UTF-16":   utf(byteorder.LittleEndian),
		"big UTF-16":      utf(byteorder.BigEndian),
		"no UTF-8":        strings.Replace(doc, "name: ", "name: \xff\xfe\xc0\x80", 1),
		"half a rune":     doc + "# \xe2\x98",
		"NULs":            strings.Replace(doc, "name: ", "name: \x00", 1),
		"only NULs":       strings.Repeat("\x00", mebibyte),
		"control":         strings.Replace(doc, "name: ", "name: \x07\x1b[31m", 1),
		"tabs":            strings.ReplaceAll(doc, "  ", "\t"),
		"long line":       doc + "# " + strings.Repeat("a", mebibyte),
		"long comments":   strings.Repeat("# a\n", mebibyte/4) + doc,
		"empty documents": strings.Repeat("---\n", mebibyte/4) + doc,
		"many documents":  strings.Repeat("---\n"+doc, mebibyte/(len(doc)+4)),
		"blank lines":     strings.Repeat("\n", mebibyte) + doc,
		"written twice":   doc + doc,
		"cut off":         doc[:len(doc)*2/3] + "{[",
		"directive":       "%YAML 9.9\n%TAG ! tag:x,2026:\n---\n" + doc,
	}
}

// TestHostileInput gives every command every spoiled input.
func TestHostileInput(t *testing.T) {
	stack := func(value string) string { return small + "  scheduler:\n    config: " + value + "\n" }
	object := func(value string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec: " + value + "\n"
	}
	old := func(value string) string {
		return "apiVersion: llm-d.ai/v1alpha1\nkind: ModelService\nmetadata:\n  name: a\nspec: " + value + "\n"
	}
	list := func(doc string) string { return resources("", doc) }
	every := 32
	if long.All() {
		every = 4
	}
	for name, road := range map[string]struct {
		args []string
		doc  func(value string) string
		wrap func(doc string) string
	}{
		"function": {nil, stack, list},
		"rewire": {nil, object, func(doc string) string {
			return resources("apiVersion: inferstack.dev/v1alpha1\nkind: Rewire\nmetadata:\n  name: r\n", doc)
		}},
		"items": {nil, func(value string) string { return value }, func(doc string) string {
			return "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: " + doc + "\n"
		}},
		"validate": {[]string{"validate", "-"}, stack, nil},
		"convert":  {[]string{"convert", "-"}, old, nil},
		"check":    {[]string{"check", "-"}, object, nil},
		"diff":     {[]string{"diff", "-", "FILE"}, object, nil},
		"status":   {[]string{"status", "-"}, object, nil},
		"helm":     {[]string{"convert", "helm", "--modelservice", "FILE"}, func(value string) string { return value }, nil},
	} {
		inputs := map[string]string{}
		for kind, value := range hostileValues() {
			inputs[kind] = road.doc(value)
		}
		maps.Copy(inputs, hostileDocuments(road.doc("{a: 1}")))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, kind := range slices.Sorted(maps.Keys(inputs)) {
				if os.Getenv("SPECS") == "" && (i+len(name))%every != 0 {
					continue // make property tries them all
				}
				input := inputs[kind]
				if road.wrap != nil {
					input = road.wrap(input)
				}
				endure(t, kind, input, road.args)
			}
		})
	}
}

// endure runs the program on an input: it must end, within bounds, and say why it failed.
func endure(t *testing.T, kind, input string, args []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "input.yaml")
	write(t, filepath.Dir(file), map[string]string{"input.yaml": input})
	args = slices.Clone(args)
	if i := slices.Index(args, "FILE"); i >= 0 {
		args[i] = file
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*maxTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, built, args...)
	var errs bytes.Buffer
	cmd.Env = append(os.Environ(), "GOGC=", "GOMEMLIMIT=") // as people run it, whatever the tests have
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &errs
	_ = cmd.Run()
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	said := errs.String()
	if len(said) > 1000 {
		said = said[:1000]
	}
	code := cmd.ProcessState.ExitCode()
	if code < exitOK || code > exitUsage || strings.Contains(errs.String(), "goroutine ") || strings.Contains(errs.String(), "panic") {
		t.Errorf("%v %s: exit %d: %s", args, kind, code, said)
	}
	if code != exitOK && said == "" {
		t.Errorf("%v %s: exit %d, silently", args, kind, code)
	}
	if took > maxTime || used.Maxrss<<10 > maxMemory {
		t.Errorf("%v %s: %v, %d MiB: %s", args, kind, took, used.Maxrss>>10, said)
	}
	if took > maxTime/4 || used.Maxrss<<10 > maxMemory/2 {
		t.Logf("%v %s: %v, %d MiB", args, kind, took, used.Maxrss>>10)
	}
}
