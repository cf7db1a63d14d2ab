package enet

import (
	"time"

	"varview/decoder/capture/payload"
)

// A message is one that is ready, or waits for those before it.
type message struct {
	payload.Bytes
	channel         uint8
	mode            payload.Mode
	sequence, order uint16
	partial         bool
	frame           int // that completed it
	when            time.Time
}

// deliver hands over a message.
func (f *Flow) deliver(fromB bool, m *message) {
	src, dst := f.addresses(fromB)
	f.frames = payload.AppendFrames(f.frames[:0], m.Parts)
	if len(f.frames) == 0 { // it is empty
		f.frames = append(f.frames, m.frame)
	}
	f.out.Payload(&payload.Payload{
		Bytes: m.Data, Parts: m.Parts, Frames: f.frames, Time: m.when, Flow: f.flow, Connection: f.connection, Src: src, Dst: dst,
		Channel: m.channel, Mode: m.mode, Sequence: m.sequence, Order: m.order, Partial: m.partial,
	})
}
