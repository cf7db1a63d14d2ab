package wrap

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A finding is a problem, and what puts it right where that is known.
type finding struct {
	span.Problem
	splices []source.Splice
	drops   string // as of an edit.Repair
}

// cure says how the problem is put right, and by which splices.
func (f *finding) cure(how string, splices ...source.Splice) *finding {
	f.Repair, f.splices = how, splices
	return f
}

// is reports whether the finding is the problem that was reported.
func (f *finding) is(p *span.Problem) bool {
	return f.Code == p.Code && f.Span == p.Span && f.Repair == p.Repair
}

// asRepair is what puts the finding right.
func (f *finding) asRepair() edit.Repair {
	return edit.Repair{Splices: slices.Clone(f.splices), Drops: f.drops}
}

var errNoRepair = errors.New("nothing is known that would put this right")

var (
	_ edit.Repairer = (*format)(nil)
	_ edit.Repairer = (*gcpfFormat)(nil)
	_ edit.Repairer = (*gdecFormat)(nil)
	_ edit.Repairer = (*textFormat)(nil)
)

// Repair implements edit.Repairer.
func (f *format) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	for i := range f.parts {
		for j := range f.parts[i].problems {
			if found := &f.parts[i].problems[j]; found.is(p) && found.Repair != "" {
				return found.asRepair(), nil
			}
		}
	}
	return edit.Repair{}, errNoRepair
}

// put32 is a splice that puts a number in place of the one at off.
func put32(off int64, v uint32) source.Splice {
	return source.Put(off, 4, binary.LittleEndian.AppendUint32(nil, v))
}

// takeOut is a splice that takes bytes out.
func takeOut(at span.Span) source.Splice { return source.Splice{Span: at} }

// spare describes the bytes behind the end of a wrapper, which nothing claims.
func (l *Layer) spare(end int64) (p part, any bool) {
	p = part{name: "gap", Span: span.Span{Offset: end}}
	if end >= l.Region.End() {
		return p, false
	}
	p.put(l.Region.End()-end, l.Region.End(), span.Gap, "gap")
	what := byteCount(p.Length) + " behind the end"
	p.warn(p.Span, span.TrailingBytes, what+", which nothing claims", "ignored").
		cure("take out the "+what, takeOut(p.Span)).drops = "the " + what
	p.text = byteCount(p.Length)
	return p, true
}
