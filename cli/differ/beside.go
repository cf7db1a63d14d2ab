package differ

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"varview/cli/env"
	"varview/cli/output"
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
	out := e.Out(o.json)
	table := [][]string{append([]string{"path"}, names...)}
	for _, row := range rows {
		switch {
		case !fits(row.Values):
			continue
		case o.json:
			err = errors.Join(err, json.NewEncoder(out).Encode(row))
		}
		table = append(table, row.cells())
	}
	if !o.json {
		err = writeAligned(out.Write, table)
	}
	if err == nil && len(table) > 1 {
		return env.ErrProblems
	}
	return err
}

// besideFirst calls each for the values that differ in a file; a value that is absent is "".
func (e commands) besideFirst(ctx context.Context, first *env.File, name string, o *diffOptions, each func(path, was, is string)) (err error) {
	b, err := e.openCompared(ctx, name, true, first.Name)
	if err != nil {
		return err
	}
	defer b.FinishBeside(&err)
	if first.IsForeign() || b.IsForeign() {
		return errors.New("more than two files are compared by their values, and these are only bytes; guess finds values in them")
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
	along := func(follows func(a, b float64) bool) func([]*string) bool {
		return func(values []*string) bool {
			numbers, ok := numbersOf(values)
			for i := 1; ok && i < len(numbers); i++ {
				ok = follows(numbers[i-1], numbers[i])
			}
			return ok
		}
	}
	switch rows {
	case "":
		return func([]*string) bool { return true }, nil
	case "grown":
		return along(func(a, b float64) bool { return a < b }), nil
	case "shrunk":
		return along(func(a, b float64) bool { return a > b }), nil
	}
	var want []float64
	for v := range strings.SplitSeq(rows, ",") {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return nil, fmt.Errorf("--rows %s: it is grown, shrunk, or numbers, one for each file", rows)
		}
		want = append(want, x)
	}
	if len(want) != files {
		return nil, fmt.Errorf("--rows %s: a number is needed for each of %d files", rows, files)
	}
	return func(values []*string) bool {
		numbers, ok := numbersOf(values)
		for i := 0; ok && i < len(numbers); i++ {
			ok = numbers[i] == want[i]
		}
		return ok
	}, nil
}

// numbersOf returns values that are all numbers.
func numbersOf(values []*string) (numbers []float64, ok bool) {
	for _, v := range values {
		if v == nil {
			return nil, false
		}
		x, err := strconv.ParseFloat(*v, 64)
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, x)
	}
	return numbers, true
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

// writeAligned writes rows with their cells below one another.
func writeAligned(write func([]byte) (int, error), table [][]string) error {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], text.Width(cell))
		}
	}
	for _, row := range table {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(text.Fit(cell, widths[i]) + "  ")
		}
		if _, err := write([]byte(strings.TrimRight(line.String(), " ") + "\n")); err != nil {
			return err
		}
	}
	return nil
}
