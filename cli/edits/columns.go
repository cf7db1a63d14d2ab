package edits

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/output"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/model/sheet"
	"varview/model/table"
)

// A saveColumn is a column of the table with a row for each save: a value of it, or what a function makes of
// several.
type saveColumn struct {
	name     string
	function string // len, count, sum, min or max; "" for the value itself
	path     string
}

var columnFunctions = []string{"len", "count", "sum", "min", "max"}

// parseColumns reads "name=$.player.name, gold=$..gold, items=len($.items)".
func parseColumns(s string) (all []saveColumn, err error) {
	for _, one := range splitColumns(s) {
		var c saveColumn
		name, of, named := strings.Cut(one, "=")
		if named = named && !strings.ContainsAny(name, `.$[("`); !named {
			of = one
		}
		c.name, c.path = strings.TrimSpace(name), strings.TrimSpace(of)
		if function, inner, ok := strings.Cut(c.path, "("); ok && slices.Contains(columnFunctions, function) && strings.HasSuffix(inner, ")") {
			c.function, c.path = function, strings.TrimSpace(strings.TrimSuffix(inner, ")"))
		}
		if !named {
			_, step := tree.SplitPath(c.path)
			c.name = cmp.Or(strings.TrimPrefix(step, "."), c.path)
		}
		if tree.IsPattern(c.path) {
			_, err = tree.ParsePattern(c.path)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("--columns: %s: %w", c.name, err)
		case c.name == "" || c.path == "":
			return nil, fmt.Errorf("--columns: %q is not NAME=PATH", one)
		case c.name == table.FileName, slices.ContainsFunc(all, func(other saveColumn) bool { return other.name == c.name }):
			return nil, fmt.Errorf("--columns: there is a column %s already", c.name)
		}
		all = append(all, c)
	}
	return all, nil
}

// splitColumns splits at the commas outside of quotes and brackets.
func splitColumns(s string) (all []string) {
	depth, from := 0, 0
	for i, c := range condition.Unquoted(s) {
		switch {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			all, from = append(all, strings.TrimSpace(s[from:i])), i+1
		}
	}
	return append(all, strings.TrimSpace(s[from:]))
}

// append appends the column's value in a file as plain JSON: null if there is none.
func (c *saveColumn) append(ctx context.Context, f *env.File, dst []byte) ([]byte, error) {
	in, path, done, err := f.Reach(ctx, c.path)
	if err == nil {
		defer done()
		r := in.Innermost().Tree().NewReader()
		r.Last = true
		var found []*tree.Node
		err = r.EachAt(ctx, path, func(n *tree.Node) error {
			found = append(found, n)
			return nil
		})
		if err == nil {
			return c.of(ctx, r, found, dst)
		}
	}
	if missing := (*tree.PathError)(nil); errors.As(err, &missing) || errors.Is(err, tree.ErrNoMatch) {
		if c.function == "count" {
			return append(dst, '0'), nil
		}
		return append(dst, "null"...), nil
	}
	return dst, err
}

// of appends what the column shows of the values found, of which there is one at least.
func (c *saveColumn) of(ctx context.Context, r *tree.Reader, found []*tree.Node, dst []byte) ([]byte, error) {
	switch c.function {
	case "count":
		return strconv.AppendInt(dst, int64(len(found)), 10), nil
	case "len":
		if len(found) > 1 || found[0].Layout == tree.Leaf {
			return dst, fmt.Errorf("len(%s): this is not one list or dictionary; count(PATH) counts the values that a path finds", c.path)
		}
		return strconv.AppendInt(dst, r.Count(found[0]), 10), nil
	case "sum", "min", "max":
		return c.reduce(r, found, dst)
	}
	out := bytes.NewBuffer(dst)
	before := "["
	for _, n := range found {
		if len(found) > 1 {
			out.WriteString(before)
			before = ","
		}
		if _, err := r.WritePlain(ctx, out, &n.Value); err != nil {
			return dst, err
		}
	}
	if len(found) > 1 {
		out.WriteByte(']')
	}
	return out.Bytes(), nil
}

// reduce appends the sum, minimum or maximum of numbers, which is exact.
func (c *saveColumn) reduce(r *tree.Reader, found []*tree.Node, dst []byte) ([]byte, error) {
	var all *big.Rat
	for _, n := range found {
		x, ok := new(big.Rat).SetString(numberAt(r, n))
		switch {
		case !ok:
			return dst, fmt.Errorf("%s(%s): %s is no finite number", c.function, c.path, r.Path(n))
		case all == nil:
			all = x
		case c.function == "sum":
			all.Add(all, x)
		case c.function == "min" && x.Cmp(all) < 0, c.function == "max" && x.Cmp(all) > 0:
			all = x
		}
	}
	if all.IsInt() {
		return append(dst, all.RatString()...), nil
	}
	x, _ := all.Float64()
	return strconv.AppendFloat(dst, x, 'g', -1, 64), nil
}

// numberAt returns a number as digits; "" for anything else.
func numberAt(r *tree.Reader, n *tree.Node) string {
	if is := r.Look(&n.Value); is.Form != tree.FormNumber {
		return ""
	}
	return string(r.AppendMeaningJSON(nil, &n.Value, 64))
}

// A saveRow is a row of the table with a row for each save.
type saveRow struct {
	line []byte // the whole as JSON
	key  string // JSON of the column to sort by
}

// saves prints a table with a row for each file.
func (e commands) saves(ctx context.Context, names []string, o *tableOptions) error {
	columns, err := parseColumns(o.columns)
	if err == nil {
		err = o.check()
	}
	by := slices.IndexFunc(columns, func(c saveColumn) bool { return c.name == o.sort })
	switch {
	case err != nil:
		return err
	case o.summary || o.filter != "" || o.csvFile != "":
		return errors.New("--columns makes a row of each file; --summary, --filter and --import-csv are about the rows of a container")
	case o.sort != "" && by < 0 && o.sort != table.FileName:
		return fmt.Errorf("there is no column %q to sort by; --columns names them", o.sort)
	}
	var lines bytes.Buffer
	failed := o.Each(ctx, e.Env, &lines, names, func(ctx context.Context, one *env.Env, file files.File, out io.Writer) (err error) {
		f, err := file.Open(ctx, one)
		if err != nil {
			return err
		}
		defer f.Finish(&err)
		line := tree.AppendQuoted([]byte(`{"file":`), []byte(filepath.ToSlash(file.Path)))
		for i := range columns {
			line = append(tree.AppendQuoted(append(line, ','), []byte(columns[i].name)), ':')
			if line, err = columns[i].append(ctx, f, line); err != nil {
				return err
			}
		}
		_, err = out.Write(append(line, "}\n"...))
		return err
	})
	if failed != nil && !errors.Is(failed, env.ErrReported) && !errors.Is(failed, env.ErrProblems) {
		return failed
	}
	rows, err := sortedRows(lines.Bytes(), o)
	if err == nil {
		err = e.printSaves(ctx, columns, rows, o)
	}
	return cmp.Or(err, failed)
}

// sortedRows returns the rows in the order that is asked for: numbers before texts, and what is missing last.
func sortedRows(lines []byte, o *tableOptions) (rows []saveRow, err error) {
	for line := range bytes.Lines(lines) {
		row := saveRow{line: line}
		if o.sort != "" {
			var values map[string]json.RawMessage
			if err := json.Unmarshal(line, &values); err != nil {
				return nil, err
			}
			row.key = string(values[o.sort])
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b saveRow) int {
		order := compareJSON(a.key, b.key)
		switch {
		case a.key == "null" && b.key != "null":
			return 1
		case b.key == "null" && a.key != "null":
			return -1
		case o.descending:
			return -order
		}
		return order
	})
	return rows, nil
}

// compareJSON compares numbers by their values, and all else as text.
func compareJSON(a, b string) int {
	x, isNumber := new(big.Rat).SetString(a)
	y, other := new(big.Rat).SetString(b)
	switch {
	case isNumber && other:
		return x.Cmp(y)
	case isNumber:
		return -1
	case other:
		return 1
	}
	return strings.Compare(a, b)
}

// printSaves prints the rows in the form that is asked for.
func (e commands) printSaves(ctx context.Context, columns []saveColumn, rows []saveRow, o *tableOptions) error {
	out := bufio.NewWriter(e.Out(o.json || o.csv))
	if o.json {
		for _, row := range rows {
			out.Write(row.line)
		}
		return out.Flush()
	}
	head := []string{table.FileName}
	for _, c := range columns {
		head = append(head, c.name)
	}
	all, err := sheet.New()
	if err != nil {
		return err
	}
	defer all.Close()
	var cells [][]string
	for _, row := range rows {
		one, err := sheet.FromJSON(row.line)
		if err == nil {
			err = all.Add(one)
		}
		if err != nil {
			return err
		}
		record := make([]string, len(head))
		for _, c := range one {
			record[slices.Index(head, c.Name)] = c.Text
		}
		cells = append(cells, record)
	}
	if !o.csv && o.parquet == "" {
		return output.WriteGrid(out, head, cells)
	}
	s, err := all.Sheet(ctx, head...)
	if err != nil {
		return err
	}
	return e.writeSheet(ctx, s, o, map[string]string{"varview.columns": o.columns})
}
