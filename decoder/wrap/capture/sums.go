package capture

import (
	"encoding/binary"

	"varview/decoder/capture/link"
)

// fixSums corrects the checksums of a changed packet that were right before. Those of packets
// captured at their sender are often not set yet, and stay so; wrong ones stay as they are.
func fixSums(old, is []byte, h *link.Packet) {
	for _, x := range h.Headers() {
		if x.Layer == link.IPv4 && link.Sum(old[x.Start:x.End]) == 0 {
			binary.BigEndian.PutUint16(is[x.Start+10:], 0)
			binary.BigEndian.PutUint16(is[x.Start+10:], link.Sum(is[x.Start:x.End]))
		}
	}
	if h.Missing > 0 || h.End > len(old) || h.IsFragment {
		return
	}
	end := h.End
	if udp, ok := link.ParseUDP(old[h.Start:end]); ok && h.Protocol == link.ProtoUDP && udp.Length >= link.UDPSize {
		end = min(end, h.Start+udp.Length) // IP may hold more
	}
	whole := is[h.Start : end+len(is)-len(old)]
	switch link.CheckSum(old[h.Start:end], h.Protocol, h.Src, h.Dst) {
	case link.Holds:
		link.SetSum(whole, h.Protocol, h.Src, h.Dst)
	case link.Pending:
		link.SetPending(whole, h.Protocol, h.Src, h.Dst)
	}
}
