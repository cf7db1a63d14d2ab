package explore

import (
	"cmp"
	"errors"
	"slices"
	"weak"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/search"
)

// Cursor returns where the cursor is.
func (x *Explorer) Cursor() model.Cursor {
	if x.row == nil || x.inBytes {
		return model.ByteCursor(x.offset)
	}
	return model.CursorOf(x.row)
}

// GoToCursor moves the cursor to c.
func (x *Explorer) GoToCursor(c model.Cursor) error {
	if c.InBytes {
		return x.GoTo(c.Offset)
	}
	return x.do(func() error {
		n, err := c.Find(x.read)
		if err != nil {
			return err
		}
		return x.goToValue(n)
	})
}

// edited follows the buffer to its version after an edit; unfolded values stay unfolded.
func (x *Explorer) edited(groups [][]source.Splice) {
	old := x.outline
	x.read = x.Buffer.Tree().NewReader()
	x.setBudget()
	x.later, x.row, x.gone, x.owner, x.cycling = nil, nil, nil, nil, nil
	clear(x.targets)
	x.Hits = nil // they have to be found again
	x.outline = newOutline(x.read)
	x.outline.height = old.height
	var maps []source.Mapping
	for _, splices := range groups {
		maps = append(maps, source.NewMapping(splices))
	}
	follow := func(off int64) int64 {
		for _, m := range maps {
			off = m.Map(off)
		}
		return off
	}
	carry := func(from, to map[tree.ID]bool) {
		for p := range from {
			if n, err := model.ValueFrom(x.read, follow(p.Start), p.Depth); err == nil && n.Depth == p.Depth {
				to[n.ID()] = true
			}
		}
	}
	for i, set := range x.outline.unfolded() {
		carry(old.unfolded()[i], set)
	}
	carry(old.closed, x.outline.closed)
	x.outline.level = old.level
	x.jumps.edited(follow)
	if old.filter != nil {
		x.outline.filter = old.filter.edited(follow)
		carry(old.filter.turned, x.outline.filter.turned)
	}
	if len(old.rows) > 0 {
		top := model.CursorOf(old.rows[0]).Follow(follow)
		if n, err := top.Find(x.read); err == nil && n.Depth > 0 {
			if row, err := x.outline.rowOf(n); err == nil {
				x.outline.rows = append(x.outline.rows[:0], row)
			}
		}
	}
	x.outline.fill()
}

// A Place is where the cursor of an explorer is, independent of how the bytes are read.
type Place struct {
	offset int64
	path   string // path of the selected row; "" if the cursor is on a byte
	start  int64  // offset of that value
}

// Place returns where the cursor is.
func (x *Explorer) Place() Place {
	p := Place{offset: x.offset}
	if n := x.row; !x.inBytes && n != nil && n.Depth > 0 && !x.Buffer.IsWrapper() {
		p.path, p.start = x.Path(n), n.Start
	}
	return p
}

// Return moves the cursor to where another explorer's was: the value with the same path, or if that is gone the nearest
// one around it. A cursor on no value goes to the same byte.
func (x *Explorer) Return(p Place) error {
	switch {
	case p.path != "":
		return x.do(func() error {
			n, err := x.read.Resolve(p.path)
			if gone := (*tree.PathError)(nil); errors.As(err, &gone) {
				n, err = x.read.Resolve(gone.Path)
			}
			if err == nil {
				err = x.goToValue(n)
			}
			if err != nil || n.Depth == 0 || n.Start != p.start || n.Start == n.End {
				return err
			}
			x.offset = min(p.offset, x.Buffer.Size()-1) // in its key, or within it
			return x.locate()
		})
	case p.offset == 0:
		return nil
	}
	return x.GoTo(p.offset)
}

// Unfolded returns the paths of the values in view that are unfolded, and of those around them.
func (x *Explorer) Unfolded() (paths []string) {
	seen := map[tree.ID]bool{}
	for _, n := range x.outline.rows {
		for ; n.Depth > 0 && !seen[n.ID()]; n = n.Parent {
			if seen[n.ID()] = true; x.outline.isOpen(n) {
				paths = append(paths, x.Path(n))
			}
		}
	}
	return paths
}

// UnfoldPaths unfolds the values at those of the paths that there are.
func (x *Explorer) UnfoldPaths(paths []string) {
	for _, path := range paths {
		if n, err := x.read.Resolve(path); err == nil && CanOpen(n) {
			x.outline.open[n.ID()] = true
		}
	}
	x.outline.fill()
}

// FollowTurn shows what a turn has done, and moves the cursor there. The explorer must belong to the
// turn's buffer.
func (x *Explorer) FollowTurn(t model.Turn) error {
	x.anchor = nil
	if t.Doc != x.Buffer.Document() {
		return x.GoToCursor(t.Cursor)
	}
	was, old, place := x.read, x.outline, x.Place()
	x.edited(t.Splices)
	x.unfoldAgain(was, old)
	if n, err := t.Cursor.Find(x.read); err == nil && n.Depth < t.Cursor.Depth && place.path != "" {
		if n, err = x.read.Resolve(place.path); err == nil && n.Depth <= t.Cursor.Depth {
			return x.GoToValue(n)
		}
	}
	return x.GoToCursor(t.Cursor)
}

// unfoldAgain unfolds values without bytes that were unfolded in view, and what is around them, by their paths: they are
// packed in bytes that were written anew, so that no offset leads to them.
func (x *Explorer) unfoldAgain(was *tree.Reader, old *outline) {
	for _, n := range old.rows {
		for n.Depth > 0 && n.Start == n.End && !old.isOpen(n) {
			n = n.Parent
		}
		for ; n.Depth > 0 && n.Start == n.End; n = n.Parent {
			if again, err := x.read.Resolve(was.Path(n)); err == nil {
				x.outline.open[again.ID()] = true
			}
		}
	}
}

// Spot returns the position of the cursor for a search.
func (x *Explorer) Spot() search.Spot {
	if n := x.row; !x.inBytes && n != nil && n.Depth > 0 && (n.Start == x.offset || n.Start == n.End) {
		return search.Spot{Offset: n.Start, At: n}
	}
	return search.Spot{Offset: x.offset}
}

// EntrySpot returns the position of the selected value's key, or of the value if it has no key.
func (x *Explorer) EntrySpot() search.Spot {
	spot := x.Spot()
	if n := x.Subject(); n != nil && n.KeyAt != tree.Unknown && n.Start == spot.Offset {
		return search.Spot{Offset: n.KeyAt}
	}
	return spot
}

// maxJumps is the number of places that are kept in each direction.
const maxJumps = 100

// jumps are the places from which the cursor has jumped, for going back and forward again. They follow
// edits.
type jumps struct {
	lists    [2][]jump // back, and forward again
	followed bool      // the last jump followed a reference
}

// A jump is a place from which the cursor has jumped: a cursor in this buffer, or another buffer, which
// keeps its own place as long as its document is open.
type jump struct {
	model.Cursor
	other weak.Pointer[Explorer] // zero for this buffer
}

// Leap records where the cursor is as a place to go back to. It is called before a jump.
func (x *Explorer) Leap() { x.LeapFrom(x.Cursor()) }

// LeapFrom records a place to go back to.
func (x *Explorer) LeapFrom(c model.Cursor) { x.leapFrom(jump{Cursor: c}) }

// ArriveFrom records another buffer as the place to go back to.
func (x *Explorer) ArriveFrom(other *Explorer) { x.leapFrom(jump{other: weak.Make(other)}) }

func (x *Explorer) leapFrom(from jump) {
	j := &x.jumps
	j.lists[1], j.followed = nil, false
	if n := len(j.lists[0]); n == 0 || j.lists[0][n-1] != from {
		j.push(0, from)
	}
}

// push adds a place to the list for going back, 0, or forward, 1.
func (j *jumps) push(to int, place jump) {
	list := j.lists[to]
	j.lists[to] = append(list[max(0, len(list)-maxJumps+1):], place)
}

// Show shows another buffer as it was left. It reports whether that is still open; err says why it cannot
// be shown now.
type Show func(*Explorer) (shown bool, err error)

// Back goes to where the cursor last jumped from; ok is false if there is no such place.
func (x *Explorer) Back(show Show) (ok bool, err error) { return x.jump(0, show) }

// Forward goes to where Back came from; ok is false if Back was not called since the last jump.
func (x *Explorer) Forward(show Show) (ok bool, err error) { return x.jump(1, show) }

// jump goes to the last of the places in a list at which the cursor is not already. The way back is
// recorded in the other list, or in that of another buffer.
func (x *Explorer) jump(list int, show Show) (ok bool, err error) {
	here, from := x.Cursor(), &x.jumps.lists[list]
	for n := len(*from) - 1; n >= 0; n-- {
		j, other, shown := (*from)[n], (*from)[n].other.Value(), false
		if other != nil {
			if shown, err = show(other); err != nil {
				return false, err
			}
		}
		*from = (*from)[:n]
		switch {
		case shown:
			other.jumps.push(1-list, jump{other: weak.Make(x)})
			return true, nil
		case j.other == (weak.Pointer[Explorer]{}) && j.Cursor != here:
			x.jumps.push(1-list, jump{Cursor: here})
			return true, x.GoToCursor(j.Cursor)
		}
	}
	return false, nil
}

// followed records that a reference was followed from n.
func (x *Explorer) followed(n *tree.Node) {
	x.LeapFrom(model.CursorOf(n))
	x.jumps.followed = true
}

// HasFollowed reports whether the last jump followed a reference.
func (x *Explorer) HasFollowed() bool { return x.jumps.followed && len(x.jumps.lists[0]) > 0 }

// edited moves the places as an edit moves the bytes.
func (j *jumps) edited(follow func(off int64) int64) {
	for _, list := range j.lists {
		for i := range list {
			list[i].Cursor = list[i].Cursor.Follow(follow)
		}
	}
}

// maxChosen is the number of siblings that can be selected.
const maxChosen = 10_000

// Choose begins to select siblings at the selected value, or ends that if on is false.
func (x *Explorer) Choose(on bool) {
	x.anchor = nil
	if n := x.row; on && n != nil && n.Depth > 0 {
		x.anchor = x.Entry(n)
	}
}

// IsChoosing reports whether siblings are selected.
func (x *Explorer) IsChoosing() bool { return x.anchor != nil }

// IsNumber reports whether the selected value, or the first of several, is a number.
func (x *Explorer) IsNumber() bool { return x.number() != nil }

// IsChannel reports whether that number is a channel of a colour.
func (x *Explorer) IsChannel() bool {
	n := x.number()
	return n != nil && x.read.Look(&n.Parent.Value).Form == tree.FormColor
}

// number returns the selected number, or the first of several; nil if it is not a number.
func (x *Explorer) number() *tree.Node {
	n := x.row
	if all := x.Chosen(); len(all) > 0 {
		n = all[0]
	}
	if n == nil || n.Depth == 0 || n.Slot.Key || x.Buffer.IsWrapper() {
		return nil
	}
	if s := x.read.Counted(&n.Value); !s.IsNumber() {
		return nil
	}
	return n
}

// ChildAt returns the child at an index of the value to which the child indexes in parent lead.
func (x *Explorer) ChildAt(parent []int64, index int64) (*tree.Node, error) {
	return x.read.AtIndexes(append(slices.Clone(parent), index))
}

// ChooseBetween selects children of a value, from the first index to the last.
func (x *Explorer) ChooseBetween(parent []int64, from, to int64) error {
	first, err := x.ChildAt(parent, from)
	last, none := x.ChildAt(parent, to)
	if err = cmp.Or(err, none); err != nil {
		return err
	}
	x.anchor = first
	return x.GoToValue(last)
}

// chosenSpan returns the parent of the selected siblings, and the indexes of the first and the last of
// them. ok is false without a selection, which ends when the cursor leaves their parent.
func (x *Explorer) chosenSpan() (parent *tree.Node, from, to int64, ok bool) {
	if x.anchor == nil || x.row == nil || x.row.Depth == 0 {
		return nil, 0, 0, false
	}
	n := x.row.Around(x.anchor.Depth)
	if n.Depth != x.anchor.Depth || !n.Parent.Same(x.anchor.Parent) {
		return nil, 0, 0, false
	}
	return n.Parent, min(n.Slot.Index, x.anchor.Slot.Index), max(n.Slot.Index, x.anchor.Slot.Index), true
}

// isChosen reports whether n is a selected sibling, or lies in one.
func (x *Explorer) isChosen(n *tree.Node) bool {
	parent, from, to, ok := x.chosenSpan()
	for ok && n.Depth > x.anchor.Depth {
		n = n.Parent
	}
	return ok && n.Depth == x.anchor.Depth && n.Parent.Same(parent) && n.Slot.Index >= from && n.Slot.Index <= to
}

// Chosen returns the selected siblings in order, with a filter those that it shows; nil if there are none.
func (x *Explorer) Chosen() (all []*tree.Node) {
	parent, from, to, ok := x.chosenSpan()
	if !ok {
		return nil
	}
	next := func(n *tree.Node) (*tree.Node, error) { return x.read.Child(parent, n.Slot.Index+1) }
	n, err := x.read.Child(parent, from)
	if x.outline.filter != nil && x.outline.plainIn(parent) == nil {
		next = func(n *tree.Node) (*tree.Node, error) { return x.outline.siblingWithHits(n) }
		if err == nil && !x.outline.holdsHits(n) && x.outline.plainIn(n) == nil {
			n, err = next(n)
		}
	}
	for ; err == nil && n.Slot.Index <= to && len(all) < maxChosen; n, err = next(n) {
		all = append(all, n)
	}
	return all
}

// KeysLike returns the keys like that of a member in the records of its list, in order, at most as many as can be selected;
// none for a value that is no member of such a record.
func (x *Explorer) KeysLike(n *tree.Node) (all []*tree.Node) {
	if !x.IsRow(n.Parent) {
		return nil
	}
	step := x.read.Step(n)
	for r, err := x.read.Child(n.Parent.Parent, 0); err == nil && len(all) < maxChosen; r, err = x.read.Next(r) {
		if like, err := x.read.Follow(r, step); err == nil {
			all = append(all, x.KeyOf(like))
		}
	}
	return all
}

// CountChosen returns the number of selected siblings.
func (x *Explorer) CountChosen() int {
	if _, from, to, ok := x.chosenSpan(); ok && x.outline.filter == nil {
		return min(int(to-from+1), maxChosen)
	}
	return len(x.Chosen())
}

// InBytes reports whether the cursor is on a byte rather than a row.
func (x *Explorer) InBytes() bool { return x.inBytes }

// ShowContent selects a value, once it can be found, which stays unfolded as long as the cursor is in it, and moves the byte
// cursor to its content.
func (x *Explorer) ShowContent(find func() (*tree.Node, error)) error {
	return x.do(func() error {
		n, err := find()
		if err != nil {
			return err
		}
		if err := x.GoTo(n.Body); err != nil {
			return err
		}
		x.later = nil // what it waits for, the row waits for too
		if err := x.selectRow(x.outline.rowOf(n)); err != nil {
			return err
		}
		x.offset = min(n.Body, x.Buffer.Size()-1)
		x.Align(0)
		return x.locate()
	})
}
