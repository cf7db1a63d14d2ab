package output

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/table"
	"varview/ui/text"
)

const (
	alignedRows = 200 // number of rows that decide how wide the columns are
	cellWidth   = 40  // greatest width of a value in columns of the terminal
)

// WriteRows writes the rows of a view for people, in columns.
func WriteRows(ctx context.Context, out *bufio.Writer, t *table.Table, v *table.View) error {
	head := []string{t.KeyName()}
	for _, c := range t.Columns {
		head = append(head, text.Head(text.Clean(c.Name), cellWidth))
	}
	g := grid{out: out, held: [][]string{head}, widths: make([]int, len(head))}
	r := t.NewReader()
	err := t.Each(ctx, r, v, func(row *table.Row) error {
		key := fmt.Sprint(row.Index)
		if row.Key != nil {
			key = cellOf(r, row.Key)
		}
		record := []string{key}
		for _, c := range row.Cells {
			cell := ""
			if c != nil {
				cell = cellOf(r, c)
			}
			record = append(record, cell)
		}
		return g.add(record)
	})
	if err != nil {
		return err
	}
	return g.flush()
}

// cellOf returns a value as the text of a cell.
func cellOf(r *tree.Reader, n *tree.Node) string {
	return text.Head(text.Clean(string(r.AppendLiteral(nil, &n.Value, 4*cellWidth))), cellWidth)
}

// A grid aligns columns by their first rows.
type grid struct {
	out    *bufio.Writer
	held   [][]string
	widths []int
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
	var line strings.Builder
	for i, s := range record {
		line.WriteString(s)
		line.WriteString(strings.Repeat(" ", max(0, g.widths[i]-text.Width(s))+2))
	}
	_, err := g.out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	return err
}

// WriteSummaries writes what the values of each column have in common.
func WriteSummaries(out *bufio.Writer, columns []table.Column, all []table.Summary) error {
	g := grid{out: out, held: [][]string{{"column", "values", "missing", "different", "min", "max", "sum", "mean"}}, widths: make([]int, 8)}
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
		}
		if err := g.add(record); err != nil {
			return err
		}
	}
	return g.flush()
}
