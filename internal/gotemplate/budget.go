package gotemplate

import (
	"fmt"
	"reflect"
	"strconv"
	"text/template/parse"

	"github.com/inferstack/inferstack/internal/pattern"
)

// What one execution may cost. Templates come from other people's ConfigMaps and values
// files, and are executed where many share a machine, as in Argo CD's repo-server.
const (
	// maxSteps is the number of nodes, rounds of loops and parts of arguments.
	maxSteps = 200_000
	// MaxText is the number of bytes that a template, and any text made on the way, may
	// have: what etcd stores of one object (etcd, --max-request-bytes, 1.5 MiB).
	MaxText = 3 << 19
	// maxMade is the number of bytes of all texts made on the way.
	maxMade = 16 << 20
	// maxNesting is how many templates may include one another.
	maxNesting = 1000
)

// step counts one step of the execution.
func (r *run) step(at parse.Node) { r.spend(at, 1) }

func (r *run) spend(at parse.Node, steps int) {
	if r.steps += steps; r.steps > maxSteps {
		r.fail(at, "the template takes more than %d steps", maxSteps)
	}
}

// write adds to the output.
func (r *run) write(at parse.Node, text string) {
	if r.out.Len()+len(text) > MaxText {
		r.fail(at, "the output exceeds %d bytes", MaxText)
	}
	r.out.WriteString(text)
}

// print writes a value. Its size is known before its text is made: a list that holds
// another twice, and so on, is small in memory and endless as text.
func (r *run) print(at parse.Node, v any) {
	r.measure(at, v)
	r.write(at, fmt.Sprint(v))
}

// measure charges for the values that a function is given.
func (r *run) measure(at parse.Node, values ...any) {
	parts, text := 0, 0
	for _, v := range values {
		if !size(reflect.ValueOf(v), &parts, &text) {
			break
		}
	}
	r.spend(at, parts)
	if text > MaxText {
		r.fail(at, "a value exceeds %d bytes", MaxText)
	}
}

// made charges for the text that a function returns.
func (r *run) made(at parse.Node, v any) {
	text, ok := v.(string)
	if !ok {
		return
	}
	if r.bytes += len(text); len(text) > MaxText || r.bytes > maxMade {
		r.fail(at, "the text exceeds %d bytes", MaxText)
	}
}

// size adds up the parts of a value and the bytes of its texts. It stops, and reports
// false, once they exceed what an execution may cost.
func size(v reflect.Value, parts, text *int) bool {
	if *parts++; *parts > maxSteps || *text > MaxText {
		return false
	}
	switch v.Kind() {
	case reflect.Interface:
		return size(v.Elem(), parts, text)
	case reflect.String:
		*text += v.Len()
	case reflect.Slice:
		for i := range v.Len() {
			if !size(v.Index(i), parts, text) {
				return false
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if !size(entries.Key(), parts, text) || !size(entries.Value(), parts, text) {
				return false
			}
		}
	}
	return true
}

// Reserve fails the function that calls it if count texts of length bytes exceed MaxText.
// Functions whose result can be larger than all their arguments call it before they make
// the result; the failure becomes an error of the template.
func Reserve(count, length int) {
	if count > 0 && length > MaxText/count {
		panic(fmt.Sprintf("the text exceeds %d bytes", MaxText))
	}
}

// wide is a width or precision of a format: written, or taken from an argument.
var wide = pattern.Lazy(`%[-+# 0]*(?:\[\d+\])?(\d+|\*)?(?:\.(?:\[\d+\])?(\d+|\*))?`)

// reserveFormat fails if a format asks for more padding than a text may have.
func reserveFormat(format string) {
	total := len(format)
	for _, verb := range wide().FindAllStringSubmatch(format, -1) {
		for _, width := range verb[1:] {
			if width == "*" {
				panic("a width from an argument is not supported")
			}
			n, _ := strconv.Atoi(width) // the largest int, if it is out of range
			total += min(n, MaxText+1)
			Reserve(1, total)
		}
	}
}
