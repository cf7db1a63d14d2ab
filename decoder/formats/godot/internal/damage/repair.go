// Package damage finds fields that may be the cause of damage, and repairs problems.
package damage

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/formats/godot/internal/variantedit"
)

// errNoSuchProblem is returned if the value does not have the problem.
var errNoSuchProblem = errors.New("this value has no such problem")

// A repairing is an edit that repairs a problem.
type repairing struct {
	*variantedit.Editing
	n     *tree.Node
	p     *span.Problem
	drops string
	whole bool // the length of the frame has been set
}

// A Judge implements edit.Repairer and the interfaces of package diagnose.
type Judge struct{ *variant.Format }

// Repair implements edit.Repairer.
func (f Judge) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	m := &repairing{Editing: variantedit.Begin(ctx, f.Format, r, edit.Options{}), n: n, p: p}
	if p.Offset < 0 || p.Length < 0 || p.End() > m.Window.Size() {
		return edit.Repair{}, errors.New("the problem is outside the bytes")
	}
	if err := m.repair(); err != nil {
		return edit.Repair{}, err
	}
	if m.whole {
		m.n = nil
	}
	splices, err := m.Done(m.n)
	if err != nil {
		return edit.Repair{}, err
	}
	at := int64(0)
	for i := range splices {
		if splices[i].Offset < at || splices[i].Length < 0 || splices[i].End() > m.Window.Size() {
			return edit.Repair{}, errNoSuchProblem
		}
		at = splices[i].End()
	}
	return edit.Repair{Splices: splices, Loss: m.drops}, nil
}

func (m *repairing) repair() error {
	p, v := m.p, &m.n.Value
	switch p.Code {
	case span.Truncated, span.LengthOverrun, span.MissingValue, span.MissingPadding:
		return m.closeEnd()
	case span.NegativeLength:
		if types.Of(v.Type).Shape == types.ShapeStrings && v.Count == 0 {
			m.PutU32(p.Offset, 0)
			return nil
		}
		return m.closeEnd()
	case span.TrailingBytes:
		m.Cut(p.Offset, p.End())
	case span.NonZeroPadding:
		m.Put(p.Offset, p.Length, make([]byte, min(p.Length, 3)))
	case span.BoolValue:
		m.PutU32(p.Offset, 1)
	case span.HighTypeBits:
		m.Put(p.Offset+1, 1, []byte{0})
	case span.UnknownFlags:
		return m.flags()
	case span.SharedBit:
		m.PutU32(p.Offset, m.Window.U32(p.Offset)&^types.SharedBit)
	case span.InvalidUTF8, span.ByteOrderMark, span.NulInText:
		return m.text()
	case span.MissingNul:
		return m.terminate()
	case span.OldNodePath:
		return m.upgradePath()
	case span.ElementType:
		return m.element()
	case span.ContainerType:
		return m.untype(m.n, p.Offset)
	case span.RepeatedKey:
		return m.repeatedKey()
	case span.WideNumber:
		return m.narrow()
	case span.NullObject:
		if types.Of(v.Type).Shape != types.ShapeObject || v.Damage != nil || v.Layout != tree.Leaf {
			return errNoSuchProblem
		}
		m.Put(v.Head, v.Tail-v.Head, make([]byte, 4))
	default:
		return fmt.Errorf("there is no repair for %s", p.Code)
	}
	return nil
}

// flags clears flags without meaning.
func (m *repairing) flags() error {
	v, at := &m.n.Value, m.p.Offset
	if m.p.Length == 4 { // of a NodePath
		if v.Type != types.NodePath || v.Layout != tree.Sequence {
			return errNoSuchProblem
		}
		flags := m.Window.U32(at)
		if flags&2 != 0 {
			return m.RecountPath(v, 0, 1, flags&1)
		}
		m.PutU32(at, flags&1)
		return nil
	}
	flags := uint16(0)
	if at == v.Head+2 {
		flags = v.Flags & m.Format.Dialect.KnownFlags(v.Type)
	}
	m.Put(at, 2, []byte{byte(flags), byte(flags >> 8)})
	return nil
}

// narrow stores a number in 32 bits.
func (m *repairing) narrow() error {
	v := &m.n.Value
	if v.Type != types.Int && v.Type != types.Float || v.Damage != nil || !m.Format.IsWide(m.Window, v) {
		return errNoSuchProblem
	}
	flags := v.Flags &^ types.WideFlag
	m.Put(v.Head+2, 2, []byte{byte(flags), byte(flags >> 8)})
	m.Put(v.Head+4, 8, m.number(v)[4:])
	return nil
}

// number returns the bytes of v, an int or a float, as an engine would store it.
func (m *repairing) number(v *tree.Value) []byte {
	if v.Type == types.Int {
		return encode.IntBytes(m.Format, variant.Int(m.Window, v))
	}
	return encode.FloatBytes(m.Format, variant.Float(m.Window, v))
}
