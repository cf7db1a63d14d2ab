package read

import (
	"bytes"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// sizeIn returns the size of the value at the start of b, the bytes of a stream from its position on. ok
// is false where b ends before it or, if problems count, where it may have one.
func (m *measure) sizeIn(b []byte, in *Stream, counting bool) (n int, ok bool) {
	if counting && !m.whole {
		return 0, false
	}
	m.forget()
	for i := range m.instances {
		m.instances[i].state = unasked
	}
	m.in, m.counting = in, counting
	start := in.at
	for i := range m.ops {
		o := &m.ops[i]
		in.at = start + int64(n)
		if o.attr != nil && o.attr.If != nil {
			there, err := holds(o.attr, m)
			if err != nil {
				return 0, false
			}
			if !there {
				continue
			}
		}
		k, ok := m.take(o, b[n:], in)
		if !ok || k > len(b)-n {
			return 0, false
		}
		m.sizes[o.seq] = k
		if n += k; counting && o.attr != nil && o.attr.Valid != nil && !m.allows(o.attr, m.values[o.slot]) {
			return 0, false
		}
	}
	in.at = start + int64(n)
	return n, !counting || len(m.instances) == 0 || m.hasInstances()
}

// hasInstances reports whether no instance has a problem.
func (m *measure) hasInstances() bool {
	defer m.confine()()
	for i := range m.instances {
		if !m.compute(i) {
			return false
		}
	}
	return true
}

// forget forgets the values that were read last.
func (m *measure) forget() {
	clear(m.known)
	for _, kid := range m.kids {
		if kid != nil {
			kid.forget()
		}
	}
}

// take returns the number of bytes that an attribute takes at the start of b, the bytes of a stream from
// its position on.
func (m *measure) take(o *op, b []byte, in *Stream) (n int, ok bool) {
	n = o.size
	switch o.kind {
	case number, bitRun:
		return m.number(o, b)
	case inside:
		return m.inside(o, b, in)
	case oneOf:
		return m.choose(o, b, in)
	case times, toEnd:
		return m.repeat(o, b, in)
	case unknown:
		return 0, false
	case scan:
		if n = IndexUnit(b, o.term); n < 0 || !m.keep(o, b[:n]) {
			return 0, false
		}
		return n + len(o.term), true
	}
	if o.by != nil {
		by, ok := m.natural(o.by)
		if !ok || by > int64(len(b)) {
			return 0, false
		}
		n = int(by)
	} else if o.kind == rest || o.kind == sized {
		if n = len(b); in.at+int64(n) != in.End {
			return 0, false
		}
	}
	if n > len(b) {
		return 0, false
	}
	if o.kind != sized {
		return n, m.keep(o, b[:n])
	}
	o.buf.data = b[:n]
	o.in = Stream{Buf: &o.buf, End: int64(n)}
	_, ok = m.take(o.one, b[:n], &o.in)
	return n, ok || !m.counting
}

// inside measures a value of another type.
func (m *measure) inside(o *op, b []byte, in *Stream) (n int, ok bool) {
	if o.inner == nil && !m.enter(o) {
		return 0, false
	}
	o.inner.args = o.inner.args[:0]
	for i, arg := range o.typ.Args {
		v, err := arg.Eval(m)
		if err != nil {
			return 0, false
		}
		if i < len(o.inner.t.Params) {
			v = Enumerated(v, o.inner.t.Params[i])
		}
		o.inner.args = append(o.inner.args, v)
	}
	return o.inner.sizeIn(b, in, m.counting)
}

// keep keeps a text or bytes if an expression uses them. It reports whether they have no problem, if these
// count.
func (m *measure) keep(o *op, b []byte) bool {
	fits := !m.counting || o.fits == nil || o.fits(b)
	if o.slot < 0 || !fits {
		return fits
	}
	v, err := expr.Of(bytes.Clone(b)), error(nil)
	if o.typ.Kind == spec.Str {
		var text string
		text, err = charset.Decode(b, o.attr.Encoding)
		v = expr.Of(text)
	}
	m.values[o.slot], m.known[o.slot] = v, err == nil
	return err == nil
}

// natural evaluates a number of bytes or repetitions.
func (m *measure) natural(n expr.Node) (int64, bool) {
	x, err := expr.EvalInt(n, m)
	return x, err == nil && x >= 0
}

func (m *measure) repeat(o *op, b []byte, in *Stream) (n int, ok bool) {
	left := int64(-1)
	if o.kind == times {
		if left, ok = m.natural(o.by); !ok {
			return 0, false
		}
	} else if in.at+int64(len(b)) != in.End && o.attr.Repeat == spec.UntilEnd {
		return 0, false
	}
	if size := int64(o.one.size); left >= 0 && size > 0 && o.one.isPlain() {
		return int(left * size), left <= int64(len(b))/size
	}
	for start := in.at; left > 0 || left < 0 && n < len(b); left-- {
		in.at = start + int64(n)
		k, ok := m.take(o.one, b[n:], in)
		if !ok || k == 0 || k > len(b)-n {
			return 0, false
		}
		n += k
		if o.attr.Repeat != spec.Until {
			continue
		}
		in.at, m.item = start+int64(n), expr.Value{Kind: expr.Struct, Ref: o.one.inner}
		if isLast, err := expr.Condition(o.attr.RepeatExpr, m); isLast || err != nil {
			return n, err == nil
		}
	}
	return n, o.attr.Repeat != spec.Until
}

func (m *measure) choose(o *op, b []byte, in *Stream) (n int, ok bool) {
	on, err := o.attr.Switch.On.Eval(m)
	if err == nil {
		if i, err := o.attr.Switch.Find(on, m); err == nil {
			return m.take(&o.cases[i], b, in)
		}
	}
	return 0, false
}

// number keeps the value of a number.
func (m *measure) number(o *op, b []byte) (n int, ok bool) {
	from, n := 0, o.size
	if o.kind == bitRun {
		from, n = o.bit/8, (o.bit+o.typ.Size+7)/8
	}
	if n > len(b) || n-from > 8 {
		return 0, false
	}
	if o.slot < 0 {
		return n, true
	}
	isLE := o.typ.Endian == spec.Little
	v := littleOrBig(b[from:n], isLE)
	x := &m.values[o.slot]
	if m.known[o.slot] = true; o.kind == number {
		setNumber(x, o.typ, v)
	} else {
		below := o.bit % 8
		if !isLE {
			below = 8*n - o.bit - o.typ.Size
		}
		n = 0
		setBits(x, o.typ, v>>below<<(64-o.typ.Size)>>(64-o.typ.Size), o.attr)
	}
	if o.attr.Enum != nil {
		x.Ref = o.attr.Enum
	}
	return n, true
}
