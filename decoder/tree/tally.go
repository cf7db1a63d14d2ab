package tree

import (
	"slices"

	"varview/decoder/span"
)

const (
	// LargeFrom is the size in bytes from which on a Tally compares values.
	LargeFrom  = 64
	maxLargest = 3
	// MaxTypes is the number of types that a Tally has room for.
	MaxTypes = 128
)

// A Tally counts values that are passed many at a time.
type Tally struct {
	Children int64           // values of the buffer itself
	Types    [MaxTypes]int64 // values by Value.Type, other than keys
	Largest  []span.Span     // of the values without children, the largest first; 3 at most

	types []uint8     // of values of which Settle says whether they count
	large []span.Span // likewise
}

// CountLater counts a value of a type once Settle says so.
func (t *Tally) CountLater(kind uint16) { t.types = append(t.types, uint8(kind)) }

// CompareLater compares a value once Settle says so.
func (t *Tally) CompareLater(s span.Span) { t.large = append(t.large, s) }

// Settle counts and compares the values of which CountLater and CompareLater were called, or
// forgets them.
func (t *Tally) Settle(counts bool) {
	if counts {
		for _, kind := range t.types {
			t.Types[kind]++
		}
		for _, s := range t.large {
			t.Compare(s)
		}
	}
	t.types, t.large = t.types[:0], t.large[:0]
}

// Compare keeps a value without children if it is among the largest, the first one of those
// of the same size.
func (t *Tally) Compare(s span.Span) {
	if s.Length < LargeFrom {
		return
	}
	at := len(t.Largest)
	for at > 0 && s.Length > t.Largest[at-1].Length {
		at--
	}
	if at < maxLargest {
		t.Largest = slices.Insert(t.Largest, at, s)
		t.Largest = t.Largest[:min(len(t.Largest), maxLargest)]
	}
}

// Add adds what was counted in a later part of the buffer.
func (t *Tally) Add(u *Tally) {
	t.Children += u.Children
	for i, n := range u.Types {
		t.Types[i] += n
	}
	for _, s := range u.Largest {
		t.Compare(s)
	}
}
