package table

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/sheet"
)

// maxCell is the largest length in bytes of a cell in a CSV file.
const maxCell = 1 << 20

// MaxCSV is the largest size in bytes of a CSV file that is read.
const MaxCSV = 256 << 20

// errLong says that a value is too long for a cell.
var errLong = fmt.Errorf("a cell holds at most %s", span.Bytes(maxCell))

// shortLiteral is the number of bytes of values whose literal is not too long for a cell.
const shortLiteral = 1 << 10

type cellText struct{ bytes.Buffer }

// Write implements io.Writer.
func (c *cellText) Write(b []byte) (int, error) {
	if c.Len()+len(b) > maxCell {
		return 0, errLong
	}
	return c.Buffer.Write(b)
}

// Text returns the text of a value for a cell: text that is safe in a spreadsheet as it is, everything
// else as its literal.
func Text(ctx context.Context, r *tree.Reader, v *tree.Value) (string, error) {
	if r.MayBeText(v) {
		if s := r.Plain(v); s.Kind == tree.Text && s.Len() <= maxCell {
			b, err := textOf(r, s)
			return Bare(b), err
		}
	}
	return literal(ctx, r, v)
}

// textOf returns the text of a scalar that is text.
func textOf(r *tree.Reader, s tree.Scalar) (string, error) {
	if s.Len() <= source.MaxView {
		return string(s.View(r.Window(), 0, s.Len())), r.Window().Err()
	}
	b := make([]byte, s.Span.Length)
	if n, err := r.Tree.Source.ReadAt(b, s.Span.Offset); n < len(b) {
		return "", err
	}
	return string(b), nil
}

func literal(ctx context.Context, r *tree.Reader, v *tree.Value) (string, error) {
	if v.Layout == tree.Leaf && v.Tail-v.Start < shortLiteral {
		return string(r.AppendLiteral(nil, v, maxCell)), r.Window().Err()
	}
	var out cellText
	err := r.WriteText(ctx, &out, v)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// Bare returns text such that a spreadsheet takes it for text: as it is, or in quotes with JSON escapes.
func Bare(s string) string {
	if isBare([]byte(s)) {
		return s
	}
	return string(tree.AppendQuoted(nil, []byte(s)))
}

// Cells returns the values of a row, with its key or number under KeyName. A column of the same name gets
// an underscore. Missing values and null are left out.
func (t *Table) Cells(ctx context.Context, r *tree.Reader, row *Row) ([]sheet.Cell, error) {
	key := sheet.Cell{Name: t.KeyName(), Kind: sheet.Int, Text: strconv.FormatInt(row.Index, 10)}
	var err error
	if row.Key != nil {
		key, err = cell(ctx, r, key.Name, &row.Key.Value)
	}
	all := []sheet.Cell{key}
	for i, n := range row.Cells {
		if n == nil || err != nil {
			continue
		}
		name := t.Columns[i].Name
		if name == key.Name || name == FileName {
			name += "_"
		}
		var c sheet.Cell
		if c, err = cell(ctx, r, name, &n.Value); c.Kind != "" {
			all = append(all, c)
		}
	}
	return all, err
}

// FileName is the name of the column with the file from which a row is.
const FileName = "file"

// cell returns a value as a cell; the cell of null has no kind.
func cell(ctx context.Context, r *tree.Reader, name string, v *tree.Value) (c sheet.Cell, err error) {
	c.Name = name
	switch s := r.Plain(v); {
	case s.Kind == tree.Null:
		return c, nil
	case s.Kind == tree.Text && s.Len() <= maxCell:
		c.Kind = sheet.Text
		c.Text, err = textOf(r, s)
		return c, err
	case s.Kind == tree.Int, s.Kind == tree.Uint && int64(s.Bits) >= 0:
		c.Kind, c.Text = sheet.Int, strconv.FormatInt(int64(s.Bits), 10)
		return c, nil
	case s.Kind == tree.Bool:
		c.Kind, c.Text = sheet.Bool, strconv.FormatBool(s.Bits != 0)
		return c, nil
	case s.Kind == tree.Float64:
		c.Kind = sheet.Float
		if c.Text, err = literal(ctx, r, v); err == nil {
			if _, wrong := strconv.ParseFloat(c.Text, 64); wrong != nil {
				c.Text = strconv.FormatFloat(math.Float64frombits(s.Bits), 'g', -1, 64)
			}
		}
		return c, err
	}
	c.Kind = sheet.Text
	c.Text, err = literal(ctx, r, v)
	return c, err
}

// isBare reports whether text needs no quotes: it has nothing to escape, cannot be mistaken for quoted or
// missing text, and spreadsheets do not take it for a formula.
func isBare(b []byte) bool {
	var near [64]byte // memory of most
	return len(b) > 0 && strings.IndexByte(`"=+-@`, b[0]) < 0 && bytes.Equal(tree.AppendEscaped(near[:0], b, 0), b)
}

// FromText returns a cell's text as a literal. If the value is or will be text, the text needs no quotes;
// its literal begins with prefix and a quote.
func FromText(text string, isText bool, prefix string) string {
	switch {
	case !isText:
		return text
	case strings.HasPrefix(text, `"`):
		return prefix + text
	}
	return prefix + string(tree.AppendQuoted(nil, []byte(text)))
}

// KeyName returns the name of the column with the keys or numbers of rows.
func (t *Table) KeyName() string {
	if t.Keyed {
		return "key"
	}
	return "index"
}

// KeyText returns the key of a row as it is in a cell, or its number.
func (t *Table) KeyText(ctx context.Context, r *tree.Reader, row *Row) (string, error) {
	if row.Key == nil {
		return strconv.FormatInt(row.Index, 10), nil
	}
	return Text(ctx, r, &row.Key.Value)
}

// WriteCSV writes the rows of a view as CSV, separated by comma: first the key or number of a row, then
// its values in some columns, or in all if columns is nil. A missing value is empty.
func (t *Table) WriteCSV(ctx context.Context, v *View, columns []int, comma rune, out io.Writer) error {
	r := t.tree.NewReader()
	var line bytes.Buffer
	w := csv.NewWriter(&line)
	w.Comma = comma
	var record []string
	var all []int
	these := func() []int {
		for i := len(all); i < len(t.Columns); i++ {
			all = append(all, i)
		}
		if columns == nil {
			return all
		}
		return columns
	}
	head := sync.OnceValue(func() error {
		record := []string{t.KeyName()}
		for _, i := range these() {
			record = append(record, Bare(t.Columns[i].Name))
		}
		w := csv.NewWriter(out)
		w.Comma = comma
		w.Write(record)
		w.Flush()
		return w.Error()
	})
	err := t.Each(ctx, r, v, func(row *Row) ([]byte, error) {
		key, err := t.KeyText(ctx, r, row)
		record = append(record[:0], key)
		for _, i := range these() {
			text := ""
			if err == nil && i < len(row.Cells) && row.Cells[i] != nil {
				text, err = Text(ctx, r, &row.Cells[i].Value)
			}
			record = append(record, text)
		}
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", key, err)
		}
		line.Reset()
		w.Write(record)
		w.Flush()
		return line.Bytes(), w.Error()
	}, func(line []byte) error {
		if err := head(); err != nil {
			return err
		}
		_, err := out.Write(line)
		return err
	})
	return cmp.Or(err, head())
}

// writeJSONList writes the rows of a view as one JSON list, one line each, with some columns, or all if
// columns is nil.
func (t *Table) writeJSONList(ctx context.Context, v *View, columns []int, out io.Writer) error {
	before, end := "[", "[]\n"
	err := t.writeJSON(ctx, v, "", true, func(i int) bool { return columns == nil || slices.Contains(columns, i) }, func(line []byte) error {
		_, err := fmt.Fprintf(out, "%s\n%s", before, bytes.TrimSuffix(line, []byte("\n")))
		before, end = ",", "\n]\n"
		return err
	})
	if err == nil {
		_, err = io.WriteString(out, end)
	}
	return err
}

// WriteJSON writes the rows of a view as JSON, one line each, with the values plain, or typed in the form of
// export. file is the name of the file if there are several; otherwise "".
func (t *Table) WriteJSON(ctx context.Context, v *View, file string, typed bool, out io.Writer) error {
	return t.writeJSON(ctx, v, file, typed, func(int) bool { return true }, func(line []byte) error {
		_, err := out.Write(line)
		return err
	})
}

// writeJSON writes each row of a view, with the columns for which has returns true.
func (t *Table) writeJSON(ctx context.Context, v *View, file string, typed bool, has func(column int) bool, write func(line []byte) error) error {
	r := t.tree.NewReader()
	var line bytes.Buffer
	return t.Each(ctx, r, v, func(row *Row) ([]byte, error) {
		line.Reset()
		line.WriteByte('{')
		if file != "" {
			line.Write(append(tree.AppendQuoted([]byte(`"file":`), []byte(file)), ','))
		}
		fmt.Fprintf(&line, `"index":%d`, row.Index)
		value := func(name string, n *tree.Node) error {
			line.WriteString(name)
			if !typed {
				_, err := r.WritePlain(ctx, &line, &n.Value)
				return err
			}
			err := r.WriteJSON(ctx, &line, &n.Value)
			line.Truncate(len(bytes.TrimRight(line.Bytes(), "\n")))
			return err
		}
		if row.Key != nil {
			if err := value(`,"key":`, row.Key); err != nil {
				return nil, err
			}
		}
		line.WriteString(`,"values":{`)
		some := ""
		for i, c := range row.Cells {
			if c == nil || !has(i) {
				continue
			}
			if err := value(some+string(tree.AppendQuoted(nil, []byte(t.Columns[i].Name)))+":", c); err != nil {
				return nil, err
			}
			some = ","
		}
		line.WriteString("}}\n")
		return line.Bytes(), nil
	}, write)
}
