// Package tcp puts the segments of a TCP stream in order.
package tcp

import (
	"time"

	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

// Limits after which missing bytes are given up: segments, bytes and time that wait for them.
const (
	maxWaiting      = 256
	maxWaitingBytes = 4 << 20
	maxWait         = 20 * time.Second

	overhead = 200 // bytes of memory that a waiting segment takes besides its own
)

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
	pool    *pool.Pool
	sink    Sink
	started bool
	next    uint32    // sequence number of the next byte
	waiting []segment // segments after missing bytes, by sequence number
	bytes   int       // number of bytes that wait
	item    pool.Item

	busy    bool // the sink may be running, so waiting must not change
	evicted bool // the pool needs the memory as soon as busy is false
}

type segment struct {
	seq  uint32
	when time.Time
	lost int // number of bytes after Data that were not captured
	payload.Bytes
}

// NewDirection returns a direction of which nothing was seen.
func NewDirection(p *pool.Pool, sink Sink) *Direction {
	return &Direction{pool: p, sink: sink}
}

// Start begins at a sequence number: that of a SYN plus 1.
func (d *Direction) Start(seq uint32) {
	d.Close()
	d.started, d.next = true, seq
}

// Started reports whether anything was seen of the direction.
func (d *Direction) Started() bool { return d.started }

// Has reports whether the byte with a sequence number has passed.
func (d *Direction) Has(seq uint32) bool { return d.started && int32(seq-d.next) < 0 }

// Add adds the bytes of a segment; lost is the number of its further bytes that were not captured.
func (d *Direction) Add(seq uint32, b payload.Bytes, lost int, when time.Time) {
	if !d.started {
		d.started, d.next = true, seq
	}
	if len(b.Data)+lost == 0 {
		return
	}
	s := segment{seq: seq, when: when, lost: lost, Bytes: b}
	if ahead := int32(seq - d.next); ahead > 0 {
		d.wait(s)
		return
	}
	if int32(s.end()-d.next) <= 0 {
		return
	}
	d.busy = true
	d.deliver(s)
	d.flush()
	d.rest()
}

// rest ends the sink's turn, and makes up for an eviction during it.
func (d *Direction) rest() {
	d.busy = false
	if d.evicted {
		d.evicted = false
		d.Close()
	}
}

// evict gives up missing bytes because the pool needs the memory.
func (d *Direction) evict() {
	if d.busy {
		d.evicted = true
		return
	}
	d.Close()
}

func (s *segment) end() uint32 { return s.seq + uint32(len(s.Data)+s.lost) }

// deliver gives the sink the bytes of a segment that begins at or before next.
func (d *Direction) deliver(s segment) {
	old := int(d.next - s.seq)
	d.next = s.end()
	if old < len(s.Data) {
		b := s.Bytes
		if old > 0 {
			b = s.Slice(old, len(s.Data)-old)
		}
		d.sink.Data(b)
	}
	if s.lost > 0 {
		d.sink.Gap(int64(min(s.lost, len(s.Data)+s.lost-old)))
	}
}

// wait keeps a segment until the bytes before it are there, unless all of it already waits.
func (d *Direction) wait(s segment) {
	i := len(d.waiting)
	for i > 0 && int32(d.waiting[i-1].seq-s.seq) > 0 {
		i--
	}
	for j := range i {
		if int32(d.waiting[j].end()-s.end()) >= 0 {
			return
		}
	}
	s.Bytes = s.Clone()
	d.waiting = append(d.waiting, segment{})
	copy(d.waiting[i+1:], d.waiting[i:])
	d.waiting[i] = s
	d.bytes += len(s.Data)
	d.pool.Grow(&d.item, int64(len(s.Data)+overhead), d.evict)
	if len(d.waiting) > maxWaiting || d.bytes > maxWaitingBytes {
		d.giveUp()
	}
}

// Tick gives up bytes that have been missing for too long.
func (d *Direction) Tick(now time.Time) {
	if len(d.waiting) > 0 && now.Sub(d.waiting[0].when) > maxWait {
		d.giveUp()
	}
}

// flush delivers the segments that no longer wait for missing bytes.
func (d *Direction) flush() {
	if len(d.waiting) == 0 {
		return
	}
	n := 0
	for n < len(d.waiting) && int32(d.waiting[n].seq-d.next) <= 0 {
		s := d.waiting[n]
		n++
		d.bytes -= len(s.Data)
		if int32(s.end()-d.next) > 0 {
			d.deliver(s)
		}
	}
	d.waiting = append(d.waiting[:0], d.waiting[n:]...)
	if len(d.waiting) == 0 {
		d.waiting, d.bytes = nil, 0
		d.item.Free()
	}
}

// giveUp skips the missing bytes before the first segment that waits.
func (d *Direction) giveUp() {
	if len(d.waiting) == 0 || d.busy {
		return
	}
	d.busy = true
	d.sink.Gap(int64(int32(d.waiting[0].seq - d.next)))
	d.next = d.waiting[0].seq
	d.flush()
	d.rest()
}

// Close gives up all missing bytes.
func (d *Direction) Close() {
	for len(d.waiting) > 0 && !d.busy {
		d.giveUp()
	}
}
