// Package report prints, when a test package ends, what was proven with which version.
package report

import (
	"bytes"
	"fmt"
	"io"
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

	mu       sync.Mutex
	rows     [][]string
	unproven []string
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

// Unproven tells, below the table, what no program here can judge, and why.
func (r *Table) Unproven(what, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unproven = append(r.unproven, what+": "+why)
}

var cleanups []func()

// AtExit calls clean when Main's tests have run: for what outlives a test.
func AtExit(clean func()) { cleanups = append(cleanups, clean) }

// Main runs the tests of a package and prints its tables. They are added to the file that
// INFERSTACK_CONFORMANCE_TABLES names as well: go test shows nothing of a package whose tests pass.
func Main(m *testing.M, tables ...*Table) {
	code := m.Run()
	for _, clean := range cleanups {
		clean()
	}
	if err := write(tables); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func write(tables []*Table) error {
	var text bytes.Buffer
	for _, table := range tables {
		table.print(&text)
	}
	os.Stdout.Write(text.Bytes())
	name := os.Getenv("INFERSTACK_CONFORMANCE_TABLES")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(text.Bytes()); err != nil {
		return err
	}
	return file.Close()
}

func (r *Table) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\n== %s\n%s\n", r.title, strings.Join(r.columns, "\t"))
	for _, row := range r.rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	for _, line := range r.unproven {
		fmt.Fprintln(out, "not proven: "+line)
	}
}
