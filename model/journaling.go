package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/journal"
	"varview/model/patch"
)

// A Journal records what happens to a history. steps are the history's steps in the order in which they
// were written; a step that is not among them is written when it is undone or redone.
type Journal struct {
	*journal.Writer
	key    string  // common prefix of the names of all journals of the file
	steps  []*Step // nil for a step that undoes another
	at     int
	secret []byte // the key with which the journal is encrypted; nil if it is not
}

// Limits of the bytes and the steps in a journal from before the last save.
const (
	maxPast      = 4 << 20
	maxPastSteps = 100_000
)

// secret returns the key of everything encrypted in the file; nil if nothing is encrypted.
func (d *Document) secret() (secret []byte) {
	for _, l := range d.Layers {
		secret = append(secret, l.Secret...)
	}
	return secret
}

// beginJournal begins the journal before the first edit since the file was opened or saved.
func (d *Document) beginJournal() {
	h := d.history
	j := h.journal
	if j == nil || h.at != h.saved || j.HasBegun() && bytes.Equal(j.secret, d.secret()) {
		return
	}
	d.beginWith(j, h.at, "")
}

// beginWith begins a journal anew with the steps around one of the history, the state that the file is in. sum is
// the checksum of the file, "" if it is not known.
func (d *Document) beginWith(j *Journal, at int, sum string) {
	past := d.history.past(at)
	j.steps, j.at = slices.Clone(d.history.steps[past.first:past.end]), at-past.first
	p := &journal.Past{At: j.at}
	for _, s := range j.steps {
		p.Steps = append(p.Steps, s.record(s.groups, s.back, nil))
	}
	j.secret = d.secret()
	j.Begin(journal.Base{Size: d.latest.Size(), Title: d.Title, Sum: sum}, d.latest, j.secret, p)
}

// reach is a range of the steps in a history.
type reach struct{ first, end int }

// past returns the steps around one whose bytes are few enough for the journal.
func (h *history) past(at int) reach {
	r, left := reach{at, at}, int64(maxPast)
	for r.first > 0 && r.end-r.first < maxPastSteps && h.steps[r.first-1].take(&left) {
		r.first--
	}
	for r.end < len(h.steps) && r.end-r.first < maxPastSteps && h.steps[r.end].take(&left) {
		r.end++
	}
	return r
}

// take subtracts the bytes that a step puts in and takes away from left. It returns false if left does
// not suffice, or if removed bytes cannot be read.
func (s *Step) take(left *int64) bool {
	for _, groups := range [][][]source.Splice{s.groups, s.back} {
		for _, splices := range groups {
			for i := range splices {
				if *left -= splices[i].Added(); *left < 0 {
					return false
				}
				if put := splices[i].New; put != nil {
					if _, err := readAll(put); err != nil {
						return false
					}
				}
			}
		}
	}
	return true
}

// record returns a step for the journal, which refers to pieces of base.
func (s *Step) record(groups, back [][]source.Splice, base source.Source) *journal.Step {
	return &journal.Step{Label: s.Label, Buffer: s.buffer, Was: s.was, Is: s.is, Reopened: s.reopened, Ops: s.ops, When: time.Now(),
		Groups: recordGroups(groups, base), Back: recordGroups(back, base), Before: s.before.record(), After: s.after.record()}
}

func recordGroups(groups [][]source.Splice, base source.Source) (all [][]journal.Splice) {
	for _, splices := range groups {
		var some []journal.Splice
		for _, s := range splices {
			some = append(some, journal.Splice{Offset: s.Offset, Length: s.Length, New: journal.PiecesOf(s.New, base)})
		}
		all = append(all, some)
	}
	return all
}

// did records a step that was made.
func (d *Document) did(s *Step) {
	if j := d.history.journal.begun(); j != nil {
		j.put(s, s.record(s.groups, nil, d.baseOf(s)))
	}
}

// begun returns the journal; nil if it has no base.
func (j *Journal) begun() *Journal {
	if j == nil || !j.HasBegun() {
		return nil
	}
	return j
}

// baseOf returns the base of the buffer that a step edits; nil if there is no such buffer now.
func (d *Document) baseOf(s *Step) source.Source {
	if s.buffer < len(d.Buffers) {
		return d.Buffers[s.buffer].base
	}
	return nil
}

func (j *Journal) put(s *Step, r *journal.Step) {
	j.steps = append(j.steps[:j.at:j.at], s)
	j.at++
	j.Add(journal.Event{Kind: journal.Did, Step: r})
}

// undid records that a step was undone.
func (d *Document) undid(s *Step) {
	j := d.history.journal.begun()
	switch {
	case j == nil:
	case j.at > 0 && j.steps[j.at-1] == s:
		j.at--
		j.Add(journal.Event{Kind: journal.Undid})
	default:
		r := s.record(reversed(s.back), nil, d.baseOf(s))
		r.Label, r.Was, r.Is, r.Before, r.After, r.Ops = "undo "+s.Label, s.is, s.was, r.After, r.Before, patch.Patch(s.ops).Reversed()
		j.put(nil, r)
	}
}

// redid records that a step was redone.
func (d *Document) redid(s *Step) {
	j := d.history.journal.begun()
	switch {
	case j == nil:
	case j.at < len(j.steps) && j.steps[j.at] == s:
		j.at++
		j.Add(journal.Event{Kind: journal.Redid})
	default:
		d.did(s)
	}
}

// joined records that steps were joined into one.
func (d *Document) joined(steps []*Step, one *Step) {
	j := d.history.journal.begun()
	if j == nil {
		return
	}
	since := j.at - len(steps)
	if since < 0 || !slices.Equal(j.steps[since:j.at], steps) {
		return // they stay several in the journal
	}
	j.steps, j.at = append(j.steps[:since:since], one), since+1
	j.Add(journal.Event{Kind: journal.Joined, Since: since, Label: one.Label})
}

// saving records what is about to become the content of the file.
func (d *Document) saving(f *os.File) error {
	j := d.history.journal.begun()
	if j == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	sum, err := journal.Sum(sectionOf(f, info.Size()))
	if err != nil {
		return err
	}
	d.history.written = sum
	j.Add(journal.Event{Kind: journal.Saving, Sum: sum})
	_ = j.Flush() // a save does not depend on it
	return nil
}

// forget empties the journal: its edits are in the file or not wanted.
func (j *Journal) forget() {
	if j = j.begun(); j != nil {
		j.steps, j.at = nil, 0
		j.Forget()
	}
}

func (c Cursor) record() journal.Cursor {
	return journal.Cursor{InBytes: c.InBytes, Offset: c.Offset, Parent: c.Parent, Depth: c.Depth, Index: c.Slot.Index, Key: c.Slot.Key}
}

func cursorFrom(c journal.Cursor) Cursor {
	return Cursor{InBytes: c.InBytes, Offset: c.Offset, Parent: c.Parent, Depth: c.Depth, Slot: tree.Slot{Index: c.Index, Key: c.Key}}
}

// splicesFrom returns the splices in a journal. It fails if no edit can have made them.
func splicesFrom(recorded []journal.Splice, size int64, base source.Source) (splices []source.Splice, err error) {
	at := int64(0)
	for _, r := range recorded {
		s := source.Splice{Span: span.Span{Offset: r.Offset, Length: r.Length}}
		if r.Offset < at || r.Length < 0 || r.Offset > size-r.Length {
			return nil, errJournal
		}
		if s.New, err = journal.Join(r.New, base); err != nil {
			return nil, err
		}
		at = s.End()
		splices = append(splices, s)
	}
	return splices, nil
}

// Recover opens the file again and makes all edits that were not saved, with their history. The file must
// be as it was. The document that it returns takes over the journal of this one, which must have no edits
// and must not be edited meanwhile.
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

// PatchOf returns the patch of edits that were not saved, with the sums of the bytes before and after them, which a
// patch that is applied is held against. The file must be as it was.
func (d *Document) PatchOf(ctx context.Context, u *Unsaved) (patch.Patch, error) {
	again, err := d.Reload(ctx, nil)
	if err != nil {
		return nil, err
	}
	again.history.journal = nil
	made, err := again.replay(ctx, nil, u, nil)
	var p patch.Patch
	if err == nil {
		p, err = made.Patch()
	}
	return p, errors.Join(err, made.Close())
}

// replay makes the edits of a journal.
func (d *Document) replay(ctx context.Context, p *Progress, u *Unsaved, j *Journal) (*Document, error) {
	if sum, err := journal.Sum(d.latest); err != nil || sum != u.Base.Sum {
		return d, errors.Join(errJournal, err)
	}
	h := d.history
	err := h.take(u.Past)
	if err != nil {
		return d, err
	}
	h.journal = j
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

// take makes the steps of the past those of a history that has none.
func (h *history) take(p journal.Past) error {
	var steps []*Step
	for _, s := range p.Steps {
		step, err := stepFrom(s)
		if err != nil {
			return err
		}
		steps = append(steps, step)
	}
	h.steps, h.at, h.saved = steps, p.At, p.At
	return nil
}

// stepFrom returns a step of the past, whose bytes are all in the journal.
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

// happen repeats an event of a journal.
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

// doAgain makes a step of a journal again.
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
			err = t.applyBytes(splices)
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

// Reapplied counts what became of unsaved edits in a file that has changed since.
type Reapplied struct {
	Made, Already int      // operations that were made, and operations that the file already contains
	Failed        []string // the operations that could not be made, and why; of bytes only why
}

// Repeat makes those operations that still apply to a file that has changed since, and adds to r what became of them.
func (t *Transaction) Repeat(ctx context.Context, ops patch.Patch, r *Reapplied) error {
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
			if op.Kind != patch.Bytes {
				err = fmt.Errorf("%s %s: %w", op.Kind, op.Path, err)
			}
			r.Failed = append(r.Failed, err.Error())
			continue
		}
		r.Made++
	}
	return a.finish(ctx)
}
