package tcp

import (
	"slices"
	"time"

	"varview/decoder/network/payload"
)

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

// Acknowledged returns how long it took until a number was acknowledged; ok is false if no segment ends there.
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
		trip, ok = now.Sub(p.sent[n].when), p.sent[n].end == ack && !now.IsZero()
	}
	p.sent = slices.Delete(p.sent, 0, n)
	return trip, ok
}
