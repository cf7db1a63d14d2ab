// Package parquetfile writes sheets as Parquet (https://parquet.apache.org/docs/file-format), which is little of that
// format: one plain page for each column of a group of rows, packed with Snappy.
package parquetfile

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/klauspost/compress/snappy"

	"varview/model/sheet"
)

// A group has at most groupRows rows, and ends after groupBytes bytes.
const (
	groupRows  = 128 << 10
	groupBytes = 16 << 20
)

// Numbers of the format, by the names in its parquet.thrift.
const (
	typeBoolean, typeInt64, typeDouble, typeByteArray int32 = 0, 2, 5, 6

	optional    int32 = 1
	utf8        int32 = 0 // ConvertedType
	dataPage    int32 = 0
	plain, rle  int32 = 0, 3
	codecSnappy int32 = 1

	magic = "PAR1"
)

// A column is one of the group that is being filled.
type column struct {
	sheet.Column
	defined []byte // a bit for each row: whether it has a value
	values  []byte
	count   int // of values
}

func (c *column) parquetType() int32 {
	switch c.Kind {
	case sheet.Int:
		return typeInt64
	case sheet.Float:
		return typeDouble
	case sheet.Bool:
		return typeBoolean
	}
	return typeByteArray
}

// add adds the cell of a row; nil if it has none.
func (c *column) add(row int, cell *sheet.Cell) error {
	if row%8 == 0 {
		c.defined = append(c.defined, 0)
	}
	if cell == nil {
		return nil
	}
	c.defined[row/8] |= 1 << (row % 8)
	switch c.Kind {
	case sheet.Int:
		n, err := strconv.ParseInt(cell.Text, 10, 64)
		if err != nil {
			return err
		}
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(n))
	case sheet.Float:
		x, err := strconv.ParseFloat(cell.Text, 64)
		if err != nil {
			return err
		}
		c.values = binary.LittleEndian.AppendUint64(c.values, math.Float64bits(x))
	case sheet.Bool:
		if c.count%8 == 0 {
			c.values = append(c.values, 0)
		}
		if cell.Text == "true" {
			c.values[c.count/8] |= 1 << (c.count % 8)
		}
	default:
		c.values = append(binary.LittleEndian.AppendUint32(c.values, uint32(len(cell.Text))), cell.Text...)
	}
	c.count++
	return nil
}

// page empties the column and returns its page and the size of that before it is packed. The rows with values come
// first: a run of bits with their number in bytes, times two, plus one.
func (c *column) page(rows int) (page []byte, size int) {
	levels := append(binary.AppendUvarint(nil, uint64(len(c.defined))<<1|1), c.defined...)
	content := slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels, c.values)
	packed := snappy.Encode(nil, content)
	head := appendStruct(nil, record{{1, dataPage}, {2, int32(len(content))}, {3, int32(len(packed))},
		{5, record{{1, int32(rows)}, {2, plain}, {3, rle}, {4, rle}}}})
	c.defined, c.values, c.count = c.defined[:0], c.values[:0], 0
	return append(head, packed...), len(head) + len(content)
}

type writer struct {
	out     io.Writer
	at      int64 // bytes written
	columns []column
	rows    int // in the group
	groups  []any
}

func (w *writer) write(b []byte) error {
	n, err := w.out.Write(b)
	w.at += int64(n)
	return err
}

// flush writes the group.
func (w *writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	var chunks []any
	total := int64(0)
	for i := range w.columns {
		c, at := &w.columns[i], w.at
		page, size := c.page(w.rows)
		if err := w.write(page); err != nil {
			return err
		}
		total += int64(size)
		chunks = append(chunks, record{{2, at}, {3, record{{1, c.parquetType()}, {2, []any{plain, rle}}, {3, []any{c.Name}}, {4, codecSnappy},
			{5, int64(w.rows)}, {6, int64(size)}, {7, int64(len(page))}, {9, at}}}})
	}
	w.groups = append(w.groups, record{{1, chunks}, {2, total}, {3, int64(w.rows)}})
	w.rows = 0
	return nil
}

// Write writes the rows of a sheet as Parquet, with notes as metadata. A column is INT64, DOUBLE, BOOLEAN or
// STRING by its kind; a missing cell is null.
func Write(ctx context.Context, out io.Writer, s *sheet.Sheet, notes map[string]string) error {
	w := writer{out: out, columns: make([]column, len(s.Columns))}
	places := map[string]int{}
	schema := []any{record{{4, "values"}, {5, int32(len(s.Columns))}}}
	for i, c := range s.Columns {
		w.columns[i].Column, places[c.Name] = c, i
		is := record{{1, w.columns[i].parquetType()}, {3, optional}, {4, c.Name}}
		if is[0].value == typeByteArray {
			is = append(is, field{6, utf8}, field{10, record{{1, record{}}}})
		}
		schema = append(schema, is)
	}
	if err := w.write([]byte(magic)); err != nil {
		return err
	}
	total, filled := int64(0), 0
	cells := make([]*sheet.Cell, len(s.Columns))
	err := s.Each(ctx, func(row []sheet.Cell) error {
		clear(cells)
		for i := range row {
			cells[places[row[i].Name]] = &row[i]
			filled += len(row[i].Text) + 4
		}
		for i, cell := range cells {
			if err := w.columns[i].add(w.rows, cell); err != nil {
				return fmt.Errorf("column %s: %w", s.Columns[i].Name, err)
			}
		}
		total++
		if w.rows++; w.rows < groupRows && filled < groupBytes {
			return nil
		}
		filled = 0
		return w.flush()
	})
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return err
	}
	var metadata []any
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		metadata = append(metadata, record{{1, key}, {2, notes[key]}})
	}
	end := appendStruct(nil, record{{1, int32(1)}, {2, schema}, {3, total}, {4, w.groups}, {5, metadata}, {6, "varview"}})
	return w.write(append(binary.LittleEndian.AppendUint32(end, uint32(len(end))), magic...))
}
