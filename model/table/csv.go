package table

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// maxCell is the length in bytes of a value's text in a CSV file.
const maxCell = 1 << 20

// MaxCSV is the number of bytes that a CSV file may have.
const MaxCSV = 256 << 20

// errLong says that a value is too long for a cell.
var errLong = fmt.Errorf("a cell holds at most %s", span.Bytes(maxCell))

type cellText struct{ bytes.Buffer }

// Write implements io.Writer.
func (c *cellText) Write(b []byte) (int, error) {
	if c.Len()+len(b) > maxCell {
		return 0, errLong
	}
	return c.Buffer.Write(b)
}

// Text is a value as it is in a cell: text that is safe in a spreadsheet as it is, all else
// as its literal.
func Text(ctx context.Context, r *tree.Reader, v *tree.Value) (string, error) {
	if s := r.Plain(v); s.Kind == tree.Text && s.Len() <= maxCell {
		b := s.Own
		if b == nil {
			b = make([]byte, s.Span.Length)
			if n, err := r.Tree.Source.ReadAt(b, s.Span.Offset); n < len(b) {
				return "", err
			}
		}
		if isBare(b) {
			return string(b), nil
		}
		return string(tree.AppendQuoted(nil, b)), nil
	}
	var out cellText
	err := r.WriteText(ctx, &out, v)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// isBare reports whether text needs no quotes: it has nothing to escape, cannot be taken for
// a quoted text or for nothing, and spreadsheets do not take it for a formula.
func isBare(b []byte) bool {
	return len(b) > 0 && !strings.ContainsRune(`"=+-@`, rune(b[0])) && bytes.Equal(tree.AppendEscaped(nil, b, 0), b)
}

// FromText is a cell's text as a literal. Where the value is text, or is to be, the text
// needs no quotes; its literal begins with prefix and a quote.
func FromText(text string, isText bool, prefix string) string {
	switch {
	case !isText:
		return text
	case strings.HasPrefix(text, `"`):
		return prefix + text
	}
	return prefix + string(tree.AppendQuoted(nil, []byte(text)))
}

// KeyName is the name of the column with the keys of rows, or with their numbers.
func (t *Table) KeyName() string {
	if t.Keyed {
		return "key"
	}
	return "index"
}

// KeyText is the key of a row as it is in a cell, or its number.
func (t *Table) KeyText(ctx context.Context, r *tree.Reader, row *Row) (string, error) {
	if row.Key == nil {
		return strconv.FormatInt(row.Index, 10), nil
	}
	return Text(ctx, r, &row.Key.Value)
}

// Each reads the rows of a view in its order.
func (t *Table) Each(ctx context.Context, r *tree.Reader, v *View, do func(row *Row) error) error {
	row := Row{Index: -2}
	for i := int64(0); i < v.Len(); i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var err error
		if at := v.At(i); at == row.Index+1 && row.Node != nil {
			row, err = t.Next(r, row)
		} else {
			row, err = t.Row(r, at)
		}
		if errors.Is(err, tree.ErrNoChild) { // the container counts more than the bytes hold
			return nil
		}
		if err == nil {
			err = do(&row)
		}
		if err != nil {
			return err
		}
	}
	return r.Window().Err()
}

// WriteCSV writes the rows of a view as CSV: first the key or number of a row, then its
// values. A value that the row does not have is empty.
func (t *Table) WriteCSV(ctx context.Context, v *View, out io.Writer) error {
	r := t.tree.NewReader()
	w := csv.NewWriter(out)
	record := []string{t.KeyName()}
	for _, c := range t.Columns {
		record = append(record, cleanName(c.Name))
	}
	if err := w.Write(record); err != nil {
		return err
	}
	err := t.Each(ctx, r, v, func(row *Row) error {
		key, err := t.KeyText(ctx, r, row)
		record = append(record[:0], key)
		for i := 0; err == nil && i < len(row.Cells); i++ {
			text := ""
			if c := row.Cells[i]; c != nil {
				text, err = Text(ctx, r, &c.Value)
			}
			record = append(record, text)
		}
		if err != nil {
			return fmt.Errorf("row %s: %w", key, err)
		}
		return w.Write(record)
	})
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}

// cleanName is the name of a column in a file: spreadsheets must not take it for a formula.
func cleanName(name string) string {
	if isBare([]byte(name)) {
		return name
	}
	return string(tree.AppendQuoted(nil, []byte(name)))
}

// WriteJSON writes the rows of a view as JSON, a line each, with the values in the form of
// export.
func (t *Table) WriteJSON(ctx context.Context, v *View, out io.Writer) error {
	r := t.tree.NewReader()
	return t.Each(ctx, r, v, func(row *Row) error {
		var line bytes.Buffer
		fmt.Fprintf(&line, `{"index":%d`, row.Index)
		value := func(name string, n *tree.Node) error {
			line.WriteString(name)
			err := r.WriteJSON(ctx, &line, &n.Value)
			line.Truncate(len(bytes.TrimRight(line.Bytes(), "\n")))
			return err
		}
		if row.Key != nil {
			if err := value(`,"key":`, row.Key); err != nil {
				return err
			}
		}
		line.WriteString(`,"values":{`)
		some := ""
		for i, c := range row.Cells {
			if c == nil {
				continue
			}
			if err := value(some+string(tree.AppendQuoted(nil, []byte(t.Columns[i].Name)))+":", c); err != nil {
				return err
			}
			some = ","
		}
		line.WriteString("}}\n")
		_, err := out.Write(line.Bytes())
		return err
	})
}
