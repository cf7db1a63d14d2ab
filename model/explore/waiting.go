package explore

import (
	"errors"

	"varview/decoder/engine/tree"
)

// setBudget allows look-ups more work once nothing has to be waited for.
func (x *Explorer) setBudget() {
	x.read.Budget = tree.LookUpBudget
	if _, done := x.Buffer.Indexed(); done {
		x.read.Budget = tree.IndexedBudget
	}
}

// do runs what a key asked for. If bytes are needed that have not been read yet, Tick tries again.
func (x *Explorer) do(f func() error) error {
	x.later = nil
	err := f()
	if errors.Is(err, tree.ErrPending) {
		x.later = f
		return nil
	}
	if errors.Is(err, tree.ErrNoChild) {
		return nil
	}
	return err
}

// Tick resumes what was waiting for the index, and reads rows that were missing. It reports whether
// anything still waits.
func (x *Explorer) Tick() (waiting bool) {
	if x.later != nil {
		x.do(x.later)
	}
	if f := x.outline.filter; f != nil && f.takeOver() {
		x.outline.refill()
	} else if x.outline.stop != nil {
		x.outline.fill()
	}
	if x.owner == nil {
		x.locate()
	}
	return x.Waiting()
}

// Indexed notes that the whole file has been read, so that all ends and counts are known.
func (x *Explorer) Indexed() {
	x.setBudget()
	clear(x.targets)
	x.outline.refill()
	if x.later != nil {
		x.do(x.later)
		return
	}
	if i := x.outline.find(x.row); i >= 0 {
		x.row = x.outline.rows[i]
	}
	x.locate()
}

// Waiting reports whether a request is waiting for the index.
func (x *Explorer) Waiting() bool { return x.later != nil || x.outline.stop != nil }
