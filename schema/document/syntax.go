package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/pattern"
)

// decode reads the next document. The YAML library is not known to panic, but a
// file must never bring the program down.
func decode(dec *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	return dec.Decode(into)
}

// scannerErrors begins the errors for which go-yaml v3.0.5 (decode.go, parser.fail)
// counts lines from 1. Its parser counts them from 0, and from the start of the
// block around the trouble.
const scannerErrors = `^(could not|found|mapping|block|did not find expected (digit|tag|comment|whitespace|'!'|hex|alpha))`

// syntax takes an error of the YAML library apart into line and text.
func syntax(data []byte, err error) (line int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, text, _ := strings.Cut(rest, ": ")
		line, _ = strconv.Atoi(number) // what is not a number is 0, and searched for
		message = text
	}
	if line > 0 && pattern.Matches(scannerErrors, message) {
		return line, withoutTabs(data, line, message)
	}
	ends := lineEnds(data)
	line = 1 + sort.Search(len(ends), func(i int) bool {
		e := firstError(data[:ends[i]])
		return e != nil && e.Error() == err.Error()
	})
	line = min(line, len(ends))
	return line, withoutTabs(data, line, message)
}

// withoutTabs says of a line that is indented with a tab that this is the trouble: the
// library says it in other words.
func withoutTabs(data []byte, line int, message string) string {
	lines := bytes.Split(data, []byte("\n"))
	if line > len(lines) || !bytes.HasPrefix(bytes.TrimLeft(lines[line-1], " "), []byte("\t")) {
		return message
	}
	return "a tab: YAML is indented with spaces"
}

// firstError is what is wrong with the first part of a file. From the line on
// which an error shows, every longer part has the same one.
func firstError(data []byte) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var n yaml.Node
		if err := decode(dec, &n); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// lineBreaks are what ends a line for the YAML reader (go.yaml.in/yaml v3.0.5 yamlprivateh.go,
// is_break), longest first: its positions count them all.
var lineBreaks = [][]byte{[]byte("\u2028"), []byte("\u2029"), []byte("\r\n"), []byte("\u0085"), []byte("\n"), []byte("\r")}

// lineEnds lists where the lines of a file end.
func lineEnds(data []byte) (out []int) {
	for i := 0; i < len(data); i++ {
		for _, b := range lineBreaks {
			if bytes.HasPrefix(data[i:], b) {
				i += len(b) - 1
				out = append(out, i+1)
				break
			}
		}
	}
	if len(out) == 0 || out[len(out)-1] < len(data) {
		out = append(out, len(data))
	}
	return out
}

var byteOrderMark = []byte("\ufeff")

// withoutMarks drops the byte order marks that some editors write at the start of
// a file and some tools leave at the start of a document when they join files.
func withoutMarks(data []byte) []byte {
	data = bytes.TrimPrefix(data, byteOrderMark)
	return bytes.ReplaceAll(data, append([]byte("\n"), byteOrderMark...), []byte("\n"))
}

// invalid finds the first byte that is not UTF-8.
func invalid(data []byte) (line, column int, found bool) {
	if utf8.Valid(data) {
		return 0, 0, false
	}
	line, column = 1, 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size <= 1 {
			break
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
		data = data[size:]
	}
	return line, column, true
}
