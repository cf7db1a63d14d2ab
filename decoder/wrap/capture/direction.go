package capture

import (
	"bytes"
	"slices"
	"sort"
)

// A splice replaces bytes of a TCP stream. Every splice replaces at least one byte.
type splice struct {
	at, end int64 // position of the old bytes
	new     []byte
	before  int64 // bytes that the splices before it add; set by restart
}

// A direction is what one side of a TCP connection sends. A position in it is a sequence
// number that does not start again at 0.
type direction struct {
	started     bool
	first, last int64 // position of the first segment, and the highest so far
	splices     []splice
}

// position returns the position of a segment that begins at a sequence number. The segments must
// come in the order of the capture, so that they have the same positions each time that it is read.
func (d *direction) position(seq uint32) int64 {
	if !d.started {
		d.started, d.first = true, int64(seq)+1<<32 // so that there is room before it
		d.last = d.first
	}
	at := d.near(seq)
	d.last = max(d.last, at)
	return at
}

// near returns the position of a sequence number that the other side names.
func (d *direction) near(seq uint32) int64 { return d.last + int64(int32(seq-uint32(d.last))) }

// add adds a splice, unless one of the same bytes is there.
func (d *direction) add(s splice) (ok bool) {
	i := d.from(s.at)
	if i < len(d.splices) && d.splices[i].at < s.end {
		return false
	}
	d.splices = slices.Insert(d.splices, i, s)
	return true
}

// restart prepares for reading the segments again, with all splices.
func (d *direction) restart() {
	d.last = d.first
	by := int64(0)
	for i := range d.splices {
		s := &d.splices[i]
		s.before = by
		by += int64(len(s.new)) - (s.end - s.at)
	}
}

// from returns the number of the first splice that ends after a position.
func (d *direction) from(pos int64) int {
	return sort.Search(len(d.splices), func(i int) bool { return d.splices[i].end > pos })
}

// inside returns how many of the new bytes replace the old bytes up to a position.
func (s *splice) inside(pos int64) int {
	switch {
	case pos <= s.at:
		return 0
	case pos >= s.end:
		return len(s.new)
	}
	return int(min(pos-s.at, int64(len(s.new))))
}

// moved returns the place of a position in the new stream.
func (d *direction) moved(pos int64) int64 {
	i := sort.Search(len(d.splices), func(i int) bool { return d.splices[i].at >= pos })
	if i == 0 {
		return pos
	}
	s := &d.splices[i-1]
	return pos + s.before + int64(s.inside(pos)) - (min(pos, s.end) - s.at)
}

// content returns the new bytes of a segment. Those of adjacent segments adjoin.
func (d *direction) content(at int64, b []byte) []byte {
	end := at + int64(len(b))
	var out bytes.Buffer
	for i := d.from(at); i < len(d.splices) && d.splices[i].at < end; i++ {
		s := &d.splices[i]
		out.Write(b[:max(0, s.at-at)])
		out.Write(s.new[s.inside(at):s.inside(end)])
		next := min(s.end, end)
		b, at = b[next-at:], next
	}
	out.Write(b)
	return out.Bytes()
}
