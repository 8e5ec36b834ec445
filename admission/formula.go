package admission

import (
	"fmt"
	"slices"
	"strings"
)

// A formula of KEDA's scaling modifiers, as far as it is looked into: its types are left to KEDA.
type formula struct {
	// names it takes for triggers, each once.
	names []string
	// own are the variables that it declares.
	own []string
	// closed says that it speaks of the items of a list, so that not all names in it are looked at.
	closed bool
	// wrong is what keeps it from being an expression, empty if nothing is seen.
	wrong string
}

// What an expression of a formula has beside the names of triggers (expr-lang/expr v1.17.6, the
// version of keda v2.18.0: builtin/builtin.go, parser/lexer/state.go).
var (
	formulaWords     = strings.Fields("true false nil not in or and matches contains startsWith endsWith let if else")
	formulaFunctions = strings.Fields(`all none any one filter map find findIndex findLast findLastIndex count sum groupBy
		sortBy reduce len type abs ceil floor round int float string trim trimPrefix trimSuffix upper lower split splitAfter
		replace repeat join indexOf lastIndexOf hasPrefix hasSuffix max min mean median toJSON fromJSON toBase64 fromBase64
		now duration date timezone first last get take keys values toPairs fromPairs reverse uniq concat flatten sort
		bitand bitor bitxor bitnand bitshl bitshr bitushr bitnot`)
)

const wordStarts = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$"

// readFormula looks for names and brackets. A formula that speaks of the items of a list has names that are
// no triggers: those are not looked into. A variable that it declares by let is none either.
func readFormula(text string) formula {
	f := formula{closed: strings.ContainsAny(text, "{#")}
	var open []byte
	var before string
	for i := 0; i < len(text) && f.wrong == ""; i++ {
		switch c := text[i]; {
		case strings.IndexByte("'\"`", c) >= 0:
			i = f.quoted(text, i)
		case strings.IndexByte("([{", c) >= 0:
			open = append(open, c)
		case strings.IndexByte(")]}", c) >= 0:
			if len(open) == 0 || !pair(open[len(open)-1], c) {
				f.wrong = fmt.Sprintf("has a %c that closes nothing", c)
				return f
			}
			open = open[:len(open)-1]
		case '0' <= c && c <= '9':
			i = wordEnd(text, i) - 1
		case strings.IndexByte(wordStarts, c) >= 0:
			end := wordEnd(text, i)
			if word := text[i:end]; before == "let" {
				f.own = append(f.own, word)
			} else if !f.closed {
				f.word(word, memberAt(text, i), calledAt(text, end))
			}
			before, i = text[i:end], end-1
		}
	}
	if len(open) > 0 && f.wrong == "" {
		f.wrong = fmt.Sprintf("has a %c that is not closed", open[len(open)-1])
	}
	return f
}

func pair(open, shut byte) bool {
	return strings.IndexByte("([{", open) == strings.IndexByte(")]}", shut)
}

// quoted is where the text in quotes that begins at i ends.
func (f *formula) quoted(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		if text[i] == quote {
			return i
		}
		if text[i] == '\\' && quote != '`' {
			i++
		}
	}
	f.wrong = fmt.Sprintf("has a %c that is not closed", quote)
	return i
}

// word takes a word for what it is: a member of something, a function, a name.
func (f *formula) word(word string, member, called bool) {
	switch {
	case member, slices.Contains(formulaWords, word), slices.Contains(f.own, word):
	case called:
		if !slices.Contains(formulaFunctions, word) {
			f.wrong = word + " is not a function of a formula, such as max, min, sum or float"
		}
	case !slices.Contains(f.names, word):
		f.names = append(f.names, word)
	}
}

func wordEnd(text string, i int) int {
	for i < len(text) && (strings.IndexByte(wordStarts, text[i]) >= 0 || '0' <= text[i] && text[i] <= '9') {
		i++
	}
	return i
}

// memberAt reports whether the word at i is behind a dot, and not behind the two of a range.
func memberAt(text string, i int) bool {
	s := strings.TrimRight(text[:i], blanks)
	return strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..")
}

// calledAt reports whether a bracket follows that makes a call of the word.
func calledAt(text string, end int) bool {
	return strings.HasPrefix(strings.TrimLeft(text[end:], blanks), "(")
}

const blanks = " \t\r\n"
