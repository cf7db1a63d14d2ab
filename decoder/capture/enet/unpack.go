package enet

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/capture/enet/rangecoder"
	"varview/decoder/fastlz"
	"varview/decoder/span"
)

// A Packing is how the commands of a datagram are compressed. No datagram says which it is.
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

var packingNames = []string{"none", "zlib", "zstd", "FastLZ", "range coder", "unknown"}

// String names the packing for people.
func (p Packing) String() string { return packingNames[p] }

// maxUnpacked is the most bytes that a datagram may unpack to. ENet itself allows 4096.
const maxUnpacked = 64 << 10

// An Unpacker unpacks the commands of datagrams.
type Unpacker struct {
	out  []byte
	list []Command
	zlib io.ReadCloser
	zstd *zstd.Decoder
}

// Parse reads a datagram, of which missing more bytes were sent than captured. It returns
// false for what is too short for a header. What d holds is valid until the next call.
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

// unpack finds the packing with which a block is wholly commands.
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
	d.Damage = &Damage{0, len(block), span.Unreadable, "the commands of an ENet datagram do not unpack: neither zlib, zstd, FastLZ nor ENet's range coder gives any"}
}

// candidates lists the packings that a block may have.
func candidates(block []byte) []Packing {
	switch {
	case len(block) == 0:
		return nil
	case len(block) >= 2 && block[0]&15 == 8 && (int(block[0])<<8|int(block[1]))%31 == 0:
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
	n, err := io.ReadFull(u.zlib, u.out[:maxUnpacked])
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return u.out[:n], checkEnd(u.zlib)
	}
	if err == nil {
		err = fastlz.ErrTooMuch
	}
	return nil, err
}

// checkEnd reads the end of a stream, with its checksum.
func checkEnd(r io.Reader) error {
	var b [1]byte
	if _, err := r.Read(b[:]); err != io.EOF {
		return err
	}
	return nil
}

// Close frees what unpacking has taken.
func (u *Unpacker) Close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}
