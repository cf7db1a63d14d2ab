package godot

import (
	"varview/decoder/tree"
)

// next goes on to the next event, and takes note of damage behind which nothing
// can be put.
func (e *editing) next(s *tree.Scanner) (tree.Event, error) {
	ev := s.Next()
	if v := s.Value(); ev == tree.Atom && v.Damage != nil && !v.Fenced && v.HasGap() {
		e.behind = true
	}
	if e.steps++; e.steps%4096 == 0 {
		return ev, e.ctx.Err()
	}
	return ev, nil
}

// pass goes to the end of the value that the scanner has entered.
func (e *editing) pass(s *tree.Scanner) error {
	for depth := s.Depth(); ; {
		ev, err := e.next(s)
		if err != nil || ev == tree.Done || ev == tree.Leave && s.Depth() < depth {
			return err
		}
	}
}

// passed is the value of an event with its end known.
func (e *editing) passed(s *tree.Scanner, ev tree.Event) (tree.Value, error) {
	if ev == tree.Enter {
		if err := e.pass(s); err != nil {
			return tree.Value{}, err
		}
	}
	return *s.Value(), nil
}

// append puts bytes behind the last child of a value.
func (e *editing) append(at int64, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if e.behind {
		return errBehindDamage
	}
	e.put(at, 0, b)
	return nil
}

// mergeChildren changes what differs in a value with children, before the first
// of which the scanner stands.
func (e *editing) mergeChildren(s *tree.Scanner, v *tree.Value, l *literal) error {
	switch typeOf(v.Type).shape {
	case shapeDict:
		return e.mergePairs(s, v, l)
	case shapeObject:
		class := tree.Value{Tail: v.Body - 4}
		if err := e.mergeText(&class, v.Head+4, l.text); err != nil {
			return err
		}
		return e.mergePairs(s, v, l)
	case shapePath:
		return e.mergePath(s, v, l)
	}
	i := 0
	for {
		ev, err := e.next(s)
		if err != nil {
			return err
		}
		if ev == tree.Leave || ev == tree.Done {
			break
		}
		if i++; i > len(l.kids) {
			gone, err := e.passed(s, ev)
			if err != nil {
				return err
			}
			e.cut(gone.Start, gone.Tail)
		} else if err := e.mergeChild(s, ev, v, &l.kids[i-1]); err != nil {
			return err
		}
	}
	e.out = nil
	for k := i; k < len(l.kids); k++ {
		if err := e.child(v, l, k); err != nil {
			return err
		}
	}
	if err := e.append(s.Value().Tail, e.out); err != nil {
		return err
	}
	return e.recount(v, int64(len(l.kids)-i))
}

// child writes what a literal holds, as v wants it.
func (e *editing) child(v *tree.Value, l *literal, i int) error {
	switch typeOf(v.Type).shape {
	case shapeStrings:
		e.entry(l.kids[i].text, true)
		return nil
	case shapeObject:
		if i%2 == 0 {
			e.putString(l.kids[i].text)
			return nil
		}
	}
	slot := tree.Slot{Key: v.Type == tDictionary && i%2 == 0}
	kid, fits := fit(l.kids[i], e.f.wants(v, slot))
	if !fits {
		return e.unfitting(v, slot, &kid)
	}
	return e.value(&kid)
}

// unfitting is the error that v does not let a part of a literal in.
func (e *editing) unfitting(v *tree.Value, slot tree.Slot, kid *literal) error {
	return fail(int(kid.at), "%s", e.refused(v, slot, kid.typeText()))
}

// mergeChild changes what differs between the child of the event and what stands
// for it in a literal.
func (e *editing) mergeChild(s *tree.Scanner, ev tree.Event, parent *tree.Value, l *literal) error {
	v, slot := *s.Value(), s.Slot()
	if v.Type == tEntry {
		return e.mergeText(&v, v.Start, l.text)
	}
	w := e.f.wants(parent, slot)
	kid, fits := fit(*l, w)
	if kid.kind == tInt && v.Type == tFloat && w.any {
		kid.kind = tFloat
	}
	before := len(e.splices)
	if err := e.mergeOver(s, ev, &v, &kid); err != nil {
		return err
	}
	if !fits && len(e.splices) > before {
		return e.unfitting(parent, slot, &kid)
	}
	return nil
}

// mergeOver puts a literal in place of the value v of the event.
func (e *editing) mergeOver(s *tree.Scanner, ev tree.Event, v *tree.Value, l *literal) error {
	switch merges := e.merges(v, l); {
	case merges && ev == tree.Enter:
		return e.mergeChildren(s, v, l)
	case merges:
		return e.mergeAtom(v, l)
	}
	was, err := e.passed(s, ev)
	if err != nil {
		return err
	}
	return e.replace(&was, l)
}
