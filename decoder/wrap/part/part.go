// Package part describes the bytes of a wrapper itself: parts with fields, and the problems
// of each.
package part

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Part is a child of the buffer that is described when the wrapper is opened.
type Part struct {
	Name string
	span.Span
	Fields   []span.Field
	Text     string // what its row shows
	Problems []Problem
}

// At returns a part without bytes at an offset.
func At(name string, off int64) Part { return Part{Name: name, Span: span.Span{Offset: off}} }

// Put appends a field after the last one. If it would extend beyond limit, it appends a gap
// instead and returns false.
func (p *Part) Put(n, limit int64, kind span.Kind, label string) bool {
	fits := p.End()+n <= limit
	if !fits {
		n, kind, label = limit-p.End(), span.Gap, "gap"
	}
	if n > 0 {
		p.Fields = append(p.Fields, span.Field{Span: span.Span{Offset: p.End(), Length: n}, Kind: kind, Label: label})
		p.Length += n
	}
	return fits
}

// Fail adds an error. The result is valid until the next problem is added.
func (p *Part) Fail(at span.Span, code, message, engine string) *Problem {
	return p.add(span.Problem{Span: at, Severity: span.Error, Code: code, Message: message, Engine: engine})
}

// Warn adds a warning, as Fail adds an error.
func (p *Part) Warn(at span.Span, code, message, engine string) *Problem {
	return p.add(span.Problem{Span: at, Severity: span.Warning, Code: code, Message: message, Engine: engine})
}

func (p *Part) add(problem span.Problem) *Problem {
	p.Problems = append(p.Problems, Problem{Problem: problem})
	return &p.Problems[len(p.Problems)-1]
}

// Spare describes the bytes that follow the end of a wrapper in its region; ok is
// false if there are none.
func Spare(end int64, region span.Span) (p Part, ok bool) {
	p = At("gap", end)
	if end >= region.End() {
		return p, false
	}
	p.Put(region.End()-end, region.End(), span.Gap, "gap")
	p.Text = span.Bytes(p.Length)
	what := p.Text + " after the end"
	p.Warn(p.Span, span.TrailingBytes, p.Text+" left over after the end", "ignored").
		RepairBy("delete the "+what, TakeOut(p.Span)).Loss = "the " + what
	return p, true
}

// IsNot returns the message about a signature with other bytes, and the splice that
// corrects it.
func IsNot(is, want string, at int64) (message, repair string, splice source.Splice) {
	return fmt.Sprintf("%s is here instead of %s", Quoted([]byte(is)), want), "write " + want, source.Put(at, int64(len(want)), []byte(want))
}
