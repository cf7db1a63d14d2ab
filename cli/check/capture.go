package check

import (
	"context"
	"errors"
	"fmt"
	"io"

	"varview/cli/env"
	"varview/cli/output"
	"varview/cli/packets"
	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
	"varview/decoder/network/units"
	"varview/internal/text"
	"varview/model"
	"varview/model/messages"
)

// isCapture reports whether a file is a network capture. It returns false for a file that cannot be read,
// and for a pipe, which can be read only once.
func isCapture(name string) bool {
	f, _, err := source.OpenRegular(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, network.Sniffed)
	n, err := io.ReadFull(f, head)
	return (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) && network.Sniff(head[:n])
}

// examineCapture prints the problems of a capture, of its packets and of the messages in them, and a line
// that sums them up.
func (c *checker) examineCapture(ctx context.Context, name string) (counts output.Tally, err error) {
	in, err := c.OpenInput(ctx, name)
	if err != nil {
		return counts, err
	}
	defer in.Close()
	p := &printer{checker: c, name: name, label: output.Label{Name: env.DisplayName(name)}}
	all := int64(0)
	names, err := c.Methods(name)
	if err != nil {
		return counts, err
	}
	summary, err := messages.NewReader(messages.Options{Options: multiplayer.Options{Double: c.Flags.Double, Methods: names}}, messages.Each{
		Message: func(m *message.Message) {
			all++
			for i := range m.Problems {
				at := m.Located(m.Problems[i])
				p.inCapture(&at, fmt.Sprintf("$.messages[%d]%s", m.Number, units.PathAt(m, m.Problems[i].Offset)))
			}
		},
		Problem: func(x *payload.Problem) {
			if x.Event {
				return
			}
			path := "$"
			if x.Frame > 0 {
				path = fmt.Sprintf("$.packets[%d]", x.Frame-1)
			}
			p.inCapture(x, path)
		},
	}).Read(ctx, in)
	if err == nil {
		for _, g := range p.groups.sorted() {
			p.printInCapture(g.problem(), g.path, g.count)
		}
		p.summary("capture of " + span.Counted(int64(summary.Packets), "packet") + ", " + span.Counted(all, "message"))
		err = p.err
	}
	if err != nil {
		return counts, fmt.Errorf("%s: %w", env.DisplayName(name), source.Plain(err))
	}
	return p.counts, nil
}

// inCapture prints a problem of a capture, or keeps it until all of its cause are known.
func (p *printer) inCapture(x *payload.Problem, path string) {
	if p.JSON || p.Each {
		p.printInCapture(x, path, 1)
	} else if p.baseline.Takes(p.name, x.Code, path) {
		p.known++
	} else {
		p.groups.add(x, path)
	}
}

// printInCapture prints a problem of a capture, which stands for a number of them.
func (p *printer) printInCapture(x *payload.Problem, path string, count int) {
	p.counts[x.Severity] += int64(count - 1)
	p.found(&x.Problem, path, func(line []byte) []byte {
		if p.JSON {
			return output.AppendProblemJSON(line, &model.BufferProblem{Diagnosis: diagnose.Diagnosis{Problem: x.Problem, Path: path}, Buffer: new(model.Buffer), Frame: x.Frame}, p.name)
		}
		return packets.AppendProblem(append(text.Append(line, p.label.Name), ": "...), x, path)
	})
}
