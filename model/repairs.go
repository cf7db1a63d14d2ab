package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/work"
	"varview/model/problems"
)

// repairOf returns the repair of a problem, with everything that it loses.
func (t *Transaction) repairOf(ctx context.Context, f *diagnose.Diagnosis) (edit.Repair, error) {
	if f.As != "" { // for the bytes as they are read now, the repair would be damage
		return edit.Repair{}, fmt.Errorf("to repair this, read the file as %s", f.As)
	}
	r, err := diagnose.Repair(ctx, t.read, f)
	if err == nil {
		r.NameLoss(t.read.Window())
		err = t.nameShown(ctx, f, &r)
	}
	return r, err
}

// errNoEffect says that the bytes are already what a repair would make them.
var errNoEffect = errors.New("the repair changes nothing")

// minimalRepair is repairOf without the bytes that stay the same.
func (t *Transaction) minimalRepair(ctx context.Context, f *diagnose.Diagnosis) (r edit.Repair, err error) {
	if r, err = t.repairOf(ctx, f); err != nil {
		return r, err
	}
	r.Splices, err = t.now.content.Minimal(slices.Clone(r.Splices))
	if err == nil && len(r.Splices) == 0 {
		err = errNoEffect
	}
	return r, err
}

// Repair repairs a problem. It returns what is lost.
func (t *Transaction) Repair(ctx context.Context, f diagnose.Diagnosis) (drops string, err error) {
	r, err := t.minimalRepair(ctx, &f)
	switch {
	case errors.Is(err, errNoEffect):
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

// applyAsBytes makes an edit that the history records as edits of bytes, one for each splice.
func (t *Transaction) applyAsBytes(splices []source.Splice) error {
	splices = t.keepSize(splices)
	for _, s := range slices.Backward(splices) { // so that each is at its own offset when a patch is applied
		var is source.Source // nil if nothing is put in
		if s.New != nil {
			is = s.New
		}
		op, err := t.bytesOp(s.Offset, s.Length, is)
		if err != nil {
			return err
		}
		t.ops = append(t.ops, op)
	}
	return t.applyBytes(splices)
}

// manyCauses is the number of causes at which the diagnosis may have stopped early: problems after the
// last of them may have a cause that was not found.
const manyCauses = 8

// Together returns the problems that only accepts and whose repairs can be made together. list is in the
// order of reading or of offsets. The diagnosis finds problems after a cause as if it were repaired: if
// only rejects the cause, those after it in the same frame are left out. So are those after the last of
// many causes, since the next diagnosis may know more about them.
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

// waitFor makes everything in the frame of a cause wait, or simply everything if the cause is about the
// frame itself.
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

// frameOf returns the beginning of a path in a stream: the frame that it leads into.
func frameOf(path string) string {
	frame, _, _ := strings.Cut(path, "]")
	return frame
}

// maxSingly is the number of overlapping repairs that are made before the buffer has to be diagnosed
// again.
const maxSingly = 256

// RepairAll repairs problems that can be repaired together: first the causes, and then, in the resulting
// bytes, what was found as if they were repaired. It calls take for each problem with its repair, or the
// error that says why there is none; if take returns false, whatever has to wait for that problem is left
// alone. Repairs that touch one another are made one after the other, at most maxSingly of them.
func (t *Transaction) RepairAll(ctx context.Context, list []*diagnose.Diagnosis, take func(f *diagnose.Diagnosis, r edit.Repair, err error) bool) error {
	m := &repairBatch{t: t, take: take, waiting: t.buffer.newWaiting()}
	list, err := m.causes(ctx, list)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, byOffset) // last first, so that the others keep their offsets
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

// mostFound is the largest number of problems that a round of repairs considers.
const mostFound = 10_000

// RepairInRounds repairs the problems that only accepts until no more of them are found: what was repaired shows what else
// there is. list is what is known of them; nil if it has to be found. It calls take as RepairAll does, and repairs no problem
// twice. If some of the repairs did not help, it takes all back and begins again without those. It returns the number of
// repairs, and of the errors and warnings that are left.
func (t *Transaction) RepairInRounds(ctx context.Context, list []diagnose.Diagnosis, only func(*diagnose.Diagnosis) bool, take func(*diagnose.Diagnosis, edit.Repair, error) bool) (made, left int, err error) {
	vain := map[Trial]bool{}
	for back := t.Mark(); ; back() {
		known := len(vain)
		made, left, err = t.repairInRounds(ctx, list, func(f *diagnose.Diagnosis) bool { return only(f) && !vain[TrialOf(f)] }, take, vain)
		if err != nil || len(vain) == known {
			return made, left, err
		}
	}
}

// A Trial is a repair that was made. If it is needed again, it did not help.
type Trial struct {
	offset  int64
	message string
}

// TrialOf returns the trial that the repair of a problem is.
func TrialOf(f *diagnose.Diagnosis) Trial { return Trial{f.Offset, f.Message} }

// Mark returns a function that takes back what the transaction does from now on.
func (t *Transaction) Mark() (back func()) {
	was := *t
	return func() {
		*t = was
		t.read = t.now.tree.NewReader()
	}
}

// repairInRounds is RepairInRounds, which adds the repairs that did not help to vain.
func (t *Transaction) repairInRounds(ctx context.Context, list []diagnose.Diagnosis, only func(*diagnose.Diagnosis) bool, take func(*diagnose.Diagnosis, edit.Repair, error) bool,
	vain map[Trial]bool) (made, left int, err error) {
	tried, budget := map[Trial]bool{}, work.From(ctx, t.buffer.Size())
	for round := 1; round > 0 && !budget.IsSpent(); made += round {
		if list == nil {
			budget.SpendReading(t.buffer.Size())
			err = t.Problems(ctx, new(Progress), func(f diagnose.Diagnosis) bool {
				list = append(list, f)
				return len(list) < mostFound
			})
		}
		if err != nil {
			return made, left, err
		}
		round, left = 0, 0
		for i := range list {
			if list[i].Severity > span.Note {
				left++
			}
			if is := TrialOf(&list[i]); tried[is] {
				vain[is] = true
			}
		}
		fresh := func(f *diagnose.Diagnosis) bool { return only(f) && !tried[TrialOf(f)] }
		err = t.RepairAll(ctx, t.buffer.Together(list, fresh), func(f *diagnose.Diagnosis, r edit.Repair, err error) bool {
			ok := take(f, r, err) && err == nil
			if ok {
				tried[TrialOf(f)] = true
				round++
			}
			return ok
		})
		if err != nil || t.buffer.IsWrapper() { // of which the parts depend on one another
			return made + round, left - round, err
		}
		list = nil
	}
	return made, left, nil
}

func byOffset(a, b *diagnose.Diagnosis) int { return cmp.Compare(a.Offset, b.Offset) }

// A repairBatch makes many repairs in few edits.
type repairBatch struct {
	t       *Transaction
	take    func(f *diagnose.Diagnosis, r edit.Repair, err error) bool
	waiting *waiting
	taken   []source.Splice   // splices of the edit being put together, last first
	made    [][]source.Splice // edits that have been made
}

// add adds a repair to the edit if take agrees. f is the problem as the bytes are now.
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

// position returns the number of taken splices that begin after an offset.
func (m *repairBatch) position(off int64) int {
	i, _ := slices.BinarySearchFunc(m.taken, off, func(s source.Splice, off int64) int {
		if s.Offset > off {
			return -1
		}
		return 1
	})
	return i
}

// touches reports whether a splice overlaps one that is taken, or inserts something where that begins or
// ends.
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

// mostSame is the size of the largest splice that may be one that is taken already.
const mostSame = 4 << 10

// has reports whether splices that put something are taken already.
func (m *repairBatch) has(splices []source.Splice) bool {
	for _, s := range splices {
		i := m.position(s.Offset)
		if i == len(m.taken) || m.taken[i].Span != s.Span || !isSame(m.taken[i].New, s.New) {
			return false
		}
	}
	return true
}

// isSame reports whether two splices put the same few bytes.
func isSame(a, b *source.Pieces) bool {
	if a == nil || b == nil || a.Size() != b.Size() || a.Size() > mostSame {
		return false
	}
	all := make([]byte, 2*a.Size())
	one, other := all[:a.Size()], all[a.Size():]
	_, err := a.ReadAt(one, 0)
	_, otherErr := b.ReadAt(other, 0)
	return cmp.Or(err, otherErr) == nil && bytes.Equal(one, other)
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

// causes repairs the causes, in one edit. Those that touch another one, and what follows them, wait. It
// returns the rest of the list.
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
	return rest, m.t.now.read(ctx) // so that all of them are found quickly
}

// apart repairs in one edit those of the problems, last first, whose repairs do not touch one another,
// and returns the others.
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
		if is.err == nil && is.Loss == "" && m.has(is.Splices) { // one edit repairs both
			m.take(f, is.Repair, nil)
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

// find finds the repairs of problems, which are listed last first. It looks for them in the order of the
// bytes, since a reader continues at the value that it last found; backwards, it would pass all bytes
// before each value.
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

// moved returns a problem at its place after the edits so far; ok is false if one of them has changed its
// bytes.
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
