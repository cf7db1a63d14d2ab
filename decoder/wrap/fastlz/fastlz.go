// Package fastlz packs and unpacks FastLZ as Godot contains it (thirdparty/misc/fastlz.c).
//
// A packed block is a list of instructions. The first three bits of each are its kind:
//
//	000LLLLL                       L+1 literal bytes follow
//	LLLOOOOO oooooooo              copy L+2 bytes from O·256+o+1 bytes back
//	111OOOOO llllllll oooooooo     copy l+9 bytes
//
// The first instruction is always literal bytes; its first three bits hold the level minus 1 instead. In
// level 2 further bytes l follow while they are 255, and if all bits of O and o are set, two more bytes are
// added to the distance.
package fastlz

import "errors"

// Errors of Unpack.
var (
	ErrEarly   = errors.New("the packed bytes end too early")
	ErrDamaged = errors.New("the packed bytes are damaged")
	ErrTooMuch = errors.New("the packed bytes hold more than there is room for")
)

// near is the farthest back that level 2 reaches with two bytes.
const near = 8191

// Unpack appends the unpacked bytes to dst, up to its capacity. On an error it returns the bytes before the
// damage as well.
func Unpack(dst, packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return dst, ErrEarly
	}
	if packed[0]>>5 > 1 {
		return dst, ErrDamaged
	}
	u := unpacker{in: packed, out: dst, start: len(dst), far: packed[0]>>5 == 1}
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
		if len(u.in) == 0 || len(u.in) == 1 && !u.far { // engines do not look at a single byte
			return u.out, nil
		}
		op = u.next()
	}
}

// An unpacker unpacks one block.
type unpacker struct {
	in    []byte // packed bytes not read yet
	out   []byte
	start int  // start of the output in out
	far   bool // level 2
	short bool // a byte past the end was needed
}

// next takes a byte; past the end it returns zero and sets short.
func (u *unpacker) next() byte {
	if len(u.in) == 0 {
		u.short = true
		return 0
	}
	c := u.in[0]
	u.in = u.in[1:]
	return c
}

func (u *unpacker) literal(n int) error {
	if n > len(u.in) {
		return ErrEarly
	}
	if n > cap(u.out)-len(u.out) {
		return ErrTooMuch
	}
	u.out = append(u.out, u.in[:n]...)
	u.in = u.in[n:]
	return nil
}

func (u *unpacker) match(op byte) error {
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
		back = int(u.next())<<8 + near + 1
		back += int(u.next())
	}
	switch {
	case u.short:
		return ErrEarly
	case back > len(u.out)-u.start:
		return ErrDamaged
	case n > cap(u.out)-len(u.out):
		return ErrTooMuch
	}
	for from := len(u.out) - back; n > 0; { // the copy may overlap what it writes
		m := min(n, len(u.out)-from)
		u.out = append(u.out, u.out[from:from+m]...)
		n -= m
	}
	return nil
}
