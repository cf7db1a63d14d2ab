// Package messages reads the messages of a capture.
package messages

import (
	"context"
	"io"
	"net/netip"

	"varview/decoder/network"
	"varview/decoder/network/link"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/model/search"
)

// ParseQuery reads a query about messages.
func ParseQuery(s string) (search.Query, error) {
	return search.ParseRecordQuery(s, message.TextNames)
}

// CheckQuery returns an error if a query about values is wrong for every file. It accepts the prefixes
// that only captures have.
func CheckQuery(s string) error {
	_, err := search.ParseValueQuery(s, message.ValueTextNames())
	return err
}

// Options says how a capture is read.
type Options struct {
	multiplayer.Options
	Transports map[int]payload.Transport // transports by number of the flow; for other flows they are detected
}

// Each holds the functions that are called with what is found, in order. Any may be nil.
type Each struct {
	Message func(*message.Message)
	Problem func(*payload.Problem) // about a packet, or the file
	Packet  func(*pcap.Packet)     // called before the messages that the packet completes
	Flow    func(*payload.Flow)    // called when a flow begins, which counts what is sent
}

// A Reader reads messages. It holds back those of a flow until it knows what the flow carries.
type Reader struct {
	*multiplayer.Reader
	options Options
	each    Each
}

// NewReader returns a reader that has read nothing.
func NewReader(o Options, each Each) *Reader {
	return &Reader{multiplayer.New(o.Options, handler{each}), o, each}
}

// Read reads the messages of a capture, which may be compressed.
func (r *Reader) Read(ctx context.Context, in io.Reader) (network.Summary, error) {
	summary, err := network.Read(ctx, in, network.Options{Flows: r.options.Transports, Packet: r.each.Packet, Flow: r.each.Flow}, r.Reader)
	r.Flush()
	return summary, err
}

// handler calls the functions of Each.
type handler struct{ Each }

// Message implements multiplayer.Handler.
func (h handler) Message(m *message.Message) {
	if h.Each.Message != nil {
		h.Each.Message(m)
	}
}

// Problem implements multiplayer.Handler.
func (h handler) Problem(p *payload.Problem) {
	if h.Each.Problem != nil {
		h.Each.Problem(p)
	}
}

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
