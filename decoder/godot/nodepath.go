package godot

import (
	"bytes"
	"errors"
	"math"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// A nodePath is a NodePath taken apart.
type nodePath struct {
	absolute        bool
	names, subnames [][]byte
}

func (p *nodePath) flags() uint32 {
	if p.absolute {
		return 1
	}
	return 0
}

// cutPath takes a path apart as the engine does: names between slashes up to the
// first colon, behind that subnames between colons. Empty names are dropped. An
// empty subname, other than at the end, is an error of the engine: ok is false.
func cutPath(text []byte) (p nodePath, ok bool) {
	names, subnames, some := bytes.Cut(text, []byte(":"))
	p.absolute = bytes.HasPrefix(names, []byte("/"))
	for name := range bytes.SplitSeq(names, []byte("/")) {
		if len(name) > 0 {
			p.names = append(p.names, name)
		}
	}
	subnames = bytes.TrimSuffix(subnames, []byte(":"))
	if !some || len(subnames) == 0 {
		return p, true
	}
	for name := range bytes.SplitSeq(subnames, []byte(":")) {
		if len(name) == 0 {
			return p, false
		}
		p.subnames = append(p.subnames, name)
	}
	return p, true
}

func splitPath(l *literal) (nodePath, error) {
	p, ok := cutPath(l.text)
	if !ok {
		return p, fail(int(l.at), "a subname of this path is empty")
	}
	return p, nil
}

// mergePath changes what differs in a NodePath: names and subnames are the same
// where their text is, by their order. Flags without meaning stay.
func (e *editing) mergePath(s *tree.Scanner, v *tree.Value, l *literal) error {
	if same, err := e.sameText(v, "^"+quote(l.text)); same || err != nil {
		if err == nil {
			err = e.pass(s)
		}
		return err
	}
	p, err := splitPath(l)
	if err != nil {
		return err
	}
	names, subnames := p.names, p.subnames
	some := [2]int64{} // how many names and subnames there were
	for {
		ev, err := e.next(s)
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
			e.cut(part.Start, part.Tail)
			continue
		}
		if err := e.mergeText(part, part.Start, (*list)[0]); err != nil {
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
	_, flags := e.f.pathFlags(e.w, v)
	return e.recountPath(v, int64(len(p.names))-some[0], int64(len(p.subnames))-some[1], flags&^1|p.flags())
}

// putParts puts all of a list of names in at an offset.
func (e *editing) putParts(at int64, list *[][]byte) error {
	e.out = nil
	for _, name := range *list {
		e.putString(name)
	}
	*list = nil
	return e.append(at, e.out)
}

// recountPath adds to the counts of a NodePath, and sets its flags. The obsolete
// one counts a subname that the count of subnames leaves out; it goes with the last.
func (e *editing) recountPath(v *tree.Value, names, subnames int64, flags uint32) error {
	names += int64(v.Sub)
	subnames += int64(e.w.U32(v.Head + 8))
	if max(names, subnames) > math.MaxInt32 {
		return errors.New("a NodePath has at most " + span.Counted(math.MaxInt32, "name"))
	}
	if subnames < 0 {
		subnames, flags = 0, flags&^2
	}
	e.putU32(v.Head+4, uint32(names)|shared)
	e.putU32(v.Head+8, uint32(subnames))
	e.putU32(v.Head+12, flags)
	return nil
}
