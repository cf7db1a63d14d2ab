package part

import (
	"encoding/binary"
	"errors"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/work"
)

// A Problem is a problem of a wrapper's own bytes, with its repair if that is known.
type Problem struct {
	span.Problem
	Splices []source.Splice
	Loss    string // as in an edit.Repair
}

// RepairBy says how the problem is repaired, and by which splices.
func (p *Problem) RepairBy(how string, splices ...source.Splice) *Problem {
	p.Repair, p.Splices = how, splices
	return p
}

// CanRepair reports whether p is the problem that was reported, and has a repair.
func (p *Problem) CanRepair(reported *span.Problem) bool {
	return p.Repair != "" && p.Code == reported.Code && p.Span == reported.Span && p.Repair == reported.Repair
}

// AsRepair returns the repair of the problem.
func (p *Problem) AsRepair() edit.Repair {
	return edit.Repair{Splices: slices.Clone(p.Splices), Loss: p.Loss}
}

// Unsearched returns the note that a search for the cause of problems has ended before it
// had tried everything.
func Unsearched(at span.Span, what string) Problem {
	return Problem{Problem: span.Problem{Span: at, Severity: span.Note, Code: span.Unsearched,
		Message: what + " not tried in all places: " + work.UsedUp}}
}

// ErrNoRepair is the error of a problem that has no repair.
var ErrNoRepair = errors.New("there is no repair for this")

// Put32 returns a splice that replaces the little-endian number at off.
func Put32(off int64, v uint32) source.Splice {
	return source.Put(off, 4, binary.LittleEndian.AppendUint32(nil, v))
}

// TakeOut returns a splice that deletes bytes.
func TakeOut(at span.Span) source.Splice { return source.Splice{Span: at} }
