package read

import (
	"bytes"
	"errors"

	"varview/decoder/kaitai/expr"
	"varview/decoder/kaitai/spec"
)

// A measure finds the size of values of a type from their bytes, computing only the numbers that the type's
// expressions need. It is also the environment in which these are evaluated.
type measure struct {
	t     *spec.Type
	ops   []op
	up    *measure
	kids  map[string]*measure
	slots map[string]int
	whole bool // it also finds all problems that a value may have

	values   []expr.Value // values of the slots, as last read
	known    []bool
	wanted   []bool     // texts and bytes that an expression has asked for
	item     expr.Value // _
	depth    int        // depth of instances that need one another
	at, size int        // in the stream; size is -1 if it is not known
}

// An op is the step of a measure for an attribute.
type op struct {
	attr  *spec.Attr
	kind  opKind
	size  int       // skip, number: bytes
	term  []byte    // scan: the terminator
	by    expr.Node // skip, sized: bytes; times: repetitions
	slot  int       // where the value is kept; -1 if it is not
	bit   int       // bits: before it in its run
	typ   *spec.TypeRef
	text  func([]byte) bool // whether a text is valid
	inner *measure
	one   *op  // sized, times, toEnd
	cases []op // oneOf: in the order of the switch, and then the default
}

type opKind uint8

const (
	skip   opKind = iota // bytes
	number               // a number
	bitRun               // a number of bits, which takes no bytes itself
	scan                 // up to a terminator
	rest                 // up to the end of the stream
	inside               // a value of another type
	sized                // a value in its own stream
	times                // several values
	toEnd                // values up to the end of the stream
	oneOf                // one of several
	none                 // nothing
)

// MeasureDepth is the largest depth of nested types that Pass looks into.
const MeasureDepth = 6

// measureOf returns the measure of a type; nil if there is none.
func measureOf(t *spec.Type, up *measure, depth int) *measure {
	if t == nil || t.EndianOn != nil || depth > MeasureDepth || len(t.Params) > 0 {
		return nil
	}
	m := &measure{t: t, up: up, kids: map[string]*measure{}, slots: map[string]int{}, whole: true, size: -1}
	run := 0 // bits
	for _, a := range t.Seq {
		if a.Type.Kind == spec.Bits && a.Switch == nil && a.Repeat == spec.Once && a.If == nil {
			m.ops = append(m.ops, op{attr: a, kind: bitRun, bit: run, typ: &a.Type, slot: m.newSlot(a)})
			run += a.Type.Size
			continue
		}
		m.flush(&run)
		o, ok := m.add(a, depth)
		if !ok {
			return nil
		}
		m.ops = append(m.ops, o)
	}
	if run%8 != 0 {
		return nil
	}
	m.flush(&run)
	for _, a := range t.Instances {
		m.whole = m.whole && a.Value != nil && a.Valid == nil
	}
	return m
}

func (m *measure) newSlot(a *spec.Attr) int {
	m.slots[a.ID] = len(m.values)
	m.values, m.known = append(m.values, expr.Value{}), append(m.known, false)
	m.wanted = append(m.wanted, false)
	return len(m.values) - 1
}

func (m *measure) flush(run *int) {
	if *run > 0 {
		m.ops = append(m.ops, op{kind: skip, size: (*run + 7) / 8, slot: -1})
	}
	*run = 0
}

// add returns what an attribute takes.
func (m *measure) add(a *spec.Attr, depth int) (o op, ok bool) {
	o, ok = m.once(a, depth)
	m.whole = m.whole && a.Process == nil && (a.Valid == nil || o.slot >= 0)
	if a.Valid != nil && o.slot >= 0 {
		m.wanted[o.slot] = true
	}
	switch {
	case a.Repeat == spec.Until:
		return o, false
	case a.Repeat != spec.Once:
		one := o
		o = op{kind: toEnd, one: &one}
		if a.Repeat == spec.Times {
			o.kind, o.by = times, a.RepeatExpr
		}
	}
	o.attr = a
	return o, ok
}

// once returns what an attribute takes once.
func (m *measure) once(a *spec.Attr, depth int) (o op, ok bool) {
	o = op{attr: a, typ: &a.Type, slot: -1}
	if isText := a.Type.Kind == spec.Str || a.Type.Kind == spec.RawBytes; isText && a.Switch == nil && a.Repeat == spec.Once && a.Process == nil &&
		(a.Terminator == nil || a.Size == nil) && a.Pad < 0 && !a.Include {
		o.slot = m.newSlot(a)
	}
	if a.Type.Kind == spec.Str {
		o.text = expr.Checker(a.Encoding)
	}
	switch {
	case a.IsContents:
		o.size = len(a.Contents)
		return o, a.Size == nil
	case a.Size != nil || a.SizeEOS:
		if o.by = a.Size; o.by == nil {
			o.kind = rest
		}
		if a.Switch == nil && a.Type.Kind != spec.User {
			return o, true
		}
		one, ok := m.typed(a, &a.Type, depth)
		if !ok { // its size is known all the same
			one = op{kind: none}
		}
		m.whole = m.whole && ok && a.Terminator == nil && a.Pad < 0
		return op{kind: sized, by: o.by, one: &one, slot: -1}, true
	case a.Terminator != nil || a.Type.Name == "strz" && a.Switch == nil:
		term := a.Terminator
		if term == nil {
			term = make([]byte, expr.UnitSize(a.Encoding))
		}
		o.kind, o.term = scan, term
		return o, !a.NoConsume && !a.NoEOSError && a.Type.Kind != spec.User && a.Switch == nil
	}
	return m.typed(a, &a.Type, depth)
}

// typed returns the size of a value of a type without a given size.
func (m *measure) typed(a *spec.Attr, t *spec.TypeRef, depth int) (o op, ok bool) {
	o = op{attr: a, typ: t, slot: -1}
	switch {
	case a.Switch != nil && t == &a.Type:
		o.kind = oneOf
		for i := range a.Switch.Cases {
			c, ok := m.typed(a, &a.Switch.Cases[i].Then, depth)
			if !ok {
				return o, false
			}
			o.cases = append(o.cases, c)
		}
		other := op{kind: none}
		if d := a.Switch.Default; d != nil {
			if other, ok = m.typed(a, d, depth); !ok {
				return o, false
			}
		}
		o.cases = append(o.cases, other)
		return o, true
	case t.Kind == spec.User && len(t.Args) == 0:
		o.kind, o.inner = inside, measureOf(t.User, m, depth+1)
		if o.inner != nil && t == &a.Type && a.Repeat == spec.Once {
			m.kids[a.ID] = o.inner
		}
		m.whole = m.whole && o.inner != nil && o.inner.whole
		return o, o.inner != nil
	case t.Kind == spec.Unsigned || t.Kind == spec.Signed || t.Kind == spec.Float:
		if o.kind, o.size = number, t.Size; t == &a.Type && a.Repeat == spec.Once {
			o.slot = m.newSlot(a)
		}
		return o, true
	}
	o.size = t.Size
	if t.Kind == spec.RawBytes && a.IsSized() { // all of its stream
		o.kind = rest
	}
	return o, o.kind == rest
}

var errUnmeasured = errors.New("not measured")

// Name implements expr.Env.
func (m *measure) Name(name string) (expr.Value, error) {
	if name == "_" {
		return m.item, nil
	}
	return m.Attr(name)
}

// Attr implements expr.Object.
func (m *measure) Attr(name string) (expr.Value, error) {
	if i, ok := m.slots[name]; ok {
		if m.wanted[i] = true; m.known[i] {
			return m.values[i], nil
		}
		return expr.Value{}, errUnmeasured
	}
	switch {
	case name == "_parent" && m.up != nil:
		return expr.Value{Kind: expr.Struct, Ref: m.up}, nil
	case name == "_io" && m.size >= 0:
		return expr.Value{Kind: expr.Stream, Ref: measured{m}}, nil
	case m.kids[name] != nil:
		return expr.Value{Kind: expr.Struct, Ref: m.kids[name]}, nil
	}
	if s, ok := m.t.Find(name); ok && s.In == spec.InInstances {
		if a := m.t.Instances[s.Index]; a.Value != nil && a.If == nil && m.depth < MeasureDepth {
			m.depth++
			defer func() { m.depth-- }()
			return a.Value.Eval(m)
		}
	}
	return expr.Value{}, errUnmeasured
}

// SizeOf implements expr.Object.
func (m *measure) SizeOf(name string) (expr.Value, error) { return m.t.SizeOf(name) }

// SizeOfName implements expr.Env.
func (m *measure) SizeOfName(name string) (expr.Value, error) { return m.t.SizeOf(name) }

// Enum implements expr.Env.
func (m *measure) Enum(path []string) (*expr.Enum, error) { return m.t.FindEnum(path) }

// SizeOfType implements expr.Env.
func (m *measure) SizeOfType(name string) (int64, error) { return m.t.SizeOfType(name) }

// A measured is the stream of a value that is measured.
type measured struct{ of *measure }

// Pos implements expr.IO.
func (m measured) Pos() int64 { return int64(m.of.at) }

// Size implements expr.IO.
func (m measured) Size() int64 { return int64(m.of.size) }

// sizeIn returns the size of the value at the start of b, which is at an offset of a stream. The size of
// the stream is -1 if it is not known. ok is false if b ends before the value does or, if problems count,
// if the value may have one.
func (m *measure) sizeIn(b []byte, at, size int, counting bool) (n int, ok bool) {
	clear(m.known)
	if m.size = size; counting && !m.whole {
		return 0, false
	}
	for i := range m.ops {
		o := &m.ops[i]
		m.at = at + n
		if o.attr != nil && o.attr.If != nil {
			there, err := holds(o.attr, m)
			if err != nil {
				return 0, false
			}
			if !there {
				o.forget()
				continue
			}
		}
		k, ok := m.take(o, b[n:], counting)
		if !ok || k > len(b)-n {
			return 0, false
		}
		if n += k; counting && o.attr != nil && o.attr.Valid != nil {
			m.item = m.values[o.slot]
			if text, err := invalid(o.attr, m.item, m); err != nil || text != "" {
				return 0, false
			}
		}
	}
	return n, !counting || m.hasInstances()
}

// hasInstances reports whether all instances have a value.
func (m *measure) hasInstances() bool {
	for _, a := range m.t.Instances {
		there, err := holds(a, m)
		if there {
			_, err = a.Value.Eval(m)
		}
		if err != nil {
			return false
		}
	}
	return true
}

// forget notes that the value of an attribute is not known.
func (o *op) forget() {
	if o.one != nil {
		o.one.forget()
	}
	if o.inner != nil {
		clear(o.inner.known)
		for i := range o.inner.ops {
			o.inner.ops[i].forget()
		}
	}
}

// take returns the number of bytes that an attribute takes at the start of b.
func (m *measure) take(o *op, b []byte, counting bool) (n int, ok bool) {
	n = o.size
	switch o.kind {
	case none:
		return 0, true
	case number, bitRun:
		return m.number(o, b)
	case inside:
		return o.inner.sizeIn(b, m.at, m.size, counting)
	case oneOf:
		return m.choose(o, b, counting)
	case times, toEnd:
		return m.repeat(o, b, counting)
	case scan:
		if n = IndexUnit(b, o.term); n < 0 || counting && !o.fits(b[:n]) || !m.keep(o, b[:n]) {
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
		n = len(b)
	}
	if n > len(b) || (o.kind == rest || o.kind == sized && o.by == nil) && m.size < 0 {
		return 0, false
	}
	if o.kind != sized {
		return n, (!counting || o.fits(b[:n])) && m.keep(o, b[:n])
	}
	at, size := m.at, m.size
	m.at, m.size = 0, n
	if _, ok = m.take(o.one, b[:n], counting); !ok {
		o.forget()
	}
	m.at, m.size = at, size
	return n, ok || !counting
}

// keep keeps a text or bytes if an expression has asked for them.
func (m *measure) keep(o *op, b []byte) bool {
	if o.slot < 0 || !m.wanted[o.slot] {
		return true
	}
	v, err := expr.Of(bytes.Clone(b)), error(nil)
	if o.typ.Kind == spec.Str {
		var text string
		text, err = expr.Decode(b, o.attr.Encoding)
		v = expr.Of(text)
	}
	m.values[o.slot], m.known[o.slot] = v, err == nil
	return err == nil
}

// natural evaluates a number of bytes or repetitions.
func (m *measure) natural(n expr.Node) (int64, bool) {
	v, err := n.Eval(m)
	if err != nil {
		return 0, false
	}
	x, err := v.Int64()
	return x, err == nil && x >= 0
}

func (m *measure) repeat(o *op, b []byte, counting bool) (n int, ok bool) {
	left := int64(-1)
	if o.kind == times {
		if left, ok = m.natural(o.by); !ok {
			return 0, false
		}
	} else if m.size < 0 {
		return 0, false
	}
	for at := m.at; left > 0 || left < 0 && n < len(b); left-- {
		m.at = at + n
		k, ok := m.take(o.one, b[n:], counting)
		if !ok || k == 0 || k > len(b)-n {
			return 0, false
		}
		n += k
	}
	return n, true
}

func (m *measure) choose(o *op, b []byte, counting bool) (n int, ok bool) {
	on, err := o.attr.Switch.On.Eval(m)
	if err == nil {
		if i, err := caseOf(o.attr.Switch, on, m); err == nil {
			return m.take(&o.cases[i], b, counting)
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
	isLE := o.typ.Endian == spec.Little
	v := littleOrBig(b[from:n], isLE)
	var x expr.Value
	if o.kind == number {
		x = numberOf(o.typ, v)
	} else {
		below := o.bit % 8
		if !isLE {
			below = 8*n - o.bit - o.typ.Size
		}
		x, n = bitsOf(o.typ, v>>below<<(64-o.typ.Size)>>(64-o.typ.Size), o.attr), 0
	}
	if o.slot >= 0 {
		m.values[o.slot], m.known[o.slot] = enumerated(x, o.attr), true
	}
	return n, true
}

// fits reports whether bytes have no problem.
func (o *op) fits(b []byte) bool {
	switch {
	case o.attr != nil && o.attr.IsContents:
		return bytes.Equal(b, o.attr.Contents)
	case o.text != nil:
		return o.text(b)
	}
	return true
}

// elementMeasure returns the measure of the elements of the array; nil if there is none.
func (r *Array) elementMeasure() *measure {
	if !r.isMeasured {
		r.isMeasured = true
		if a := r.Attr; a.Switch == nil && !a.IsSized() && a.Type.User != nil && a.Process == nil && len(a.Type.Args) == 0 {
			r.measured = measureOf(a.Type.User, nil, 0)
		}
	}
	return r.measured
}

// PassUpTo says where Pass stops.
type PassUpTo struct {
	Until, Enough int64 // no element ends after the one, and the last ends at the other or later
	Largest       int64 // size in bytes of an element
	Counting      bool  // before an element that may have a problem
}

// Pass passes over elements from the i-th on, which is at the offset at, as far as they are in b, which
// begins there. It returns the next one and its offset.
func (r *Array) Pass(b []byte, i, at int64, stop PassUpTo) (next, end int64) {
	m := r.elementMeasure()
	if m == nil || !r.io.Buf.IsFile() {
		return i, at
	}
	for i < r.n && at < stop.Enough {
		if block := i / markEvery; i%markEvery == 0 && stop.Largest == stop.Until && block+1 < int64(len(r.marks)) && (!stop.Counting || block < int64(len(r.clean)) && r.clean[block]) {
			if next := r.marks[block+1]; next.left == 0 && next.at <= stop.Enough && next.at <= stop.Until {
				b = b[min(int64(len(b)), next.at-at):]
				i, at = i+markEvery, next.at
				continue
			}
		}
		n, ok := m.sizeIn(b, 0, -1, stop.Counting)
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
		n, isClean := m.sizeIn(b, 0, -1, true)
		if !isClean {
			var ok bool
			if n, ok = m.sizeIn(b, 0, -1, false); !ok {
				return
			}
		}
		if n == 0 {
			return
		}
		if r.n%markEvery == 0 {
			r.marks = append(r.marks, r.io.mark())
			r.clean = append(append(r.clean, make([]bool, len(r.marks)-1-len(r.clean))...), true)
		}
		if block := r.n / markEvery; block < int64(len(r.clean)) {
			r.clean[block] = r.clean[block] && isClean
		}
		r.kept = nil
		r.n++
		r.io.at += int64(n)
		b = b[n:]
	}
}
