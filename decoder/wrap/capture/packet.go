package capture

import (
	"bytes"
	"encoding/binary"
	"errors"

	"varview/decoder/network/enet"
	"varview/decoder/network/link"
	"varview/decoder/network/pcap"
)

var (
	errFragment = errors.New("it came in IP fragments, which cannot be changed")
	errPacked   = errors.New("it is compressed in its packet, and would have another size there: its length is fixed by its packet")
	errHashed   = errors.New("the capture has a hash of it, which would no longer fit")
	errFound    = errors.New("it is no longer found there: the file has changed")
)

// changed returns the bytes of a packet after changes, with checksums that fit if they did before.
func changed(p *pcap.Packet, patches []patch) ([]byte, error) {
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	data := bytes.Clone(p.Data)
	for _, x := range patches {
		at := x.at - p.At.Offset
		switch {
		case p.Hashed:
			return nil, errHashed
		case h.IsFragment:
			return nil, errFragment
		case at < 0 || at+int64(len(x.is)) > int64(len(data)):
			return nil, errFound
		}
		copy(data[at:], x.is)
	}
	if patches[0].checksum {
		fixENet(p.Data, data, &h)
	}
	fixSums(p.Data, data, &h)
	return data, nil
}

// fixENet sets the checksum of ENet in a changed packet. It includes a number of the connection, which the old checksum shows.
func fixENet(old, is []byte, h *link.Packet) {
	udp, ok := link.ParseUDP(old[min(h.Start, len(old)):])
	start, end := h.Start+link.UDPSize, h.Start+udp.Length
	if !ok || h.Missing > 0 || udp.Length < link.UDPSize || end > len(old) {
		return
	}
	var u enet.Unpacker
	defer u.Close()
	var d enet.Datagram
	if u.Parse(&d, old[start:end], 0, true) && d.Damage == nil {
		sum := start + d.Header - 4
		binary.BigEndian.PutUint32(is[sum:], enet.Checksum(is[start:sum], d.ChecksumID(old[start:end]), is[sum+4:end]))
	}
}

// fixSums corrects those checksums of a changed packet that fitted before. Packets captured at their sender
// often have checksums that are not set yet; these and wrong ones stay as they are.
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
	end := h.SegmentEnd(old)
	whole := is[h.Start:end]
	if link.CheckSum(old[h.Start:end], h.Protocol, h.Src, h.Dst) == link.Holds {
		link.SetSum(whole, h.Protocol, h.Src, h.Dst)
	}
}
