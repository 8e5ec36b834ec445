package main

import (
	"fmt"
	"strings"
	"time"
)

// A table is a section of the page. It has ratios alone: seconds belong to a machine.
type table struct{ text strings.Builder }

func newTable(title, about string) *table {
	t := &table{}
	fmt.Fprintf(&t.text, "### %s\n\n%s.\n\n", title, strings.ToUpper(about[:1])+about[1:])
	t.text.WriteString("| | time | processor time | memory |\n|---|--:|--:|--:|\n")
	return t
}

// add adds a row: what the first program takes, in times of what the second does.
func (t *table) add(name string, samples [][]sample) {
	ours, yardstick := samples[0], samples[1]
	fmt.Fprintf(&t.text, "| %s | %s | %s | %s |\n", name,
		ratioOf(ours, yardstick, func(s sample) time.Duration { return s.wall }),
		ratioOf(ours, yardstick, func(s sample) time.Duration { return s.cpu }),
		ratioOf(ours, yardstick, func(s sample) int64 { return s.memory }))
}

// missing says of a row that its yardstick is not to be had.
func (t *table) missing(name string, why error) {
	line, _, _ := strings.Cut(why.Error(), "\n")
	fmt.Fprintf(&t.text, "| %s | – | – | – |\n\nNot measured: %s.\n\n", name, line)
}

func (t *table) String() string { return t.text.String() }

func (r ratio) String() string {
	if r.high-r.low < 0.01 {
		return fmt.Sprintf("**%.2f**", r.middle)
	}
	return fmt.Sprintf("**%.2f** (%.2f–%.2f)", r.middle, r.low, r.high)
}
