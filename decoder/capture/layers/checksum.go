package layers

import (
	"encoding/binary"
	"fmt"

	"varview/decoder/capture/link"
)

// explainSum says of a checksum that does not hold which one would.
func (x *builder) explainSum(l link.Layer, n *node) {
	is := binary.BigEndian.Uint16(x.bytes[n.start:])
	if l == link.IPv4 {
		h := x.bytes[n.start-10:]
		if h = h[:int(h[0]&15)*4]; !link.HeaderHolds(h) {
			n.says = wrongSum(is, link.Sum(append(append(append([]byte{}, h[:10]...), 0, 0), h[12:]...)))
		}
		return
	}
	p := x.around
	at := n.start - link.SumAt(p.Protocol)
	end := at + p.End - p.Start
	if l == link.UDP {
		if u, _ := link.ParseUDP(x.bytes[at:]); u.Length >= link.UDPSize && at+u.Length <= end {
			end = at + u.Length
		}
	}
	if p.Missing > 0 || end > len(x.bytes) {
		return
	}
	b := x.bytes[at:end]
	switch link.CheckSum(b, p.Protocol, p.Src, p.Dst) {
	case link.Pending:
		n.says = fmt.Sprintf("%#x, left to the network card", is)
	case link.Wrong:
		right := append([]byte{}, b...)
		link.SetSum(right, p.Protocol, p.Src, p.Dst)
		n.says = wrongSum(is, binary.BigEndian.Uint16(right[n.start-at:]))
	}
}

func wrongSum(is, right uint16) string {
	return fmt.Sprintf("%#x, which is wrong: it should be %#x", is, right)
}
