// Package tcp puts the segments of a TCP stream in order.
package tcp

import (
	"time"

	"varview/decoder/network/order"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

// limits are those after which missing bytes are given up.
var limits = order.Limits{Items: 256, Bytes: 4 << 20}

// A Sink takes the bytes of one direction, in order.
type Sink interface {
	// Data takes the bytes of a segment, or those of it that are new.
	Data(b payload.Bytes)

	// Gap reports that n bytes are missing. Their place in the capture is before that of the next bytes, or
	// at its end.
	Gap(n int64)
}

// A Direction is what one side sends to the other.
type Direction struct {
	*order.Line[segment]
	sink    Sink
	started bool
}

// A segment has bytes, and a number of further ones that were not captured.
type segment struct {
	payload.Bytes
	lost int
}

// Len implements order.Item.
func (s segment) Len() uint32 { return uint32(len(s.Data) + s.lost) }

// Size implements order.Item.
func (s segment) Size() int { return len(s.Data) }

// Clone implements order.Item.
func (s segment) Clone() segment { return segment{s.Bytes.Clone(), s.lost} }

// NewDirection returns a direction of which nothing was seen.
func NewDirection(p *pool.Pool, sink Sink) *Direction {
	d := &Direction{sink: sink}
	d.Line = order.New(p, limits, d.deliver, func(n uint32, _ segment) { sink.Gap(int64(n)) })
	return d
}

// Start begins at a sequence number: that of a SYN plus 1.
func (d *Direction) Start(seq uint32) {
	d.Close()
	d.started, d.Next = true, seq
}

// Started reports whether anything was seen of the direction.
func (d *Direction) Started() bool { return d.started }

// Has reports whether the byte with a sequence number has passed.
func (d *Direction) Has(seq uint32) bool { return d.started && d.HasPassed(seq) }

// Add adds the bytes of a segment; lost is the number of its further bytes that were not captured.
func (d *Direction) Add(seq uint32, b payload.Bytes, lost int, when time.Time) {
	if !d.started {
		d.started, d.Next = true, seq
	}
	if len(b.Data)+lost > 0 {
		d.Line.Add(seq, segment{b, lost}, when)
	}
}

// deliver gives the sink the bytes of a segment that are new.
func (d *Direction) deliver(s segment, old uint32) {
	n := int(old)
	switch {
	case n >= len(s.Data):
	case n > 0:
		d.sink.Data(s.Slice(n, len(s.Data)-n))
	default:
		d.sink.Data(s.Bytes)
	}
	if s.lost > 0 {
		d.sink.Gap(int64(min(s.lost, len(s.Data)+s.lost-n)))
	}
}
