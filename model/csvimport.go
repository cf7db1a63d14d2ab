package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"varview/decoder/edit"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/literals"
	"varview/model/table"
)

// A csvImport puts the values of a CSV file, as table.WriteCSV writes it, into a container.
type csvImport struct {
	t       *Transaction
	o       edit.Options
	table   *table.Table
	r       *tree.Reader
	columns []int // table columns of the fields after the first
	keys    map[string]int64
	row     table.Row
	place   []int64
	inserts []csvInsert
	first   map[int]*tree.Node // first values of columns, like which new ones are
	comma   rune               // separates fields; where it is no comma, one can be the point in numbers
	lines   map[string]int     // lines of the keys and numbers so far
	fresh   int64              // new rows so far
	skipped int                // lines before the header
}

// A csvInsert is a row, or a value of a row, that the container does not have yet.
type csvInsert struct {
	line  int
	row   int64 // index of the row that gets the value; past the last row, a new row is appended
	key   string
	cells []csvCell
}

// A csvCell is a value of a row as a literal.
type csvCell struct {
	key     string // literal of its key in the row; "" if it needs none
	literal string
}

// ImportCSV sets the values in the container n to those of a CSV file, as ordinary edits. The first field
// of a record gives the key or number of its row. Empty fields, and rows that are not in the file, stay
// as they are. A record with a new key, or an empty number, is a new row. It returns the number of values
// that have changed.
func (t *Transaction) ImportCSV(ctx context.Context, n *tree.Node, in io.Reader, o edit.Options) (changed int, err error) {
	if err := t.now.tree.BuildIndex(ctx); err != nil {
		return 0, err
	}
	view, err := table.New(ctx, t.now.tree, n)
	if err == nil {
		err = view.Complete(ctx)
	}
	if err != nil {
		return 0, err
	}
	c := &csvImport{t: t, o: o, table: view, r: t.now.tree.NewReader(), place: n.Indexes(), row: table.Row{Index: -1}, first: map[int]*tree.Node{}}
	b, err := t.beginBulk(ctx, o)
	if err != nil {
		return 0, err
	}
	records := c.reader(in)
	if err := c.head(records); err != nil {
		return 0, err
	}
	for {
		record, err := records.Read()
		if err == io.EOF {
			break
		}
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		line := 0
		if err == nil {
			line, _ = records.FieldPos(0)
			line += c.skipped
			err = checkUTF8(record)
		}
		if err == nil && strings.Join(record, "") != "" { // spreadsheets leave blank rows
			err = c.record(ctx, b, record, line)
		}
		if err != nil {
			return 0, inCSVLine(line, err)
		}
	}
	if err := b.finish(ctx); err != nil {
		return 0, err
	}
	inserted, err := c.insert(ctx)
	return b.done.Values + inserted, err
}

// reader returns a reader of records, which are separated as spreadsheets do: by the sign after sep= in a line of its own, or
// by the comma, semicolon or tab after the name of the first column.
func (c *csvImport) reader(in io.Reader) *csv.Reader {
	// Spreadsheets also write UTF-16, which begins with a byte order mark, and that mark before UTF-8.
	text := bufio.NewReader(transform.NewReader(in, unicode.BOMOverride(transform.Nop)))
	const separator = "sep="
	c.comma, c.lines = ',', map[string]int{}
	start, _ := text.Peek(len(c.table.KeyName()) + len(`""`) + 1)
	skipped := 0
	if strings.HasPrefix(string(start), separator) {
		line, _ := text.ReadString('\n')
		start, skipped = []byte(line[len(separator):]), 1
	} else {
		start = bytes.TrimPrefix(bytes.Trim(start, `"`), []byte(c.table.KeyName()))
		start = bytes.TrimPrefix(start, []byte(`"`))
	}
	if len(start) > 0 && (start[0] == ';' || start[0] == '\t') {
		c.comma = rune(start[0])
	}
	records := csv.NewReader(text)
	records.Comma, records.ReuseRecord, c.skipped = c.comma, true, skipped
	return records
}

// cell returns the text of a cell for a value that is no text, as spreadsheets write true, false and decimals. Where a decimal comma is
// usual, a point may as well divide thousands.
func (c *csvImport) cell(text string) (string, error) {
	switch {
	case strings.EqualFold(text, "true"), strings.EqualFold(text, "false"):
		return strings.ToLower(text), nil
	case c.comma != ',' && decimal().MatchString(text):
		return strings.Replace(text, ",", ".", 1), nil
	case c.comma == ';' && grouped().MatchString(text):
		return "", fmt.Errorf("%s is %s, or %s if the point divides thousands: write one of these", text, strings.Replace(text, ".", ",", 1), strings.ReplaceAll(text, ".", ""))
	}
	return text, nil
}

var (
	decimal   = lazy.Regexp(`^-?\d+,\d+(E[-+]?\d+)?$`)
	grouped   = lazy.Regexp(`^-?[1-9]\d{0,2}\.\d{3}$`)
	rounded   = lazy.Regexp(`^-?\d(\.\d+)?[eE]\+?\d+$`) // how spreadsheets write numbers of many digits
	wholePart = lazy.Regexp(`^(-?\d+)\.0+$`)
)

// wholeCell returns the text of a cell for a whole number.
func wholeCell(text string) (string, error) {
	if rounded().MatchString(text) {
		return "", fmt.Errorf("%s may have lost digits: a whole number needs all of them", text)
	}
	if m := wholePart().FindStringSubmatch(text); m != nil {
		return m[1], nil
	}
	return text, nil
}

// inCSVLine adds the line number in a CSV file to an error.
func inCSVLine(line int, err error) error {
	if syntax := (*csv.ParseError)(nil); errors.As(err, &syntax) || line == 0 {
		return err // the error names it already
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// checkUTF8 refuses what another encoding has written: there are too many to guess which.
func checkUTF8(record []string) error {
	for _, text := range record {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q is not UTF-8: spreadsheets save that as \"CSV UTF-8\"", text)
		}
	}
	return nil
}

// head reads the header.
func (c *csvImport) head(records *csv.Reader) error {
	names, err := records.Read()
	if err == io.EOF {
		return errors.New("the CSV is empty")
	}
	if err != nil {
		return err
	}
	if err := checkUTF8(names); err != nil {
		return inCSVLine(1+c.skipped, err)
	}
	if strings.Contains(strings.Join(names, ""), "\r") {
		return errors.New("its lines end with lone carriage returns: save it with line feeds")
	}
	if names[0] != c.table.KeyName() {
		return fmt.Errorf("the first column is called %q, not %q: it has to say which row a line is about", names[0], c.table.KeyName())
	}
	seen := map[int]bool{}
	for _, name := range names[1:] {
		i := c.table.ColumnNamed(name)
		if i < 0 {
			i = c.table.ColumnNamed(unquotedName(name))
		}
		if i < 0 || seen[i] {
			return fmt.Errorf("no row has a value %q, or the column is repeated", name)
		}
		seen[i] = true
		c.columns = append(c.columns, i)
	}
	return nil
}

func unquotedName(name string) string {
	if s, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		return s
	}
	return name
}

// record sets the values of a row.
func (c *csvImport) record(ctx context.Context, b *bulk, record []string, line int) error {
	known, err := c.find(ctx, record[0])
	if err != nil {
		return err
	}
	if before, again := c.lines[record[0]]; again && record[0] != "" {
		return fmt.Errorf("%s %s is in line %d too", c.table.KeyName(), record[0], before)
	}
	c.lines[record[0]] = line
	fresh := csvInsert{line: line, row: c.row.Index}
	if !known {
		if fresh.row = -1; c.table.Keyed {
			fresh.key = table.FromText(record[0], c.keysAreText(), "")
		}
	}
	for k, i := range c.columns {
		text := record[k+1]
		if text == "" {
			continue
		}
		if known && c.row.Cells[i] != nil {
			if err := c.set(ctx, b, c.row.Cells[i], text); err != nil {
				return err
			}
			continue
		}
		cell, err := c.newCell(i, text)
		if err != nil {
			return err
		}
		fresh.cells = append(fresh.cells, cell)
	}
	if !known {
		c.fresh++
	}
	if len(fresh.cells) > 0 || !known {
		c.inserts = append(c.inserts, fresh)
	}
	return nil
}

// newCell returns a value that a row lacks, in a column.
func (c *csvImport) newCell(i int, text string) (cell csvCell, err error) {
	column := &c.table.Columns[i]
	if column.Step != "" {
		cell.key = literals.StepKey(column.Step)
	}
	cell.literal, err = c.likeOthers(i, text, column.Text)
	return cell, err
}

// set sets a value to the text of a cell, if it differs.
func (c *csvImport) set(ctx context.Context, b *bulk, n *tree.Node, text string) error {
	is, err := table.Text(ctx, c.r, &n.Value)
	if err != nil || is == text {
		return err
	}
	plain := c.r.Plain(&n.Value)
	isText := plain.Kind == tree.Text
	if !isText {
		if text, err = c.cell(text); err != nil || is == text {
			return err
		}
	}
	if plain.Kind == tree.Int && !c.r.Look(&n.Value).Number.IsFloat() || plain.Kind == tree.Uint {
		if text, err = wholeCell(text); err != nil || is == text {
			return err
		}
	}
	return b.set(ctx, c.r, n, table.FromText(text, isText, c.prefix(n)))
}

// prefix returns what is before the quotes of a text, as that of a StringName.
func (c *csvImport) prefix(n *tree.Node) string {
	literal := string(c.r.AppendLiteral(nil, &n.Value, 16))
	return literal[:max(0, strings.IndexByte(literal, '"'))]
}

// maxLookedAt is the number of rows in which a value is looked for after which new ones are made.
const maxLookedAt = 100

// likeOthers returns the literal of a new value in a column: of the type that the first one there has.
func (c *csvImport) likeOthers(column int, text string, isText bool) (_ string, err error) {
	first, known := c.first[column]
	for i := int64(0); !known && first == nil && i < maxLookedAt; i++ {
		row, err := c.table.Row(c.r, nil, i)
		if err != nil {
			break
		}
		first = row.Cells[column]
	}
	c.first[column] = first
	if !isText {
		if text, err = c.cell(text); err != nil {
			return "", err
		}
	}
	switch {
	case first == nil:
		return table.FromText(text, isText, ""), nil
	case isText && c.r.Plain(&first.Value).Kind == tree.Text:
		return table.FromText(text, true, c.prefix(first)), nil
	case !isText && c.r.Look(&first.Value).Number.IsFloat():
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return text + ".0", nil
		}
	}
	return table.FromText(text, isText, ""), nil
}

// keysAreText reports whether the rows' keys are text; the first key decides.
func (c *csvImport) keysAreText() bool {
	first, err := c.table.Row(c.r, nil, 0)
	return err == nil && first.Key != nil && c.r.Plain(&first.Key.Value).Kind == tree.Text
}

// find reads the row that a record is about.
func (c *csvImport) find(ctx context.Context, key string) (known bool, err error) {
	count, at := c.table.Count(c.r), c.row.Index+1
	if c.row.Node == nil {
		at = 0
	}
	switch {
	case !c.table.Keyed && key == "":
		return false, nil
	case !c.table.Keyed:
		if at, err = strconv.ParseInt(key, 10, 64); err != nil || at < 0 {
			return false, fmt.Errorf("%q is not the number of a row", key)
		}
	default:
		if at, known, err = c.rowWithKey(ctx, key, at); err != nil || !known {
			return false, err
		}
	}
	switch {
	case at > count+c.fresh:
		return false, fmt.Errorf("there is no row %d: the table has %s; a new one has the next number, or none", at, span.Counted(count, "row"))
	case at >= count:
		return false, nil
	}
	if c.row.Node != nil && at == c.row.Index+1 {
		c.row, err = c.table.Next(c.r, c.row)
	} else {
		c.row, err = c.table.Row(c.r, nil, at)
	}
	return err == nil, err
}

// rowWithKey finds the row with a key. It tries index next first, which is the likeliest.
func (c *csvImport) rowWithKey(ctx context.Context, key string, next int64) (at int64, known bool, err error) {
	if row, err := c.table.Row(c.r, nil, next); err == nil {
		if text, err := c.table.KeyText(ctx, c.r, &row); err == nil && text == key {
			return next, true, nil
		}
	}
	if c.keys == nil {
		c.keys = map[string]int64{}
		err = c.table.Each(ctx, c.r, table.All(c.table.Count(c.r)), func(row *table.Row) ([]byte, error) {
			text, err := c.table.KeyText(ctx, c.r, row)
			if _, repeated := c.keys[text]; !repeated {
				c.keys[text] = row.Index
			}
			return nil, err
		}, func([]byte) error { return nil })
	}
	at, known = c.keys[key]
	return at, known, err
}

// insert inserts the new rows and values, after all others are set.
func (c *csvImport) insert(ctx context.Context) (inserted int, err error) {
	if len(c.inserts) == 0 {
		return 0, nil
	}
	rows, err := c.t.read.AtIndexes(c.place)
	if err != nil {
		return 0, err
	}
	path := c.t.pathOf(rows)
	b, err := c.t.Batch(ctx, len(c.inserts))
	if err != nil {
		return 0, err
	}
	for _, x := range c.inserts {
		if ctx.Err() != nil {
			return inserted, ctx.Err()
		}
		rows, err := b.Resolve(ctx, path)
		switch {
		case err != nil:
		case x.row < 0:
			err = c.insertRow(ctx, b, rows, x)
			inserted++
		default:
			err = c.insertCells(ctx, b, rows, x)
			inserted += len(x.cells)
		}
		if err != nil {
			return inserted, inCSVLine(x.line, err)
		}
	}
	return inserted, b.Finish(ctx)
}

// insertCells puts values into a row.
func (c *csvImport) insertCells(ctx context.Context, b *Batch, rows *tree.Node, x csvInsert) error {
	for _, cell := range x.cells {
		row, err := b.Child(ctx, rows, x.row)
		if err != nil {
			return err
		}
		path := b.path(row)
		if row.Layout != tree.Pairs {
			return fmt.Errorf("%s has no value for %s", path, cell.key)
		}
		count, err := b.Count(row)
		if err != nil {
			return err
		}
		if err := b.Insert(ctx, row, count, edit.Content{Key: cell.key, Literal: cell.literal}, c.o); err != nil {
			return &AtError{path, err}
		}
	}
	return nil
}

// insertRow puts a new row after all others.
func (c *csvImport) insertRow(ctx context.Context, b *Batch, rows *tree.Node, x csvInsert) error {
	like, err := b.Child(ctx, rows, 0)
	if err != nil {
		return err
	}
	literal, err := c.rowLiteral(like, x.cells)
	if err != nil {
		return err
	}
	count, err := b.Count(rows)
	if err != nil {
		return err
	}
	path := b.path(rows)
	if err := b.Insert(ctx, rows, count, edit.Content{Key: x.key, Literal: literal}, c.o); err != nil {
		return &AtError{path, err}
	}
	return nil
}

// rowLiteral returns the literal of a new row of the same shape as like.
func (c *csvImport) rowLiteral(like *tree.Node, cells []csvCell) (string, error) {
	var parts []string
	for _, cell := range cells {
		if like.Layout == tree.Pairs {
			cell.literal = cell.key + ": " + cell.literal
		}
		parts = append(parts, cell.literal)
	}
	all := strings.Join(parts, ", ")
	switch {
	case like.Layout == tree.Pairs:
		return "{ " + all + " }", nil
	case like.Layout == tree.Sequence:
		return "[" + all + "]", nil
	case like.Layout == tree.Fixed:
		return c.t.now.tree.Reading.TypeName(&like.Value) + "(" + all + ")", nil
	case len(parts) == 1:
		return parts[0], nil
	}
	return "", errors.New("a new row has one value")
}
