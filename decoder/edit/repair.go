package edit

import (
	"bytes"
	"context"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Repair is an edit that repairs a problem.
type Repair struct {
	Splices  []source.Splice
	Loss     string // readable content that it removes: `the first of two entries "hp"`; "" if there is none
	Does     string // what it does in these bytes: `write "0x10"`; "" if the problem says it
	Remains  bool   // what it removes is the end of an older content, which nothing reads and which is not named as a loss
	Intended bool   // what it removes is what the problem is: a comment, or one side of a merge
}

// A Repairer is a reading whose problems can be repaired.
type Repairer interface {
	// Repair repairs a problem that was reported for n with a text in Repair. n owns the first byte of the
	// problem's span. The splices are those of the problem and of every length, count and padding that
	// depends on it; if bytes are inserted or removed, also those of the frame around. The error describes
	// in a sentence why the repair cannot be made here.
	Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (Repair, error)
}

// fewLost is the number of bytes that a repair may remove in one place without naming them: the rest of a
// value that is cut.
const fewLost = 16

// NameLoss sets Loss to what a repair removes, unless it is set already: more than a few bytes that are not
// replaced and not all zeros. They make no sense as they are read now, but may be what somebody looks for.
func (r *Repair) NameLoss(w *source.Window) {
	if r.Loss != "" || r.Remains || r.Intended {
		return
	}
	lost := int64(0)
	for i := range r.Splices {
		s := &r.Splices[i]
		if n := s.Length - s.Added(); n > fewLost && s.Added() <= fewLost && !isZero(w, s.Span) {
			lost += n
		}
	}
	if lost > 0 {
		r.Loss = span.Bytes(lost) + " that make no sense as they are read now"
	}
}

// isZero reports whether all bytes of a span are zero.
func isZero(w *source.Window, at span.Span) bool {
	for _, b := range w.Pieces(at) {
		if len(bytes.Trim(b, "\x00")) > 0 {
			return false
		}
	}
	return true
}
