package main

import (
	"fmt"
	"strings"
	"time"
)

// A table is a section of the page.
type table struct {
	text strings.Builder
	ours []sample
}

func newTable(title, about string) *table {
	t := &table{}
	fmt.Fprintf(&t.text, "### %s\n\n%s.\n\n", title, strings.ToUpper(about[:1])+about[1:])
	t.text.WriteString("| | time | yardstick | ratio | processor time | yardstick | ratio | memory | yardstick | ratio |\n")
	t.text.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	return t
}

// add adds a row. A yardstick of zero was not measured.
func (t *table) add(name string, ours, yardstick sample) {
	t.ours = append(t.ours, ours)
	fmt.Fprintf(&t.text, "| %s | %s | %s | %s |\n", name,
		cells(milliseconds(ours.wall), milliseconds(yardstick.wall), "ms"),
		cells(milliseconds(ours.cpu), milliseconds(yardstick.cpu), "ms"),
		cells(float64(ours.memory)/1e6, float64(yardstick.memory)/1e6, "MB"))
}

// missing is the section when the yardstick is not to be had.
func (t *table) missing(why string) string {
	title, _, _ := strings.Cut(t.String(), "\n")
	return title + "\n\nNot measured: " + why + ".\n"
}

// cells are a figure, its yardstick and their ratio.
func cells(ours, yardstick float64, unit string) string {
	if yardstick == 0 {
		return fmt.Sprintf("%.0f %s | – | –", ours, unit)
	}
	return fmt.Sprintf("%.0f %s | %.0f %s | **%.2f**", ours, unit, yardstick, unit, ours/yardstick)
}

// slope says what a stack costs in each of the rows.
func (t *table) slope(counts []int) string {
	var out strings.Builder
	out.WriteString("\n| | processor time for a stack | memory for a stack |\n|---|--:|--:|\n")
	for i, s := range t.ours {
		n := float64(counts[i])
		fmt.Fprintf(&out, "| %d stacks | %.2f ms | %.0f kB |\n", counts[i], milliseconds(s.cpu)/n, float64(s.memory)/1e3/n)
	}
	return out.String()
}

func (t *table) String() string { return t.text.String() }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
