package read

import (
	"bytes"
	"errors"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// A measure finds the size of values of a type from their bytes, computing only the numbers that the type's
// expressions need. It is also the environment in which these are evaluated.
type measure struct {
	t     *spec.Type
	ops   []op
	up    *measure // measure of the value around it; nil for that around an array
	depth int      // of types around it
	whole bool     // it also finds all problems that a value may have

	args      []expr.Value // of the parameters
	values    []expr.Value // of the attributes and then the instances, as they were read last
	known     []bool
	sizes     []int      // of the attributes, as far as they are not skipped together
	kids      []*measure // of values of other types, by attribute
	item      expr.Value // _
	in        *Stream
	instances []computed
	counting  bool
	top       *measure

	// Of that around an array:
	types      int
	outer      *scope
	what       op      // an element
	ahead      *Buffer // buffer in which elements are looked at before they are read
	isBusy     bool
	isEarly    bool   // the array is being read for the first time
	isConfined bool   // what is around it must not be asked
	elementOf  *Array // whose element it has measured last, if that is an element
	elementAt  int64  // where that begins
}

// newMeasure returns the measure of the elements of an array and what they take, nil if there is none.
func newMeasure(r *Array) *measure {
	a := r.Attr
	m := &measure{in: &Stream{Buf: r.io.Buf}, t: r.Owner.Type, whole: true, outer: &scope{}}
	m.top = m
	var ok bool
	m.what, ok = m.once(a)
	if m.whole = m.whole && a.Valid == nil; !ok || a.Process != nil {
		return nil
	}
	if m.ahead = r.io.Buf; m.ahead.IsFile() {
		m.ahead = newBuffer(m.ahead.src)
	}
	return m
}

// element returns the number of bytes that an element of an array takes at the start of b, which is at an offset
// of the buffer.
func (m *measure) element(r *Array, i int64, b []byte, at int64, counting bool) (n int, ok bool) {
	if counting && !m.whole || m.isBusy {
		return 0, false
	}
	m.isBusy, m.elementOf = true, nil
	defer func() { m.isBusy = false }()
	m.outer.Struct, m.outer.index, m.counting = r.Owner, i, counting
	m.in.Base, m.in.End, m.in.at = r.io.Base, r.io.End, at
	n, ok = m.take(&m.what, b, m.in)
	return n, ok && n <= len(b)
}

// A computed is an instance in a measure.
type computed struct {
	op    op // what it does for an instance that lies in the data
	state uint8
}

const (
	unasked = iota
	missing // or being computed
	given
)

// An op is what a measure does for an attribute.
type op struct {
	attr  *spec.Attr
	kind  opKind
	size  int       // skip, number: bytes
	term  []byte    // scan: the terminator
	by    expr.Node // skip, sized: bytes; times: repetitions
	slot  int       // in values; -1 if no expression uses it
	seq   int       // number of the attribute; their number for several
	bit   int       // bits: before it in its run
	typ   *spec.TypeRef
	fits  func([]byte) bool // whether the bytes have no problem; nil if they never have one
	inner *measure
	in    Stream // sized
	buf   Buffer
	one   *op  // sized, times, toEnd
	cases []op // oneOf: in the order of the switch, and then the default
}

type opKind uint8

const (
	skip    opKind = iota // bytes
	number                // a number
	bitRun                // a number of bits, which takes no bytes itself
	scan                  // up to a terminator
	rest                  // up to the end of the stream
	inside                // a value of another type
	sized                 // a value in its own stream
	times                 // several values
	toEnd                 // values up to the end of the stream
	oneOf                 // one of several
	unknown               // what has no measure
)

// maxTypes is the largest number of values of types in an element that is measured.
const maxTypes = 1000

// earlyDepth is the depth of nested types up to which measures are made before a value needs them.
const earlyDepth = 6

// MeasureDepth is the largest depth of nested types that Pass looks into.
const MeasureDepth = 30

// measureOf returns the measure of a type; nil if there is none.
func measureOf(t *spec.Type, up *measure) *measure {
	if t == nil || t.EndianOn != nil || up.depth == MeasureDepth || up.top.types >= maxTypes {
		return nil
	}
	up.top.types++
	m := &measure{t: t, up: up, top: up.top, depth: up.depth + 1, whole: true, instances: make([]computed, len(t.Instances))}
	m.values = make([]expr.Value, len(t.Seq)+len(t.Instances))
	m.known, m.kids, m.sizes = make([]bool, len(m.values)), make([]*measure, len(m.values)), make([]int, len(t.Seq)+1)
	run := 0 // bits
	for i, a := range t.Seq {
		if a.Type.Kind == spec.Bits && a.Switch == nil && a.Repeat == spec.Once && a.If == nil {
			if slot := m.slotOf(a); slot >= 0 {
				m.ops = append(m.ops, op{attr: a, kind: bitRun, bit: run, typ: &a.Type, slot: slot, seq: i})
			}
			run += a.Type.Size
			continue
		}
		m.flush(&run)
		o, ok := m.add(a)
		if !ok {
			return nil
		}
		o.seq = i
		m.push(o)
	}
	if run%8 != 0 {
		return nil
	}
	m.flush(&run)
	for i, a := range t.Instances {
		if a.Value == nil {
			var ok bool
			m.instances[i].op, ok = m.add(a)
			m.whole = m.whole && ok && a.Pos != nil
		}
	}
	return m
}

// slotOf returns where the value of an attribute is kept; -1 if no expression uses it.
func (m *measure) slotOf(a *spec.Attr) int {
	at := m.t.Find(a.ID).Index
	switch {
	case a.Valid == nil && !a.IsUsed():
		return -1
	case a.IsInstance:
		return len(m.t.Seq) + at
	}
	return at
}

func (m *measure) flush(run *int) {
	if *run > 0 {
		m.push(op{kind: skip, size: (*run + 7) / 8, slot: -1, seq: len(m.t.Seq)})
	}
	*run = 0
}

// push adds an op, or its bytes to those that the last one skips.
func (m *measure) push(o op) {
	if n := len(m.ops); n > 0 && o.isPlain() && m.ops[n-1].isPlain() {
		m.ops[n-1] = op{kind: skip, size: m.ops[n-1].size + o.size, slot: -1, seq: len(m.t.Seq)}
		return
	}
	m.ops = append(m.ops, o)
}

// isPlain reports whether an op only skips some bytes.
func (o *op) isPlain() bool {
	return (o.kind == skip || o.kind == number) && o.by == nil && o.slot < 0 && o.fits == nil &&
		(o.attr == nil || o.attr.If == nil && o.attr.Valid == nil)
}

// add returns what an attribute takes.
func (m *measure) add(a *spec.Attr) (o op, ok bool) {
	o, ok = m.once(a)
	m.whole = m.whole && a.Process == nil && a.Kept == nil && (a.Valid == nil || o.slot >= 0 && a.Repeat == spec.Once)
	if a.Repeat != spec.Once {
		one := o
		switch bits := a.FixedBits(); {
		case bits >= 0 && one.isPlain():
			o = op{kind: skip, slot: -1, size: int(bits / 8)}
		case a.Repeat == spec.Times:
			o = op{kind: times, slot: -1, one: &one, by: a.RepeatExpr}
		default:
			o = op{kind: toEnd, slot: -1, one: &one}
		}
	}
	o.attr = a
	return o, ok && (a.Repeat != spec.Until || o.one.kind == inside)
}

// once returns what an attribute takes once.
func (m *measure) once(a *spec.Attr) (o op, ok bool) {
	o = op{attr: a, typ: &a.Type, slot: -1}
	if isText := a.Type.Kind == spec.Str || a.Type.Kind == spec.RawBytes; isText && a.Switch == nil && a.Repeat == spec.Once && a.Process == nil &&
		(a.EndOf(&a.Type) == nil || a.Size == nil && !a.SizeEOS) && a.Pad < 0 && !a.Include {
		o.slot = m.slotOf(a)
	}
	if a.Type.Kind == spec.Str {
		o.fits = charset.Checker(a.Encoding)
	}
	switch {
	case a.IsContents:
		o.size, o.fits = len(a.Contents), func(b []byte) bool { return bytes.Equal(b, a.Contents) }
		return o, a.Size == nil
	case a.Size != nil || a.SizeEOS:
		return m.sized(a, o), true
	case a.Terminator != nil || a.Type.Name == "strz" && a.Switch == nil:
		o.kind, o.term = scan, a.EndOf(&a.Type)
		return o, a.Consume && a.EOSError && a.Type.Kind != spec.User && a.Switch == nil
	}
	return m.typed(a, &a.Type)
}

// sized returns what an attribute of a given size takes once; o is it as far as its type says.
func (m *measure) sized(a *spec.Attr, o op) op {
	if o.by = a.Size; o.by == nil {
		o.kind = rest
	}
	if a.Switch == nil && a.Type.Kind != spec.User {
		if bits := a.ElementBits(); bits >= 0 {
			o.by, o.size = nil, int(bits/8)
		}
		return o
	}
	one, ok := m.typed(a, &a.Type)
	if !ok { // its size is known all the same
		one = op{slot: -1}
	}
	m.whole = m.whole && ok && a.Terminator == nil && a.Pad < 0
	return op{kind: sized, by: o.by, one: &one, slot: -1}
}

// typed returns the size of a value of a type without a given size.
func (m *measure) typed(a *spec.Attr, t *spec.TypeRef) (o op, ok bool) {
	o = op{attr: a, typ: t, slot: -1}
	switch {
	case a.Switch != nil && t == &a.Type:
		o.kind = oneOf
		for _, r := range a.Types() {
			c, ok := m.typed(a, r)
			if !ok {
				c = op{kind: unknown}
			}
			o.cases = append(o.cases, c)
		}
		o.cases = append(o.cases, op{slot: -1}) // without a default
		return o, true
	case t.Kind == spec.User && !a.NoParent && a.ParentExpr == nil:
		if o.kind = inside; m.depth >= earlyDepth {
			return o, true
		}
		return o, m.enter(&o)
	case t.Kind == spec.Unsigned || t.Kind == spec.Signed || t.Kind == spec.Float:
		if o.kind, o.size = number, t.Size; t == &a.Type && a.Repeat == spec.Once {
			o.slot = m.slotOf(a)
		}
		return o, true
	}
	o.size = t.Size
	if t.Kind == spec.RawBytes && a.IsSized() { // all of its stream
		o.kind = rest
	}
	return o, o.kind == rest
}

// enter finds the measure of the value of another type that an op takes, and reports whether there is one.
func (m *measure) enter(o *op) bool {
	if o.inner = measureOf(o.typ.User, m); o.inner == nil {
		o.kind = unknown
		return false
	}
	if o.typ == &o.attr.Type && o.attr.Repeat == spec.Once {
		if i := m.slotOf(o.attr); i >= 0 {
			m.kids[i] = o.inner
		}
	}
	m.whole = m.whole && o.inner.whole
	return true
}

var errUnmeasured = errors.New("not measured")

// Name implements expr.Env.
func (m *measure) Name(r *expr.Ref) (expr.Value, error) {
	switch {
	case r.Of == m.t && m.outer == nil:
		if r.In == expr.InSeq && m.known[r.Index] {
			return m.values[r.Index], nil
		}
		return m.at(r)
	case r.Name == "_":
		return m.item, nil
	case m.outer != nil && !m.isConfined && r.Name != "_io":
		return m.outer.Name(r)
	}
	return m.Attr(r.Name)
}

// Attr implements expr.Object.
func (m *measure) Attr(name string) (expr.Value, error) {
	if name == "_io" {
		return expr.Value{Kind: expr.Stream, Ref: m.in}, nil
	}
	if m.outer != nil {
		if m.isConfined {
			return expr.Value{}, errUnmeasured
		}
		return m.outer.Attr(name)
	}
	switch {
	case name == "_parent":
		return expr.Value{Kind: expr.Struct, Ref: m.up}, nil
	case name == "_root" && m.t.Top == m.up.t.Top:
		return m.up.Attr(name)
	case name == "_root":
		return expr.Value{Kind: expr.Struct, Ref: m}, nil
	}
	if r := m.t.Find(name); r != nil {
		return m.at(r)
	}
	return expr.Value{}, errUnmeasured
}

// at returns the value of an attribute of the type.
func (m *measure) at(r *expr.Ref) (expr.Value, error) {
	i := r.Index
	switch r.In {
	case expr.InParams:
		if i < len(m.args) {
			return m.args[i], nil
		}
		return expr.Value{}, errUnmeasured
	case expr.InInstances:
		if !m.compute(i) {
			return expr.Value{}, errUnmeasured
		}
		i += len(m.t.Seq)
	}
	if m.known[i] {
		return m.values[i], nil
	}
	if kid := m.kids[i]; kid != nil {
		return expr.Value{Kind: expr.Struct, Ref: kid}, nil
	}
	return expr.Value{}, errUnmeasured
}

// compute computes an instance, and reports whether it has no problem.
func (m *measure) compute(i int) bool {
	x, a := &m.instances[i], m.t.Instances[i]
	if x.state != unasked {
		return x.state == given
	}
	x.state = missing
	there, err := holds(a, m)
	ok := err == nil && m.Spend(emptyCost) == nil
	switch {
	case !ok:
	case a.Value != nil:
		var v expr.Value
		if there {
			v, err = a.Value.Eval(m)
			ok = err == nil && m.allows(a, v)
		}
		slot := len(m.t.Seq) + i
		m.values[slot], m.known[slot] = Enumerated(v, a), ok
	case there:
		ok = m.visit(&x.op)
	}
	if ok {
		x.state = given
	}
	return ok
}

// visit measures an instance where it lies, in a stream that is at hand as a whole.
func (m *measure) visit(o *op) bool {
	if o.attr.IO != nil || m.in.Buf.IsFile() {
		return false
	}
	pos, ok := m.natural(o.attr.Pos)
	if !ok || pos > m.in.Size() {
		return false
	}
	was := m.in.at
	defer func() { m.in.at = was }()
	m.in.at = m.in.Base + pos
	_, ok = m.take(o, m.in.Buf.data[m.in.at:m.in.End], m.in)
	return ok && (!m.counting || o.attr.Valid == nil || m.allows(o.attr, m.values[o.slot]))
}

// allows reports whether an attribute may have a value.
func (m *measure) allows(a *spec.Attr, v expr.Value) bool {
	if a.Valid == nil || !m.counting {
		return true
	}
	defer m.confine()()
	m.item = v
	text, err := invalid(a, v, m)
	return err == nil && text == ""
}

// confine keeps expressions that are evaluated early from what is around the array: it may not have been
// read.
func (m *measure) confine() (end func()) {
	was := m.top.isConfined
	m.top.isConfined = m.top.isEarly
	return func() { m.top.isConfined = was }
}

// Spend implements expr.Env.
func (m *measure) Spend(n int) error { return m.top.outer.Spend(n) }

// SizeOf implements expr.Object.
func (m *measure) SizeOf(name string) (expr.Value, error) { return m.t.SizeOf(name) }
