package model

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"varview/decoder/engine/source"
	"varview/internal/atomicfile"
	"varview/model/patch"
)

// A Step is one intention of the user: the edits of a transaction, and those that undo them.
type Step struct {
	Label string // what was done: "set $.hp"
	lost  string // what a repair could not keep; "" for nothing

	buffer        int
	groups, back  [][]source.Splice
	was, is       int64 // size of the buffer before and after
	reopened      bool  // the document was opened again for it, and may have other buffers since then
	before, after Cursor
	ops           []patch.Op
}

// A history is the list of steps made in a document. Documents that are opened again from the same file
// share it.
type history struct {
	steps []*Step
	at    int // number of steps that are done
	saved int // number of steps that were done when the file was last saved; -1 if undo no longer leads there
	turns int // how often a step was made, undone or redone

	before  int    // number of steps that were made before the document was opened
	written string // checksum of the file that was written last; "" while unknown

	journal *Journal         // nil if unsaved edits are not kept
	lock    *atomicfile.Lock // lock on the file; nil if it is locked only while it is saved

	backedUp bool           // the file was saved after its backup was made
	kept     []*Document    // documents whose bytes it needs
	closers  []func() error // close everything else that it needs
}

// close releases what the history has kept.
func (h *history) close() error {
	var errs []error
	for _, d := range h.kept {
		errs = append(errs, d.close())
	}
	for _, c := range h.closers {
		errs = append(errs, c())
	}
	h.kept, h.closers = nil, nil
	h.lock.Release()
	return errors.Join(errs...)
}

// add adds a step after those that are done; undone ones are dropped.
func (h *history) add(s *Step) {
	if h.saved > h.at {
		h.saved = -1 // that state cannot be reached any more
	}
	h.steps = append(h.steps[:h.at:h.at], s)
	h.at++
}

// Steps returns the number of steps that are done, without those of FindSaved; it is negative once some of these
// were undone.
func (d *Document) Steps() int { return d.history.at - d.history.before }

// NoteLost notes what the last step, a repair, could not keep; "" for nothing.
func (d *Document) NoteLost(what string) {
	if what != "" {
		d.history.steps[d.history.at-1].lost = what
	}
}

// Lost returns what the repairs that are done could not keep.
func (d *Document) Lost() (all []string) {
	for _, s := range d.history.steps[:d.history.at] {
		if s.lost != "" {
			all = append(all, s.lost)
		}
	}
	return all
}

// Join joins all steps after the first since into one. They must be steps of one buffer.
func (d *Document) Join(since int, label string) {
	h := d.history
	if since += h.before; h.at-since < 2 || since < 0 {
		return
	}
	first := *h.steps[since]
	first.Label = label
	for _, s := range h.steps[since+1 : h.at] {
		first.groups = append(slices.Clip(first.groups), s.groups...)
		first.back = append(slices.Clip(first.back), s.back...)
		first.ops = append(slices.Clip(first.ops), s.ops...)
		first.after, first.is, first.reopened = s.after, s.is, first.reopened || s.reopened
	}
	if h.saved > since {
		h.saved = -1 // it lay among the joined steps
	}
	d.joined(h.steps[since:h.at], &first)
	h.steps = append(h.steps[:since:since], &first)
	h.at = len(h.steps)
}

// Errors of Undo and Redo if there is nothing to do.
var (
	ErrNothingToUndo = errors.New("nothing to undo")
	ErrNothingToRedo = errors.New("nothing to redo")
)

// A Turn is the result of Undo, Redo or an edit: the buffer and cursor to show.
type Turn struct {
	Doc     *Document // the document from now on
	Label   string
	Buffer  int
	Cursor  Cursor
	Splices [][]source.Splice // one list for each edit, each on the bytes that the one before has left
}

// A Turning is a step that is to be undone or redone.
type Turning struct {
	step   *Step
	redo   bool
	buffer *Buffer
	before *version // the version that it starts from
	after  *version // the version that it leads to; nil until that is worked out
}

// Undoing returns the turning that undoes the last step.
func (d *Document) Undoing() (*Turning, error) {
	h := d.history
	if h.at == 0 {
		return nil, ErrNothingToUndo
	}
	return d.turning(h.steps[h.at-1], false)
}

// Redoing returns the turning that redoes the step that was undone last.
func (d *Document) Redoing() (*Turning, error) {
	h := d.history
	if h.at == len(h.steps) {
		return nil, ErrNothingToRedo
	}
	return d.turning(h.steps[h.at], true)
}

func (d *Document) turning(s *Step, redo bool) (*Turning, error) {
	if s.buffer >= len(d.Buffers) {
		return nil, errRewrapped
	}
	b := d.Buffers[s.buffer]
	if err := d.CanEdit(b); err != nil {
		return nil, err
	}
	return &Turning{step: s, redo: redo, buffer: b, before: b.now.Load()}, nil
}

// edits returns the edits to make, their inverse, and the size that the buffer must have.
func (t *Turning) edits() (groups, inverse [][]source.Splice, size int64) {
	if t.redo {
		return t.step.groups, t.step.back, t.step.was
	}
	return reversed(t.step.back), reversed(t.step.groups), t.step.is
}

// WorkOut works out what becomes of the buffer, and opens the document again if necessary. It may run in
// the background.
func (d *Document) WorkOut(ctx context.Context, t *Turning) error {
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	groups, inverse, size := t.edits()
	v := t.before
	if v.content.Size() != size {
		return errRewrapped
	}
	for i, splices := range groups {
		if t.buffer.layer != nil && !holds(v.content, splices, inverse[i]) {
			return errRewrapped
		}
		v = t.buffer.edited(v, splices)
	}
	t.buffer.compare(v)
	t.after = v
	return d.openAhead(ctx, t.buffer, v, t.step.reopened)
}

// Turn undoes or redoes a step that was worked out.
func (d *Document) Turn(ctx context.Context, t *Turning) (Turn, error) {
	if t.buffer.now.Load() != t.before {
		return Turn{}, ErrOutdated
	}
	h, s := d.history, t.step
	d.beginJournal()
	again, err := d.show(ctx, t.buffer, t.after, s.reopened)
	if err != nil {
		return Turn{}, err
	}
	cursor := s.before
	if t.redo {
		h.at++
		again.redid(s)
		cursor = s.after
	} else {
		h.at--
		again.undid(s)
	}
	groups, _, _ := t.edits()
	return Turn{again, s.Label, s.buffer, cursor, groups}, nil
}

// Undo undoes the last step.
func (d *Document) Undo(ctx context.Context) (Turn, error) {
	t, err := d.Undoing()
	return d.turn(ctx, t, err)
}

// Redo redoes the step that was undone last.
func (d *Document) Redo(ctx context.Context) (Turn, error) {
	t, err := d.Redoing()
	return d.turn(ctx, t, err)
}

func (d *Document) turn(ctx context.Context, t *Turning, err error) (Turn, error) {
	if err == nil {
		err = d.WorkOut(ctx, t)
	}
	if err != nil {
		return Turn{}, err
	}
	return d.Turn(ctx, t)
}

// reversed returns edits in the order in which they are undone.
func reversed(groups [][]source.Splice) [][]source.Splice {
	groups = slices.Clone(groups)
	slices.Reverse(groups)
	return groups
}

// errRewrapped says that a step edits bytes that are no longer there.
var errRewrapped = errors.New("it edited a wrapper's bytes, and saving has written the wrapper again since")

// holds reports whether content has the bytes that the splices were made to replace; inverse puts these
// back.
func holds(content *source.Pieces, splices, inverse []source.Splice) bool {
	for i, s := range splices {
		if s.End() > content.Size() {
			return false
		}
		is, err := readAll(content.Slice(s.Span))
		var was []byte
		if put := inverse[i].New; err == nil && put != nil {
			was, err = readAll(put)
		}
		if err != nil || !bytes.Equal(is, was) {
			return false
		}
	}
	return true
}

// CanUndo reports whether there is a step to undo.
func (d *Document) CanUndo() bool { return d.history.at > 0 }

// CanRedo reports whether there is a step to redo.
func (d *Document) CanRedo() bool { return d.history.at < len(d.history.steps) }
