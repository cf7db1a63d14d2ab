package packets

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/internal/text"
	"varview/model/records"
)

// A table prints messages as lines for people.
type table struct {
	out   *bufio.Writer
	width int       // width of the terminal; 0 for no limit
	first time.Time // time of the first message
	last  time.Time // time of the message printed last
	begun bool      // the heading has been written
	line  []byte
	room  int // columns for the content of the message

	columns []column

	fromTo int // columns of the longest so far
}

const (
	maxTitle    = 200 // columns of a message's content if there is no terminal
	leastFromTo = 23  // room for two ids of peers
	maxFromTo   = 44
	fromToStep  = 4 // step by which the column grows, so that it seldom does
)

// begin records the time of the first message of the capture.
func (t *table) begin(m *message.Message) {
	if t.first.IsZero() {
		t.first = m.Payload.Time
	}
}

// message prints a message and its problems, and the comments on its packets unless these come by themselves.
func (t *table) message(m *message.Message, withComments bool) error {
	if t.line = t.line[:0]; !t.begun {
		t.begun = true
		t.fromToWidth(text.Clean(m.FromTo()))
		t.row(nil)
		t.out.Write(t.line) // which keeps its error
	}
	t.line = t.line[:0]
	t.row(m)
	for i := range m.Problems {
		at := m.Located(m.Problems[i])
		t.line = AppendProblem(append(t.line, "        "...), &at, "")
	}
	if withComments {
		m.Payload.Comments(t.remark)
	}
	_, err := t.out.Write(t.line)
	return err
}

// problem prints a problem of a packet that belongs to no message.
func (t *table) problem(p *payload.Problem) error {
	switch t.line = t.line[:0]; {
	case p.IsComment:
		t.remark(p.Frame, p.Message)
	case p.Event:
		t.line = append(text.Append(fmt.Appendf(t.line, "     ·  frame %d: ", p.Frame), p.Message), '\n')
	default:
		t.line = AppendProblem(append(t.line, "     !  "...), p, "")
	}
	_, err := t.out.Write(t.line)
	return err
}

// remark appends a comment on a packet as a line.
func (t *table) remark(frame int, comment string) {
	t.line = append(text.Append(fmt.Appendf(t.line, "     #  frame %d: ", frame), comment), '\n')
}

// AppendProblem appends a problem as a line, with its path if it has one.
func AppendProblem(dst []byte, p *payload.Problem, path string) []byte {
	if p.Frame > 0 {
		dst = fmt.Appendf(dst, "frame %d, ", p.Frame)
	}
	dst = fmt.Appendf(dst, "%#x", p.Offset)
	if path != "" {
		dst = text.Append(append(dst, ' '), path)
	}
	dst = text.Append(fmt.Appendf(dst, ": %s: ", p.Severity), p.Message)
	if p.Engine != "" {
		dst = text.Append(append(dst, "; the engine: "...), p.Engine)
	}
	return fmt.Appendf(dst, " (%s)\n", p.Code)
}

// since returns the time since the first message in seconds.
func (t *table) since(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return strconv.FormatFloat(at.Sub(t.first).Seconds(), 'f', 6, 64)
}

// delta returns the time since the message printed before in seconds.
func (t *table) delta(at time.Time) string {
	was := t.last
	if t.last = at; was.IsZero() || at.IsZero() {
		return "-"
	}
	return strconv.FormatFloat(at.Sub(was).Seconds(), 'f', 6, 64)
}

// whole prints the whole content of a message, with the comments on its packets.
func (t *table) whole(m *message.Message) error {
	p := m.Payload
	t.line = fmt.Appendf(t.line[:0], "message %d, frame %d, %s s, %s, %s, %s\n", m.Number, p.Frame(), t.since(p.Time),
		text.Clean(m.FromTo()), m.Kind, span.Bytes(int64(len(p.Bytes))))
	t.line = append(text.Append(append(t.line, "  "...), m.Title(math.MaxInt)), '\n')
	for i := range m.Problems {
		at := m.Located(m.Problems[i])
		t.line = AppendProblem(append(t.line, "  "...), &at, "")
	}
	p.Comments(func(_ int, comment string) {
		t.line = append(text.Append(append(t.line, "  # "...), comment), '\n')
	})
	_, err := t.out.Write(append(t.line, '\n'))
	return err
}

// writeStats prints the groups of messages as a table, largest first.
func writeStats(out *bufio.Writer, s *records.Stats) {
	fmt.Fprintf(out, "%s, %s", span.Counted(s.Records, "message"), span.Bytes(s.Bytes))
	if seconds := s.Last.Sub(s.First).Seconds(); seconds > 0 {
		fmt.Fprintf(out, " in %.3f s: %.0f bytes a second", seconds, s.Rate(s.Bytes))
	}
	fmt.Fprintf(out, "; %s on the wire", span.Bytes(s.Wire))
	if s.Copies > 0 {
		fmt.Fprintf(out, "; copies that the server passes on: %s", span.Grouped(s.Copies))
	}
	fmt.Fprint(out, "\n\n   count copies peak/s      bytes       wire  share   bytes/s  largest (message)  kind                 method\n")
	for _, g := range s.Groups() {
		share := 0.0
		if s.Bytes > 0 {
			share = 100 * float64(g.Bytes) / float64(s.Bytes)
		}
		line := fmt.Sprintf("%8d %6d %6d %10d %10d %5.1f%% %9.0f %8d %9s  %s  %s", g.Count, g.Copies, g.Peak, g.Bytes, g.Wire, share, g.Rate, g.Largest,
			fmt.Sprintf("(%d)", g.Where), text.Fit(g.Kind, 19), text.Clean(g.Title()))
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

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
