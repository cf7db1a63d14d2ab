package read

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// attr reads an attribute at the position of a stream.
func (s *Struct) attr(a *spec.Attr, io *Stream, sc *scope) (Cell, error) {
	if ok, err := holds(a, sc); !ok {
		return Cell{Buf: io.Buf, Start: io.at, Body: io.at, Tail: io.at, End: io.at}, err
	}
	return s.present(a, io, sc)
}

// present reads an attribute that exists.
func (s *Struct) present(a *spec.Attr, io *Stream, sc *scope) (Cell, error) {
	if a.Repeat != spec.Once {
		return s.array(a, io, sc)
	}
	return s.one(a, io, sc)
}

// one reads an attribute or an element of one.
func (s *Struct) one(a *spec.Attr, io *Stream, sc *scope) (Cell, error) {
	t := &a.Type
	if a.Switch != nil {
		chosen, err := choose(a.Switch, sc)
		if err != nil {
			return Cell{Buf: io.Buf, Start: io.at, Body: io.at, Tail: io.at, End: io.at}, err
		}
		if t = chosen; t == nil {
			t = &raw
		}
	}
	return s.typed(t, a, io, sc)
}

// typed reads a value of a type.
func (s *Struct) typed(t *spec.TypeRef, a *spec.Attr, io *Stream, sc *scope) (Cell, error) {
	if t.Kind != spec.Bits && (t.Kind != spec.User || a.IsSized()) { // a type of the user's may begin with the next bits
		io.left = 0
	}
	c := Cell{State: Ready, Buf: io.Buf, Type: t, Start: io.at, Body: io.at, Tail: io.at, End: io.at}
	var err error
	switch {
	case t.Kind == spec.Unsigned || t.Kind == spec.Signed || t.Kind == spec.Float:
		if err = io.need(int64(t.Size), a); err == nil {
			e := s.endianOf(t)
			if e == spec.NoEndian && t.Size > 1 {
				err = errors.New("the byte order is undecided")
			}
			setNumber(&c.Val, t, io.number(t.Size, e == spec.Little))
		}
	case t.Kind == spec.Bits:
		c.Bit = (8 - io.left) % 8
		var n uint64
		n, err = io.bits(t.Size, t.Endian == spec.Little, a)
		setBits(&c.Val, t, n, a)
	case t.Kind == spec.User && !a.IsSized():
		return c, s.inline(&c, t, a, io, sc)
	case t == &raw && !a.IsSized() && !a.IsContents:
		c.State = Absent
		return c, nil
	default:
		return c, s.sized(&c, t, a, io, sc)
	}
	c.Val, c.Tail, c.End = Enumerated(c.Val, a), io.at, io.at
	return c, err
}

var raw = spec.TypeRef{}

// Number returns the number of a type that bytes are.
func Number(t *spec.TypeRef, b []byte) (v expr.Value) {
	setNumber(&v, t, littleOrBig(b, t.Endian == spec.Little))
	return v
}

// setNumber sets the value of a number of a type, whose bytes are those of n.
func setNumber(v *expr.Value, t *spec.TypeRef, n uint64) {
	v.Kind, v.N, v.Byte, v.Wide = expr.Int, n, t.Size == 1, n > math.MaxInt64
	switch {
	case t.Kind == spec.Float && t.Size == 4:
		v.Kind, v.N, v.Wide = expr.Float, math.Float64bits(float64(math.Float32frombits(uint32(n)))), false
	case t.Kind == spec.Float:
		v.Kind, v.Wide = expr.Float, false
	case t.Kind == spec.Signed:
		shift := 64 - 8*t.Size
		v.N, v.Wide = uint64(int64(n<<shift)>>shift), false
	}
}

// setBits sets the value of a number of bits.
func setBits(v *expr.Value, t *spec.TypeRef, n uint64, a *spec.Attr) {
	v.Kind, v.N, v.Wide = expr.Int, n, n > math.MaxInt64
	if t.Size == 1 && a.Enum == nil {
		v.Kind = expr.Bool
	}
}

// newStruct returns a value of a user-defined type in a stream, at its position.
func (s *Struct) newStruct(t *spec.TypeRef, a *spec.Attr, io *Stream, sc *scope) (*Struct, error) {
	n := &Struct{doc: s.doc, Type: t.User, Parent: s, Root: s.Root, IO: io, Start: io.at, mark: io.mark(), args: t.Args, In: Place{s, a, sc.elementOf(a)}}
	if t.User.Top != s.Type.Top {
		n.Root = n
	}
	n.often = s.often || a.IsInstance && s != s.doc.Root
	if a.NoParent {
		n.Parent = nil
	} else if a.ParentExpr != nil {
		v, err := a.ParentExpr.Eval(sc)
		if err != nil {
			return nil, err
		}
		n.Parent, _ = v.Ref.(*Struct)
	}
	var err error
	n.params, err = expr.EvalAll(t.Args, sc)
	for i := range n.params[:min(len(n.params), len(t.User.Params))] {
		n.params[i] = Enumerated(n.params[i], t.User.Params[i])
	}
	return n, err
}

// inline reads a value of a user-defined type within the bytes of its parent. A value of fixed size is
// skipped.
func (s *Struct) inline(c *Cell, t *spec.TypeRef, a *spec.Attr, io *Stream, sc *scope) error {
	if t.User == nil {
		f, err := s.foreign(c, t, io, false)
		if err == nil {
			io.at = min(f.End(), io.End)
			c.Tail, c.End = io.at, io.at
		}
		return err
	}
	n, err := s.newStruct(t, a, io, sc)
	if err != nil {
		return err
	}
	c.Val = object(n)
	if bits := t.User.FixedBits(); bits > 0 && bits%8 == 0 && io.left == 0 && t.User.EndianOn == nil && io.at <= io.End-bits/8 {
		io.at += bits / 8
		n.End = io.at
	} else if size := s.doc.sizeOf(t, a, io); size > 0 {
		io.at += size
		n.End = io.at
	} else {
		n.parse()
	}
	c.Tail, c.End = io.at, io.at
	s.doc.noteSize(n, t, a, io)
	if n.Bad != nil {
		return n.Bad
	}
	if c.End == c.Start {
		return s.doc.Spend(emptyCost)
	}
	return nil
}

// foreign reads a value of a type that no description defines.
func (s *Struct) foreign(c *Cell, t *spec.TypeRef, io *Stream, isWhole bool) (Foreign, error) {
	if s.doc.foreign == nil {
		return nil, fmt.Errorf("the type %s is not defined in any description", t.Name)
	}
	f, err := s.doc.foreign(t.Name, io.Buf, span.Between(io.at, max(io.at, io.End)), isWhole)
	if err == nil {
		c.Val = expr.Value{Kind: expr.Struct, Ref: f}
	}
	return f, err
}

// sized reads bytes, a text, or a value of a user-defined type that has its own bytes.
func (s *Struct) sized(c *Cell, t *spec.TypeRef, a *spec.Attr, io *Stream, sc *scope) error {
	if err := s.extent(c, t, a, io, sc); err != nil {
		return err
	}
	io.at = c.End
	c.State = OnDemand
	var sub *Stream
	if a.Process != nil {
		b, how, err := process(a.Process, io.Buf.Append(nil, c.Body, c.Tail), sc)
		s.doc.made += int64(len(b))
		if err != nil {
			c.State = Ready
			c.Bad = &Problem{Code: Unprocessed, Text: fmt.Sprintf("%s: %v", a.ID, err), At: span.Between(c.Body, c.Tail), In: io.Buf, Where: a.Place}
			return nil
		}
		sub = &Stream{Buf: &Buffer{data: b, outer: io.Buf, start: c.Body, end: c.Tail, change: how, by: Place{s, a, sc.elementOf(a)}}, End: int64(len(b))}
		c.State, c.Val = Ready, expr.Of(b)
		if t.Kind == spec.Str {
			text, err := charset.Decode(b, a.Encoding)
			c.Val = expr.Of(text)
			return err
		}
	}
	if t.Kind != spec.User {
		return nil
	}
	if sub == nil {
		sub = &Stream{Buf: io.Buf, Base: c.Body, End: c.Tail, at: c.Body}
	}
	if t.User == nil {
		c.State = Ready
		_, err := s.foreign(c, t, sub, true)
		return err
	}
	n, err := s.newStruct(t, a, sub, sc)
	if err != nil {
		return err
	}
	n.Owns, n.End = true, sub.Base
	c.State, c.Val = Ready, object(n)
	return nil
}

// extent finds where bytes begin and end.
func (s *Struct) extent(c *Cell, t *spec.TypeRef, a *spec.Attr, io *Stream, sc *scope) error {
	term := a.EndOf(t)
	n := int64(-1)
	switch {
	case a.Size != nil:
		var err error
		if n, err = expr.EvalInt(a.Size, sc); err != nil {
			return err
		}
	case a.SizeEOS:
		n = max(0, io.End-io.at)
	case a.IsContents:
		n = int64(len(a.Contents))
	case term == nil:
		return fmt.Errorf("no size, size-eos or terminator says where %s ends", t)
	}
	if a.Size != nil || a.SizeEOS || a.IsContents {
		if err := io.need(n, a); err != nil {
			return err
		}
		c.End = io.at + n
		c.Tail = c.End
		if a.Pad >= 0 && (term == nil || int(term[len(term)-1]) != a.Pad) {
			c.Tail = io.Buf.trimmed(c.Body, c.Tail, byte(a.Pad))
		}
		if term != nil {
			if at := io.Buf.find(c.Body, c.Tail, term); at >= 0 {
				c.Tail = at
				if a.Include {
					c.Tail += int64(len(term))
				}
			}
		}
		return nil
	}
	at := io.Buf.find(io.at, io.End, term)
	if at < 0 {
		if a.EOSError {
			return &Problem{Code: span.Truncated, Text: fmt.Sprintf("%s has no terminator", a.ID), At: span.Between(io.at, io.End), In: io.Buf, Where: a.Place}
		}
		c.Tail, c.End = io.End, io.End
		return nil
	}
	c.Tail, c.End = at, at
	if a.Include {
		c.Tail += int64(len(term))
	}
	if a.Consume {
		c.End += int64(len(term))
	}
	return nil
}

// PutNumber returns the bytes of a number of a type in the struct.
func (s *Struct) PutNumber(t *spec.TypeRef, n uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, n)[:t.Size]
	if s.IsBig(t) {
		slices.Reverse(b)
	}
	return b
}

// IsBig reports whether numbers of a type have their highest byte first in the struct.
func (s *Struct) IsBig(t *spec.TypeRef) bool { return s.endianOf(t) == spec.Big }

func (s *Struct) endianOf(t *spec.TypeRef) spec.Endian {
	if t.Endian == spec.NoEndian {
		return s.endian
	}
	return t.Endian
}
