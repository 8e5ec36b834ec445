package graph

import (
	"strings"
	"unicode/utf8"
)

// wrap breaks a text into lines that fit; what does not fit into so many lines is cut
// off, which the last line shows.
func (f font) wrap(text string, width float64, most int) (lines []string) {
	line := ""
	for _, word := range words(text) {
		if line != "" && f.width(strings.TrimRight(line+word, " ")) > width {
			lines, line = append(lines, line), ""
		}
		for line == "" && f.width(strings.TrimRight(word, " ")) > width {
			cut := f.fitting(word, width)
			lines, word = append(lines, word[:cut]), word[cut:]
		}
		line += word
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	if len(lines) > most {
		last := lines[most-1]
		for f.width(last+"…") > width && last != "" {
			_, n := utf8.DecodeLastRuneInString(last)
			last = last[:len(last)-n]
		}
		lines = append(lines[:most-1:most-1], last+"…")
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// fitting is how many bytes of a word fit, at least one character.
func (f font) fitting(word string, width float64) int {
	end := 0
	for i, r := range word {
		if n := i + utf8.RuneLen(r); i == 0 || f.width(word[:n]) <= width {
			end = n
			continue
		}
		break
	}
	return end
}

// words are the pieces that a line may be broken after; they keep what ends them.
func words(text string) []string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	return strings.FieldsFunc(breaks.Replace(text), func(r rune) bool { return r == '\x00' })
}

// breaks marks where names and sentences may be broken.
var breaks = strings.NewReplacer("\x00", "", " ", " \x00", "-", "-\x00", ".", ".\x00", "/", "/\x00", ":", ":\x00", "_", "_\x00")
