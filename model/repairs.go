package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
)

// RepairOf returns the repair of a problem, with all that is lost by it.
func (t *Transaction) RepairOf(ctx context.Context, f *diagnose.Diagnosis) (edit.Repair, error) {
	if f.As != "" { // as the bytes are read, the repair would be damage
		return edit.Repair{}, fmt.Errorf("to repair this, read the file as %s", f.As)
	}
	r, err := diagnose.Repair(ctx, t.read, f)
	if err == nil {
		r.NameLoss(t.read.Window())
	}
	return r, err
}

// ErrNoEffect says that the bytes are already as a repair would make them.
var ErrNoEffect = errors.New("the repair changes nothing")

// minimalRepair is RepairOf with no byte in it that stays as it is.
func (t *Transaction) minimalRepair(ctx context.Context, f *diagnose.Diagnosis) (r edit.Repair, err error) {
	if r, err = t.RepairOf(ctx, f); err != nil {
		return r, err
	}
	r.Splices, err = t.now.content.Minimal(slices.Clone(r.Splices))
	if err == nil && len(r.Splices) == 0 {
		err = ErrNoEffect
	}
	return r, err
}

// Repair repairs a problem. It returns what is lost by that.
func (t *Transaction) Repair(ctx context.Context, f diagnose.Diagnosis) (drops string, err error) {
	r, err := t.minimalRepair(ctx, &f)
	switch {
	case errors.Is(err, ErrNoEffect):
		return "", nil
	case err != nil:
		return "", err
	}
	t.noteDrops(&r)
	return r.Loss, t.applyAsBytes(r.Splices)
}

func (t *Transaction) noteDrops(r *edit.Repair) {
	if r.Loss != "" {
		t.drops = append(t.drops, r.Loss)
	}
}

// applyAsBytes makes an edit that the history notes as edits of bytes, one for each splice.
func (t *Transaction) applyAsBytes(splices []source.Splice) error {
	for _, s := range slices.Backward(splices) { // so that each is where it says when a patch is applied
		var is source.Source // nil where nothing is put in
		if s.New != nil {
			is = s.New
		}
		op, err := t.bytesOp(s.Offset, s.Length, is)
		if err != nil {
			return err
		}
		t.ops = append(t.ops, op)
	}
	return t.apply(splices)
}

// manyCauses is the number of causes after which the diagnosis may have stopped early:
// problems after the last of them may have a cause that was not found.
const manyCauses = 8

// Together returns the problems that only accepts and whose repairs can be made together.
// list is in the order of reading or of offsets. The diagnosis finds problems after a
// cause as if that were repaired: if only rejects the cause, those after it in the same
// frame are left out. So are those after the last cause, of which the next diagnosis may
// know more.
func (b *Buffer) Together(list []diagnose.Diagnosis, only func(*diagnose.Diagnosis) bool) (all []*diagnose.Diagnosis) {
	w := b.newWaiting()
	causes, last := 0, -1
	for i := range list {
		if list[i].Splices != nil {
			causes, last = causes+1, i
		}
	}
	for i := range list {
		f := &list[i]
		if w.has(f) || causes >= manyCauses && i > last {
			continue
		}
		ok := only(f) && f.Repair != ""
		if ok {
			all = append(all, f)
		}
		if f.Splices != nil && (!ok || i == last) {
			w.waitFor(f)
		}
	}
	return all
}

// A waiting knows what has to wait until a cause is repaired.
type waiting struct {
	inFrames bool
	frames   map[string]bool
	all      bool
}

func (b *Buffer) newWaiting() *waiting {
	return &waiting{inFrames: b.layer == nil && b.doc.Framing == "stream", frames: map[string]bool{}}
}

// waitFor has all wait that is in the same frame as a cause, or everything if it is
// about the frame itself.
func (w *waiting) waitFor(cause *diagnose.Diagnosis) {
	if !w.inFrames || cause.Code == span.WrongFrame || cause.Path == "$" {
		w.all = true
		return
	}
	w.frames[frameOf(cause.Path)] = true
}

func (w *waiting) has(f *diagnose.Diagnosis) bool {
	return w.all || len(w.frames) > 0 && w.frames[frameOf(f.Path)]
}

// frameOf is the beginning of a path in a stream: the frame that it leads into.
func frameOf(path string) string {
	frame, _, _ := strings.Cut(path, "]")
	return frame
}

// maxSingly is the number of repairs that touch others and are made before the buffer has
// to be diagnosed again.
const maxSingly = 256

// RepairAll repairs problems that can be repaired together: the causes first, and then,
// in the bytes that these leave, what was found as if they were repaired. It asks
// take about each when its repair is known, or why there is none; where it says no,
// what has to wait for that is left alone. Repairs that touch one another are made
// one after the other, and not more than a few hundred of them.
func (t *Transaction) RepairAll(ctx context.Context, list []*diagnose.Diagnosis, take func(f *diagnose.Diagnosis, r edit.Repair, err error) bool) error {
	m := &repairBatch{t: t, take: take, waiting: t.buffer.newWaiting()}
	list, err := m.causes(ctx, list)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, byOffset) // the last first, so that the others stay where they are
	slices.Reverse(list)
	var apart, rest []*diagnose.Diagnosis
	for _, f := range list {
		if t.buffer.layer == nil || f.Apart { // most parts of a wrapper depend on one another
			apart = append(apart, f)
		} else {
			rest = append(rest, f)
		}
	}
	if apart, err = m.apart(ctx, apart); err != nil {
		return err
	}
	return m.singly(ctx, append(apart, rest...))
}

func byOffset(a, b *diagnose.Diagnosis) int { return cmp.Compare(a.Offset, b.Offset) }
