package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"varview/decoder/capture/buffer"
	"varview/decoder/capture/message"
	"varview/decoder/capture/methods"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
)

// packer writes a capture again in which values of messages were changed.
type packer struct {
	cut    bool // not all messages are in the payload
	packed bool // the file itself is compressed

	methods *methods.Library // with which it was read
}

// CanRewrap implements layer.Packer.
func (p *packer) CanRewrap() error {
	switch {
	case p.cut:
		return layer.ErrCut
	case p.packed:
		return errors.New("a compressed capture is not written again: unpack the file first")
	}
	return nil
}

// Rewrap implements layer.Packer. The capture is read again, to find where what was changed
// is in it, and only the packets with that are changed.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	c := &comparer{plain: w.Reader(), changes: map[int][]change{}}
	if _, err := io.CopyN(io.Discard, c.plain, buffer.HeaderSize); err != nil {
		return 0, layer.Lacking(err)
	}
	in := func() io.Reader { return io.NewSectionReader(w.Source, w.Region.Offset, w.Region.Length) }
	if _, err := read(w.Ctx, in(), p.methods, c); err != nil || c.err != nil {
		return 0, errors.Join(err, c.err)
	}
	out := w.Output(0)
	f := &rewriter{w: w, out: out, at: w.Region.Offset}
	if err := f.packets(in(), c.changes); err != nil {
		return 0, err
	}
	if err := w.Keep(out, span.Between(f.at, w.Region.End())); err != nil {
		return 0, err
	}
	return out.Finish()
}

// A change is that of the bytes of a message in one packet.
type change struct {
	number   int // of the message
	old, new []byte
	part     payload.Part
	payload  *payload.Payload // without its bytes
	total    int              // bytes of the changed message
	resized  bool             // it had another number
}

// A comparer compares the messages of a capture with the edited records.
type comparer struct {
	plain   *bufio.Reader
	changes map[int][]change // by packet
	old     []byte
	new     []byte
	err     error
}

// Event implements multiplayer.Handler.
func (c *comparer) Event(*payload.Event) {}

// Problem implements multiplayer.Handler.
func (c *comparer) Problem(*payload.Problem) {}

// Message implements multiplayer.Handler.
func (c *comparer) Message(m *message.Message) {
	if c.err == nil {
		c.err = c.compare(m)
	}
}

// maxRecord is the largest record that is read.
const maxRecord = 256 << 20

func (c *comparer) compare(m *message.Message) error {
	c.old = buffer.Append(c.old[:0], m)
	head := len(c.old) - len(m.Payload.Bytes)
	length, err := c.plain.Peek(4)
	if err != nil {
		return layer.Lacking(err)
	}
	n := int64(binary.LittleEndian.Uint32(length)) + 4
	if n < int64(head) || n > maxRecord {
		return errAround(m)
	}
	c.new = append(c.new[:0], make([]byte, n)...)
	if _, err := io.ReadFull(c.plain, c.new); err != nil {
		return layer.Lacking(err)
	}
	if bytes.Equal(c.old, c.new) {
		return nil
	}
	if !bytes.Equal(c.old[4:head], c.new[4:head]) {
		return errAround(m)
	}
	return c.add(m, c.new[head:])
}

// errAround is the error of an edit of what is known about a message.
func errAround(m *message.Message) error {
	return fmt.Errorf("message %d: only the bytes that were sent can be changed, not what is known about them", m.Number)
}

// add notes where the changed bytes of a message are.
func (c *comparer) add(m *message.Message, is []byte) error {
	p := m.Payload
	lengths, err := split(p, len(is))
	if err != nil {
		return fmt.Errorf("message %d: %w", m.Number, err)
	}
	kept := *p
	kept.Bytes, kept.Parts, kept.Frames = nil, nil, nil
	was, total := p.Bytes, len(is)
	for i, part := range p.Parts {
		old, now := was[:part.Length], is[:lengths[i]]
		was, is = was[part.Length:], is[lengths[i]:]
		if bytes.Equal(old, now) && total == len(p.Bytes) {
			continue
		}
		c.changes[part.Frame] = append(c.changes[part.Frame], change{number: m.Number, old: bytes.Clone(old), new: bytes.Clone(now),
			part: part, payload: &kept, total: total, resized: total != len(p.Bytes)})
	}
	return nil
}

// split divides the n bytes of a changed message among its parts: all but the last stay as
// long as they are.
func split(p *payload.Payload, n int) ([]int, error) {
	var lengths []int
	longest := 0
	for _, part := range p.Parts {
		lengths = append(lengths, int(part.Length))
		longest = max(longest, int(part.Length))
	}
	by := n - len(p.Bytes)
	last := len(lengths) - 1
	switch {
	case p.Partial:
		return nil, errors.New("it was captured in part")
	case by == 0:
		return lengths, nil
	case p.Flow.Transport != payload.ENet && p.Flow.Transport != payload.UDP:
		return nil, fmt.Errorf("it was sent over %s, where a change of its length would move all that follows in the stream: only a value of the same length can be written", p.Flow.Transport)
	case last < 0, last > 0 && p.Flow.Transport == payload.UDP:
		return nil, errors.New("its datagram came in IP fragments: only a value of the same length can be written")
	case last > 0 && (lengths[last]+by < 1 || lengths[last]+by > longest):
		return nil, fmt.Errorf("it came in %d fragments, the last of which has no room for a change of its length by %s", last+1, span.Bytes(int64(by)))
	}
	lengths[last] += by
	return lengths, nil
}

// A rewriter writes a capture with changed packets.
type rewriter struct {
	w   *layer.Rewrapping
	out io.Writer
	at  int64 // in the source; what is before is written
}

// packets writes everything up to the last changed packet.
func (f *rewriter) packets(in io.Reader, changes map[int][]change) error {
	r := pcap.NewReader(in, func(int, span.Problem) {})
	if ok, err := r.Open(); !ok || err != nil {
		return err
	}
	for left := len(changes); left > 0; {
		p, err := r.Next()
		if err == io.EOF {
			return errors.New("the file has changed")
		}
		if err != nil {
			return err
		}
		if err := f.w.Ctx.Err(); err != nil {
			return err
		}
		if list := changes[p.Frame]; len(list) > 0 {
			left--
			data, err := changed(&p, list)
			if err != nil {
				return fmt.Errorf("message %d in packet %d: %w", list[0].number, p.Frame, err)
			}
			if err := f.packet(&p, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// packet writes what is before a packet, and the packet with other data.
func (f *rewriter) packet(p *pcap.Packet, data []byte) error {
	start := f.w.Region.Offset + p.At.Offset
	if len(data) == len(p.Data) {
		if err := f.keep(start); err != nil {
			return err
		}
		_, err := f.out.Write(data)
		f.at = start + p.At.Length
		return err
	}
	b, err := f.blockOf(start, p)
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

// keep copies the source up to an offset.
func (f *rewriter) keep(end int64) error {
	err := f.w.Keep(f.out, span.Between(f.at, end))
	f.at = end
	return err
}
