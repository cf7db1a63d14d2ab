package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/model/journal"
	"varview/model/patch"
)

// Recover opens the file again and makes all edits that were not saved, with their history.
// The file must be as it was. The document that it returns takes over the journal of this
// one, which must have no edits and none must be made meanwhile.
func (d *Document) Recover(ctx context.Context, p *Progress, u *Unsaved) (*Document, error) {
	again, err := d.Reload(ctx, nil)
	if err != nil {
		return nil, err
	}
	if again, err = again.replay(ctx, p, u, d.history.journal); err != nil {
		again.history.journal = nil
		d.history.journal.forget()
		return nil, errors.Join(err, again.Close())
	}
	if j := again.history.journal; j != nil {
		j.Then(u.Discard)
	}
	return again, nil
}

// replay makes the edits of a journal.
func (d *Document) replay(ctx context.Context, p *Progress, u *Unsaved, j *Journal) (*Document, error) {
	if sum, err := journal.Sum(d.latest); err != nil || sum != u.Base.Sum {
		return d, errors.Join(errJournal, err)
	}
	h := d.history
	for _, s := range u.Past.Steps {
		step, err := stepFrom(s)
		if err != nil {
			return d, err
		}
		h.steps = append(h.steps, step)
	}
	h.at, h.saved = u.Past.At, u.Past.At
	h.journal = j
	var err error
	for i, e := range u.Events {
		if d, err = d.happen(ctx, e); err != nil {
			return d, err
		}
		if p != nil {
			p.Set(int64(i), int64(len(u.Events)))
		}
	}
	return d, nil
}

// stepFrom is a step of the past, whose bytes are all in the journal.
func stepFrom(s *journal.Step) (step *Step, err error) {
	step = &Step{Label: s.Label, buffer: s.Buffer, was: s.Was, is: s.Is, reopened: s.Reopened, ops: s.Ops,
		before: cursorFrom(s.Before), after: cursorFrom(s.After)}
	if len(s.Groups) != len(s.Back) {
		return nil, errJournal
	}
	for i := range s.Groups {
		groups, err := splicesFrom(s.Groups[i], math.MaxInt64, source.Bytes(nil))
		if err != nil {
			return nil, err
		}
		back, err := splicesFrom(s.Back[i], math.MaxInt64, source.Bytes(nil))
		if err != nil {
			return nil, err
		}
		step.groups, step.back = append(step.groups, groups), append(step.back, back)
	}
	return step, nil
}

// happen makes happen what a journal tells.
func (d *Document) happen(ctx context.Context, e journal.Event) (*Document, error) {
	switch e.Kind {
	case journal.Did:
		return d.doAgain(ctx, e.Step)
	case journal.Undid:
		t, err := d.Undo(ctx)
		return cmp.Or(t.Doc, d), err
	case journal.Redid:
		t, err := d.Redo(ctx)
		return cmp.Or(t.Doc, d), err
	case journal.Joined:
		d.Join(e.Since, e.Label)
	}
	return d, nil
}

// doAgain makes a step of a journal.
func (d *Document) doAgain(ctx context.Context, s *journal.Step) (*Document, error) {
	if s.Buffer < 0 || s.Buffer >= len(d.Buffers) {
		return d, errJournal
	}
	b := d.Buffers[s.Buffer]
	t, err := d.Begin(b)
	if err != nil {
		return d, err
	}
	if t.now.content.Size() != s.Was {
		return d, errJournal
	}
	for _, recorded := range s.Groups {
		splices, err := splicesFrom(recorded, t.now.content.Size(), b.base)
		if err == nil {
			err = t.apply(splices)
		}
		if err != nil {
			return d, err
		}
	}
	if t.now.content.Size() != s.Is {
		return d, errJournal
	}
	t.ops = s.Ops
	return t.Commit(ctx, s.Label, cursorFrom(s.Before), cursorFrom(s.After))
}

// Reapplied is what became of unsaved edits in a file that has changed since.
type Reapplied struct {
	Made, Already int      // operations that were made, and those that the file has already
	Failed        []string // what could not be made, and why
}

// Reapply makes those unsaved edits that still apply to a file that has changed since, and returns what
// became of them.
func (t *Transaction) Reapply(ctx context.Context, u *Unsaved) (r Reapplied, err error) {
	for i := range u.Lead {
		if err := t.reapply(ctx, u.Lead[i].Ops(), &r); err != nil {
			return r, err
		}
	}
	return r, ctx.Err()
}

// reapply makes the operations of a step that still apply.
func (t *Transaction) reapply(ctx context.Context, ops patch.Patch, r *Reapplied) error {
	a := applying{t: t, edits: len(ops)}
	for _, op := range ops {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if is, err := a.has(ctx, op); err == nil && is {
			r.Already++
			continue
		}
		if err := a.do(ctx, op, edit.Options{}); err != nil {
			r.Failed = append(r.Failed, fmt.Sprintf("%s %s: %v", op.Kind, op.Path, err))
			continue
		}
		r.Made++
	}
	return a.finish(ctx)
}
