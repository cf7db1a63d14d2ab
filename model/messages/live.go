package messages

import (
	"net/netip"

	"varview/decoder/capture"
	"varview/decoder/capture/link"
	"varview/decoder/capture/multiplayer"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
)

// A Live reads the messages of packets that are given to it one by one.
type Live struct {
	engine *capture.Engine
	reader *multiplayer.Reader
}

// NewLive returns a reader of packets.
func NewLive(o Options, each Each) *Live {
	r := multiplayer.New(multiplayer.Options{Protocols: o.Protocols, Double: o.Double}, handler{each})
	return &Live{engine: capture.NewEngine(capture.Options{Flows: o.Transports}, r), reader: r}
}

// Packet reads a packet. Messages may be held back until more of their flow is known.
func (l *Live) Packet(p *pcap.Packet) { l.engine.Packet(p) }

// Transport returns what a flow of TCP carries between two addresses, as far as that is known.
func (l *Live) Transport(a, b netip.AddrPort) payload.Transport {
	return l.engine.Transport(link.ProtoTCP, a, b)
}

// Flush hands over the messages that are held back.
func (l *Live) Flush() { l.reader.Flush() }

// Close hands over what is left, and ends the reading.
func (l *Live) Close() {
	l.engine.Close()
	l.reader.Flush()
}
