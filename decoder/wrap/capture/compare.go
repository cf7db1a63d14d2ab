package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"varview/decoder/network/buffer"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/wrap/layer"
)

// A patch replaces bytes of a message in a packet by as many others.
type patch struct {
	number     int   // of the message
	at         int64 // offset in the capture
	old, new   []byte
	flow       *payload.Flow
	connection *payload.Connection // nil for UDP datagrams
}

// A comparer compares the messages of a capture with the edited records.
type comparer struct {
	plain   *bufio.Reader
	patches map[int][]patch // by packet

	old []byte
	new []byte
	err error
}

// Problem implements multiplayer.Handler.
func (c *comparer) Problem(*payload.Problem) {}

// Message implements multiplayer.Handler.
func (c *comparer) Message(m *message.Message) {
	if c.err == nil {
		c.err = c.compare(m)
	}
}

func (c *comparer) compare(m *message.Message) error {
	c.old = buffer.Append(c.old[:0], m)
	head := len(c.old) - len(m.Payload.Bytes)
	length, err := c.plain.Peek(4)
	if err != nil {
		return layer.Lacking(err)
	}
	if int(binary.LittleEndian.Uint32(length))+4 != len(c.old) {
		return fmt.Errorf("message %d: %w", m.Number, errFound)
	}
	c.new = append(c.new[:0], make([]byte, len(c.old))...)
	if _, err := io.ReadFull(c.plain, c.new); err != nil {
		return layer.Lacking(err)
	}
	switch {
	case bytes.Equal(c.old, c.new):
		return nil
	case !bytes.Equal(c.old[:head], c.new[:head]):
		return fmt.Errorf("message %d: only the bytes that were sent can be changed, not what is known about them", m.Number)
	}
	if err := c.add(m, c.new[head:]); err != nil {
		return fmt.Errorf("message %d: %w", m.Number, err)
	}
	return nil
}

// add records where the changed bytes of a message are.
func (c *comparer) add(m *message.Message, is []byte) error {
	p := m.Payload
	switch {
	case p.Partial:
		return errors.New("it was captured in part")
	case p.Flow.Transport == payload.UDP && len(p.Parts) > 1:
		return errFragment
	}
	was := p.Bytes
	for _, part := range p.Parts {
		n := part.Length
		if !bytes.Equal(was[:n], is[:n]) {
			if part.Form == payload.Unpacked {
				return errPacked
			}
			c.patches[part.Frame] = append(c.patches[part.Frame], patch{m.Number, part.At.Offset, masked(was[:n], part.Mask), masked(is[:n], part.Mask), p.Flow, p.Connection})
		}
		was, is = was[n:], is[n:]
	}
	return nil
}

// masked returns a copy of bytes with a mask applied.
func masked(b []byte, mask [4]byte) []byte {
	b = bytes.Clone(b)
	for i := range b {
		b[i] ^= mask[i&3]
	}
	return b
}
