package random

import (
	"math/rand/v2"
	"slices"
)

// An element of a list keeps its identity when it is set or moved.
type element struct {
	id    int
	value string // its literal
}

// A side is a list after some edits.
type side struct {
	list    []element
	touched map[int]bool // elements of the base that were set, deleted or moved
	placed  map[int]bool // elements that were inserted or moved
	edits   []edited
	moves   bool // there are other edits than sets
}

// An edited is an edit of the element with a number.
type edited struct {
	kind, id, at int
	value        string
}

// The kinds of edits.
const (
	set = iota
	inserted
	deleted
	moved
)

// make makes an edit of a list.
func (e *edited) make(list []element) []element {
	i := slices.IndexFunc(list, func(x element) bool { return x.id == e.id })
	if i < 0 && e.kind != inserted {
		return list
	}
	is := element{e.id, e.value}
	switch e.kind {
	case set:
		list[i].value = e.value
		return list
	case moved:
		is = list[i]
	}
	if e.kind != inserted {
		list = slices.Delete(list, i, i+1)
	}
	if e.kind != deleted {
		list = slices.Insert(list, min(e.at, len(list)), is)
	}
	return list
}

// hasHidden reports whether a list would look the same without one of the edits.
func (s *side) hasHidden(base []element) bool {
	for left := range s.edits {
		list := slices.Clone(base)
		for i := range s.edits {
			if i != left {
				list = s.edits[i].make(list)
			}
		}
		if slices.Equal(values(list), values(s.list)) {
			return true
		}
	}
	return false
}

// some returns what those edits make of the list whose bits are set, or are not set.
func (s *side) some(base []element, bits int, set bool) *side {
	x := newSide(base)
	for i, e := range s.edits {
		if bits>>i&1 == 1 == set {
			x.list = e.make(x.list)
			x.note(e)
		}
	}
	return x
}

// note records which element an edit touches.
func (s *side) note(e edited) {
	if e.kind != inserted {
		s.touched[e.id] = true
	}
	switch e.kind {
	case inserted, moved:
		s.placed[e.id] = true
	case deleted:
		delete(s.placed, e.id)
	}
	s.edits, s.moves = append(s.edits, e), s.moves || e.kind != set
}

// newSide begins to edit a list.
func newSide(base []element) *side {
	return &side{list: slices.Clone(base), touched: map[int]bool{}, placed: map[int]bool{}}
}

// edit makes one random edit that touches no element that the other side has touched. fresh makes a value
// that differs from an old one; "" for none.
func (s *side) edit(r *rand.Rand, setsOnly bool, other *side, newID int, fresh func(old string) string) {
	e := edited{kind: r.IntN(4), id: newID}
	if setsOnly {
		e.kind = set
	}
	var free []element
	for _, x := range s.list {
		if !other.touched[x.id] && !(setsOnly && s.touched[x.id]) {
			free = append(free, x)
		}
	}
	switch {
	case e.kind == inserted:
		e.value = fresh("")
	case len(free) == 0:
		return
	default:
		x := free[r.IntN(len(free))]
		e.id = x.id
		if e.kind == set {
			e.value = fresh(x.value)
		}
	}
	e.at = r.IntN(len(s.list) + 1)
	s.list = e.make(s.list)
	s.note(e)
}

func values(list []element) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = e.value
	}
	return all
}

// cost returns the smallest number of values that have to be set, inserted or deleted to turn one list
// into the other.
func cost(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			best := diagonal
			if a[i] != b[j] {
				best = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

// crossing returns the number of values that occur once in both lists and have to be moved to bring them
// into the same order; cost counts each as both inserted and deleted.
func crossing(a, b []string) int {
	var at []int
	for _, v := range a {
		i, n, m := slices.Index(b, v), 0, 0
		for _, w := range a {
			if w == v {
				n++
			}
		}
		for _, w := range b {
			if w == v {
				m++
			}
		}
		if n == 1 && m == 1 {
			at = append(at, i)
		}
	}
	best, most := make([]int, len(at)), 0
	for i := range at {
		best[i] = 1
		for j := range i {
			if at[j] < at[i] {
				best[i] = max(best[i], best[j]+1)
			}
		}
		most = max(most, best[i])
	}
	return len(at) - most
}

// byPosition merges lists of the same length by position; nil if their lengths differ, if both sides have
// another value at one place, or if clearly fewer edits explain what a side has.
func byPosition(base, ours, theirs []string) []string {
	if len(ours) != len(base) || len(theirs) != len(base) {
		return nil
	}
	merged := slices.Clone(base)
	differ := [2]int{}
	for i := range base {
		switch {
		case ours[i] == base[i] && theirs[i] != base[i]:
			merged[i] = theirs[i]
			differ[1]++
		case ours[i] != base[i] && theirs[i] != base[i]:
			return nil
		case ours[i] != base[i]:
			merged[i] = ours[i]
			differ[0]++
		}
	}
	if differ[0] > 2*cost(base, ours) || differ[1] > 2*cost(base, theirs) {
		return nil
	}
	return merged
}

// both is the elements that a merge of both sides must have, and which of them come before which.
type both struct {
	elements []element
	before   [][]bool
}

// join joins two sides that have touched different elements of a base.
func join(base []element, x, y *side) *both {
	b := &both{}
	at := map[int]int{}
	add := func(e element) {
		at[e.id] = len(b.elements)
		b.elements = append(b.elements, e)
	}
	in := [2]map[int]int{places(x.list), places(y.list)}
	for i, e := range base {
		p, inX := in[0][e.id]
		q, inY := in[1][e.id]
		switch {
		case !inX || !inY:
		case x.touched[e.id]:
			add(x.list[p])
		case y.touched[e.id]:
			add(y.list[q])
		default:
			add(base[i])
		}
	}
	for i, s := range []*side{x, y} {
		for _, e := range s.list {
			if _, old := in[1-i][e.id]; !old && s.placed[e.id] && !isOf(base, e.id) {
				add(e)
			}
		}
	}
	b.before = make([][]bool, len(b.elements))
	for i := range b.before {
		b.before[i] = make([]bool, len(b.elements))
	}
	for k, s := range []*side{x, y} {
		other := []*side{y, x}[k]
		for i, e := range s.list {
			for _, f := range s.list[i+1:] {
				p, has := at[e.id]
				q, hasToo := at[f.id]
				if has && hasToo && !other.placed[e.id] && !other.placed[f.id] {
					b.before[p][q] = true
				}
			}
		}
	}
	return b
}

// allowsShared reports whether a list is what both sides lead to if edits of both that make the same of the
// base count once: both may have removed one of several alike, or added the same.
func allowsShared(base []element, x, y *side, list []string) bool {
	for i := range 1 << len(x.edits) {
		shared := values(x.some(base, i, true).list)
		for j := range 1 << len(y.edits) {
			if i != 0 && slices.Equal(shared, values(y.some(base, j, true).list)) && join(base, x, y.some(base, j, false)).allows(list) {
				return true
			}
		}
	}
	return false
}

func isOf(base []element, id int) bool {
	return slices.ContainsFunc(base, func(e element) bool { return e.id == id })
}

func places(list []element) map[int]int {
	at := map[int]int{}
	for i, e := range list {
		at[e.id] = i
	}
	return at
}

// allows reports whether a list has all elements, in a permitted order.
func (b *both) allows(list []string) bool {
	if len(list) != len(b.elements) {
		return false
	}
	tried := map[string]bool{}
	used := make([]byte, len(list))
	var from func(i int) bool
	from = func(i int) bool {
		if i == len(list) {
			return true
		}
		if tried[string(used)] {
			return false
		}
		tried[string(used)] = true
		for e := range b.elements {
			if used[e] == 0 && b.elements[e].value == list[i] && b.isNext(e, used) {
				used[e] = 1
				if from(i + 1) {
					return true
				}
				used[e] = 0
			}
		}
		return false
	}
	return from(0)
}

func (b *both) isNext(e int, used []byte) bool {
	for f := range b.elements {
		if b.before[f][e] && used[f] == 0 {
			return false
		}
	}
	return true
}
