package edit

import (
	"varview/decoder/source"
	"varview/decoder/span"
)

// A splicer collects the bytes of a block in their new order and makes splices of what has
// moved.
type splicer struct {
	old     *source.Pieces
	at      int64          // offset up to which the old bytes are done
	fresh   []source.Piece // what replaces the bytes from at on
	small   []byte         // and new bytes after fresh
	splices []source.Splice
}

// add adds new bytes.
func (s *splicer) add(b []byte) { s.small = append(s.small, b...) }

// keep adds old bytes; inPlace says that they have stayed in place, like all others for
// which it was set.
func (s *splicer) keep(start, end int64, inPlace bool) {
	switch {
	case start == end:
	case inPlace:
		s.flush(start)
		s.at = end
	default:
		s.settle()
		s.append(s.old.Slice(span.Between(start, end)))
	}
}

// settle moves the new bytes to the end of fresh.
func (s *splicer) settle() {
	if len(s.small) > 0 {
		s.append(source.Memory(s.small))
		s.small = nil
	}
}

func (s *splicer) append(p *source.Pieces) {
	p.List(func(_ int64, piece source.Piece) bool {
		s.fresh = append(s.fresh, piece)
		return true
	})
}

// flush makes a splice that replaces the old bytes up to an offset.
func (s *splicer) flush(upTo int64) {
	s.settle()
	if upTo > s.at || len(s.fresh) > 0 {
		s.splices = append(s.splices, source.Splice{Span: span.Between(s.at, upTo), New: source.Join(s.fresh...)})
		s.fresh = nil
	}
}

// finish makes the last splice and returns all of them.
func (s *splicer) finish(size int64) []source.Splice {
	s.flush(size)
	return s.splices
}
