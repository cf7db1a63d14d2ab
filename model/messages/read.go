// Package messages reads the messages of a capture.
package messages

import (
	"context"
	"io"

	"varview/decoder/network"
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

// Each holds the functions that are called with what is found, in order. Packet and Flow may be nil.
type Each struct {
	Message func(*message.Message)
	Problem func(*payload.Problem) // about a packet, or the file
	Packet  func(*pcap.Packet)     // called before the messages that the packet completes
	Flow    func(*payload.Flow)    // called when a flow begins, which counts what is sent
}

// A Reader reads messages. It holds back those of a flow until it knows what the flow carries.
type Reader struct {
	*multiplayer.Reader
	options network.Options
}

// NewReader returns a reader that has read nothing.
func NewReader(o Options, each Each) *Reader {
	return &Reader{multiplayer.New(o.Options, multiplayer.Handler{Message: each.Message, Problem: each.Problem}),
		network.Options{Flows: o.Transports, Packet: each.Packet, Flow: each.Flow}}
}

// Read reads the messages of a capture, which may be compressed.
func (r *Reader) Read(ctx context.Context, in io.Reader) (network.Summary, error) {
	summary, err := network.Read(ctx, in, r.options, r.Reader)
	r.Flush()
	return summary, err
}

// Engine returns an engine that is given packets one at a time. What is left once it is closed, Flush hands over.
func (r *Reader) Engine() *network.Engine { return network.NewEngine(r.options, r.Reader) }
