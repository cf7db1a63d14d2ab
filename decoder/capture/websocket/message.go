package websocket

import (
	"varview/decoder/capture/payload"
	"varview/decoder/span"
)

// finish hands over the message.
func (r *Reader) finish() {
	b := r.message
	switch {
	case r.partial && len(b.Data) == 0: // it was given up
	case r.partial && r.packed:
		r.out.Problem(b, span.Unreadable, "a compressed WebSocket message of which bytes are missing")
	case r.packed:
		if plain, ok := r.unpack(b); ok {
			r.out.Message(plain, r.text, false)
		}
	default:
		r.out.Message(b, r.text, r.partial)
	}
	r.drop()
}

// Unit returns the frame at work.
func (r *Reader) Unit() payload.Unit {
	return payload.Unit{Head: r.head, Size: int(r.frame.length), Before: r.before, Alone: r.session.fresh[r.side()]}
}

// side returns the number of the side in a Session.
func (r *Reader) side() int {
	if r.isServer {
		return 1
	}
	return 0
}

// unpack unpacks a message.
func (r *Reader) unpack(b payload.Bytes) (plain payload.Bytes, ok bool) {
	data, err := r.inflater.unpack(b.Data, r.session.fresh[r.side()])
	if err != nil {
		r.out.Problem(b, span.Unreadable, "a WebSocket message does not unpack: "+err.Error())
		return plain, false
	}
	plain = payload.Bytes{Data: data, Parts: append([]payload.Part(nil), b.Parts...)}
	for i := range plain.Parts {
		p := &plain.Parts[i]
		p.Form, p.Mask, p.Length = payload.Unpacked, [4]byte{}, 0
	}
	if len(plain.Parts) > 0 {
		plain.Parts[0].Length = int64(len(data))
	}
	return plain, true
}
