package message

import (
	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

// Located returns a problem of the message as one of the capture: its span is where the
// bytes are in the file, or the packed bytes that they were unpacked from.
func (m *Message) Located(p span.Problem) payload.Problem {
	data := payload.Bytes{Data: m.Payload.Bytes, Parts: m.Payload.Parts}
	at := p.Span
	p.Span = data.At(int(at.Offset), int(at.Length))
	return payload.Problem{Problem: p, Frame: m.frameOf(at.Offset), Flow: m.Payload.Flow}
}

// frameOf returns the number of the packet with a byte of the payload.
func (m *Message) frameOf(at int64) int {
	for _, p := range m.Payload.Parts {
		if at -= p.Length; at < 0 {
			return p.Frame
		}
	}
	return m.Payload.Frame()
}
