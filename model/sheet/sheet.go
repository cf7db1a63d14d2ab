// Package sheet stacks rows from several files into one table whose columns are those of any row: as CSV,
// or, in parquetfile, as Parquet for DuckDB, Spark, pandas and others.
//
// Rows are kept in a file until the columns are known, so that memory does not grow with them.
package sheet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"varview/decoder/engine/tempfile"
)

// A Kind is the type of a cell.
type Kind string

// Kinds of cells. A column with cells of different kinds is Text; one of Int and Float is Float, if a
// Float holds all the Ints exactly.
const (
	Int   Kind = "i" // 64 bits, signed
	Float Kind = "f"
	Bool  Kind = "b"
	Text  Kind = "t"
)

// A Cell is a value under the name of its column, as text: an Int in decimal digits, a Bool as "true" or
// "false".
type Cell struct {
	Name string
	Kind Kind
	Text string
}

// Rows collects rows in a file until all are there.
type Rows struct {
	file *os.File
	out  *bufio.Writer
	line []byte
}

// New returns empty Rows, which must be closed.
func New() (*Rows, error) {
	f, err := tempfile.Create("")
	if err != nil {
		return nil, fmt.Errorf("no temporary file: %w", err)
	}
	return &Rows{file: f, out: bufio.NewWriterSize(f, 64<<10)}, nil
}

// Add adds a row.
func (r *Rows) Add(row []Cell) error {
	r.line = AppendRow(r.line[:0], row)
	_, err := r.out.Write(r.line)
	return err
}

// Write implements io.Writer for rows in the form of AppendRow.
func (r *Rows) Write(lines []byte) (int, error) { return r.out.Write(lines) }

// Close deletes the file.
func (r *Rows) Close() error { return r.file.Close() }

// AppendRow appends a row as a line for Rows.
func AppendRow(dst []byte, row []Cell) []byte {
	flat := make([]string, 0, 3*len(row))
	for _, c := range row {
		flat = append(flat, c.Name, string(c.Kind), c.Text)
	}
	line, err := json.Marshal(flat)
	if err != nil {
		panic(err) // texts can always be encoded
	}
	return append(append(dst, line...), '\n')
}

// FromJSON returns a JSON object as a row: lists and objects as their text, and no cell for null.
func FromJSON(object []byte) ([]Cell, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("an object is expected"), err)
	}
	var row []Cell
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return nil, err
		}
		if c := (Cell{name.(string), Text, string(value)}); string(value) != "null" {
			row = append(row, c.ofJSON())
		}
	}
	_, err := d.Token() // the end of the object
	return row, err
}

// ofJSON sets the kind of a cell that has the text of JSON.
func (c Cell) ofJSON() Cell {
	switch first := c.Text[0]; {
	case first == '"':
		json.Unmarshal([]byte(c.Text), &c.Text)
	case first == 't', first == 'f':
		c.Kind = Bool
	case first == '{', first == '[':
	default:
		c.Kind = Float
		if _, err := strconv.ParseInt(c.Text, 10, 64); err == nil {
			c.Kind = Int
		}
	}
	return c
}

// A Sheet is rows whose columns are known.
type Sheet struct {
	Columns []Column
	rows    *os.File
	places  map[string]int
}

// A Column is a name, and the kind of the cells under it.
type Column struct {
	Name string
	Kind Kind

	long bool // an Int among the cells has digits that a Float may not hold
}

// maxColumns is the largest number of columns.
const maxColumns = 10_000

// Sheet finds the columns of the rows, after those named first, which are there in any case.
func (r *Rows) Sheet(ctx context.Context, first ...string) (*Sheet, error) {
	if err := r.out.Flush(); err != nil {
		return nil, err
	}
	s := &Sheet{rows: r.file, places: map[string]int{}}
	for i, name := range first {
		s.places[name] = i
		s.Columns = append(s.Columns, Column{Name: name})
	}
	err := s.Each(ctx, func(row []Cell) error {
		for _, c := range row {
			at, ok := s.places[c.Name]
			if !ok {
				at = len(s.Columns)
				s.places[c.Name] = at
				s.Columns = append(s.Columns, Column{Name: c.Name, Kind: c.Kind})
			}
			s.Columns[at].add(c)
		}
		if len(s.Columns) > maxColumns {
			return fmt.Errorf("more than %d columns", maxColumns)
		}
		return nil
	})
	for i := range s.Columns {
		if c := &s.Columns[i]; c.Kind == Float && c.long || c.Kind == "" {
			c.Kind = Text
		}
	}
	return s, err
}

// exactInts is the largest number up to which a Float holds every whole number.
const exactInts = 1 << 53

// add widens the kind of the column so that it can hold a cell.
func (c *Column) add(x Cell) {
	if x.Kind == Int && !c.long {
		n, err := strconv.ParseInt(x.Text, 10, 64)
		c.long = err != nil || n > exactInts || n < -exactInts
	}
	switch {
	case c.Kind == x.Kind:
	case c.Kind == "":
		c.Kind = x.Kind
	case (c.Kind == Int || c.Kind == Float) && (x.Kind == Int || x.Kind == Float):
		c.Kind = Float
	default:
		c.Kind = Text
	}
}

// Each calls do for all rows, in order.
func (s *Sheet) Each(ctx context.Context, do func(row []Cell) error) error {
	if _, err := s.rows.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var flat []string
	var row []Cell
	d := json.NewDecoder(bufio.NewReaderSize(s.rows, 256<<10))
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := d.Decode(&flat); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		row = row[:0]
		for i := 0; i+2 < len(flat); i += 3 {
			row = append(row, Cell{flat[i], Kind(flat[i+1]), flat[i+2]})
		}
		if err := do(row); err != nil {
			return err
		}
	}
}

// WriteCSV writes the rows as CSV, after a line with the names of the columns. bare makes text safe for
// spreadsheets.
func (s *Sheet) WriteCSV(ctx context.Context, out io.Writer, bare func(string) string) error {
	w := csv.NewWriter(out)
	record := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		record[i] = bare(c.Name)
	}
	if err := w.Write(record); err != nil {
		return err
	}
	err := s.Each(ctx, func(row []Cell) error {
		clear(record)
		for _, c := range row {
			if c.Kind == Text {
				c.Text = bare(c.Text)
			}
			record[s.places[c.Name]] = c.Text
		}
		return w.Write(record)
	})
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}
