package capture

import (
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
// changed packets are written anew, and those in which the same bytes are sent again.
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
	c := &comparer{plain: w.Reader(), patches: map[int][]patch{}}
	if _, err := io.CopyN(io.Discard, c.plain, buffer.HeaderSize); err != nil {
		return 0, layer.Lacking(err)
	}
	if _, err := read(w.Ctx, f.in(), network.Options{}, p.options, c); err != nil || c.err != nil {
		return 0, errors.Join(err, c.err)
	}
	if err := f.packets(c.patches); err != nil {
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
func (f *rewriter) packets(patches map[int][]patch) error {
	left := len(patches)
	if left == 0 {
		return nil
	}
	resent := newAgain()
	err := f.each(func(p *pcap.Packet) error {
		own := patches[p.Frame]
		if len(own) > 0 {
			left--
		}
		data, err := resent.changed(p, own)
		if data == nil || err != nil {
			return err
		}
		if p.Hashed {
			return errHashed
		}
		start := f.w.Region.Offset + p.At.Offset
		if err := f.keep(start); err != nil {
			return err
		}
		_, err = f.out.Write(data)
		f.at = start + p.At.Length
		return err
	})
	if err == nil && left > 0 {
		err = errFound
	}
	return err
}

// keep copies the source up to an offset.
func (f *rewriter) keep(end int64) error {
	err := f.w.Keep(f.out, span.Between(f.at, end))
	f.at = end
	return err
}
