package check

import (
	"context"
	"errors"
	"fmt"
	"io"

	"varview/cli/env"
	"varview/cli/output"
	"varview/cli/packets"
	"varview/decoder/capture"
	"varview/decoder/capture/message"
	"varview/decoder/capture/payload"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/model/messages"
	"varview/ui/text"
)

// isCapture reports whether a file is a capture of a network. What cannot be read is none, nor is a
// pipe, which is read only once.
func isCapture(name string) bool {
	f, _, err := source.OpenRegular(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, capture.Sniffed)
	n, err := io.ReadFull(f, head)
	return (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) && capture.Sniff(head[:n])
}

// examineCapture prints the problems of a capture, of its packets and of the messages in
// them, and a line that sums them up.
func (c *checker) examineCapture(ctx context.Context, name string) (counts output.Tally, err error) {
	in, err := c.OpenInput(ctx, name)
	if err != nil {
		return counts, err
	}
	defer in.Close()
	p := &capturePrinter{checker: c, name: name, counts: &counts}
	all := int64(0)
	summary, err := messages.NewReader(messages.Options{Double: c.Flags.Double}, messages.Each{
		Message: func(m *message.Message) {
			all++
			for i := range m.Problems {
				at := m.Located(m.Problems[i])
				p.print(&at, fmt.Sprintf("$.messages[%d]%s", m.Number, m.PathAt(m.Problems[i].Offset)))
			}
		},
		Problem: func(x *payload.Problem) {
			path := "$"
			if x.Frame > 0 {
				path = fmt.Sprintf("$.packets[%d]", x.Frame-1)
			}
			p.print(x, path)
		},
	}).Read(ctx, in)
	if err == nil {
		err = p.err
	}
	if err != nil {
		return counts, fmt.Errorf("%s: %w", env.DisplayName(name), source.Plain(err))
	}
	if !c.JSON {
		fmt.Fprintf(c.out, "%s: capture of %s, %s: %s\n", text.Clean(env.DisplayName(name)), span.Counted(int64(summary.Packets), "packet"),
			span.Counted(all, "message"), counted(counts, p.known))
	}
	return counts, nil
}

// A capturePrinter prints the problems of one capture.
type capturePrinter struct {
	*checker
	name   string
	counts *output.Tally
	known  int64 // problems that the baseline has
	err    error
}

func (p *capturePrinter) print(x *payload.Problem, path string) {
	if p.baseline.Takes(p.name, x.Code, path) {
		p.known++
		return
	}
	p.counts[x.Severity]++
	if p.JSON {
		p.line = packets.AppendProblemJSON(p.line[:0], p.name, x, path)
	} else {
		p.line = append(text.Append(p.line[:0], env.DisplayName(p.name)), ": "...)
		p.line = packets.AppendProblem(p.line, x, path)
	}
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
}
