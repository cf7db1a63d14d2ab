package godot

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var _ edit.Repairer = (*Format)(nil)

// closeUp is what is done about bytes that are missing at the end of a buffer or
// frame.
const closeUp = "cut off what is not whole, and count what is left"

// isShort reports whether v is damaged because it goes on behind the end of the
// bytes.
func isShort(v *tree.Value) bool {
	switch v.Damage.Code {
	case span.Truncated, span.LengthOverrun, span.NegativeLength:
		return true
	}
	return false
}

// keepsStart reports whether the bytes that are there of v, which is short, are a
// value if only its length or count says so.
func keepsStart(v *tree.Value) bool {
	if v.Damage.Code == span.Truncated {
		return false
	}
	switch typeOf(v.Type).shape {
	case shapeText, shapePath, shapeBytes, shapePacked:
		return true
	}
	return false
}

// Remedy implements tree.Remedier: it says what Repair would do.
func (f *Format) Remedy(parent, v *tree.Value, p *span.Problem) string {
	switch {
	case p.Code == span.TrailingBytes:
		return "take these bytes away"
	case p.Code == span.MissingValue,
		v.Damage == nil && p.Code == span.Truncated && v.Type != tRaw, // a buffer without bytes holds no value
		v.Damage != nil && isShort(v) && (parent.Type != tRaw || keepsStart(v)):
		return closeUp
	}
	return ""
}

// errForeign says that a problem is not one of the value it is said to be of.
var errForeign = errors.New("this value has no such problem")

// A mending is an edit that puts a problem right.
type mending struct {
	*editing
	n     *tree.Node
	p     *span.Problem
	drops string
	whole bool // the length of the frame has been set
}

// Repair implements edit.Repairer.
func (f *Format) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	m := &mending{editing: f.newEditing(ctx, r), n: n, p: p}
	if p.Offset < 0 || p.Length < 0 || p.End() > m.w.Size() {
		return edit.Repair{}, errors.New("the problem lies outside of the bytes")
	}
	if err := m.repair(); err != nil {
		return edit.Repair{}, err
	}
	splices, err := m.finish()
	if err != nil {
		return edit.Repair{}, err
	}
	at := int64(0)
	for i := range splices {
		if splices[i].Offset < at || splices[i].Length < 0 || splices[i].End() > m.w.Size() {
			return edit.Repair{}, errForeign
		}
		at = splices[i].End()
	}
	return edit.Repair{Splices: splices, Drops: m.drops}, nil
}

// finish gives the splices, with the length of the frame around.
func (m *mending) finish() ([]source.Splice, error) {
	if !m.whole {
		return m.done(m.n)
	}
	source.Sort(m.splices)
	if err := m.w.Err(); err != nil {
		return nil, err
	}
	return m.splices, m.ctx.Err()
}

func (m *mending) repair() error {
	p, v := m.p, &m.n.Value
	switch p.Code {
	case span.Truncated, span.LengthOverrun, span.MissingValue, span.MissingPadding:
		return m.close()
	case span.NegativeLength:
		if typeOf(v.Type).shape == shapeStrings && v.Count == 0 {
			m.putU32(p.Offset, 0)
			return nil
		}
		return m.close()
	case span.TrailingBytes:
		m.cut(p.Offset, p.End())
	case span.NonZeroPadding:
		m.put(p.Offset, p.Length, make([]byte, min(p.Length, 3)))
	case span.BoolValue:
		m.putU32(p.Offset, 1)
	case span.HighTypeBits:
		m.put(p.Offset+1, 1, []byte{0})
	case span.UnknownFlags:
		return m.flags()
	case span.SharedBit:
		m.putU32(p.Offset, m.w.U32(p.Offset)&^shared)
	case span.InvalidUTF8, span.ByteOrderMark, span.NulInText:
		return m.text()
	case span.MissingNul:
		return m.terminate()
	case span.OldNodePath:
		return m.renewPath()
	case span.ElementType:
		return m.element()
	case span.ContainerType:
		return m.untype(m.n, p.Offset)
	case span.RepeatedKey:
		return m.repeatedKey()
	case span.WideNumber:
		return m.narrow()
	case span.NullObject:
		if typeOf(v.Type).shape != shapeObject || v.Damage != nil || v.Layout != tree.Leaf {
			return errForeign
		}
		m.put(v.Head, v.Tail-v.Head, make([]byte, 4))
	default:
		return fmt.Errorf("nothing is known that puts %s right", p.Code)
	}
	return nil
}

// flags clears flags that mean nothing.
func (m *mending) flags() error {
	v, at := &m.n.Value, m.p.Offset
	if m.p.Length == 4 { // of a NodePath
		if v.Type != tNodePath || v.Layout != tree.Sequence {
			return errForeign
		}
		flags := m.w.U32(at)
		if flags&2 != 0 {
			return m.recountPath(v, 0, 1, flags&1)
		}
		m.putU32(at, flags&1)
		return nil
	}
	flags := uint16(0)
	if at == v.Head+2 {
		flags = v.Flags & m.f.knownFlags(v.Type)
	}
	m.put(at, 2, []byte{byte(flags), byte(flags >> 8)})
	return nil
}

// narrow stores a number in 32 bits.
func (m *mending) narrow() error {
	v := &m.n.Value
	if v.Type != tInt && v.Type != tFloat || v.Damage != nil || !m.f.isWide(m.w, v) {
		return errForeign
	}
	flags := v.Flags &^ flagWide
	m.put(v.Head+2, 2, []byte{byte(flags), byte(flags >> 8)})
	m.put(v.Head+4, 8, m.number(v)[4:])
	return nil
}

// number is v, an int or a float, as an engine would store it.
func (m *mending) number(v *tree.Value) []byte {
	if v.Type == tInt {
		return m.f.storedInt(m.f.int(m.w, v))
	}
	return m.f.storedFloat(m.f.float(m.w, v))
}
