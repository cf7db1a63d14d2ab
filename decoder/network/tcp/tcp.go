// Package tcp puts the segments of a TCP stream in order.
package tcp

import (
	"slices"
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
	sink Sink
}

// A segment has bytes, and a number of further ones that were not captured.
type segment struct {
	payload.Bytes
	lost int
}

// Len implements order.Item.
func (s segment) Len() uint32 { return uint32(len(s.Data) + s.lost) }

// Size implements order.Item.
func (s segment) Size() int { return s.Bytes.Size() }

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
	d.Begun, d.Next = true, seq
}

// Add adds the bytes of a segment; lost is the number of its further bytes that were not captured.
func (d *Direction) Add(seq uint32, b payload.Bytes, lost int, when time.Time) {
	if len(b.Data)+lost > 0 {
		d.Line.Add(seq, segment{b, lost}, when)
	} else if !d.Begun {
		d.Begun, d.Next = true, seq
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

// A Pace follows what one side of a connection sends, and when it is acknowledged.
type Pace struct {
	begun  bool
	top    uint32    // the end of all that was sent
	leap   time.Time // when bytes were last sent behind others that were not
	asked  uint32    // the last acknowledgement
	asking time.Time // when it came
	sent   []sending // that are not acknowledged, in order

	unseen int // number of acknowledgements of what was sent before anything was captured

	again       int       // how often the segment was sent that was sent last
	first, last time.Time // when that was
}

// Repeated returns how often the bytes that were sent last were sent without an acknowledgement, and in what time.
func (p *Pace) Repeated() (n int, over time.Duration) { return p.again, p.last.Sub(p.first) }

// IsUnseen reports whether what was sent is acknowledged, and nothing of it was captured.
func (p *Pace) IsUnseen() bool { return !p.begun && p.unseen > payload.EnoughUnseen }

// A sending is a segment that waits for its acknowledgement.
type sending struct {
	end  uint32
	when time.Time
}

// maxSent is the largest number of segments that wait.
const maxSent = 1 << 10

// A segment that comes after what follows it was repeated if its sender could know that it was lost: it was told so,
// a while before, or it has waited for as long as TCP does at least. Otherwise the network has changed the order.
const (
	lateness = 3 * time.Millisecond
	timeout  = 200 * time.Millisecond
)

// Sends notes a segment of n bytes, and reports whether it repeats what was sent. hasThem says that the bytes were
// captured before; mayProbe that the segment may be a keep-alive, which repeats one byte.
func (p *Pace) Sends(seq uint32, n int, mayProbe, hasThem bool, now time.Time) (repeats bool) {
	end, ahead := seq+uint32(n), int32(seq-p.top)
	if p.last = now; p.begun && n > 0 && end == p.top && !mayProbe {
		p.again++
	} else {
		p.again, p.first = 1, now
	}
	switch {
	case n == 0 || p.begun && mayProbe && ahead == -1:
		return false
	case p.begun && ahead < 0:
		if repeats = p.isRepeat(seq, hasThem, now); repeats { // an acknowledgement may be that of either
			p.sent = slices.DeleteFunc(p.sent, func(s sending) bool { return int32(s.end-seq) > 0 })
		}
	case len(p.sent) < maxSent:
		p.sent = append(p.sent, sending{end, now})
	}
	if p.begun && ahead > 0 {
		p.leap = now
	}
	if !p.begun || int32(end-p.top) > 0 {
		p.top = end
	}
	p.begun = true
	return repeats
}

// isRepeat reports whether a segment before others that were sent repeats what was lost.
func (p *Pace) isRepeat(seq uint32, hasThem bool, now time.Time) bool {
	late, isTold := now.Sub(p.leap), !p.asking.Before(p.leap) && int32(seq-p.asked) >= 0
	return hasThem || late >= timeout || isTold && late >= lateness
}

// Acknowledged returns how long it took until a number was acknowledged; ok is false if no segment ends there, or no time
// has passed.
func (p *Pace) Acknowledged(ack uint32, now time.Time) (trip time.Duration, ok bool) {
	n := 0
	if !p.begun && ack != p.asked {
		p.unseen++
	}
	p.asked, p.asking = ack, now
	if p.begun && int32(ack-p.top) >= 0 {
		p.again = 0
	}
	for ; n < len(p.sent) && int32(ack-p.sent[n].end) >= 0; n++ {
		trip, ok = now.Sub(p.sent[n].when), p.sent[n].end == ack && now.After(p.sent[n].when)
	}
	p.sent = slices.Delete(p.sent, 0, n)
	return trip, ok
}
