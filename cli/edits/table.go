package edits

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder/span"
	"varview/model"
	"varview/model/table"
)

const tableLong = `Print a container as rows and columns: each child is a row, and what the rows
have in them are the columns. That suits arrays and dictionaries of
dictionaries, of arrays and of vectors, packed arrays of vectors, and arrays of
structs.

--csv is for spreadsheets. Text is as it is, but in quotes with JSON's escapes
where it would be taken for something else, as a formula; all else is as get
prints it. A value that a row lacks is empty. --import-csv reads such a file
back: the rows are found by their key or number, fields that are empty and rows
that are missing stay as they are, and new keys, or rows without a number, are
added. It is one edit, which changes only what differs.`

const tableExample = `  varview table savegame.dat '[0].items'
  varview table savegame.dat '[0].items' --sort durability --filter 'qty>1'
  varview table savegame.dat '[0].items' --csv > items.csv
  varview table savegame.dat '[0].items' --import-csv items.csv -o new.dat`

type tableOptions struct {
	flags.Edit
	csv        bool
	json       bool
	summary    bool
	sort       string
	descending bool
	filter     string
	csvFile    string
}

func (e commands) tableCommand() *cobra.Command {
	var o tableOptions
	cmd := &cobra.Command{
		Use:               "table FILE PATH",
		Short:             "Print like values as rows and columns, or read them back from CSV",
		Long:              tableLong,
		Example:           tableExample,
		Args:              flags.Wants(2, 2, "a FILE and the PATH of a container"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.csvFile != "" {
				return e.importCSV(cmd.Context(), args[0], args[1], &o)
			}
			return e.table(cmd.Context(), args[0], args[1], &o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.csv, "csv", false, "as CSV")
	f.BoolVar(&o.json, "json", false, "as JSON, a line each row, with the values in the form of export")
	f.BoolVar(&o.summary, "summary", false, "count, minimum, maximum, sum and different values of each column instead")
	f.StringVar(&o.sort, "sort", "", "sort by `COLUMN`, which can be key or index")
	f.BoolVar(&o.descending, "descending", false, "sort from the last to the first")
	f.StringVar(&o.filter, "filter", "", "only rows with a text, or as in 'qty>=10', 'name~axe': `FILTER` has one of = != < <= > >= ~")
	f.StringVar(&o.csvFile, "import-csv", "", "change the values to those of `FILE.csv`, - for standard input")
	o.Output.Register(cmd, "write the result of --import-csv to `OUT`, - for standard output, and leave FILE as it is", "replace OUT even if it exists, or FILE even if it was changed meanwhile")
	f.BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of FILE as FILE~")
	o.RegisterInPlace(cmd)
	f.BoolVar(&o.DryRun, "dry-run", false, "print the bytes that --import-csv would change, and write no values")
	f.BoolVar(&o.Options.Retype, "retype", false, "let values change their type")
	return cmd
}

// openTable finds the container at a path, and its columns.
func openTable(ctx context.Context, f *env.File, path string) (*table.Table, error) {
	r := f.Tree.NewReader()
	n, err := env.Resolve(ctx, r, path)
	if err != nil {
		return nil, err
	}
	if err := f.Tree.BuildIndex(ctx); err != nil {
		return nil, err
	}
	t, err := table.New(ctx, f.Tree, n)
	if err == nil {
		err = t.Complete(ctx)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", r.Path(n), err)
	}
	return t, err
}

func (e commands) table(ctx context.Context, name, path string, o *tableOptions) (err error) {
	switch {
	case o.csv && o.json, o.summary && (o.csv || o.json):
		return errors.New("--csv, --json and --summary are three forms; one at a time")
	case o.Path != "" || o.DryRun || o.Force || o.NoBackup || o.InPlace || o.Options.Retype:
		return errors.New("only --import-csv writes a file")
	}
	f, err := e.OpenValues(ctx, name)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	t, err := openTable(ctx, f, path)
	if err != nil {
		return err
	}
	if t.HasMore() {
		e.Tell("%s: only the first %s are shown", env.DisplayName(name), span.Counted(int64(len(t.Columns)), "column"))
	}
	column, err := columnOf(t, o.sort)
	if err != nil {
		return err
	}
	v, err := t.Look(ctx, column, o.descending, o.filter, nil)
	if err != nil {
		return err
	}
	return e.printTable(ctx, t, v, o)
}

// columnOf is the column to sort by.
func columnOf(t *table.Table, name string) (int, error) {
	if i := t.ColumnNamed(name); i >= 0 {
		return i, nil
	}
	switch name {
	case "":
		return table.NoColumn, nil
	case "key", "index":
		return table.KeyColumn, nil
	}
	return 0, fmt.Errorf("there is no column %q to sort by", name)
}

// printTable prints the rows of a view.
func (e commands) printTable(ctx context.Context, t *table.Table, v *table.View, o *tableOptions) error {
	out := bufio.NewWriter(e.Stdout)
	if !o.csv && !o.json {
		out = bufio.NewWriter(e.ForPeople(e.Stdout))
	}
	var err error
	switch {
	case o.summary:
		var all []table.Summary
		if all, _, err = t.Summarize(ctx, nil); err == nil {
			err = output.WriteSummaries(out, t.Columns, all)
		}
	case o.csv:
		err = t.WriteCSV(ctx, v, nil, ',', out)
	case o.json:
		err = t.WriteJSON(ctx, v, out)
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
	return e.editValues(ctx, name, &o.Edit, func(ctx context.Context, t *model.Transaction) error {
		n, err := env.Resolve(ctx, t.Reader(), path)
		if err != nil {
			return err
		}
		changed, err := t.ImportCSV(ctx, n, bytes.NewReader(csv), o.Options)
		if err != nil {
			return fmt.Errorf("%s: %w", env.DisplayName(o.csvFile), err)
		}
		e.Tell("%s: %s in %s", env.DisplayName(name), span.Counted(int64(changed), "change"), path)
		return nil
	})
}
