package enet

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/enet/rangecoder"
	"varview/decoder/network/fragment"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
	"varview/decoder/wrap/fastlz"
)

// A Packing is how the commands of a datagram are compressed. Datagrams do not say which it is.
type Packing uint8

// The packings.
const (
	NotPacked Packing = iota
	Zlib
	Zstd
	FastLZ
	RangeCoder
	UnknownPacking
)

// String names the packing.
func (p Packing) String() string {
	return [...]string{"nothing", "zlib", "zstd", "FastLZ", "ENet's range coder", "an unknown compression"}[p]
}

// maxUnpacked is the largest unpacked size of a datagram. ENet itself allows 4096.
const maxUnpacked = 64 << 10

// An Unpacker unpacks the commands of datagrams.
type Unpacker struct {
	out  []byte
	list []Command
	zlib io.ReadCloser
	zstd *zstd.Decoder
}

// Parse reads a datagram. missing is the number of its bytes that were sent but not captured. It returns
// false if b is too short for a header. What d holds is valid until the next call.
func (u *Unpacker) Parse(d *Datagram, b []byte, missing int, checksum bool) bool {
	*d = Datagram{}
	compressed, ok := d.ParseHeader(b, checksum)
	if !ok {
		return false
	}
	if !compressed {
		d.Commands = b[d.Header:]
		u.list, d.Damage = ParseCommands(u.list[:0], d.Commands, missing)
		d.List = u.list
		return true
	}
	u.unpack(d, b[d.Header:])
	if d.Damage != nil && missing > 0 {
		d.Damage.Message = "the compressed commands of an ENet datagram were captured only in part"
	}
	return true
}

// unpack finds the packing with which a block consists wholly of commands.
func (u *Unpacker) unpack(d *Datagram, block []byte) {
	if u.out == nil {
		u.out = make([]byte, 0, maxUnpacked)
	}
	for _, p := range candidates(block) {
		plain, err := u.with(p, block)
		if err != nil || len(plain) == 0 {
			continue
		}
		list, damage := ParseCommands(u.list[:0], plain, 0)
		u.list = list
		if p == FastLZ && len(plain) == fastlz.Least && damage != nil && len(bytes.Trim(plain[damage.At:], "\x00")) == 0 {
			plain, damage = plain[:damage.At], nil // filled up with zeros
		}
		if damage == nil && unusual(list) == nil {
			d.Packing, d.Commands, d.List = p, plain, list
			return
		}
	}
	d.Packing = UnknownPacking
	d.Damage = &Damage{0, len(block), span.Unreadable, "the commands of an ENet datagram cannot be unpacked with zlib, zstd, FastLZ or ENet's range coder"}
}

// candidates lists the packings that a block may have.
func candidates(block []byte) []Packing {
	switch {
	case len(block) == 0:
		return nil
	case source.IsZlib(block):
		return []Packing{Zlib, FastLZ, RangeCoder}
	case len(block) >= 4 && bytes.Equal(block[:4], []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return []Packing{Zstd, FastLZ, RangeCoder}
	}
	return []Packing{FastLZ, RangeCoder}
}

// with unpacks a block.
func (u *Unpacker) with(p Packing, block []byte) (plain []byte, err error) {
	switch p {
	case Zlib:
		return u.inflate(block)
	case Zstd:
		if u.zstd == nil {
			u.zstd, err = zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<20))
			if err != nil {
				return nil, err
			}
		}
		return u.zstd.DecodeAll(block, u.out[:0])
	case FastLZ:
		if block[0]>>5 != 0 { // ENet's datagrams are too short for level 2
			return nil, fastlz.ErrDamaged
		}
		return fastlz.Unpack(u.out[:0], block)
	}
	return rangecoder.Unpack(u.out[:0], block)
}

func (u *Unpacker) inflate(block []byte) (plain []byte, err error) {
	in := bytes.NewReader(block)
	if u.zlib == nil {
		u.zlib, err = zlib.NewReader(in)
	} else {
		err = u.zlib.(zlib.Resetter).Reset(in, nil)
	}
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(u.out[:0])
	if _, err = out.ReadFrom(io.LimitReader(u.zlib, maxUnpacked+1)); out.Len() > maxUnpacked {
		err = fastlz.ErrTooMuch
	}
	return out.Bytes(), err
}

// Close frees the memory of unpacking.
func (u *Unpacker) Close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// A group is a message with missing fragments.
type group struct {
	fragment.Pieces
	count, total uint32 // number of its fragments, and of its bytes
	there        uint32 // number of the fragments that are there
	item         pool.Item
}

// fragment reads a fragment of an unreliable message.
func (s *side) fragment(c *Command) {
	ch := s.channel(c.Channel)
	ch.side.count(&ch.unreliable, numbers{true, c.Sequence, uint16(c.value("start"))})
	if m := ch.join(c); m != nil {
		m.Mode = payload.Unreliable
		s.flow.out.Payload(m)
	}
}

// join adds a fragment to its message, and returns the message once it is complete.
func (ch *channel) join(c *Command) *payload.Payload {
	f := ch.side.flow
	number, count, total, offset := c.value("number"), c.value("count"), c.value("total"), c.value("offset")
	if count == 0 || count > maxFragment || number >= count || total > maxMessage || uint64(offset)+uint64(c.Length) > uint64(total) {
		f.out.Problem(f.commands.Slice(c.At, len(c.Body)), span.LengthOverrun, fmt.Sprintf("fragment %d of %d, of %d bytes at %d, is not in a message of %d bytes", number, count, c.Length, offset, total))
		return nil
	}
	k := c.value("start")
	if c.Number == SendUnreliablePart {
		k |= 1<<31 | uint32(c.Sequence)<<16&0x7fff0000
	}
	g := ch.groups[k]
	if g == nil || g.count != count || g.total != total {
		if g = ch.newGroup(k, count, total); g == nil {
			return nil
		}
	}
	data := f.data(c)
	if g.Add(int(offset), data.Clone()) == 0 && c.Length > 0 {
		return nil
	}
	if g.there++; g.there == count {
		g.item.Free()
		ch.drop(k)
		return ch.side.message(c, payload.Reliable, g.Joined(), uint32(g.Have) != total)
	}
	f.pool.Grow(&g.item, int64(data.Size()+overhead), func() {
		if ch.groups[k] == g {
			f.out.Problem(g.First(), payload.TooMuch, "a fragmented message that is left out: it would take more memory than is allowed")
			ch.drop(k)
		}
	})
	return nil
}

// newGroup begins a message.
func (ch *channel) newGroup(k, count, total uint32) *group {
	if len(ch.groups) >= maxGroups {
		ch.dropGroups()
	}
	if ch.groups == nil {
		ch.groups = map[uint32]*group{}
	}
	g := &group{count: count, total: total}
	ch.groups[k] = g
	ch.side.waiting++
	return g
}

// dropGroups gives up the messages with missing fragments.
func (ch *channel) dropGroups() {
	for _, k := range slices.Sorted(maps.Keys(ch.groups)) {
		g := ch.groups[k]
		ch.side.flow.out.Problem(g.First(), payload.MissingCommand, fmt.Sprintf("a message of %s: %d of its %d fragments are not in the capture", span.Bytes(int64(g.total)), g.count-g.there, g.count))
		g.item.Free()
		ch.drop(k)
	}
}

// drop forgets a message.
func (ch *channel) drop(k uint32) {
	delete(ch.groups, k)
	ch.side.waiting--
}
