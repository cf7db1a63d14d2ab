package capture

import (
	"encoding/binary"

	"varview/decoder/capture/link"
)

// fixSums puts the checksums of a changed packet right that held before. Others stay as they
// are: those of packets captured where they were sent are often not set yet.
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
	if link.CheckSum(old[h.Start:end], h.Protocol, h.Src, h.Dst) == link.Holds {
		link.SetSum(is[h.Start:end+len(is)-len(old)], h.Protocol, h.Src, h.Dst)
	}
}
