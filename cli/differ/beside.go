package differ

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/guess"
	"varview/decoder/value/condition"
	"varview/internal/text"
	"varview/model/compare"
)

// absent is printed where a file has no such value.
const absent = "-"

// maxBeside is the largest number of columns of a value beside others.
const maxBeside = 32

// A besideRow is a value that is not the same in all files.
type besideRow struct {
	Path   string    `json:"path"`
	Values []*string `json:"values"` // literals, one for each file; nil where it is absent
}

// beside prints the values that differ in several files: a row for each, a column for each file. Values are matched with
// those of the first.
func (e commands) beside(ctx context.Context, names []string, o *diffOptions) (err error) {
	fits, err := rowsLike(o.rows, len(names))
	if err != nil {
		return err
	}
	first, err := e.openCompared(ctx, names[0], true, names[1:]...)
	if err != nil {
		return err
	}
	defer first.FinishBeside(&err)
	rows, index := []*besideRow{}, map[string]*besideRow{}
	for i, name := range names[1:] {
		if err := e.besideFirst(ctx, first, name, o, func(path, was, is string) {
			key := path
			if was == "" { // a path in the other file, which the first may have for another value
				key = "added " + path
			}
			row := index[key]
			if row == nil {
				row = &besideRow{path, make([]*string, len(names))}
				for j := range row.Values {
					row.Values[j] = literal(was) // the same as in the first, unless another one is found
				}
				index[key], rows = row, append(rows, row)
			}
			row.Values[i+1] = literal(is)
		}); err != nil {
			return fmt.Errorf("%s: %w", env.DisplayName(name), err)
		}
	}
	return printBeside(e.Out(o.json), names, rows, fits, o.json)
}

// printBeside prints rows that fit, a column for each file.
func printBeside(out io.Writer, names []string, rows []*besideRow, fits func([]*string) bool, asJSON bool) (err error) {
	table := [][]string{append([]string{"path"}, names...)}
	for _, row := range rows {
		switch {
		case !fits(row.Values):
			continue
		case asJSON:
			err = errors.Join(err, json.NewEncoder(out).Encode(row))
		}
		table = append(table, row.cells())
	}
	if !asJSON {
		err = output.WriteAligned(bufio.NewWriter(out), table)
	}
	if err == nil && len(table) > 1 {
		return env.ErrProblems
	}
	return err
}

// PrintRows prints what differs in the bytes of files as diff prints the values that do; like is its flag --rows. The error
// is env.ErrProblems if there is anything.
func PrintRows(out io.Writer, names []string, all []guess.Row, like string, asJSON bool) error {
	fits, err := rowsLike(like, len(names))
	if err != nil {
		return err
	}
	var rows []*besideRow
	for _, r := range all {
		row := &besideRow{Path: r.Name()}
		for _, v := range r.Values {
			row.Values = append(row.Values, &v)
		}
		rows = append(rows, row)
	}
	return printBeside(out, names, rows, fits, asJSON)
}

// besideFirst calls each for the values that differ in a file; a value that is absent is "".
func (e commands) besideFirst(ctx context.Context, first *env.File, name string, o *diffOptions, each func(path, was, is string)) (err error) {
	b, err := e.openCompared(ctx, name, true, first.Name)
	if err != nil {
		return err
	}
	defer b.FinishBeside(&err)
	if first.IsForeign() || b.IsForeign() {
		return errors.New("more than two files are compared by their values, and these are only bytes; guess --rows changed shows what differs in them")
	}
	how, err := o.comparedIn(ctx, first.Tree, b.Tree)
	if err != nil {
		return err
	}
	how.Alike, how.SameDialect = first.ReadsAs(b.Document.Document), first.Dialect == b.Dialect
	readA, readB := first.Tree.NewReader(), b.Tree.NewReader()
	return compare.Trees(ctx, first.Tree, b.Tree, how, func(c *compare.Change) error {
		if c.Note || c.Kind == compare.Moved {
			return nil
		}
		was, is := "", ""
		if c.A != nil {
			was = string(readA.AppendLiteral(nil, &c.A.Value, output.MaxLiteral))
		}
		if c.B != nil {
			is = string(readB.AppendLiteral(nil, &c.B.Value, output.MaxLiteral))
		}
		each(c.Path, was, is)
		return nil
	})
}

// rowsLike returns a function for --rows: it reports whether the values of a row have grown or shrunk from file to file, or
// are certain numbers.
func rowsLike(rows string, files int) (func([]*string) bool, error) {
	along := func(order int) func([]*string) bool {
		return func(values []*string) bool {
			for i := range values[1:] {
				if was := values[i]; was == nil || !isOrdered(*was, values[i+1], order) {
					return false
				}
			}
			return true
		}
	}
	switch rows {
	case "", "changed":
		return func([]*string) bool { return true }, nil
	case "grown":
		return along(1), nil
	case "shrunk":
		return along(-1), nil
	}
	want := strings.Split(rows, ",")
	for _, v := range want {
		if _, ok := condition.ParseNumber(v); !ok {
			return nil, fmt.Errorf("--rows %s: it is grown, shrunk, or numbers, one for each file", rows)
		}
	}
	if len(want) != files {
		return nil, fmt.Errorf("--rows %s: a number is needed for each of %d files", rows, files)
	}
	return func(values []*string) bool {
		for i, v := range values {
			if !isOrdered(want[i], v, 0) {
				return false
			}
		}
		return true
	}, nil
}

// isOrdered reports whether a value is a number and, beside another one, is larger, smaller or equal, exactly: the order is
// 1, -1 or 0.
func isOrdered(beside string, value *string, order int) bool {
	n, ok := condition.ParseNumber(beside)
	if !ok || value == nil {
		return false
	}
	is, ok := n.CompareDigits(*value)
	return ok && is == order
}

func literal(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// cells returns the row as it is printed.
func (r *besideRow) cells() []string {
	cells := []string{text.Clean(r.Path)}
	for _, v := range r.Values {
		if v == nil {
			cells = append(cells, absent)
		} else {
			cells = append(cells, text.Head(text.Clean(*v), maxBeside))
		}
	}
	return cells
}
