package variantedit

import (
	"errors"
	"math"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// mergePath replaces a NodePath that is another one.
func (e *Editing) mergePath(n *tree.Node, l *literal.Literal) error {
	same, err := edit.IsWrittenAs(e.Ctx, e.Reader, &n.Value, "^"+literal.Quote(l.Text))
	if same || err != nil {
		return err
	}
	done, err := e.Reader.Finish(n)
	if err != nil {
		return err
	}
	return e.replace(&done.Value, l)
}

// RecountPath adds to the counts of a NodePath and sets its flags. The obsolete flag
// adds one to the count of subnames; it is cleared with the last subname.
func (e *Editing) RecountPath(v *tree.Value, names, subnames int64, flags uint32) error {
	names += int64(v.Sub)
	if e.Format.Dialect.Resource {
		subnames += v.Count - int64(v.Sub)
		if e.Format.PathProp || max(names, subnames) > math.MaxInt16 {
			return errors.New("this NodePath can be changed only as a whole")
		}
		e.Put(v.Head+4, 4, e.Format.AppendPathCounts(nil, int(names), int(subnames), flags))
		return nil
	}
	subnames += int64(e.Window.U32(v.Head + 8))
	if max(names, subnames) > math.MaxInt32 {
		return errors.New("a NodePath may have at most " + span.Counted(math.MaxInt32, "name"))
	}
	if subnames < 0 {
		subnames, flags = 0, flags&^2
	}
	e.PutU32(v.Head+4, uint32(names)|types.SharedBit)
	e.PutU32(v.Head+8, uint32(subnames))
	e.PutU32(v.Head+12, flags)
	return nil
}

// mergePart changes a name or subname of a NodePath.
func (e *Editing) mergePart(v *tree.Value, text []byte) error {
	if !e.Format.Dialect.Resource {
		return e.mergeText(v, v.Start, text)
	}
	if is, _, ok := e.Format.NameAt(e.Window, v.Start); !ok || is.Length != int64(len(text)) || !e.SameBytesAt(is.Offset, text) {
		e.Out = nil
		e.PutPart(text)
		e.Put(v.Start, v.Tail-v.Start, e.Out)
	}
	return nil
}
