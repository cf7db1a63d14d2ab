package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

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
	"varview/model/problems"
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

// A group is the problems of one cause.
type group struct {
	payload.Problem // the first
	path            string
	count, last     int // number of problems, and the packet of the last
}

// groups collects the problems of a capture by their causes.
type groups struct {
	list  []*group
	byKey map[string]*group
}

// add adds a problem.
func (g *groups) add(x *payload.Problem, path string) {
	k := problems.Cause(&x.Problem)
	is := g.byKey[k]
	if is == nil {
		if g.byKey == nil {
			g.byKey = map[string]*group{}
		}
		is = &group{Problem: *x, path: path}
		g.byKey[k], g.list = is, append(g.list, is)
	}
	is.count, is.last = is.count+1, x.Frame
}

// sorted returns the groups, errors first, then in the order of their first problems.
func (g *groups) sorted() []*group {
	slices.SortStableFunc(g.list, func(a, b *group) int { return cmp.Compare(b.Severity, a.Severity) })
	return g.list
}

// problem returns the first problem, with the number of the others in its message.
func (g *group) problem() *payload.Problem {
	x := g.Problem
	if g.count > 1 {
		x.Message += fmt.Sprintf("; %s like it, the last in frame %d", span.Counted(int64(g.count-1), "other problem"), g.last)
	}
	return &x
}
