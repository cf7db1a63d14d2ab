package explore

import (
	"weak"

	"varview/decoder/engine/tree"
	"varview/model"
)

// maxJumps is the number of places that are kept in each direction.
const maxJumps = 100

// jumps are the places from which the cursor has jumped, for going back and forward again. They follow
// edits.
type jumps struct {
	back, forward []jump
	followed      bool // the last jump followed a reference
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
	j.forward, j.followed = nil, false
	if n := len(j.back); n == 0 || j.back[n-1] != from {
		j.back = pushed(j.back, from)
	}
}

func pushed(list []jump, j jump) []jump {
	return append(list[max(0, len(list)-maxJumps+1):], j)
}

// Show shows another buffer as it was left. It reports whether that is still open; err says why it cannot
// be shown now.
type Show func(*Explorer) (shown bool, err error)

// Back goes to where the cursor last jumped from; ok is false if there is no such place.
func (x *Explorer) Back(show Show) (ok bool, err error) {
	return x.jump(&x.jumps.back, &x.jumps.forward, show, func(other *Explorer) *[]jump { return &other.jumps.forward })
}

// Forward goes to where Back came from; ok is false if Back was not called since the last jump.
func (x *Explorer) Forward(show Show) (ok bool, err error) {
	return x.jump(&x.jumps.forward, &x.jumps.back, show, func(other *Explorer) *[]jump { return &other.jumps.back })
}

// jump goes to the last of the places in from at which the cursor is not already. The way back is
// recorded in to, or in the corresponding list of another buffer.
func (x *Explorer) jump(from, to *[]jump, show Show, toOf func(*Explorer) *[]jump) (ok bool, err error) {
	here := x.Cursor()
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
			list := toOf(other)
			*list = pushed(*list, jump{other: weak.Make(x)})
			return true, nil
		case j.other == (weak.Pointer[Explorer]{}) && j.Cursor != here:
			*to = pushed(*to, jump{Cursor: here})
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
func (x *Explorer) HasFollowed() bool { return x.jumps.followed && len(x.jumps.back) > 0 }

// edited moves the places as an edit moves the bytes.
func (j *jumps) edited(follow func(off int64) int64) {
	for _, list := range [][]jump{j.back, j.forward} {
		for i := range list {
			list[i].Cursor = list[i].Cursor.Follow(follow)
		}
	}
}

// InBytes reports whether the cursor is on a byte rather than a row.
func (x *Explorer) InBytes() bool { return x.inBytes }
