package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"varview/decoder/capture/link"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
)

var (
	errFragment = errors.New("it came in IP fragments that cannot be changed: of TCP, of a message that ENet has divided too, or that overlap")
	errNotFound = errors.New("it is not found there again")
)

// changed returns the data of a packet with changed messages of UDP.
func changed(p *pcap.Packet, changes []change) ([]byte, error) {
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	if h.IsFragment {
		return nil, errFragment
	}
	data := bytes.Clone(p.Data)
	if isInPlace(changes) {
		for _, c := range changes {
			at := c.part.At.Offset - p.At.Offset
			if at < 0 || at+c.part.At.Length > int64(len(data)) {
				return nil, errNotFound
			}
			copy(data[at:], c.new)
		}
	} else {
		var err error
		if data, err = withDatagram(data, &h, changes); err != nil {
			return nil, err
		}
	}
	fixSums(p.Data, data, &h)
	return data, nil
}

// isInPlace reports whether the changed bytes overwrite the old ones.
func isInPlace(changes []change) bool {
	return !slices.ContainsFunc(changes, func(c change) bool {
		return c.rebuilt || c.part.Form == payload.Unpacked || c.payload.Flow.Checksum
	})
}

// content returns the content of the UDP datagram in a packet; nil if it is incomplete.
func content(data []byte, h *link.Packet) []byte {
	udp, ok := link.ParseUDP(data[min(h.Start, len(data)):])
	if !ok || h.Protocol != link.ProtoUDP || h.Missing > 0 || udp.Length < link.UDPSize || h.Start+udp.Length > len(data) {
		return nil
	}
	return data[h.Start+link.UDPSize : h.Start+udp.Length]
}

// withDatagram returns a packet with another UDP datagram, and the lengths around it.
func withDatagram(data []byte, h *link.Packet, changes []change) ([]byte, error) {
	was := content(data, h)
	if was == nil {
		return nil, errNotFound
	}
	is := changes[0].new
	if changes[0].payload.Flow.Transport == payload.ENet {
		var err error
		if is, err = datagram(was, changes); err != nil {
			return nil, err
		}
	}
	start, by := h.Start+link.UDPSize, len(is)-len(was)
	if len(is) > math.MaxUint16-100 {
		return nil, errors.New("its datagram would be larger than UDP allows")
	}
	whole := append(append(bytes.Clone(data[:start]), is...), data[start+len(was):]...)
	binary.BigEndian.PutUint16(whole[h.Start+4:], uint16(link.UDPSize+len(is)))
	addLength(whole, h, by)
	return whole, nil
}

// addLength adds to the lengths of IP.
func addLength(b []byte, h *link.Packet, by int) {
	for _, x := range h.Headers() {
		switch x.Layer {
		case link.IPv4:
			add16(b[x.Start+2:], by)
		case link.IPv6:
			add16(b[x.Start+4:], by)
		}
	}
}

// add16 adds to a big-endian length, unless it is 0: the network card set it later.
func add16(b []byte, by int) {
	if n := binary.BigEndian.Uint16(b); n > 0 {
		binary.BigEndian.PutUint16(b, uint16(int(n)+by))
	}
}
