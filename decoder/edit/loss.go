package edit

import (
	"varview/decoder/source"
	"varview/decoder/span"
)

// fewLost is how many bytes a repair may take away in one place without naming
// them: what is there of a value that is cut.
const fewLost = 16

// NameLoss lets Drops name what a repair takes away, where it does not yet: more
// than a few bytes that nothing is put in place of, unless all of them are zero.
// They make no sense as they are read now, but may be what somebody looks for.
func (r *Repair) NameLoss(w *source.Window) {
	if r.Drops != "" {
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
		r.Drops = span.Bytes(lost) + " that make no sense as they are read now"
	}
}

// isZero reports whether a span has no other bytes than zeros.
func isZero(w *source.Window, at span.Span) bool {
	const step = 4096
	for off := at.Offset; off < at.End(); off += step {
		for _, c := range w.View(off, min(step, at.End()-off)) {
			if c != 0 {
				return false
			}
		}
	}
	return true
}
