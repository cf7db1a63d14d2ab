package resource

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Link implements format.Linker: references lead to resources, names to their strings, offsets to what
// begins there.
func (r *reading) Link(n *tree.Reader, at *tree.Node) string {
	if at.Damage != nil {
		return ""
	}
	switch {
	case at.Type == types.SubResource:
		return "the resource that this refers to"
	case at.Type == types.ExtResource:
		return "the external resource that this refers to"
	case at.Type == types.Property, at.Type == types.Part:
		return "the string of this name"
	case at.Parent.Type == types.Record && at.Parent.Sub == recordEntry:
		return "the resource of this entry"
	}
	return ""
}

// Follow implements format.Linker.
func (r *reading) Follow(_ context.Context, n *tree.Reader, at *tree.Node) (*tree.Node, error) {
	w := n.Window()
	w.SetBigEndian(r.head.big)
	path, index := "$.resources[%d]", int64(-1)
	switch at.Type {
	case types.SubResource:
		index = int64(r.head.target(variant.Reference(w, &at.Value)))
	case types.ExtResource:
		path, index = "$.external[%d]", int64(variant.Reference(w, &at.Value))
	case types.Property, types.Part:
		path, index = "$.strings[%d]", int64(w.U32(at.Start))
	default:
		index = at.Parent.Slot.Index
	}
	to, err := n.Resolve(fmt.Sprintf(path, index))
	if missing := (*tree.PathError)(nil); errors.As(err, &missing) {
		return nil, nil
	}
	return to, err
}

// Remedy implements tree.Remedier.
func (r *reading) Remedy(_, _ *tree.Value, p *span.Problem) string {
	if p.Code == span.TrailingBytes {
		return "delete these bytes"
	}
	return ""
}

// Repair implements edit.Repairer.
func (r *reading) Repair(ctx context.Context, n *tree.Reader, _ *tree.Node, p *span.Problem) (repair edit.Repair, err error) {
	e := r.begin(ctx, n, edit.Options{})
	switch p.Code {
	case span.TrailingBytes:
		e.Put(p.Offset, p.Length, nil)
		repair.NameLoss(e.Window)
	case codeEnd:
		e.Put(p.Offset, 0, []byte(magic))
	case codeOffset:
		err = e.reoffset(p)
	default:
		return repair, errors.New("there is no repair for this")
	}
	repair.Splices = e.Splices
	return repair, errors.Join(err, ctx.Err())
}

// reoffset corrects the offset in a problem to that of its resource.
func (e *editing) reoffset(p *span.Problem) error {
	for i := range e.head.table {
		if e.head.table[i].at != p.Offset {
			continue
		}
		to, err := e.Reader.Resolve(fmt.Sprintf("$.resources[%d]", i))
		if err == nil {
			e.Put(p.Offset, p.Length, e.number(types.Int64, to.Head-e.head.base))
		}
		return err
	}
	return errors.New("this is not the offset of a resource")
}
