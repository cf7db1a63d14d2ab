package table

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// A Form writes the rows of a view with some columns, or with all if columns is nil.
type Form func(t *Table, ctx context.Context, v *View, columns []int, out io.Writer) error

// Forms are the forms in which a table is written, by file extension.
var Forms = map[string]Form{
	".csv":  separated(','),
	".tsv":  separated('\t'),
	".json": (*Table).writeJSONList,
	".md":   (*Table).writeMarkdown,
	".txt": func(t *Table, ctx context.Context, v *View, columns []int, out io.Writer) error {
		aligned := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		return cmp.Or(t.WriteCSV(ctx, v, columns, '\t', aligned), aligned.Flush())
	},
}

func separated(by rune) Form {
	return func(t *Table, ctx context.Context, v *View, columns []int, out io.Writer) error {
		return t.WriteCSV(ctx, v, columns, by, out)
	}
}

// writeMarkdown writes the rows of a view as a table in Markdown, with the columns of WriteCSV. Columns of numbers are
// aligned to the right.
func (t *Table) writeMarkdown(ctx context.Context, v *View, columns []int, out io.Writer) error {
	var b bytes.Buffer
	if err := t.WriteCSV(ctx, v, columns, ',', &b); err != nil {
		return err
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		return err
	}
	rule := make([]string, len(rows[0]))
	for i := range rule {
		rule[i] = "--:"
		for _, row := range rows[1:] {
			if _, err := strconv.ParseFloat(row[i], 64); err != nil && row[i] != "" {
				rule[i] = "---"
			}
		}
	}
	line := func(cells []string) error {
		_, err := fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
		return err
	}
	inCell := strings.NewReplacer("|", `\|`, "\r\n", "<br>", "\n", "<br>")
	for i, row := range rows {
		for c := range row {
			row[c] = inCell.Replace(row[c])
		}
		if err := line(row); err != nil {
			return err
		}
		if i == 0 {
			if err := line(rule); err != nil {
				return err
			}
		}
	}
	return nil
}
