package explore

import (
	"varview/decoder/engine/tree"
)

// maxCountedChanges is the largest number of changes in a folded value that are counted.
const maxCountedChanges = 999

// fillBefore says what the file has in place of a value that was edited, and how much was edited in one that
// is folded. end is the end of the value.
func (x *Explorer) fillBefore(r *Row, n *tree.Node, end int64, limit int) {
	if r.Kind == RowContainer {
		if r.Foldable && !r.Open {
			r.Inside = min(maxCountedChanges, len(x.Buffer.AppendChanges(nil, n.Start, end)))
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
