package cel

import (
	"fmt"
	"strings"
)

// A token is a word of an expression.
type token struct {
	kind kind
	text string
}

type kind int

const (
	nameToken kind = iota
	literalToken
	operatorToken
)

// symbols are tried in this order: the longer ones first.
var symbols = []string{"&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",", "(", ")", "[", "]", "{", "}"}

// tokens splits an expression, or says why it cannot be.
func tokens(text string) ([]token, string) {
	var out []token
	for text != "" {
		if text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r' {
			text = text[1:]
			continue
		}
		if strings.HasPrefix(text, "//") {
			_, text, _ = strings.Cut(text, "\n")
			continue
		}
		t, flaw := next(text)
		if flaw != "" {
			return nil, flaw
		}
		out, text = append(out, t), text[len(t.text):]
		if last := &out[len(out)-1]; last.kind == nameToken && last.text == "in" {
			last.kind = operatorToken
		}
	}
	return out, ""
}

func next(text string) (token, string) {
	if n := quoted(text); n > 0 {
		return token{literalToken, text[:n]}, ""
	} else if n < 0 {
		return token{}, "has a text without its closing quote"
	}
	n := 0
	for n < len(text) && (letter(text[n]) || n > 0 && digit(text[n])) {
		n++
	}
	if n > 0 {
		return token{nameToken, text[:n]}, ""
	}
	for n < len(text) && (digit(text[n]) || letter(text[n]) || text[n] == '.' && n+1 < len(text) && digit(text[n+1])) {
		n++
	}
	if n > 0 && digit(text[0]) {
		return token{literalToken, text[:n]}, ""
	}
	for _, operator := range symbols {
		if strings.HasPrefix(text, operator) {
			return token{operatorToken, operator}, ""
		}
	}
	return token{}, fmt.Sprintf("has %q, which CEL does not know", []rune(text)[0])
}

// quoted is the length of a text in quotes, with its prefix; 0 where there is none, and
// negative where it has no end.
func quoted(text string) int {
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
