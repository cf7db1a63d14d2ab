package packets

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"varview/decoder/network/message"
	"varview/internal/text"
)

// A column is a column of the list of messages.
type column struct {
	name  string
	width int // 0 for the last one
	right bool
	text  func(*table, *message.Message) string
}

// columns are all columns; those of defaultColumns are shown unless others are chosen.
var columns = []column{
	{"N", 6, true, func(_ *table, m *message.Message) string { return strconv.Itoa(m.Number) }},
	{"frame", 6, true, func(_ *table, m *message.Message) string { return strconv.Itoa(m.Payload.Frame()) }},
	{"time", 10, true, func(t *table, m *message.Message) string { return t.since(m.Payload.Time) }},
	{"date", 30, false, func(_ *table, m *message.Message) string { return m.Payload.Time.UTC().Format(time.RFC3339Nano) }},
	{"delta", 10, true, func(t *table, m *message.Message) string { return t.delta(m.Payload.Time) }},
	{"from → to", leastFromTo, false, func(_ *table, m *message.Message) string { return text.Clean(m.FromTo()) }},
	{"src", 21, false, func(_ *table, m *message.Message) string { return m.Payload.Src.String() }},
	{"dst", 21, false, func(_ *table, m *message.Message) string { return m.Payload.Dst.String() }},
	{"flow", 5, true, func(_ *table, m *message.Message) string { return strconv.Itoa(m.Payload.Flow.Number) }},
	{"ch", 3, true, func(_ *table, m *message.Message) string { return m.Payload.ChannelText() }},
	{"size", 5, true, func(_ *table, m *message.Message) string { return strconv.Itoa(len(m.Payload.Bytes)) }},
	{"wire", 5, true, func(_ *table, m *message.Message) string { return strconv.Itoa(m.Payload.Wire) }},
	{"rtt", 7, true, func(_ *table, m *message.Message) string { return strings.Join(m.Texts("rtt"), "") }},
	{"unacked", 7, true, func(_ *table, m *message.Message) string { return strconv.Itoa(m.Payload.Unacked) }},
	{"kind", 14, false, func(_ *table, m *message.Message) string { return m.Kind.String() }},
	{"path", 24, false, func(_ *table, m *message.Message) string { return text.Clean(strings.Join(m.Texts("path"), ", ")) }},
	{"method", 16, false, func(_ *table, m *message.Message) string { return text.Clean(strings.Join(m.Texts("method"), ", ")) }},
	{"what", 0, false, func(t *table, m *message.Message) string { return text.Clean(m.Title(t.room)) }},
}

var defaultColumns = []string{"N", "frame", "time", "from → to", "flow", "ch", "size", "kind", "what"}

// ColumnNames returns the names of the columns that can be chosen.
func ColumnNames() (names []string) {
	for _, c := range columns {
		names = append(names, columnName(c.name))
	}
	return names
}

// columnName is the name by which a column is chosen.
func columnName(shown string) string { return strings.ReplaceAll(shown, "from → to", "from-to") }

// chosen returns columns by their names.
func chosen(names []string) (list []column, err error) {
	for _, name := range names {
		i := slices.IndexFunc(columns, func(c column) bool { return c.name == name || strings.EqualFold(columnName(c.name), name) })
		if i < 0 {
			return nil, fmt.Errorf("--columns: there is no column %q; there are %s", name, strings.Join(ColumnNames(), ", "))
		}
		list = append(list, columns[i])
	}
	return list, nil
}

// row appends the cells of a message, or the names of the columns for nil. Columns have one blank between them, and two before
// the texts after numbers.
func (t *table) row(m *message.Message) {
	for i, c := range t.columns {
		cell := c.name
		if m != nil {
			t.room = t.left()
			cell = c.text(t, m)
		}
		if i > 0 {
			t.line = append(t.line, ' ')
			if before := t.columns[i-1]; before.right && !c.right && c.width > 0 {
				t.line = append(t.line, ' ')
			}
		}
		if c.name == defaultColumns[3] {
			c.width = t.fromToWidth(cell)
		}
		switch pad := c.width - text.Width(cell); {
		case c.width == 0 && m != nil:
			cell = text.Cut(cell, t.left())
		case c.right && pad > 0:
			cell = strings.Repeat(" ", pad) + cell
		case !c.right && c.width > 0:
			cell = text.Fit(cell, c.width)
		}
		t.line = append(t.line, cell...)
	}
	t.line = append(t.line, '\n')
}

// left returns how many columns of the terminal are left in the line.
func (t *table) left() int {
	if t.width == 0 {
		return maxTitle
	}
	return max(t.width-text.Width(string(t.line)), 20)
}

// fromToWidth returns the width of the column with both peers, which grows.
func (t *table) fromToWidth(cell string) int {
	if needs := text.Width(cell); needs > max(t.fromTo, leastFromTo) {
		t.fromTo = min((needs+fromToStep-1)/fromToStep*fromToStep, maxFromTo)
	}
	t.fromTo = max(t.fromTo, leastFromTo)
	return t.fromTo
}

// csvRow writes a message as a row of CSV, after the names of the columns.
func (t *table) csvRow(m *message.Message) error {
	w := csv.NewWriter(t.out)
	var cells []string
	for _, c := range t.columns {
		cells = append(cells, columnName(c.name))
	}
	if !t.begun {
		t.begun = true
		w.Write(cells)
	}
	t.room = math.MaxInt
	for i, c := range t.columns {
		cells[i] = c.text(t, m)
	}
	w.Write(cells)
	w.Flush()
	return w.Error()
}
