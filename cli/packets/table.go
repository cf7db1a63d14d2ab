package packets

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"time"

	"varview/decoder/capture/message"
	"varview/decoder/capture/payload"
	"varview/decoder/span"
	"varview/ui/text"
)

// A table prints messages as lines for people.
type table struct {
	out   *bufio.Writer
	width int       // of the terminal, 0 for no limit
	first time.Time // of the messages
	begun bool      // the heading is written
	line  []byte

	fromTo int // columns of the longest so far
}

const (
	maxTitle    = 200 // columns of what a message says where there is no terminal
	leastFromTo = 23  // two ids of peers
	maxFromTo   = 44
	fromToStep  = 4 // by which the column grows, so that it seldom does
)

// begin notes the time of the first message of the capture.
func (t *table) begin(m *message.Message) {
	if t.first.IsZero() {
		t.first = m.Payload.Time
	}
}

// message prints a message and its problems.
func (t *table) message(m *message.Message) error {
	p := m.Payload
	fromTo := text.Clean(m.FromTo())
	if needs := text.Width(fromTo); needs > max(t.fromTo, leastFromTo) {
		t.fromTo = min((needs+fromToStep-1)/fromToStep*fromToStep, maxFromTo)
	}
	if !t.begun {
		t.begun, t.fromTo = true, max(t.fromTo, leastFromTo)
		fmt.Fprintf(t.out, "%6s %6s %10s  %s %5s %3s %5s  %-15s%s\n", "N", "frame", "time", text.Fit("from → to", t.fromTo), "flow", "ch", "size", "kind", "what")
	}
	head := fmt.Sprintf("%6d %6d %10s  %s %5d %3s %5d  ", m.Number, p.Frame(), t.since(p.Time), text.Fit(fromTo, t.fromTo),
		p.Flow.Number, p.ChannelText(), len(p.Bytes))
	t.line = append(append(t.line[:0], head...), text.Fit(m.Kind.String(), 15)...)
	room := maxTitle
	if t.width > 0 {
		room = max(t.width-text.Width(head)-15, 20)
	}
	t.line = append(append(t.line, text.Cut(text.Clean(m.Title(room)), room)...), '\n')
	for i := range m.Problems {
		at := m.Located(m.Problems[i])
		t.line = AppendProblem(append(t.line, "        "...), &at, "")
	}
	_, err := t.out.Write(t.line)
	return err
}

// problem prints a problem of a packet that is of no message.
func (t *table) problem(p *payload.Problem) error {
	t.line = AppendProblem(append(t.line[:0], "     !  "...), p, "")
	_, err := t.out.Write(t.line)
	return err
}

// comments prints the comments on a packet.
func (t *table) comments(frame int, texts []string) error {
	t.line = t.line[:0]
	for _, s := range texts {
		t.line = append(text.Append(fmt.Appendf(t.line, "     #  frame %d: ", frame), s), '\n')
	}
	_, err := t.out.Write(t.line)
	return err
}

// AppendProblem appends a problem as a line, with the path that it is at, if there is one.
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

// whole prints all that a message says, with the comments on its packets.
func (t *table) whole(m *message.Message, comments []string) error {
	p := m.Payload
	t.line = fmt.Appendf(t.line[:0], "message %d, frame %d, %s s, %s, %s, %s\n", m.Number, p.Frame(), t.since(p.Time),
		text.Clean(m.FromTo()), m.Kind, span.Bytes(int64(len(p.Bytes))))
	t.line = append(text.Append(append(t.line, "  "...), m.Title(math.MaxInt)), '\n')
	for i := range m.Problems {
		at := m.Located(m.Problems[i])
		t.line = AppendProblem(append(t.line, "  "...), &at, "")
	}
	for _, s := range comments {
		t.line = append(text.Append(append(t.line, "  # "...), s), '\n')
	}
	_, err := t.out.Write(append(t.line, '\n'))
	return err
}
