package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"varview/decoder/capture/enet"
	"varview/decoder/capture/link"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
)

var (
	errFragment = errors.New("its datagram came in IP fragments, which are not written again")
	errNotFound = errors.New("it is not found there again: a datagram with a checksum of ENet is not written again")
	errTooLarge = errors.New("its datagram would have more bytes than ENet accepts, 4,096")
)

// changed returns the data of a packet with changed messages.
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
			if at < 0 || at+int64(len(c.new)) > int64(len(data)) {
				return nil, errNotFound
			}
			for i, b := range c.new {
				if c.part.Form == payload.Masked {
					b ^= c.part.Mask[i&3]
				}
				data[at+int64(i)] = b
			}
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

// isInPlace reports whether changed bytes are written over the old ones.
func isInPlace(changes []change) bool {
	return !slices.ContainsFunc(changes, func(c change) bool { return c.resized || c.part.Form == payload.Unpacked })
}

// withDatagram returns a packet with another UDP datagram, and the lengths around it.
func withDatagram(data []byte, h *link.Packet, changes []change) ([]byte, error) {
	start := h.Start + link.UDPSize
	udp, ok := link.ParseUDP(data[min(h.Start, len(data)):])
	if !ok || h.Protocol != link.ProtoUDP || h.Missing > 0 || udp.Length < link.UDPSize || h.Start+udp.Length > len(data) {
		return nil, errNotFound
	}
	end := h.Start + udp.Length
	is, err := datagram(data[start:end], changes)
	if err != nil {
		return nil, err
	}
	by := len(is) - (end - start)
	if udp.Length+by > math.MaxUint16-60 {
		return nil, errors.New("its datagram would be larger than UDP allows")
	}
	whole := append(append(bytes.Clone(data[:start]), is...), data[end:]...)
	binary.BigEndian.PutUint16(whole[h.Start+4:], uint16(udp.Length+by))
	for _, x := range h.Headers() {
		switch x.Layer {
		case link.IPv4:
			add16(whole[x.Start+2:], by)
		case link.IPv6:
			add16(whole[x.Start+4:], by)
		}
	}
	return whole, nil
}

// add16 adds to a big-endian length, unless it is 0: the network card has set it later.
func add16(b []byte, by int) {
	if n := binary.BigEndian.Uint16(b); n > 0 {
		binary.BigEndian.PutUint16(b, uint16(int(n)+by))
	}
}

// mostOfENet is the largest datagram that ENet accepts.
const mostOfENet = 4096

// datagram returns the content of a datagram with changed messages. Commands of ENet that
// were packed are written as they are: a receiver takes both.
func datagram(b []byte, changes []change) ([]byte, error) {
	if changes[0].payload.Flow.Transport == payload.UDP {
		return changes[0].new, nil
	}
	var u enet.Unpacker
	defer u.Close()
	var d enet.Datagram
	if !u.Parse(&d, b, 0, false) || d.Damage != nil {
		return nil, errNotFound
	}
	is := bytes.Clone(b[:d.Header])
	if d.Packing != enet.NotPacked {
		is[0] &^= 0x40
	}
	left := slices.Clone(changes)
	for i := range d.List {
		c := &d.List[i]
		data := d.Commands[c.Data:c.End()]
		at := slices.IndexFunc(left, func(x change) bool { return x.payload.Channel == c.Channel && bytes.Equal(x.old, data) })
		body := bytes.Clone(c.Body)
		if length := enet.Kinds[c.Number].Length; at >= 0 && length > 0 {
			data = left[at].new
			binary.BigEndian.PutUint16(body[length:], uint16(len(data)))
			if c.Number == enet.SendFragment || c.Number == enet.SendUnreliablePart {
				binary.BigEndian.PutUint32(body[fragmentTotal:], uint32(left[at].total))
			}
			left = slices.Delete(left, at, at+1)
		}
		is = append(append(is, body...), data...)
	}
	switch {
	case len(left) > 0:
		return nil, errNotFound
	case len(is) > mostOfENet && len(is) > len(b):
		return nil, errTooLarge
	}
	return is, nil
}

// fragmentTotal is where a fragment has the length of the whole message.
const fragmentTotal = 16
