package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"varview/decoder/engine/span"
)

// An Offer is edits that an earlier run of the program did not save, and what else is known of them.
type Offer struct {
	*Unsaved
	state string // what became of the file or of the edits since
	rest  string // what cannot be read of other journals
	Older []int  // numbers of edits in the older journals that can be read
}

// FirstUnsaved returns the latest edits that can be read at least in part, nil if there are none, and what
// cannot be read of others.
func FirstUnsaved(list []*Unsaved) (found *Offer, lost error) {
	for _, u := range list {
		switch {
		case u.IsAlive, u.IsAside():
		case len(u.Lead) == 0 && u.Locked == 0:
			lost = cmp.Or(lost, fmt.Errorf("unsaved edits of this file: %s", u.Loss()))
			if u.Unreadable == nil {
				lost = fmt.Errorf("%w; %s has them", lost, u.Name)
			}
		case found == nil:
			found = &Offer{Unsaved: u, state: joined(u.Loss(), u.State())}
		default:
			found.Older = append(found.Older, u.Edits())
		}
	}
	if found != nil && lost != nil {
		found.rest, lost = lost.Error(), nil
	}
	return found, lost
}

// joined joins the parts that are not empty.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// Said says in one line which edits were not saved.
func (u *Offer) Said() string {
	steps := len(u.Lead)
	at, last := when(u.When, time.Now()), u.Lead[steps-1].Label()
	text := fmt.Sprintf("%s of %s were not saved: %s was the last", span.Counted(int64(steps), "edit"), at, last)
	switch all := steps; {
	case len(u.Older) > 0:
		for _, n := range u.Older {
			all += n
		}
		text = fmt.Sprintf("%d records, %d edits not saved, the last at %s: %s", 1+len(u.Older), all, at, last)
	case steps == 1:
		text = fmt.Sprintf("an edit of %s was not saved: %s", at, last)
	}
	return joined(text, u.state, u.rest)
}

// when formats a time for a message, with the day only if it is not today.
func when(t, now time.Time) string {
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}
