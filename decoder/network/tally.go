package network

import (
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// A tally counts packets that have something in common, and knows the first of them.
type tally struct {
	n     int
	first payload.Part
}

func (t *tally) add(at payload.Part) {
	if t.n++; t.n == 1 {
		t.first = at
	}
}

// whole returns a packet as a part of the capture.
func whole(p *pcap.Packet) payload.Part {
	return payload.Part{At: p.At, Frame: p.Frame, Time: p.Time, Length: p.At.Length}
}

// report reports a problem at the first packet.
func (t *tally) report(e *Engine, code string, severity span.Severity, message string) {
	e.problem(t.first.Frame, payload.Bytes{Parts: []payload.Part{t.first}}, code, severity, message)
}

// reportTallies reports what was counted in the whole capture.
func (e *Engine) reportTallies() {
	if c := &e.parts; c.n > 0 {
		c.report(e, payload.CapturedInPart, span.Error,
			fmt.Sprintf("%s captured only in part, at most %d of %d bytes (snaplen): capture whole packets, as \"tcpdump -s 0\" does", were(c.n, "packet"), c.captured, c.wire))
	}
	if d := &e.doubles; d.areMany() {
		d.report(e, payload.CapturedTwice, span.Warning,
			fmt.Sprintf("%d of %d packets are in the capture twice, as on two interfaces (any, a bridge): messages over UDP are listed twice; capture on one interface", d.n, d.packets))
	}
	if s := &e.secret; s.n > 0 {
		e.isOther = true
		s.report(e, payload.Encrypted, span.Note,
			fmt.Sprintf("%s encrypted (802.11, WPA), and cannot be read: capture on one of the computers, where they are not", were(s.n, "frame")))
	}
}

// were returns a counted noun with its verb.
func were(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " was"
	}
	return fmt.Sprintf("%d %ss were", n, noun)
}

// parts are the packets that were captured in part.
type parts struct {
	tally
	captured, wire int // bytes of the largest of them
}

func (c *parts) count(p *pcap.Packet) {
	c.add(whole(p))
	if p.Wire > c.wire {
		c.captured, c.wire = len(p.Data), p.Wire
	}
}

// doubles are the packets that are in the capture for the second time.
type doubles struct {
	tally
	packets int  // number of all
	isOne   bool // the current packet is one
	recent  [8]captured
}

// A captured is the hash of a packet's content, and when it was captured.
type captured struct {
	hash uint64
	when time.Time
}

const (
	mostApart     = 2 * time.Millisecond // between a packet and its double
	enoughDoubles = 8
)

var doubleSeed = maphash.MakeSeed()

// count finds out whether a packet has the content, and the number in the IP header, of one shortly before. Without such a
// number its sender may have repeated it.
func (d *doubles) count(p *pcap.Packet, h *link.Packet) {
	if d.isOne = false; h.ID == 0 {
		return
	}
	const addresses = 8 // bytes at the end of the IPv4 header
	is := captured{maphash.Bytes(doubleSeed, p.Data[max(0, h.Start-addresses):h.End]) ^ uint64(h.ID)<<32, p.Time}
	d.isOne = !p.Time.IsZero() && slices.ContainsFunc(d.recent[:], func(c captured) bool {
		return c.hash == is.hash && is.when.Sub(c.when).Abs() <= mostApart
	})
	if d.isOne {
		d.add(whole(p))
	}
	d.recent[d.packets%len(d.recent)] = is
	d.packets++
}

// areMany reports whether so many packets are doubles that neither the sender nor the network has repeated them.
func (d *doubles) areMany() bool { return d.n >= enoughDoubles && 3*d.n >= d.packets }

// sums are the packets of a flow with checksums that do not fit.
type sums struct {
	tally
	packets int // number of all
}

// maxSummed is the largest number of flows whose checksums are reported.
const maxSummed = 100

// check checks the checksums of the current packet: of IPv4, and of a UDP datagram or TCP segment b.
// missing is the number of its further bytes that were not captured. A wrong checksum changes nothing: where packets are
// captured before they are sent, the network card sets it later.
func (f *flow) check(b payload.Bytes, missing int) {
	f.sums.packets++
	e := f.engine
	wrong := payload.Part{}
	for _, h := range e.headers.Headers() {
		if h.Layer == link.IPv4 && !link.HeaderHolds(e.packet.Data[h.Start:h.End]) {
			wrong = payload.Part{At: span.Span{Offset: e.packet.At.Offset + int64(h.Start) + 10, Length: 2}, Length: 2, Frame: e.packet.Frame}
		}
	}
	if missing == 0 && link.CheckSum(b.Data, e.headers.Protocol, e.headers.Src, e.headers.Dst) == link.Wrong {
		wrong = b.Slice(link.SumAt(e.headers.Protocol), 2).Parts[0]
	}
	if wrong.Length > 0 {
		f.sums.add(wrong)
	}
}

// reportSums reports how many checksums of the flow are wrong.
func (f *flow) reportSums() {
	e := f.engine
	if f.sums.n == 0 || e.summed == maxSummed {
		return
	}
	message := fmt.Sprintf("the checksums of %s in %d of this flow are wrong, first in this one: receivers drop them, unless they were captured before they were sent",
		span.Counted(int64(f.sums.n), "packet"), f.sums.packets)
	if e.summed++; e.summed == maxSummed {
		message += "; those of more flows are not reported"
	}
	f.sums.report(e, payload.WrongSum, span.Note, message)
}
