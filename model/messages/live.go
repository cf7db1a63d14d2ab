package messages

import (
	"net/netip"

	"varview/decoder/network"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// A Live reads the messages of packets that are given to it one at a time.
type Live struct {
	*Reader
	engine *network.Engine
}

// NewLive returns a reader of packets.
func NewLive(o Options, each Each) *Live {
	r := NewReader(o, each)
	return &Live{Reader: r, engine: network.NewEngine(network.Options{Flows: o.Transports}, r)}
}

// Packet reads a packet. Messages may be held back until more is known about their flow.
func (l *Live) Packet(p *pcap.Packet) { l.engine.Packet(p) }

// Transport returns what transport a TCP flow between two addresses carries, as far as that is known.
func (l *Live) Transport(a, b netip.AddrPort) payload.Transport {
	return l.engine.Transport(link.ProtoTCP, a, b)
}

// Close hands over what is left and ends the reading.
func (l *Live) Close() {
	l.engine.Close()
	l.Flush()
}
