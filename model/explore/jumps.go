package explore

import (
	"varview/decoder/tree"
	"varview/model"
)

// maxJumps is the number of places that are kept in each direction.
const maxJumps = 100

// jumps are the places from which the cursor has jumped, for going back to them and forward
// again. They follow edits.
type jumps struct {
	back, forward []model.Cursor
	followed      bool // the last one followed a reference
}

// Leap notes where the cursor is as a place to go back to. It is called before a jump.
func (x *Explorer) Leap() { x.LeapFrom(x.Cursor()) }

// LeapFrom notes a place to go back to.
func (x *Explorer) LeapFrom(c model.Cursor) {
	j := &x.jumps
	j.forward, j.followed = nil, false
	if n := len(j.back); n == 0 || j.back[n-1] != c {
		j.back = pushed(j.back, c)
	}
}

func pushed(list []model.Cursor, c model.Cursor) []model.Cursor {
	return append(list[max(0, len(list)-maxJumps+1):], c)
}

// Back goes to where the cursor jumped from last; ok is false if it never did.
func (x *Explorer) Back() (ok bool, err error) { return x.jump(&x.jumps.back, &x.jumps.forward) }

// Forward goes to where Back came from; ok is false if it was not called since the last jump.
func (x *Explorer) Forward() (ok bool, err error) { return x.jump(&x.jumps.forward, &x.jumps.back) }

// jump goes to the last of the places in from that is not where the cursor is.
func (x *Explorer) jump(from, to *[]model.Cursor) (ok bool, err error) {
	here := x.Cursor()
	for n := len(*from) - 1; n >= 0; n-- {
		c := (*from)[n]
		*from = (*from)[:n]
		if c != here {
			*to = pushed(*to, here)
			return true, x.GoToCursor(c)
		}
	}
	return false, nil
}

// followed notes that a reference was followed from n.
func (x *Explorer) followed(n *tree.Node) {
	x.LeapFrom(model.CursorOf(n))
	x.jumps.followed = true
}

// HasFollowed reports whether the last jump followed a reference.
func (x *Explorer) HasFollowed() bool { return x.jumps.followed && len(x.jumps.back) > 0 }

// edited moves the places as an edit moves what is there.
func (j *jumps) edited(follow func(off int64) int64) {
	for _, list := range [][]model.Cursor{j.back, j.forward} {
		for i := range list {
			list[i] = list[i].Follow(follow)
		}
	}
}

// InBytes reports whether the cursor is on a byte, and not on a row.
func (x *Explorer) InBytes() bool { return x.inBytes }
