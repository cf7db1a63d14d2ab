// Package output prints the output of commands: fields, changes and problems, as columns of text or as
// JSON, and the progress of long work.
package output

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/table"
)

const (
	alignedRows = 200 // rows that decide how wide the columns are
	cellWidth   = 40  // largest width of a value in terminal columns
)

// WriteRows writes the rows of a view for people, in columns.
func WriteRows(ctx context.Context, out *bufio.Writer, t *table.Table, v *table.View) error {
	g := grid{out: out}
	head := sync.OnceFunc(func() {
		head := []string{t.KeyName()}
		for _, c := range t.Columns {
			head = append(head, text.Head(text.Clean(c.Name), cellWidth))
		}
		g.held, g.widths = [][]string{head}, make([]int, len(head))
	})
	r := t.NewReader()
	var record, literal []byte // cells, each after the first behind a byte that no cell has
	add := func(n *tree.Node) {
		literal = r.AppendLiteral(literal[:0], &n.Value, 4*cellWidth)
		record = append(record, text.Head(string(literal), cellWidth)...)
	}
	err := t.Each(ctx, r, v, func(row *table.Row) ([]byte, error) {
		record = strconv.AppendInt(record[:0], row.Index, 10)
		if row.Key != nil {
			record = record[:0]
			add(row.Key)
		}
		for _, c := range row.Cells {
			if record = append(record, 0); c != nil {
				add(c)
			}
		}
		return record, nil
	}, func(record []byte) error {
		head()
		return g.add(strings.Split(string(record), "\x00"))
	})
	if err != nil {
		return err
	}
	head()
	return g.flush()
}

// WriteGrid writes records for people, in columns below their names.
func WriteGrid(out *bufio.Writer, head []string, records [][]string) error {
	all := append([][]string{head}, records...)
	for _, record := range all {
		for i, s := range record {
			record[i] = text.Head(text.Clean(s), cellWidth)
		}
	}
	return WriteAligned(out, all)
}

// WriteAligned writes records of as many cells each, as they are, in columns.
func WriteAligned(out *bufio.Writer, records [][]string) error {
	g := grid{out: out, held: records, widths: make([]int, len(records[0]))}
	if err := g.flush(); err != nil {
		return err
	}
	return out.Flush()
}

// A grid aligns columns by their first rows.
type grid struct {
	out    *bufio.Writer
	held   [][]string
	widths []int
	line   []byte
}

func (g *grid) add(record []string) error {
	if g.held != nil {
		g.held = append(g.held, record)
		if len(g.held) > alignedRows {
			return g.flush()
		}
		return nil
	}
	return g.write(record)
}

// flush writes the rows held back, once the width of the columns is known.
func (g *grid) flush() error {
	for _, record := range g.held {
		for i, s := range record {
			g.widths[i] = max(g.widths[i], text.Width(s))
		}
	}
	for _, record := range g.held {
		if err := g.write(record); err != nil {
			return err
		}
	}
	g.held = nil
	return nil
}

func (g *grid) write(record []string) error {
	line := g.line[:0]
	for i, s := range record {
		line = append(line, s...)
		for range max(0, g.widths[i]-text.Width(s)) + 2 {
			line = append(line, ' ')
		}
	}
	g.line = append(bytes.TrimRight(line, " "), '\n')
	_, err := g.out.Write(g.line)
	return err
}

// WriteSummaries writes a summary of the values of each column, with how many are NaN where any is.
func WriteSummaries(out *bufio.Writer, columns []table.Column, all []table.Summary) error {
	g := grid{out: out, held: [][]string{{"column", "values", "missing", "different", "min", "max", "sum", "mean"}}, widths: make([]int, 9)}
	hasNaN := slices.ContainsFunc(all, func(s table.Summary) bool { return s.NaNs > 0 })
	if hasNaN {
		g.held[0] = append(g.held[0], "NaN")
	}
	for i, s := range all {
		different := span.Grouped(int64(s.Distinct))
		if s.More {
			different += "+"
		}
		record := []string{text.Head(text.Clean(columns[i].Name), cellWidth), span.Grouped(s.Count), span.Grouped(s.Missing), different, "", "", "", ""}
		if s.Numbers > 0 {
			for k, x := range []float64{s.Min, s.Max, s.Sum, s.Mean()} {
				record[4+k] = fmt.Sprintf("%.10g", x)
			}
			if e := s.Exact; e != nil {
				record[4], record[5], record[6] = e.Min.String(), e.Max.String(), e.Sum.String()
			}
		}
		if hasNaN {
			record = append(record, span.Grouped(s.NaNs))
		}
		if err := g.add(record); err != nil {
			return err
		}
	}
	return g.flush()
}

// appendCut appends text, cut to width columns.
func appendCut(dst, s []byte, width int) []byte {
	if len(s) <= width && isPlain(s) {
		return append(dst, s...)
	}
	return append(dst, text.Head(string(s), width)...)
}

// isPlain reports whether all of s is printable ASCII.
func isPlain(s []byte) bool {
	for _, c := range s {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// appendOffset appends an offset in hex.
func appendOffset(dst []byte, off int64, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[off>>shift&15])
	}
	return dst
}

// appendPrintable appends bytes as ASCII text, with a dot for each that is not printable.
func appendPrintable(dst, row []byte) []byte {
	for _, c := range row {
		if c < ' ' || c > '~' {
			c = '.'
		}
		dst = append(dst, c)
	}
	return dst
}

const (
	hexDigits  = "0123456789abcdef"
	manyBlanks = "                                                                "
)

var kindNames = func() (names [][]byte) {
	for _, k := range span.Kinds() {
		names = append(names, []byte(k.String()))
	}
	return names
}()

// Tally counts problems by severity.
type Tally [span.Error + 1]int64

// String counts the problems in words, the worst first.
func (t Tally) String() string {
	var parts []string
	for s := span.Error; ; s-- {
		if t[s] > 0 {
			parts = append(parts, span.Counted(t[s], s.String()))
		}
		if s == span.Note {
			break
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Unmarked is a writer that removes the marks that keep text after right-to-left text in place on a
// terminal. In a file they would be taken for part of the text.
type Unmarked struct {
	W    io.Writer
	held []byte // the beginning of what may be a mark
}

// Write implements io.Writer.
func (u *Unmarked) Write(p []byte) (int, error) {
	b := p
	if len(u.held) > 0 {
		b = append(u.held, p...)
		u.held = nil
	}
	if begun := beginning(b); begun > 0 {
		u.held = bytes.Clone(b[len(b)-begun:])
		b = b[:len(b)-begun]
	}
	if bytes.Contains(b, []byte(text.Mark)) {
		b = bytes.ReplaceAll(b, []byte(text.Mark), nil)
	}
	if _, err := u.W.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}

// beginning returns the number of bytes at the end of b that may begin a mark.
func beginning(b []byte) int {
	for n := len(text.Mark) - 1; n > 0; n-- {
		if bytes.HasSuffix(b, []byte(text.Mark[:n])) {
			return n
		}
	}
	return 0
}

// SizeText returns a size for people: 12.4 KiB (12,684 bytes).
func SizeText(n int64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	exact := span.Bytes(n)
	if n < 1024 {
		return exact
	}
	x, unit := float64(n)/1024, 0
	for x >= 1024 && unit < len(units)-1 {
		x, unit = x/1024, unit+1
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + " " + units[unit] + " (" + exact + ")"
}
