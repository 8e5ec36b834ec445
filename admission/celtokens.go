package admission

import (
	"fmt"
	"strings"
)

// A celToken is a word of an expression.
type celToken struct {
	kind celKind
	text string
}

type celKind int

const (
	celName celKind = iota
	celLiteral
	celOperator
)

// celOperators are tried in this order: the longer ones first.
var celOperators = []string{"&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",", "(", ")", "[", "]", "{", "}"}

// celTokens splits an expression, or says why it cannot be.
func celTokens(text string) ([]celToken, string) {
	var out []celToken
	for text != "" {
		if text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r' {
			text = text[1:]
			continue
		}
		if strings.HasPrefix(text, "//") {
			_, text, _ = strings.Cut(text, "\n")
			continue
		}
		token, flaw := celNext(text)
		if flaw != "" {
			return nil, flaw
		}
		out, text = append(out, token), text[len(token.text):]
		if last := &out[len(out)-1]; last.kind == celName && last.text == "in" {
			last.kind = celOperator
		}
	}
	return out, ""
}

func celNext(text string) (celToken, string) {
	if n := celQuoted(text); n > 0 {
		return celToken{celLiteral, text[:n]}, ""
	} else if n < 0 {
		return celToken{}, "has a text without its closing quote"
	}
	n := 0
	for n < len(text) && (letter(text[n]) || n > 0 && digit(text[n])) {
		n++
	}
	if n > 0 {
		return celToken{celName, text[:n]}, ""
	}
	for n < len(text) && (digit(text[n]) || letter(text[n]) || text[n] == '.' && n+1 < len(text) && digit(text[n+1])) {
		n++
	}
	if n > 0 && digit(text[0]) {
		return celToken{celLiteral, text[:n]}, ""
	}
	for _, operator := range celOperators {
		if strings.HasPrefix(text, operator) {
			return celToken{celOperator, operator}, ""
		}
	}
	return celToken{}, fmt.Sprintf("has %q, which CEL does not know", []rune(text)[0])
}

// celQuoted is the length of a text in quotes, with its prefix; 0 where there is none, and
// negative where it has no end.
func celQuoted(text string) int {
	body := strings.TrimLeft(text, "rRbB")
	prefix := len(text) - len(body)
	if prefix > 2 || body == "" || body[0] != '\'' && body[0] != '"' {
		return 0
	}
	raw := strings.ContainsAny(text[:prefix], "rR")
	quote := body[:1]
	if strings.HasPrefix(body, strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	for i := len(quote); i < len(body); i++ {
		switch {
		case strings.HasPrefix(body[i:], quote):
			return prefix + i + len(quote)
		case body[i] == '\\' && !raw:
			i++
		case body[i] == '\n' && len(quote) == 1:
			return -1
		}
	}
	return -1
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
