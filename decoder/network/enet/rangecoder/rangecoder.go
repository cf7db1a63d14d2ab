// Package rangecoder unpacks what ENet's adaptive range coder has packed.
//
// The coder predicts each byte from the two before it. A context counts the bytes that followed the same
// bytes before; the root context, of no bytes, knows all 256. If a context does not have a byte, an escape
// leads to the context of one byte fewer. The end is an escape from the root.
package rangecoder

import (
	"errors"
	"sync"
)

// Errors of Unpack.
var (
	errDamaged = errors.New("the packed bytes are damaged")
	errTooMuch = errors.New("the packed bytes hold more than a datagram may have")
)

const (
	top    = 1 << 24 // above this range, the first byte of the code is settled
	bottom = 1 << 16

	rootStep    = 3 // added to the count of a byte in the root
	contextStep = 2 // and in other contexts
	escapeStep  = 5 // added to the escapes of a context that lacks a byte
	maxCount    = 0xff
	maxTotal    = bottom - 0x100

	order   = 2    // number of preceding bytes that predict the next
	maxNode = 4096 // number of nodes of all contexts, after which the model begins anew
)

// models are reused, since one takes 64 KiB.
var models = sync.Pool{New: func() any { return new(model) }}

// Unpack appends the unpacked bytes to dst, up to its capacity.
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
			return dst, errDamaged
		case !more:
			return dst, nil
		case len(dst) == cap(dst):
			return dst, errTooMuch
		}
		dst = append(dst, value)
	}
}

// A decoder narrows a range of codes with each symbol.
type decoder struct {
	in               []byte
	low, code, width uint32
}

// next takes a byte; those past the end are not sent, and zero.
func (d *decoder) next() byte {
	if len(d.in) == 0 {
		return 0
	}
	b := d.in[0]
	d.in = d.in[1:]
	return b
}

// read divides the range into total parts and returns the part with the code.
func (d *decoder) read(total uint32) uint32 {
	d.width /= total
	return (d.code - d.low) / d.width
}

// narrow reduces the range to count parts from under on, after read.
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
