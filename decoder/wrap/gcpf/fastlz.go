package gcpf

import "varview/decoder/wrap/layer"

// FastLZ, as Godot contains it (thirdparty/misc/fastlz.c). A packed block is a
// list of instructions. The first three bits of each are its kind:
//
//	000LLLLL                       L+1 literal bytes follow
//	LLLOOOOO oooooooo              copy L+2 bytes from O·256+o+1 bytes back
//	111OOOOO llllllll oooooooo     copy l+9 bytes
//
// The first instruction is always literal bytes; its first three bits are the level - 1
// instead. In level 2 further bytes l follow while they are 255, and if all bits of O
// and o are set, two more bytes are added to the distance.

// fastLZNear is the farthest back that level 2 reaches with two bytes.
const fastLZNear = 8191

// unpackFastLZ appends to dst what packed holds, no more than dst has room for.
// With an error come the bytes before the damage.
func unpackFastLZ(dst, packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return dst, layer.ErrEarly
	}
	if packed[0]>>5 > 1 {
		return dst, layer.ErrDamaged
	}
	u := fastLZ{in: packed, out: dst, start: len(dst), far: packed[0]>>5 == 1}
	op := u.next() & 31
	for {
		var err error
		if op < 32 {
			err = u.literal(int(op) + 1)
		} else {
			err = u.match(op)
		}
		if err != nil {
			return u.out, err
		}
		if len(u.in) == 0 || len(u.in) == 1 && !u.far { // engines do not look at one byte alone
			return u.out, nil
		}
		op = u.next()
	}
}

// fastLZ is an unpacking.
type fastLZ struct {
	in    []byte // what is left
	out   []byte
	start int  // where the output begins in out
	far   bool // level 2
	short bool // a byte after the end was needed
}

// next takes a byte; one after the end counts as zero and sets short.
func (u *fastLZ) next() byte {
	if len(u.in) == 0 {
		u.short = true
		return 0
	}
	c := u.in[0]
	u.in = u.in[1:]
	return c
}

func (u *fastLZ) literal(n int) error {
	if n > len(u.in) {
		return layer.ErrEarly
	}
	if n > cap(u.out)-len(u.out) {
		return layer.ErrTooMuch
	}
	u.out = append(u.out, u.in[:n]...)
	u.in = u.in[n:]
	return nil
}

func (u *fastLZ) match(op byte) error {
	n := int(op>>5) + 2
	if op>>5 == 7 {
		for c := byte(255); c == 255; {
			c = u.next()
			n += int(c)
			if !u.far {
				break
			}
		}
	}
	high := int(op & 31)
	low := int(u.next())
	back := high<<8 + low + 1
	if u.far && high == 31 && low == 255 {
		back = int(u.next())<<8 + fastLZNear + 1
		back += int(u.next())
	}
	switch {
	case u.short:
		return layer.ErrEarly
	case back > len(u.out)-u.start:
		return layer.ErrDamaged
	case n > cap(u.out)-len(u.out):
		return layer.ErrTooMuch
	}
	for from := len(u.out) - back; n > 0; { // the copy may run into what it writes
		m := min(n, len(u.out)-from)
		u.out = append(u.out, u.out[from:from+m]...)
		n -= m
	}
	return nil
}
