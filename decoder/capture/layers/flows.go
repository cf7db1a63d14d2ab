package layers

import (
	"context"
	"io"
	"net/netip"
	"sync"

	"varview/decoder/capture"
	"varview/decoder/capture/enet"
	"varview/decoder/capture/link"
	"varview/decoder/capture/payload"
	"varview/decoder/source"
	"varview/decoder/span"
)

// lookedAt is the number of bytes of a file by which is known which flows carry ENet. Later
// flows are recognised by each packet.
const lookedAt = 8 << 20

// flows knows which flows carry ENet. It finds out when that is first asked.
type flows struct {
	src    source.Source
	region span.Span

	once     sync.Once
	known    map[[2]netip.AddrPort]bool // by source and destination; the value is whether there are checksums
	unpacker sync.Pool
}

// enet reports whether a datagram is one of ENet, and whether it has a checksum.
func (f *flows) enet(p *link.Packet, h link.UDPHeader, b []byte) (isENet, checksum bool) {
	f.once.Do(f.look)
	src, dst := netip.AddrPortFrom(p.Src, h.Src), netip.AddrPortFrom(p.Dst, h.Dst)
	if checksum, ok := f.known[[2]netip.AddrPort{src, dst}]; ok {
		return true, checksum
	}
	u, _ := f.unpacker.Get().(*enet.Unpacker)
	if u == nil {
		u = new(enet.Unpacker)
	}
	defer f.unpacker.Put(u)
	certainty, checksum := u.Recognize(b)
	return certainty == enet.Sure, checksum
}

// look reads the beginning of the file.
func (f *flows) look() {
	f.known = map[[2]netip.AddrPort]bool{}
	in := io.NewSectionReader(f.src, f.region.Offset, min(f.region.Length, lookedAt))
	_, _ = capture.Read(context.Background(), in, capture.Options{}, (*looker)(f)) // what cannot be read is reported where it is
}

// looker takes what the beginning of the file holds.
type looker flows

// Payload implements payload.Handler.
func (l *looker) Payload(p *payload.Payload) {
	if p.Flow.Transport == payload.ENet {
		l.known[[2]netip.AddrPort{p.Flow.A, p.Flow.B}] = p.Flow.Checksum
		l.known[[2]netip.AddrPort{p.Flow.B, p.Flow.A}] = p.Flow.Checksum
	}
}

// Event implements payload.Handler.
func (l *looker) Event(*payload.Event) {}

// Problem implements payload.Handler.
func (l *looker) Problem(*payload.Problem) {}
