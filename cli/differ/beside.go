package differ

import (
	"bufio"
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/engine/tree"
	"varview/decoder/guess"
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
	fits, err := guess.RowsLike(o.rows, len(names))
	if err != nil {
		return err
	}
	first, err := e.openCompared(ctx, names[0], true, names[1:]...)
	if err != nil {
		return err
	}
	defer first.FinishBeside(&err)
	rows, index := list.New(), map[string]*list.Element{} // in the order of all files
	for i, name := range names[1:] {
		last := rows.PushFront((*besideRow)(nil)) // of this file so far
		if err := e.besideFirst(ctx, first, name, o, func(path, was, is string) {
			key := path
			if was == "" { // a path in the other file, which the first may have for another value
				key = "added " + path
			}
			if index[key] == nil {
				row := &besideRow{path, make([]*string, len(names))}
				for j := range row.Values {
					row.Values[j] = literal(was) // the same as in the first, unless another one is found
				}
				index[key] = rows.InsertAfter(row, last)
			}
			last = index[key]
			last.Value.(*besideRow).Values[i+1] = literal(is)
		}); err != nil {
			return fmt.Errorf("%s: %w", env.DisplayName(name), err)
		}
		rows.Remove(rows.Front())
	}
	var all []*besideRow
	for at := rows.Front(); at != nil && o.rows != guess.Same; at = at.Next() {
		all = append(all, at.Value.(*besideRow))
	}
	if o.rows == guess.Same {
		if all, err = sameRows(ctx, first, len(names), index); err != nil {
			return err
		}
	}
	return printBeside(e.Out(o.json), names, all, fits, o.json)
}

// sameRows returns the values of the first of several files that none of the others has otherwise.
func sameRows(ctx context.Context, first *env.File, files int, others map[string]*list.Element) (rows []*besideRow, err error) {
	r := first.Tree.NewReader()
	s, depth, within := r.Scan(first.Tree.Base), 0, 0 // depth of a value that is not the same; 0 for none
	for ev := s.Next(); ev != tree.Done && ctx.Err() == nil; ev = s.Next() {
		switch ev {
		case tree.Leave:
			if depth--; depth < within {
				within = 0
			}
			continue
		case tree.Enter:
			depth++
		}
		if within > 0 || s.Slot().Key {
			continue
		}
		n := s.Current(ev)
		path := r.Path(n)
		switch {
		case ev == tree.Enter && others[path] != nil:
			within = depth
		case ev == tree.Atom && others[path] == nil:
			row := &besideRow{path, make([]*string, files)}
			for i := range row.Values {
				row.Values[i] = literal(string(r.AppendLiteral(nil, &n.Value, output.MaxLiteral)))
			}
			rows = append(rows, row)
		}
	}
	return rows, ctx.Err()
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
func PrintRows(out io.Writer, names []string, all []*guess.Row, like string, asJSON bool) error {
	fits, err := guess.RowsLike(like, len(names))
	if err != nil {
		return err
	}
	var rows []*besideRow
	for _, r := range all {
		rows = append(rows, &besideRow{r.Name(), r.Values})
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
