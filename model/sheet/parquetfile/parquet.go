// Package parquetfile writes sheets as Parquet. It is apart from them because the library is large: who only
// reads saves does not import it.
package parquetfile

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"varview/model/sheet"
)

// An inOrder node keeps its columns in the order in which they were found; a Group would sort them by
// name.
type inOrder struct {
	parquet.Group
	places map[string]int
}

// Fields implements parquet.Node.
func (n inOrder) Fields() []parquet.Field {
	fields := n.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return cmp.Compare(n.places[a.Name()], n.places[b.Name()]) })
	return fields
}

// rowsAtOnce is the number of rows that are handed on together, groupRows the number in a row group.
const (
	rowsAtOnce = 256
	groupRows  = 128 << 10
)

// Write writes the rows of a sheet as Parquet, with notes as metadata. A column is INT64, DOUBLE, BOOLEAN or
// STRING by its kind; a missing cell is null.
func Write(ctx context.Context, out io.Writer, s *sheet.Sheet, notes map[string]string) error {
	root := inOrder{parquet.Group{}, map[string]int{}}
	for i, c := range s.Columns {
		root.places[c.Name] = i
		root.Group[c.Name] = parquet.Optional(nodeOf(c.Kind))
	}
	options := []parquet.WriterOption{parquet.NewSchema("values", root), parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(groupRows)}
	for key, value := range notes {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	w := parquet.NewWriter(out, options...)
	var rows []parquet.Row
	flush := func() error {
		_, err := w.WriteRows(rows)
		rows = rows[:0]
		return err
	}
	err := s.Each(ctx, func(row []sheet.Cell) error {
		values, err := root.values(s.Columns, row)
		if err != nil {
			return err
		}
		if rows = append(rows, values); len(rows) < rowsAtOnce {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// nodeOf returns the Parquet type of cells of a kind.
func nodeOf(k sheet.Kind) parquet.Node {
	switch k {
	case sheet.Int:
		return parquet.Int(64)
	case sheet.Float:
		return parquet.Leaf(parquet.DoubleType)
	case sheet.Bool:
		return parquet.Leaf(parquet.BooleanType)
	}
	return parquet.String()
}

// values returns a row with a value for each column.
func (n inOrder) values(columns []sheet.Column, row []sheet.Cell) (parquet.Row, error) {
	all := make(parquet.Row, len(columns))
	for i := range all {
		all[i] = parquet.NullValue().Level(0, 0, i)
	}
	for _, c := range row {
		at := n.places[c.Name]
		v, err := valueOf(c.Text, columns[at].Kind)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		all[at] = v.Level(0, 1, at)
	}
	return all, nil
}

func valueOf(text string, k sheet.Kind) (parquet.Value, error) {
	switch k {
	case sheet.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		return parquet.Int64Value(n), err
	case sheet.Float:
		x, err := strconv.ParseFloat(text, 64)
		return parquet.DoubleValue(x), err
	case sheet.Bool:
		return parquet.BooleanValue(text == "true"), nil
	}
	return parquet.ByteArrayValue([]byte(text)), nil
}
