package capture

import (
	"bytes"
	"slices"
)

// A splice replaces bytes of a TCP stream. Every splice replaces at least one byte.
type splice struct {
	at, end int64 // position of the old bytes
	new     []byte
}

// A direction is what one side of a TCP connection sends. A position in it is a sequence
// number that does not start again at 0.
type direction struct {
	started bool
	last    int64 // the highest position so far
	splices []splice
}

// position returns the position of a sequence number.
func (d *direction) position(seq uint32) int64 {
	if !d.started {
		d.started, d.last = true, int64(seq)+1<<32 // so that there are positions before it
	}
	at := d.last + int64(int32(seq-uint32(d.last)))
	d.last = max(d.last, at)
	return at
}

// add adds a splice, unless it has been added before.
func (d *direction) add(s splice) {
	i, found := slices.BinarySearchFunc(d.splices, s, func(a, b splice) int { return int(a.at - b.at) })
	if !found {
		d.splices = slices.Insert(d.splices, i, s)
	}
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
	by := int64(0)
	for i := range d.splices {
		s := &d.splices[i]
		if pos <= s.at {
			break
		}
		by += int64(s.inside(pos)) - (min(pos, s.end) - s.at)
	}
	return pos + by
}

// content returns the new bytes of a segment. Those of adjacent segments adjoin.
func (d *direction) content(at int64, b []byte) []byte {
	end := at + int64(len(b))
	var out bytes.Buffer
	for i := range d.splices {
		s := &d.splices[i]
		if s.end <= at || s.at >= end {
			continue
		}
		out.Write(b[:max(0, s.at-at)])
		out.Write(s.new[s.inside(at):s.inside(end)])
		next := min(s.end, end)
		b, at = b[next-at:], next
	}
	out.Write(b)
	return out.Bytes()
}
