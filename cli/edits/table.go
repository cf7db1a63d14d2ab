package edits

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/internal/text"
	"varview/model"
	"varview/model/sheet"
	"varview/model/sheet/parquetfile"
	"varview/model/table"
)

const tableLong = `Print a container as rows and columns: each child is a row, and the values in
the rows are the columns. That suits arrays and dictionaries of dictionaries, of
arrays and of vectors, packed arrays of vectors, and arrays of structs. A
condition at the end of the path selects rows, and so does --filter, where a
text by itself is in any of the values.

` + condition.Help + `

--csv is for spreadsheets. Text is written as it is, or in quotes with JSON's
escapes if it would be taken for something else, such as a formula; everything
else is written as get prints it. A value that a row lacks is empty.
--import-csv reads such a file back: the rows are found by their key or number,
fields that are empty and rows that are missing stay as they are, and new keys,
or rows without a number, are added. It is one edit, which changes only what
differs.

--columns makes one row of each file, from any place in it: NAME=PATH, or
len(PATH), count(PATH), sum(PATH), min(PATH), max(PATH). A path that finds
several values gives a list; what a file lacks is empty.

Of several files, folders or patterns --csv and --parquet make one table, with
the name of the file in each row, and all columns that any file has. Parquet is
what DuckDB, Spark and pandas read: whole numbers, floats, true and false, and
text keep their types; all else is as get prints it.`

const tableExample = `  varview table savegame.dat '[0].items'
  varview table saves/ --columns 'name=..name, n=len([0].items)' --sort n
  varview table savegame.dat '[0].items' --sort durability --filter 'qty>1'
  varview table savegame.dat '[0].items[qty>1 && tags#>0]'
  varview table savegame.dat '[0].items' --csv > items.csv
  varview table savegame.dat '[0].items' --import-csv items.csv -o new.dat
  varview table 'saves/**/*.dat' '[0].items' --parquet items.parquet`

type tableOptions struct {
	flags.Edit
	csv        bool
	json       bool
	summary    bool
	sort       string
	descending bool
	filter     string
	condition  string // condition in brackets at the end of the path
	csvFile    string
	parquet    string
	columns    string // columns of a table with a row for each file
	typed      bool
	files.Selected
}

func (e commands) tableCommand() *cobra.Command {
	var o tableOptions
	cmd := &cobra.Command{
		Use:     "table FILE... PATH",
		Short:   "Print like values as rows and columns, or read them back from CSV",
		Long:    tableLong,
		Example: tableExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.columns != "" {
				return flags.WantsFiles(&o.Selected, 0, "a FILE, with --columns")(cmd, args)
			}
			return flags.WantsFiles(&o.Selected, 1, "a FILE and the PATH of a container, or --columns")(cmd, args)
		},
		ValidArgsFunction: e.CompletePaths(""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.columns != "" {
				return e.saves(cmd.Context(), args, &o)
			}
			names, path := args[:len(args)-1], args[len(args)-1]
			if around, step := tree.SplitPath(path); tree.IsCondition(step) && !tree.IsPattern(around) {
				path, o.condition = around, step
			}
			o.json = o.json || o.typed
			switch {
			case o.csvFile == "":
				return e.tables(cmd.Context(), names, path, &o)
			case len(names) != 1 || o.IsUsed():
				return errors.New("--import-csv changes one FILE")
			}
			return e.importCSV(cmd.Context(), names[0], path, &o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.csv, "csv", false, "as CSV")
	f.StringVar(&o.columns, "columns", "", "a row for each FILE instead, `COLUMNS` as in 'gold=$..gold, items=len($.items)'")
	f.BoolVar(&o.json, "json", false, "as plain JSON, a line each row")
	f.BoolVar(&o.typed, "typed", false, "as JSON that loses nothing, in the form of export")
	f.StringVar(&o.parquet, "parquet", "", "write Parquet to `OUT`, - for standard output")
	f.BoolVar(&o.summary, "summary", false, "count, minimum, maximum, sum and different values of each column instead")
	f.StringVar(&o.sort, "sort", "", "sort by `COLUMN`, which can be key or index")
	f.BoolVar(&o.descending, "descending", false, "sort from the last to the first")
	f.StringVar(&o.filter, "filter", "", "only rows that meet `FILTER`, a condition on columns and paths in the rows, or a text: 'qty>=10 && name~axe', 'tags#>0'")
	f.StringVar(&o.csvFile, "import-csv", "", "change the values to those of `FILE.csv`, - for standard input")
	o.Selected.Register(cmd)
	o.Output.Register(cmd, "write the result of --import-csv to `OUT`, - for standard output, and leave FILE as it is", "replace OUT even if it exists, or FILE even if it was changed meanwhile")
	f.BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of FILE as FILE~")
	o.RegisterInPlace(cmd)
	o.RegisterChoices(cmd)
	f.BoolVar(&o.DryRun, "dry-run", false, "print the bytes that --import-csv would change, and write no values")
	f.BoolVar(&o.Options.Retype, "retype", false, "let values change their type")
	return cmd
}

// openTable finds the container at a path in the values of a file, and the columns that the options need at first.
func openTable(ctx context.Context, e *env.Env, values *tree.Tree, name, path string, o *tableOptions) (*table.Table, error) {
	r := values.NewReader()
	n, err := env.Resolve(ctx, r, path)
	if err != nil {
		return nil, err
	}
	var p model.Progress
	p.Index(0, 1, values)
	done := e.Watch(p.Share, "reading", name)
	defer done()
	if n.Count == tree.Unknown { // to count the rows
		err = values.BuildIndex(ctx)
	}
	if err != nil {
		return nil, err
	}
	t, err := table.New(ctx, values, n)
	if err == nil {
		t.Passed = p.Set
		if o.summary || o.condition+o.filter != "" || o.sort != "" && t.ColumnNamed(o.sort) < 0 {
			err = t.Complete(ctx)
		} else {
			t.CompleteLater()
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", r.Path(n), err)
	}
	return t, err
}

// check refuses flags that cannot be combined.
func (o *tableOptions) check() error {
	forms := 0
	for _, is := range []bool{o.csv, o.json, o.summary, o.parquet != ""} {
		if is {
			forms++
		}
	}
	switch {
	case forms > 1:
		return errors.New("--csv, --json, --parquet and --summary are different outputs; one at a time")
	case o.Path != "" || o.DryRun || o.NoBackup || o.InPlace || o.Options.Retype || len(o.Options.Choices) > 0 || o.Force && o.parquet == "":
		return errors.New("only --import-csv writes a file")
	}
	out := flags.Output{Path: o.parquet, Force: o.Force}
	return out.Check("")
}

// tables prints the table of each file; as CSV and Parquet, one table of all.
func (e commands) tables(ctx context.Context, names []string, path string, o *tableOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	batch := &files.Batch{Env: e.Env}
	all, err := o.All(ctx, batch, names)
	if err != nil {
		return err
	}
	several := o.Several(names)
	if o.parquet != "" || o.csv && several {
		return e.sheet(ctx, batch, all, path, o)
	}
	out := e.Out(o.csv || o.json)
	return files.Each(ctx, batch, out, slices.Values(all), func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		return commands{Env: one}.eachTable(ctx, f, path, o, func(t *table.Table, v *table.View) error {
			label := ""
			if several {
				label = f.Path
			}
			return printTable(ctx, t, v, label, o, out)
		})
	})
}

// eachTable opens a file and calls do with the requested rows of the table at a path.
func (e commands) eachTable(ctx context.Context, file files.File, path string, o *tableOptions, do func(*table.Table, *table.View) error) (err error) {
	f, err := file.Open(ctx, e.Env)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	if n, err := f.Innermost().Tree().NewReader().Resolve(path); err == nil && n.Layout < tree.Sequence { // what it holds
		if held, _, done, err := f.Reach(ctx, path+"@open"); err == nil && held != f.Document {
			if held.Confidence == decoder.Certain {
				path += "@open"
			}
			done()
		}
	}
	in, path, done, err := f.Reach(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	t, err := openTable(ctx, e.Env, in.Innermost().Tree(), f.Name, path, o)
	if err != nil {
		return err
	}
	defer func() {
		if t.HasMore() {
			e.Tell("%s: only the first %s are shown", env.DisplayName(f.Name), span.Counted(int64(len(t.Columns)), "column"))
		}
	}()
	if t.Count(t.NewReader()) == 0 {
		v := table.All(0) // it has no columns to sort or to filter by either
		return cmp.Or(do(t, v), o.selected(v))
	}
	column, err := columnOf(t, o.sort)
	if err != nil {
		return err
	}
	var p model.Progress
	t.Passed = p.Set
	defer e.WatchPrinting(p.Share, "reading", f.Name)()
	v, err := t.LookLater(ctx, column, o.descending, strings.TrimSpace(o.condition+" "+o.filter))
	if err != nil {
		return err
	}
	return cmp.Or(do(t, v), o.selected(v))
}

// selected returns env.ErrProblems if no row meets a condition.
func (o *tableOptions) selected(v *table.View) error {
	if v.Len() == 0 && o.condition+o.filter != "" {
		return env.ErrProblems
	}
	return nil
}

// sheet writes the rows of all files as one table, with the names of the files.
func (e commands) sheet(ctx context.Context, batch *files.Batch, all []files.File, path string, o *tableOptions) error {
	rows, err := sheet.New()
	if err != nil {
		return err
	}
	defer rows.Close()
	failed := files.Each(ctx, batch, rows, slices.Values(all), func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		name := sheet.Cell{Name: table.FileName, Kind: sheet.Text, Text: filepath.ToSlash(f.Path)}
		return commands{Env: one}.eachTable(ctx, f, path, o, func(t *table.Table, v *table.View) error {
			w := bufio.NewWriter(out)
			r := t.NewReader()
			if v.All() == 0 {
				w.Write(sheet.AppendRow(nil, []sheet.Cell{name})) // a row of nothing
			}
			err := t.Each(ctx, r, v, func(row *table.Row) ([]byte, error) {
				cells, err := t.Cells(ctx, r, row)
				if err != nil {
					return nil, err
				}
				return sheet.AppendRow(nil, append([]sheet.Cell{name}, cells...)), nil
			}, func(row []byte) error {
				_, err := w.Write(row)
				return err
			})
			return cmp.Or(err, w.Flush())
		})
	})
	if failed != nil && !errors.Is(failed, env.ErrReported) && !errors.Is(failed, env.ErrProblems) {
		return failed
	}
	s, err := rows.Sheet(ctx)
	if err != nil {
		return err
	}
	if len(s.Columns) == 0 {
		return failed
	}
	return cmp.Or(e.writeSheet(ctx, s, o, map[string]string{"varview.path": path + o.condition}), failed)
}

// writeSheet writes a sheet as CSV, or as Parquet with notes.
func (e commands) writeSheet(ctx context.Context, s *sheet.Sheet, o *tableOptions, notes map[string]string) error {
	if o.csv {
		out := bufio.NewWriter(e.Stdout)
		return cmp.Or(s.WriteCSV(ctx, out, table.Bare), out.Flush())
	}
	return e.WriteOut(ctx, flags.Output{Path: o.parquet, Force: o.Force}, func(ctx context.Context, out io.Writer) error {
		return parquetfile.Write(ctx, out, s, notes)
	})
}

// columnOf returns the column to sort by.
func columnOf(t *table.Table, name string) (int, error) {
	if name == "" {
		return table.NoColumn, nil
	}
	if i := t.ColumnNamed(name); i >= 0 {
		return i, nil
	}
	if name == "key" || name == "index" {
		return table.KeyColumn, nil
	}
	if near := t.Nearest(name); near != "" {
		return 0, fmt.Errorf("there is no column %q to sort by; did you mean %s?", name, near)
	}
	return 0, fmt.Errorf("there is no column %q to sort by; there are %s", name, strings.Join(t.Names(), ", "))
}

// printTable prints the rows of a view, after its label if it has one.
func printTable(ctx context.Context, t *table.Table, v *table.View, label string, o *tableOptions, to io.Writer) error {
	out := bufio.NewWriter(to)
	if label != "" && !o.json {
		fmt.Fprintf(out, "%s:\n", text.Clean(env.DisplayName(label)))
	}
	var err error
	switch {
	case o.summary:
		var all []table.Summary
		if all, _, err = t.Summarize(ctx, v); err == nil {
			err = output.WriteSummaries(out, t.Columns, all)
		}
	case o.csv:
		err = t.WriteCSV(ctx, v, nil, ',', out)
	case o.json:
		err = t.WriteJSON(ctx, v, label, o.typed, out)
	default:
		err = output.WriteRows(ctx, out, t, v)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// importCSV changes the values in a container to those of a CSV file.
func (e commands) importCSV(ctx context.Context, name, path string, o *tableOptions) error {
	switch {
	case o.csv || o.json || o.summary || o.sort != "" || o.descending || o.filter != "":
		return errors.New("--import-csv prints no table")
	case o.csvFile == "-" && name == "-":
		return errors.New("standard input cannot be both the file and the CSV")
	}
	csv, err := e.ReadSide(ctx, o.csvFile, table.MaxCSV)
	if err != nil {
		return err
	}
	e.tellUnequal(&o.Options)
	return e.editValues(ctx, name, &o.Edit, func(ctx context.Context, t *model.Transaction) error {
		return atPath(ctx, t, path, func(in *model.Transaction, n *tree.Node) error {
			changed, err := in.ImportCSV(ctx, n, bytes.NewReader(csv), o.Options)
			if err != nil {
				return fmt.Errorf("%s: %w", env.DisplayName(o.csvFile), advised(err))
			}
			e.Tell("%s: %s in %s", env.DisplayName(name), span.Counted(int64(changed), "change"), path)
			return nil
		})
	})
}
