// Package report prints, when a test package ends, what was proven with which version.
package report

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
)

// Table collects one row per proof.
type Table struct {
	title   string
	columns []string

	mu   sync.Mutex
	rows [][]string
}

// New returns an empty table.
func New(title string, columns ...string) *Table {
	return &Table{title: title, columns: append([]string{"result"}, columns...)}
}

// Row adds what a test did; the test's outcome is the first column.
func (r *Table) Row(t testing.TB, cells ...any) {
	row := []string{"ok"}
	if t.Failed() {
		row[0] = "FAILED"
	}
	for _, cell := range cells {
		row = append(row, fmt.Sprint(cell))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, row)
}

// Unproven adds a row for what no program here can judge, and why.
func (r *Table) Unproven(cells ...any) {
	row := []string{"not proven"}
	for _, cell := range cells {
		row = append(row, fmt.Sprint(cell))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, row)
}

// Main runs the tests of a package and prints its tables.
func Main(m *testing.M, tables ...*Table) {
	code := m.Run()
	for _, table := range tables {
		table.print()
	}
	os.Exit(code)
}

func (r *Table) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\n== %s\n%s\n", r.title, strings.Join(r.columns, "\t"))
	for _, row := range r.rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
}
