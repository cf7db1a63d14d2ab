package read

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"varview/decoder/kaitai/expr"
	"varview/decoder/kaitai/spec"
)

// A measure finds the size of values of a type from their bytes alone, without reading them: of types
// whose sizes depend on nothing but numbers in them.
type measure struct {
	ops   []op
	slots int
	whole bool // it also finds all problems that a value may have
}

// An op is what a measure does for an attribute.
type op struct {
	kind  opKind
	size  int // skip, number, scan
	slot  int // number: where the value is kept; skipBy and times: the number of bytes or of repetitions
	isLE  bool
	text  textCheck
	inner *measure
	magic []byte
}

type opKind uint8

const (
	skip   opKind = iota // bytes
	number               // a number that sizes depend on
	skipBy               // bytes of a size that was read
	scan                 // up to a terminator
	inside               // a value of another type
	times                // several of it
	magic                // contents
)

type textCheck uint8

const (
	noText textCheck = iota
	utf8Text
	asciiText
)

const maxSlots = 16

// MeasureDepth is the number of types in one another that Pass looks into.
const MeasureDepth = 6

// measureOf returns the measure of a type, nil if there is none.
func measureOf(t *spec.Type, depth int) *measure {
	if t == nil || t.EndianOn != nil || depth > MeasureDepth {
		return nil
	}
	m := &measure{whole: len(t.Instances) == 0}
	slots := map[string]int{}
	bits := int64(0)
	for _, a := range t.Seq {
		if a.If != nil || a.Switch != nil || a.Repeat != spec.Once && a.Repeat != spec.Times {
			return nil
		}
		if a.Type.Kind == spec.Bits && a.Repeat == spec.Once {
			bits += int64(a.Type.Size)
			m.whole = m.whole && a.Valid == nil
			continue
		}
		m.flush(&bits)
		if !m.add(a, slots, depth) {
			return nil
		}
	}
	if bits%8 != 0 {
		return nil
	}
	m.flush(&bits)
	return m
}

func (m *measure) flush(bits *int64) {
	if *bits > 0 {
		m.ops = append(m.ops, op{kind: skip, size: int((*bits + 7) / 8)})
	}
	*bits = 0
}

// add adds what an attribute takes. It reports false where that depends on more than numbers.
func (m *measure) add(a *spec.Attr, slots map[string]int, depth int) bool {
	m.whole = m.whole && a.Valid == nil && a.Process == nil
	o, ok := m.once(a, slots, depth)
	if !ok || a.Repeat == spec.Once {
		m.ops = append(m.ops, o)
		return ok
	}
	if o.kind == number {
		o.kind = skip
	}
	inner := &measure{ops: []op{o}, whole: true, slots: m.slots}
	if o.kind == skipBy {
		return false
	}
	slot, ok := slots[expr.NameOf(a.RepeatExpr)]
	m.ops = append(m.ops, op{kind: times, slot: slot, inner: inner})
	return ok
}

// once returns what an attribute takes once.
func (m *measure) once(a *spec.Attr, slots map[string]int, depth int) (o op, ok bool) {
	kind := a.Type.Kind
	if kind == spec.Str {
		switch name := strings.ToLower(a.Encoding); {
		case name == "ascii" || name == "us-ascii":
			o.text = asciiText
		case expr.IsPlain(name):
			o.text = utf8Text
		default:
			m.whole = false
		}
	}
	switch {
	case a.IsContents:
		return op{kind: magic, magic: a.Contents, size: len(a.Contents)}, a.Size == nil
	case a.Size != nil:
		m.whole = m.whole && kind != spec.User
		if bits := a.ElementBits(); bits >= 0 && bits < 1<<30 {
			o.kind, o.size = skip, int(bits/8)
			return o, true
		}
		o.kind = skipBy
		o.slot, ok = slots[expr.NameOf(a.Size)]
		return o, ok
	case a.SizeEOS:
		return o, false
	case a.Terminator != nil || a.Type.Name == "strz":
		term := a.Terminator
		if term == nil {
			term = make([]byte, expr.UnitSize(a.Encoding))
		}
		o.kind, o.size = scan, int(term[0])
		return o, len(term) == 1 && !a.NoConsume && !a.NoEOSError && kind != spec.User
	case kind == spec.User:
		inner := measureOf(a.Type.User, depth+1)
		if inner == nil {
			return o, false
		}
		m.whole = m.whole && inner.whole
		return op{kind: inside, inner: inner}, len(a.Type.Args) == 0
	case kind == spec.Unsigned && m.slots < maxSlots:
		slots[a.ID] = m.slots
		m.slots++
		return op{kind: number, size: a.Type.Size, slot: m.slots - 1, isLE: a.Type.Endian == spec.Little}, true
	case kind == spec.Unsigned || kind == spec.Signed || kind == spec.Float:
		return op{kind: skip, size: a.Type.Size}, true
	}
	return o, false
}

// sizeIn returns the size of the value at the start of b. ok is false where b ends before it or, if
// problems count, where it may have one.
func (m *measure) sizeIn(b []byte, counting bool) (n int, ok bool) {
	if counting && !m.whole {
		return 0, false
	}
	var slots [maxSlots]uint64
	for i := range m.ops {
		o := &m.ops[i]
		size := o.size
		rest := b[n:]
		switch o.kind {
		case number:
			if size > len(rest) {
				return 0, false
			}
			v := uint64(0)
			for i := range size {
				if o.isLE {
					v |= uint64(rest[i]) << (8 * i)
				} else {
					v = v<<8 | uint64(rest[i])
				}
			}
			slots[o.slot] = v
		case skipBy:
			if slots[o.slot] > uint64(len(rest)) {
				return 0, false
			}
			size = int(slots[o.slot])
		case scan:
			if size = bytes.IndexByte(rest, byte(o.size)) + 1; size == 0 {
				return 0, false
			}
		case inside:
			if size, ok = o.inner.sizeIn(rest, counting); !ok {
				return 0, false
			}
		case times:
			size = 0
			if slots[o.slot] > uint64(len(rest)) {
				return 0, false
			}
			for range slots[o.slot] {
				part, ok := o.inner.sizeIn(rest[size:], counting)
				if !ok {
					return 0, false
				}
				size += part
			}
		}
		if size > len(rest) || counting && !o.fits(rest[:size]) {
			return 0, false
		}
		n += size
	}
	return n, true
}

// fits reports whether bytes have no problem.
func (o *op) fits(b []byte) bool {
	switch {
	case o.kind == magic:
		return bytes.Equal(b, o.magic)
	case o.text == utf8Text:
		return utf8.Valid(b)
	case o.text == asciiText:
		for _, c := range b {
			if c >= utf8.RuneSelf {
				return false
			}
		}
	}
	return true
}

// elementMeasure returns the measure of the elements of the array, nil if there is none.
func (r *Array) elementMeasure() *measure {
	if !r.isMeasured {
		r.isMeasured = true
		if a := r.Attr; a.Switch == nil && !a.IsSized() && a.Type.User != nil && a.Process == nil && len(a.Type.Args) == 0 {
			r.measured = measureOf(a.Type.User, 0)
		}
	}
	return r.measured
}

// PassUpTo says where Pass stops.
type PassUpTo struct {
	Until    int64 // no element ends after it
	Enough   int64 // after an element that ends here or later
	Largest  int64 // size in bytes of an element
	Counting bool  // before an element that may have a problem
}

// Pass passes over elements from the i-th on, which is at the offset at, as far as they are in b, which
// begins there. It returns the next one and its offset.
func (r *Array) Pass(b []byte, i, at int64, stop PassUpTo) (next, end int64) {
	m := r.elementMeasure()
	if m == nil || !r.io.Buf.IsFile() {
		return i, at
	}
	for i < r.n && at < stop.Enough {
		n, ok := m.sizeIn(b, stop.Counting)
		if !ok || n == 0 || at+int64(n) > stop.Until || int64(n) > stop.Largest || r.Bad != nil && i == r.n-1 {
			break
		}
		i, at, b = i+1, at+int64(n), b[n:]
	}
	return i, at
}

// hop passes over elements that need not be kept, as far as a view of the buffer goes.
func (r *Array) hop(count int64) {
	m := r.elementMeasure()
	if m == nil || r.n < keptElements || r.io.left > 0 || r.Attr.Repeat == spec.Until {
		return
	}
	b := r.io.Buf.view(r.io.at, r.io.End)
	for count < 0 || r.n < count {
		n, ok := m.sizeIn(b, false)
		if !ok || n == 0 {
			return
		}
		if r.n%markEvery == 0 {
			r.marks = append(r.marks, r.io.mark())
		}
		r.kept = nil
		r.n++
		r.io.at += int64(n)
		b = b[n:]
	}
}
