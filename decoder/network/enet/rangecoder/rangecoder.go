// Package rangecoder unpacks what ENet's adaptive range coder has packed.
//
// The coder predicts each byte from the two before it. A context counts the bytes that followed the same
// bytes before; the root context, of no bytes, knows all 256. If a context does not have a byte, an escape
// leads to the context of one byte fewer. The end is an escape from the root.
package rangecoder

import (
	"errors"
	"slices"
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

// models are reused, since one takes 256 KiB.
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

// A node is a byte in the context of the bytes before it, and is itself a context.
type node struct {
	value byte
	count uint32 // how often the byte was seen, weighted

	bytes   []*node // that followed, in the order of their values
	escapes uint32
	total   uint32 // sum of the counts of all bytes, and the escapes
	shorter *node  // the context of one byte fewer; nil for the root
}

// A model is what the coder has learnt. Its first node is the root.
type model struct {
	nodes   [maxNode]node
	next    int   // first node that is free
	context *node // context of the bytes before
	depth   int   // how many bytes these are
}

// reset forgets everything.
func (m *model) reset() {
	m.next, m.depth = 0, 0
	m.context = m.node(0)
	m.context.shorter, m.context.escapes, m.context.total = nil, 1, 1+256
}

// node returns a new node.
func (m *model) node(value byte) *node {
	n := &m.nodes[m.next]
	*n = node{value: value, bytes: n.bytes[:0], shorter: &m.nodes[0]}
	m.next++
	return n
}

// decode returns the next byte; more is false at the end.
func (m *model) decode(d *decoder) (value byte, more, ok bool) {
	for at := m.context; ; at = at.shorter {
		isRoot := at.shorter == nil
		if !isRoot && (at.escapes == 0 || at.escapes >= at.total) {
			continue
		}
		switch code := d.read(at.total); {
		case code >= at.total:
			return 0, false, false
		case code >= at.escapes:
			found := m.find(d, at, code-at.escapes)
			value = found.value
			m.learn(at, found)
			return value, true, true
		case isRoot:
			return 0, false, true
		}
		d.narrow(0, at.escapes)
	}
}

// find returns the node of the byte with a code in a context, and counts it. In the root each byte counts one more than it was
// seen, also one that was never seen.
func (m *model) find(d *decoder, at *node, code uint32) *node {
	least, under, value := at.least(), uint32(0), uint32(0) // codes and values that were passed
	i := 0
	for ; i < len(at.bytes); i++ {
		n := at.bytes[i]
		unseen := (uint32(n.value) - value) * least
		if code < under+unseen {
			break
		}
		under += unseen
		size := n.count + least
		if code < under+size {
			d.narrow(at.escapes+under, size)
			at.see(n)
			return n
		}
		under, value = under+size, uint32(n.value)+1
	}
	d.narrow(at.escapes+code, 1)
	n := m.node(byte(value + code - under))
	at.bytes = slices.Insert(at.bytes, i, n)
	at.see(n)
	return n
}

// least returns how often a byte counts that was never seen.
func (n *node) least() uint32 {
	if n.shorter == nil {
		return 1
	}
	return 0
}

// see counts a byte of a context once more, and halves all counts if they are too high.
func (n *node) see(b *node) {
	least, step := n.least(), uint32(contextStep)
	if least > 0 {
		step = rootStep
	}
	was := b.count + least
	b.count += step
	if n.total += step; was <= maxCount-2*step+least && n.total <= maxTotal {
		return
	}
	n.escapes -= n.escapes >> 1
	n.total = n.escapes + 256*least
	for _, b := range n.bytes {
		b.count -= b.count >> 1
		n.total += b.count
	}
}

// learn adds the byte of the node found, which the context at had, to the longer contexts that did not have
// it, and makes the context of the next byte.
func (m *model) learn(at, found *node) {
	link := &m.context
	for longer := m.context; longer != at; longer = longer.shorter {
		i, has := slices.BinarySearchFunc(longer.bytes, found.value, func(n *node, value byte) int { return int(n.value) - int(value) })
		if !has {
			longer.bytes = slices.Insert(longer.bytes, i, m.node(found.value))
			longer.escapes += escapeStep
			longer.total += escapeStep
		}
		*link = longer.bytes[i]
		longer.see(*link)
		link = &(*link).shorter
	}
	*link = found
	if m.depth < order {
		m.depth++
	} else {
		m.context = m.context.shorter
	}
	if m.next >= maxNode-order {
		m.reset()
	}
}
