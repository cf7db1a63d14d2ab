package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"varview/decoder/engine/span"
	"varview/decoder/network"
	"varview/decoder/network/buffer"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/pcap"
	"varview/decoder/wrap/layer"
)

// A packer writes a capture again after values of messages were changed.
type packer struct {
	cut    bool  // the payload does not contain all messages
	packed bool  // the file itself is compressed
	size   int64 // size of the unpacked capture
	limit  int64 // largest number of bytes unpacked to a temporary file

	options multiplayer.Options // options with which the capture was read
}

// CanRewrap implements layer.Packer.
func (p *packer) CanRewrap() error {
	switch {
	case p.cut:
		return layer.ErrCut
	case p.packed && p.size > p.limit:
		return errTooMuch
	}
	return nil
}

var errTooMuch = errors.New("it unpacks to more bytes than --max-unpacked allows, and has to be unpacked to be saved")

// Rewrap implements layer.Packer. The capture is read again to find the places of the changes. Only the
// changed packets are rewritten, and the later TCP segments whose sequence numbers change.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	f := &rewriter{w: w, out: out}
	if p.packed {
		end, err := f.unpack(p.limit)
		if err != nil {
			return 0, err
		}
		defer end()
	}
	c := &comparer{plain: w.Reader(), changes: map[int][]change{}, moves: map[int][]move{}, loose: map[sender]bool{}}
	if _, err := io.CopyN(io.Discard, c.plain, buffer.HeaderSize); err != nil {
		return 0, layer.Lacking(err)
	}
	if _, err := read(w.Ctx, f.in(), network.Options{}, p.options, c); err != nil || c.err != nil {
		return 0, errors.Join(err, c.err)
	}
	f.lengths = f.sections()
	if err := f.packets(c); err != nil {
		return 0, err
	}
	if err := f.keep(f.w.Region.End()); err != nil {
		return 0, err
	}
	if f.pack != nil {
		if err := f.pack.Close(); err != nil {
			return 0, err
		}
	}
	return out.Finish()
}

// A rewriter writes a capture with changed packets.
type rewriter struct {
	w    *layer.Rewrapping // rewrapping of the capture, which is not compressed
	out  io.Writer
	pack io.Closer // compresses what is written to out; nil if that is not compressed
	at   int64     // offset in the source; everything before it has been written

	lengths []span.Span // length fields of sections that are not written yet
}

// in returns the capture from its start.
func (f *rewriter) in() io.Reader {
	f.at = f.w.Region.Offset
	return io.NewSectionReader(f.w.Source, f.w.Region.Offset, f.w.Region.Length)
}

// each calls do for the packets up to the last changed one.
func (f *rewriter) each(do func(*pcap.Packet) error) error {
	r := pcap.NewReader(f.in(), func(int, span.Problem) {})
	if ok, err := r.Open(); !ok || err != nil {
		return err
	}
	for {
		p, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err = errors.Join(err, f.w.Ctx.Err()); err != nil {
			return err
		}
		if err := do(&p); err != nil {
			return fmt.Errorf("packet %d: %w", p.Frame, err)
		}
	}
}

// packets writes all packets up to the last changed one.
func (f *rewriter) packets(c *comparer) error {
	tcp, err := f.locate(c)
	if err != nil {
		return err
	}
	tcp.restart()
	left := len(c.changes)
	resent := again{}
	err = f.each(func(p *pcap.Packet) error {
		list := resent.find(p)
		if own := c.changes[p.Frame]; len(own) > 0 {
			left--
			resent.note(p, own)
			list = append(list, own...)
		}
		if len(list) > 0 {
			data, err := changed(p, list)
			if err != nil {
				return fmt.Errorf("message %d: %w", list[0].number, err)
			}
			return f.packet(p, data)
		}
		s, err := tcp.segment(p)
		if s == nil || err != nil {
			return err
		}
		data, err := s.rewritten(p)
		if err != nil {
			return err
		}
		return f.packet(p, data)
	})
	if err == nil && left > 0 {
		err = errChanged
	}
	return err
}

var errChanged = errors.New("the file has changed")

// locate returns the TCP connections in which something has changed, with the places of the
// changes in their streams.
func (f *rewriter) locate(c *comparer) (*connections, error) {
	tcp := newConnections()
	for _, list := range c.moves {
		for _, m := range list {
			tcp.watch(m.payload.Src, m.payload.Dst)
		}
	}
	left := len(c.moves)
	if left == 0 {
		return tcp, nil
	}
	err := f.each(func(p *pcap.Packet) error {
		s, err := tcp.segment(p)
		list := c.moves[p.Frame]
		if s == nil || err != nil || len(list) == 0 {
			return err
		}
		left--
		for _, m := range list {
			at := s.at + m.file - p.At.Offset - int64(s.start)
			if !s.own.add(splice{at: at, end: at + int64(m.old), new: m.new}) {
				return fmt.Errorf("message %d: %w", m.number, errNotFound)
			}
		}
		return nil
	})
	if err == nil && left > 0 {
		err = errChanged
	}
	return tcp, err
}

// packet writes everything before a packet, and the packet with other data.
func (f *rewriter) packet(p *pcap.Packet, data []byte) error {
	start := f.w.Region.Offset + p.At.Offset
	b, err := f.blockOf(start, p)
	if len(data) == len(p.Data) && (err != nil || !b.hashed) {
		if err := f.keep(start); err != nil {
			return err
		}
		_, err := f.out.Write(data)
		f.at = start + p.At.Length
		return err
	}
	if err != nil {
		return err
	}
	if err := f.keep(b.start); err != nil {
		return err
	}
	_, err = f.out.Write(b.with(data))
	f.at = b.end
	return err
}

// keep copies the source up to an offset. The lengths of sections are written as unknown, since packets may
// change their length.
func (f *rewriter) keep(end int64) error {
	for len(f.lengths) > 0 && f.lengths[0].Offset < end {
		s := f.lengths[0]
		f.lengths = f.lengths[1:]
		if err := f.w.Keep(f.out, span.Between(f.at, s.Offset)); err != nil {
			return err
		}
		if _, err := f.out.Write(bytes.Repeat([]byte{0xff}, int(s.Length))); err != nil { // -1: not given
			return err
		}
		f.at = s.End()
	}
	err := f.w.Keep(f.out, span.Between(f.at, end))
	f.at = end
	return err
}
