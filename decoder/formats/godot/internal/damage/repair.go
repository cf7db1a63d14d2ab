// Package damage finds fields that may be the cause of damage, and repairs problems.
package damage

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
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
	err := m.repair()
	if m.whole {
		m.n = nil
	}
	splices, err := m.Done(m.n, err)
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
	if repair := repairs[m.p.Code]; repair != nil {
		return repair(m)
	}
	return fmt.Errorf("there is no repair for %s", m.p.Code)
}

// repairs are the repairs by the codes of problems.
var repairs = map[string]func(m *repairing) error{
	span.Truncated:      (*repairing).closeEnd,
	span.LengthOverrun:  (*repairing).closeEnd,
	span.MissingValue:   (*repairing).closeEnd,
	span.MissingPadding: (*repairing).closeEnd,
	span.NegativeLength: func(m *repairing) error {
		if types.Of(m.n.Type).Shape != types.ShapeStrings || m.n.Count != 0 {
			return m.closeEnd()
		}
		m.PutU32(m.p.Offset, 0)
		return nil
	},
	span.TrailingBytes: in(func(m *repairing, at span.Span) { m.Cut(at.Offset, at.End()) }),
	span.NonZeroPadding: in(func(m *repairing, at span.Span) {
		m.Put(at.Offset, at.Length, make([]byte, min(at.Length, 3)))
	}),
	span.BoolValue:    in(func(m *repairing, at span.Span) { m.PutU32(at.Offset, 1) }),
	span.HighTypeBits: in(func(m *repairing, at span.Span) { m.Put(at.Offset+1, 1, []byte{0}) }),
	span.UnknownFlags: (*repairing).flags,
	span.SharedBit: in(func(m *repairing, at span.Span) {
		m.PutU32(at.Offset, m.Window.U32(at.Offset)&^types.SharedBit)
	}),
	span.InvalidUTF8:   (*repairing).text,
	span.ByteOrderMark: (*repairing).text,
	span.NulInText:     (*repairing).text,
	span.MissingNul:    (*repairing).terminate,
	span.OldNodePath:   (*repairing).upgradePath,
	span.ElementType:   (*repairing).element,
	span.ContainerType: func(m *repairing) error { return m.untype(m.n, m.p.Offset) },
	span.RepeatedKey:   (*repairing).repeatedKey,
	span.WideNumber:    (*repairing).narrow,
	span.NullObject: func(m *repairing) error {
		v := &m.n.Value
		if types.Of(v.Type).Shape != types.ShapeObject || v.Damage != nil || v.Layout != tree.Leaf {
			return errNoSuchProblem
		}
		m.Put(v.Head, v.Tail-v.Head, make([]byte, 4))
		return nil
	},
}

// in returns a repair that only writes into the bytes of a problem.
func in(write func(m *repairing, at span.Span)) func(m *repairing) error {
	return func(m *repairing) error {
		write(m, m.p.Span)
		return nil
	}
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
	m.Put(v.Head+4, 8, m.number(v, v.Type)[4:])
	return nil
}

// number returns the bytes of v, an int or a float, as an engine would store it as one of a type.
func (m *repairing) number(v *tree.Value, as types.ID) []byte {
	m.Out = nil
	switch {
	case as == v.Type && as == types.Float:
		m.PutFloat(variant.Float(m.Window, v))
	case as == types.Float:
		m.PutFloat(float64(variant.Int(m.Window, v)))
	case as == v.Type:
		m.PutInt(variant.Int(m.Window, v))
	default:
		m.PutInt(int64(variant.Float(m.Window, v)))
	}
	return m.Out
}
