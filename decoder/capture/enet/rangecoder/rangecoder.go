// Package rangecoder unpacks what ENet's adaptive range coder has packed.
//
// The coder predicts each byte from the two before it. A context counts the bytes that
// followed the same bytes before; the root context, without any, knows all 256. Where a
// context does not have a byte, an escape leads to the context of one byte fewer. The end is
// an escape from the root.
package rangecoder

import (
	"errors"
	"sync"
)

// Why packed bytes do not unpack.
var (
	ErrDamaged = errors.New("the packed bytes are damaged")
	ErrTooMuch = errors.New("the packed bytes hold more than a datagram may have")
)

const (
	top    = 1 << 24 // of the range: above it the first byte of the code is settled
	bottom = 1 << 16

	rootStep    = 3 // added to the count of a byte in the root
	contextStep = 2 // and in other contexts
	escapeStep  = 5 // added to the escapes of a context that did not have a byte
	maxCount    = 0xff
	maxTotal    = bottom - 0x100

	order   = 2    // bytes before that predict the next
	maxNode = 4096 // nodes of all contexts; then all begins anew
)

// models are used again, since one takes 64 KiB.
var models = sync.Pool{New: func() any { return new(model) }}

// Unpack appends to dst what packed holds, no more than dst has room for.
func Unpack(dst, packed []byte) ([]byte, error) {
	d := decoder{in: packed, width: 1<<32 - 1}
	for range 4 {
		d.code = d.code<<8 | uint32(d.next())
	}
	m := models.Get().(*model)
	defer models.Put(m)
	m.reset()
	for {
		value, more, ok := m.decode(&d)
		switch {
		case !ok:
			return dst, ErrDamaged
		case !more:
			return dst, nil
		case len(dst) == cap(dst):
			return dst, ErrTooMuch
		}
		dst = append(dst, value)
	}
}

// A decoder narrows a range of codes with each symbol.
type decoder struct {
	in               []byte
	low, code, width uint32
}

// next takes a byte; those after the end, which are not sent, are zero.
func (d *decoder) next() byte {
	if len(d.in) == 0 {
		return 0
	}
	b := d.in[0]
	d.in = d.in[1:]
	return b
}

// read divides the range into total parts and returns that of the code.
func (d *decoder) read(total uint32) uint32 {
	d.width /= total
	return (d.code - d.low) / d.width
}

// narrow makes the range its parts from under on. read comes first.
func (d *decoder) narrow(under, count uint32) {
	d.low += under * d.width
	d.width *= count
	for {
		if d.low^(d.low+d.width) >= top {
			if d.width >= bottom {
				return
			}
			d.width = -d.low & (bottom - 1)
		}
		d.code = d.code<<8 | uint32(d.next())
		d.width <<= 8
		d.low <<= 8
	}
}
