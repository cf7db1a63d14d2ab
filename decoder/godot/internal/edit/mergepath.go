package edit

import (
	"errors"
	"math"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/types"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// mergePath changes what differs in a NodePath. Names and subnames are matched by
// their order. Flags without meaning stay.
func (e *Editing) mergePath(s *tree.Scanner, v *tree.Value, l *literal.Literal) error {
	if same, err := edit.IsWrittenAs(e.Ctx, e.Reader, v, "^"+literal.Quote(l.Text)); same || err != nil {
		if err == nil {
			err = e.pass(s)
		}
		return err
	}
	p, err := literal.SplitPath(l)
	if err != nil {
		return err
	}
	names, subnames := p.Names, p.Subnames
	some := [2]int64{} // number of names and subnames before the edit
	for {
		ev, err := e.Next(s)
		if err != nil {
			return err
		}
		if ev == tree.Leave || ev == tree.Done {
			break
		}
		part, list, kind := s.Value(), &names, 0
		if s.Slot().Index >= int64(v.Sub) {
			if err := e.putParts(part.Start, &names); err != nil {
				return err
			}
			list, kind = &subnames, 1
		}
		some[kind]++
		if len(*list) == 0 {
			e.Cut(part.Start, part.Tail)
			continue
		}
		if err := e.mergePart(part, (*list)[0]); err != nil {
			return err
		}
		*list = (*list)[1:]
	}
	end := s.Value().Tail
	for _, list := range []*[][]byte{&names, &subnames} {
		if err := e.putParts(end, list); err != nil {
			return err
		}
	}
	flags := e.Format.PathFlags(e.Window, v)
	return e.RecountPath(v, int64(len(p.Names))-some[0], int64(len(p.Subnames))-some[1], flags&^1|p.Flags())
}

// putParts inserts the names of a list at an offset and empties the list.
func (e *Editing) putParts(at int64, list *[][]byte) error {
	e.Out = nil
	for _, name := range *list {
		e.PutPart(name)
	}
	*list = nil
	return e.append(at, e.Out)
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
		return errors.New("a NodePath has at most " + span.Counted(math.MaxInt32, "name"))
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
