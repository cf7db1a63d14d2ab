package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"

	"varview/decoder/network/buffer"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/wrap/layer"
)

// A change is the change of the bytes of a message in one packet.
type change struct {
	number   int // number of the message
	old, new []byte
	part     payload.Part
	payload  *payload.Payload // without its bytes
	index    int              // index among the parts of the message
	offset   int              // offset of the changed bytes in the changed message
	total    int              // size of the changed message
	rebuilt  bool             // the datagram is built again
}

// A move is a change of bytes of a TCP stream whose first byte is in a packet.
type move struct {
	number  int // of the message
	file    int64
	old     int
	new     []byte
	payload *payload.Payload // without its bytes
}

// A comparer compares the messages of a capture with the edited records.
type comparer struct {
	plain   *bufio.Reader
	changes map[int][]change // of UDP, by packet
	moves   map[int][]move   // of TCP, by packet
	loose   map[sender]bool

	added int // number of bytes of messages that are only written in another form
	old   []byte
	new   []byte
	err   error
}

// A sender is one side of a connection. It is loose once a message that is compressed together with later
// ones has changed: these have to be written uncompressed too.
type sender struct {
	connection *payload.Connection
	src        netip.AddrPort
}

// Problem implements multiplayer.Handler.
func (c *comparer) Problem(*payload.Problem) {}

// Message implements multiplayer.Handler.
func (c *comparer) Message(m *message.Message) {
	if c.err == nil {
		c.err = c.compare(m)
	}
}

// maxRecord is the size of the largest record that is read.
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
		return c.loosen(m)
	}
	if !bytes.Equal(c.old[4:head], c.new[4:head]) {
		return errAround(m)
	}
	if err := c.add(m, c.new[head:]); err != nil {
		return fmt.Errorf("message %d: %w", m.Number, err)
	}
	return nil
}

// maxLoose is the largest number of bytes of messages that are written uncompressed because of earlier
// ones.
const maxLoose = 256 << 20

// loosen writes an unchanged message uncompressed if it may refer to one that has changed.
func (c *comparer) loosen(m *message.Message) error {
	p := m.Payload
	if !isDeflated(p) || !c.loose[sender{p.Connection, p.Src}] {
		return nil
	}
	if c.added += len(p.Bytes); c.added > maxLoose {
		return fmt.Errorf("message %d: too many messages before it are compressed together with one that changes (permessage-deflate with context takeover)", m.Number)
	}
	if err := c.add(m, p.Bytes); err != nil {
		return fmt.Errorf("message %d, which is compressed together with one that changes: %w", m.Number, err)
	}
	return nil
}

// isDeflated reports whether a message is compressed.
func isDeflated(p *payload.Payload) bool {
	return len(p.Parts) > 0 && p.Parts[0].Form == payload.Unpacked
}

// errAround returns the error for an edit of what is known about a message.
func errAround(m *message.Message) error {
	return fmt.Errorf("message %d: only the bytes that were sent can be changed, not what is known about them", m.Number)
}

// add records where the changed bytes of a message are.
func (c *comparer) add(m *message.Message, is []byte) error {
	p := m.Payload
	if p.Partial {
		return errors.New("it was captured in part")
	}
	kept := *p
	kept.Bytes, kept.Parts, kept.Frames, kept.Unit = nil, nil, nil, payload.Unit{}
	if p.Flow.Transport == payload.TCP || p.Flow.Transport == payload.WebSocket {
		c.move(m, is, &kept)
		return nil
	}
	if p.Flow.Transport == payload.UDP && len(p.Parts) > 1 {
		return errFragment
	}
	lengths, err := split(p, len(is))
	if err != nil {
		return err
	}
	was, is, offset := bytes.Clone(p.Bytes), bytes.Clone(is), 0
	total, rebuilt := len(is), len(was) != len(is)
	for i, part := range p.Parts {
		old, now := was[:part.Length], is[:lengths[i]]
		was, is = was[part.Length:], is[lengths[i]:]
		if rebuilt || !bytes.Equal(old, now) {
			c.changes[part.Frame] = append(c.changes[part.Frame], change{number: m.Number, old: old, new: now,
				part: part, payload: &kept, index: i, offset: offset, total: total, rebuilt: rebuilt})
		}
		offset += lengths[i]
	}
	return nil
}

// split divides the n bytes of a changed message among its parts: if possible, all parts
// but the last keep their length.
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
	case by == 0:
		return lengths, nil
	case last < 0:
		return nil, errNotFound
	case n <= last:
		return nil, fmt.Errorf("it came in %d fragments, and each needs a byte", last+1)
	case last > 0 && (lengths[last]+by < 1 || lengths[last]+by > longest):
		for i := range lengths {
			lengths[i] = n*(i+1)/(last+1) - n*i/(last+1)
		}
		return lengths, nil
	}
	lengths[last] += by
	return lengths, nil
}

// move records where the changed bytes of a message are in its stream. If the message changes its length,
// or was compressed, all of it goes into its first unit.
func (c *comparer) move(m *message.Message, is []byte, kept *payload.Payload) {
	p := m.Payload
	isPacked := isDeflated(p)
	if !isPacked && len(is) == len(p.Bytes) {
		c.over(m, is, p.Parts, kept)
		return
	}
	if isPacked && !p.Unit.Alone {
		c.loose[sender{p.Connection, p.Src}] = true
	}
	units := append(slices.Clip(p.Unit.Before), p.Unit)
	head := units[0].Head.Data
	unit := append(headFor(p.Flow, head, len(is)), masked(is, maskIn(p.Flow, head))...)
	for _, u := range units {
		at := u.Head.Parts[0]
		c.at(m, at.Frame, at.At.Offset, len(u.Head.Data)+u.Size, unit, kept)
		unit = nil
	}
}

// over records bytes that overwrite others.
func (c *comparer) over(m *message.Message, is []byte, parts []payload.Part, kept *payload.Payload) {
	was := m.Payload.Bytes
	for _, part := range parts {
		if n := int(part.Length); !bytes.Equal(was[:n], is[:n]) {
			c.at(m, part.Frame, part.At.Offset, n, masked(is[:n], part.Mask), kept)
		}
		was, is = was[part.Length:], is[part.Length:]
	}
}

// at records that bytes replace old ones at an offset of the capture.
func (c *comparer) at(m *message.Message, frame int, file int64, old int, is []byte, kept *payload.Payload) {
	c.moves[frame] = append(c.moves[frame], move{m.Number, file, old, is, kept})
}

// masked returns a copy of bytes with a mask applied.
func masked(b []byte, mask [4]byte) []byte {
	b = bytes.Clone(b)
	for i := range b {
		b[i] ^= mask[i&3]
	}
	return b
}
