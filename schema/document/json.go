package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf16"
)

// JSONAsYAML returns JSON with the two escapes that the YAML library does not know in
// another form: \/, and a pair of surrogates such as \ud83d\ude00. Other text is returned as
// it is.
func JSONAsYAML(data []byte) []byte {
	start := bytes.TrimLeft(data, " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' || !bytes.Contains(data, []byte(`\/`)) && !surrogates(data) || !json.Valid(data) {
		return data
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] != '\\': // valid JSON has a backslash in strings only
			out = append(out, data[i])
		case data[i+1] == '/':
			out = append(out, '/')
			i++
		case data[i+1] == 'u':
			text, length := codePoint(data[i:])
			out = append(out, text...)
			i += length - 1
		default:
			out = append(out, data[i], data[i+1])
			i++
		}
	}
	return out
}

func surrogates(data []byte) bool {
	return bytes.Contains(data, []byte(`\ud`)) || bytes.Contains(data, []byte(`\uD`))
}

// codePoint is the escape at the start of data in a form that YAML has, and its length. A
// surrogate without its other half is the replacement character, as encoding/json reads it.
func codePoint(data []byte) (text []byte, length int) {
	first := hexRune(data)
	if !utf16.IsSurrogate(first) {
		return data[:6], 6
	}
	if bytes.HasPrefix(data[6:], []byte(`\u`)) {
		if pair := utf16.DecodeRune(first, hexRune(data[6:])); pair != unicode.ReplacementChar {
			return fmt.Appendf(nil, `\U%08x`, pair), 12
		}
	}
	return []byte(`\ufffd`), 6
}

// hexRune is the number of an escape of six characters.
func hexRune(escape []byte) rune {
	n, _ := strconv.ParseUint(string(escape[2:6]), 16, 16) // four hexadecimal digits in valid JSON
	return rune(n)
}
