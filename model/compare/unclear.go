package compare

import (
	"math"
	"slices"

	"varview/decoder/engine/tree"
)

// An Unclear is a part of a list in which it is not certain which elements correspond: other ways to pair
// them explain the change about as well.
type Unclear struct {
	InA        *tree.Node // the list
	FromA, ToA int64      // indexes of the first element and of the one after the last
	IsWeak     bool       // pairs by position are about as likely as others: certain if the lists of all sides have the same length
}

// reportUnclear reports the parts of a gap in two lists that are unclear.
func (c *comparer) reportUnclear(a *tree.Node, p *listed) {
	w := &ways{aligner: p.by, twin: p.twin, twinB: p.twinB, byPosition: p.isByPosition()}
	if slices.Contains(p.sure, true) {
		b := slices.Clone(w.b)
		for i, j := range p.twin {
			if j >= 0 && p.sure[i] {
				b[j] = w.a[i]
			}
		}
		w.aligner = newAligner(w.a, b)
	}
	for _, h := range w.unclear() {
		u := Unclear{InA: a, FromA: index(p.a, h.from), ToA: index(p.a, h.to), IsWeak: h.isWeak}
		if h.from == 0 && p.fromA != nil || h.to == len(p.a) && p.toA != math.MaxInt64 { // the part could continue outside the gap
			u.FromA, u.ToA = 0, math.MaxInt64
		}
		c.Unclear(&u)
	}
}

func (p *listed) isByPosition() bool {
	for i, j := range p.twin {
		if i != j {
			return false
		}
	}
	return len(p.a) == len(p.b)
}

// index returns the index of an element in its list, or the index after the last one.
func index(items []item, i int) int64 {
	switch {
	case i < len(items):
		return items[i].index
	case i > 0:
		return items[i-1].index + 1
	}
	return 0
}

// ways looks for other ways to pair two lists, in their order.
type ways struct {
	*aligner
	twin, twinB []int
	byPosition  bool
	parts       []part
}

// A part is an unclear part, as indexes in a.
type part struct {
	from, to int
	isWeak   bool
}

// margin is the number of elements unlike the one before them, beyond what has changed, behind which no other
// way continues.
const margin = 6

// unclear returns the unclear parts. Elements that occur once in both lists, and are paired with each other,
// divide the lists: hardly any other way leads past them.
func (w *ways) unclear() []part {
	from := pairing{}
	for i, j := range w.twin {
		if p, is := w.once(w.a[i]); is && p.b == j {
			w.divide(from, p)
			from = pairing{i + 1, j + 1}
		}
	}
	w.divide(from, pairing{len(w.a), len(w.b)})
	if !w.byPosition {
		w.maybeMoved()
	}
	return w.parts
}

// maybeMoved adds the parts in which an element that occurs once in both lists is not paired with itself:
// it could have been moved.
func (w *ways) maybeMoved() {
	place := make([]int, len(w.b)+1) // index in a of each element of b
	place[len(w.b)] = len(w.a)
	for j := len(w.b) - 1; j >= 0; j-- {
		if place[j] = place[j+1]; w.twinB[j] >= 0 {
			place[j] = w.twinB[j]
		}
	}
	for i, h := range w.a {
		if p, is := w.once(h); is && w.twin[i] != p.b && w.twin[i] != movedAway {
			at := place[p.b]
			w.add(min(i, at), max(i+1, at), false)
		}
	}
}

// divide finds what is unclear in a part.
func (w *ways) divide(from, to pairing) {
	a, b := w.a[from.a:to.a], w.b[from.b:to.b]
	switch {
	case slices.Equal(a, b), len(a) == 0, len(b) == 0, len(a) == 1 && len(b) == 1:
	case w.byPosition:
		w.divideEqual(from.a, a, b)
	default:
		start, end := 0, 0
		for start < min(len(a), len(b)) && a[start] == b[start] {
			start++
		}
		for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
			end++
		}
		start -= ahead(reversed(a[:start]))
		end -= ahead(a[len(a)-end:])
		w.add(from.a+start, to.a-end, false)
	}
}

// divideEqual finds what is unclear in a part, which begins at element from of a, whose lists have the same number of
// elements: the stretches of changes near one another that can be explained by other elements at these places.
func (w *ways) divideEqual(from int, a, b []int32) {
	begin, last := -1, -1 // bounds of what has changed
	flush := func(next int) {
		if begin >= 0 {
			stop := last + 1 + ahead(a[last+1:next])
			w.judge(from+begin, a[begin:stop], b[begin:stop])
		}
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		between := a[last+1 : i]
		back := ahead(reversed(between))
		if begin < 0 || ahead(between)+back < len(between) {
			flush(i)
			begin = i - back
		}
		last = i
	}
	flush(len(a))
}

// judge adds what is unclear in a stretch of as many elements from one on, or each element that has changed where they are in
// another order.
func (w *ways) judge(from int, a, b []int32) {
	changed, isElsewhere, kinds := 0, false, map[int32]bool{}
	for _, h := range a {
		kinds[h] = true
	}
	for i := range a {
		if a[i] != b[i] {
			changed, isElsewhere = changed+1, isElsewhere || kinds[b[i]]
		}
	}
	if changed < 2 || !isElsewhere {
		return
	}
	for _, h := range b {
		kinds[h] = true
	}
	most := (changed + 1) / clearly
	if len(kinds) > 2 { // they fit elsewhere by chance less often
		most = max(most, changed*3/4)
	}
	isWeak := distance(a, b) > most
	w.add(from, from+len(a), isWeak)
	if !isWeak || !permutes(a, b) {
		return
	}
	for i := range a {
		if a[i] != b[i] {
			w.add(from+i, from+i+1, false)
		}
	}
}

func (w *ways) add(from, to int, isWeak bool) { w.parts = append(w.parts, part{from, to, isWeak}) }

func reversed(all []int32) []int32 {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

// ahead returns through how many elements at the start of a run of equal ones another way could lead.
func ahead(equal []int32) int {
	unlike := 0
	for i := 1; i < len(equal); i++ {
		if equal[i] != equal[i-1] {
			if unlike++; unlike == margin {
				return i
			}
		}
	}
	return len(equal)
}

// permutes reports whether two parts have the same elements in a different order.
func permutes(a, b []int32) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// maxCells is the number of pairs of elements up to which the distance of two lists is found. In longer ones nothing
// is taken for better than pairs by position.
const maxCells = 1 << 18

// distance returns the smallest number of elements that are inserted, removed or changed from a to b, which are as long.
func distance(a, b []int32) int {
	if len(a)*len(b) > maxCells {
		return len(a)
	}
	costs := make([]int, len(b)+1) // from what was passed of a to each beginning of b
	for j := range costs {
		costs[j] = j
	}
	for i, x := range a {
		before := costs[0] // of the row above
		costs[0] = i + 1
		for j, y := range b {
			cost := before
			if x != y {
				cost = min(before, costs[j], costs[j+1]) + 1
			}
			before, costs[j+1] = costs[j+1], cost
		}
	}
	return costs[len(b)]
}
