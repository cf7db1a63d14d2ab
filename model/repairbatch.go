package model

import (
	"context"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/model/problems"
)

// A repairBatch makes many repairs in few edits.
type repairBatch struct {
	t       *Transaction
	take    func(f *diagnose.Diagnosis, r edit.Repair, err error) bool
	waiting *waiting
	taken   []source.Splice   // of the edit that is being put together, the last first
	made    [][]source.Splice // the edits that were made
}

// add takes a repair into the edit if take lets it. is is the problem as the bytes
// are now.
func (m *repairBatch) add(ctx context.Context, f *diagnose.Diagnosis, r edit.Repair, err error) (ok bool, stop error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if !m.take(f, r, err) || err != nil {
		return false, nil
	}
	m.t.noteDrops(&r)
	for _, s := range r.Splices {
		m.taken = slices.Insert(m.taken, m.position(s.Offset), s)
	}
	return true, nil
}

// position is the number of those taken that begin after an offset.
func (m *repairBatch) position(off int64) int {
	i, _ := slices.BinarySearchFunc(m.taken, off, func(s source.Splice, off int64) int {
		if s.Offset > off {
			return -1
		}
		return 1
	})
	return i
}

// touches reports whether one of the splices overlaps one that is taken, or puts
// something in where that begins or ends.
func (m *repairBatch) touches(splices []source.Splice) bool {
	for _, s := range splices {
		i := m.position(s.End())
		for ; i < len(m.taken) && m.taken[i].End() >= s.Offset; i++ {
			if is := m.taken[i].Span; problems.Overlap(is, s.Span) || is.Length == 0 || s.Length == 0 {
				return true
			}
		}
	}
	return false
}

// apply makes the edit.
func (m *repairBatch) apply() error {
	if len(m.taken) == 0 {
		return nil
	}
	splices := m.taken
	m.taken = nil
	slices.Reverse(splices)
	before := len(m.t.groups)
	err := m.t.applyAsBytes(splices)
	m.made = append(m.made, m.t.groups[before:]...)
	return err
}

// causes repairs the causes, in one edit. Those that touch another one, and what
// follows them, wait. What is left of the list is returned.
func (m *repairBatch) causes(ctx context.Context, list []*diagnose.Diagnosis) (rest []*diagnose.Diagnosis, err error) {
	for _, f := range list {
		switch {
		case m.waiting.has(f):
			continue
		case f.Splices == nil:
			rest = append(rest, f)
			continue
		}
		r, err := m.t.minimalRepair(ctx, f)
		ok := false
		if err != nil || !m.touches(r.Splices) {
			if ok, err = m.add(ctx, f, r, err); err != nil {
				return nil, err
			}
		}
		if !ok {
			m.waiting.waitFor(f)
		}
	}
	if len(m.taken) == 0 || len(rest) == 0 {
		return rest, m.apply()
	}
	if err := m.apply(); err != nil {
		return nil, err
	}
	return rest, m.t.now.read(ctx) // so that all of them are found at once
}

// apart repairs in one edit those problems, the last first, whose repairs do not
// touch one another, and returns the others.
func (m *repairBatch) apart(ctx context.Context, list []*diagnose.Diagnosis) (rest []*diagnose.Diagnosis, err error) {
	found, err := m.find(ctx, list)
	if err != nil {
		return nil, err
	}
	for i, f := range list {
		is := &found[i]
		if is.gone {
			continue
		}
		if is.err == nil && m.touches(is.Splices) {
			if rest = append(rest, f); len(rest) == maxSingly {
				break
			}
			continue
		}
		if _, err := m.add(ctx, f, is.Repair, is.err); err != nil {
			return nil, err
		}
	}
	return rest, m.apply()
}

// A foundRepair is the repair of a problem, or why there is none.
type foundRepair struct {
	edit.Repair
	err  error
	gone bool // an edit has changed the bytes of the problem
}

// find finds the repairs of problems, of which the last come first. It begins with the first of them: a reader goes on from
// the value that it has found, where it would pass all that precedes each value on the way back.
func (m *repairBatch) find(ctx context.Context, list []*diagnose.Diagnosis) ([]foundRepair, error) {
	all := make([]foundRepair, len(list))
	for i, f := range slices.Backward(list) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		is, ok := m.moved(f)
		if all[i].gone = !ok; ok {
			all[i].Repair, all[i].err = m.t.minimalRepair(ctx, is)
		}
	}
	return all, nil
}

// singly repairs problems one after the other.
func (m *repairBatch) singly(ctx context.Context, list []*diagnose.Diagnosis) error {
	for _, f := range list[:min(len(list), maxSingly)] {
		is, ok := m.moved(f)
		if !ok {
			continue
		}
		r, err := m.t.minimalRepair(ctx, is)
		if _, err := m.add(ctx, f, r, err); err != nil {
			return err
		}
		if err := m.apply(); err != nil {
			return err
		}
	}
	return nil
}

// moved is a problem as the edits so far have left its bytes; ok is false if one of
// them has changed these.
func (m *repairBatch) moved(f *diagnose.Diagnosis) (is *diagnose.Diagnosis, ok bool) {
	if len(m.made) == 0 {
		return f, true
	}
	moved := *f
	for _, splices := range m.made {
		if moved.Span, ok = problems.NewMoving(splices).Span(moved.Span); !ok {
			return nil, false
		}
	}
	return &moved, true
}
