package variantedit

import (
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// mergePairs changes what differs in a Dictionary or Object. Entries are matched by their keys, in order;
// an entry that has another place in the literal is rewritten.
func (e *Editing) mergePairs(s *tree.Scanner, v *tree.Value, l *literal.Literal) error {
	m := pairMerge{Editing: e, s: s, v: v, l: l, where: map[string][]int{}}
	for i := 0; i < len(l.Children); i += 2 {
		key := e.pairKey(v, &l.Children[i])
		m.where[key] = append(m.where[key], i)
	}
	for !m.done {
		ev, err := m.step()
		if err == nil && !m.done {
			err = m.entry(ev)
		}
		if err != nil {
			return err
		}
	}
	end := s.Value().Tail
	if m.lone {
		return m.afterLoneKey(end)
	}
	if err := m.insert(end, len(l.Children)); err != nil {
		return err
	}
	return e.Recount(v, m.added)
}

// A pairMerge is the state of mergePairs.
type pairMerge struct {
	*Editing
	s     *tree.Scanner
	v     *tree.Value
	l     *literal.Literal
	where map[string][]int // indexes of a key in the literal, in order
	due   int              // index of the literal's next key
	added int64            // entries
	done  bool             // the scanner has passed the last entry
	lone  bool             // the bytes end after a key that stays
}

// pairKey identifies a key of a literal. The names of properties are texts.
func (e *Editing) pairKey(v *tree.Value, key *literal.Literal) string {
	if v.Type == types.Object {
		return textKey(types.Name, key.Text)
	}
	return e.literalKey(key)
}

// find returns the next index of a key in the literal; -1 if it does not follow.
func (m *pairMerge) find(key string) int {
	at := m.where[key]
	for len(at) > 0 && at[0] < m.due {
		at = at[1:]
	}
	m.where[key] = at
	if len(at) == 0 {
		return -1
	}
	return at[0]
}

// entry merges the entry that begins with the event.
func (m *pairMerge) entry(ev tree.Event) error {
	key, err := m.Passed(m.s, ev)
	if err != nil {
		return err
	}
	id, err := m.keyOf(&key)
	if err != nil {
		return err
	}
	i := m.find(id)
	if i >= 0 {
		if err := m.insert(key.Start, i); err != nil {
			return err
		}
		m.due = i + 2
	}
	if ev, err = m.step(); err != nil {
		return err
	}
	switch {
	case m.done:
		if m.lone = i >= 0; !m.lone {
			m.Cut(key.Start, key.Tail)
			m.added--
		}
		return nil
	case i >= 0:
		return m.mergeChild(m.s, ev, m.v, &m.l.Children[i+1])
	}
	was, err := m.Passed(m.s, ev)
	m.Cut(key.Start, was.Tail)
	m.added--
	return err
}

// step advances to the next key or value.
func (m *pairMerge) step() (tree.Event, error) {
	ev, err := m.Next(m.s)
	m.done = ev == tree.Leave || ev == tree.Done
	return ev, err
}

// insert inserts the entries of the literal before its key upTo at an offset.
func (m *pairMerge) insert(at int64, upTo int) error {
	m.Out = nil
	for i := m.due; i < upTo; i++ {
		if err := m.child(m.v, m.l, i); err != nil {
			return err
		}
	}
	m.added += int64(max(0, upTo-m.due) / 2)
	if m.Out == nil {
		return nil
	}
	return m.append(at, m.Out)
}

// afterLoneKey ends a merge at a key without a value, for which the literal may have one.
func (m *pairMerge) afterLoneKey(end int64) error {
	from := m.due - 1
	if value := &m.l.Children[from]; value.Kind == literal.Damage && string(value.Text) == span.MissingValue {
		if m.due < len(m.l.Children) {
			return edit.ErrAfterDamage
		}
		return m.Recount(m.v, m.added)
	}
	m.Out = nil
	for i := from; i < len(m.l.Children); i++ {
		if err := m.child(m.v, m.l, i); err != nil {
			return err
		}
	}
	m.added += int64(len(m.l.Children)-m.due) / 2
	if err := m.append(end, m.Out); err != nil {
		return err
	}
	return m.Recount(m.v, m.added)
}
