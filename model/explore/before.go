package explore

import (
	"varview/decoder/engine/tree"
)

// maxCounted is the largest number of edited values in a folded one that are counted.
const maxCounted = 99

// fillBefore says what the file has in place of a value that was edited, and how much was edited in one that
// is folded. end is the end of the value.
func (x *Explorer) fillBefore(r *Row, n *tree.Node, end int64, limit int) {
	if r.Kind == RowContainer {
		if r.Foldable && !r.Open {
			r.Inside = x.editedIn(n, end)
		}
		return
	}
	old := x.before(n)
	if old == nil {
		return
	}
	if was := string(x.saved.AppendLiteral(nil, &old.Value, limit)); was != x.literal(n, limit) {
		r.Before = was
	}
}

// before returns the value that the file has in place of another one: that with the same path, if it has not
// come there because others were added or deleted. It returns nil if there is none, or finding it takes long.
func (x *Explorer) before(n *tree.Node) *tree.Node {
	if t := x.Buffer.Saved(); x.saved == nil || x.saved.Tree != t {
		x.saved = t.NewReader()
		x.saved.Budget = literalBudget
	}
	defer x.spend(literalBudget)()
	old, err := x.saved.Resolve(x.read.Path(n))
	if err != nil {
		return nil
	}
	wasEnd, err := x.saved.End(old)
	end, err2 := x.read.End(n)
	if err != nil || err2 != nil || !x.isAt(n.Start, old.Start) || !x.isAt(end, wasEnd) {
		return nil
	}
	return old
}

// isAt reports whether an offset is where another one of the saved bytes has come, with what was inserted there
// or without.
func (x *Explorer) isAt(off, was int64) bool {
	return x.Buffer.OffsetNow(was) == off || x.Buffer.OffsetNow(was-1)+1 == off
}

// editedIn returns how many of the values in another one, which ends at an offset, were edited; 0 if it was
// edited itself, or there are too many.
func (x *Explorer) editedIn(n *tree.Node, end int64) (count int) {
	if x.Buffer.ChangedIn(n.Start, n.Body) {
		return 0
	}
	defer x.spend(literalBudget)()
	var last *tree.Node
	for _, change := range x.Buffer.AppendChanges(nil, n.Body, end) {
		m, err := x.read.At(change.Offset)
		if err != nil || count == maxCounted {
			return 0
		}
		if last == nil || !m.Same(last) {
			last, count = m, count+1
		}
	}
	return count
}
