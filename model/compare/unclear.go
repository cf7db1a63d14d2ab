package compare

import (
	"math"
	"slices"

	"varview/decoder/engine/tree"
)

// An Unclear is a part of a list in which it is not certain which elements correspond: other ways to pair
// them explain the change about as well.
type Unclear struct {
	InA, InB   *tree.Node // the list
	FromA, ToA int64      // indexes of the first element and of the one after the last
	// Shifted lists the elements that are elsewhere in pairings that explain the change clearly better. If
	// the lists of all sides have the same length, only these are unclear; nil if this list is not paired
	// by position.
	Shifted []int64
}

// reportUnclear reports the parts of a gap in two lists that are unclear.
func (c *comparer) reportUnclear(a, b *tree.Node, p *listed) {
	w := &ways{a: meanings(p.a), b: meanings(p.b), twin: p.twin, twinB: p.twinB}
	for i, j := range p.twin {
		if j >= 0 && p.sure[i] {
			w.b[j] = w.a[i]
		}
	}
	for _, h := range w.unclear() {
		u := Unclear{InA: a, InB: b, FromA: index(p.a, h.a0), ToA: index(p.a, h.a1)}
		if p.isByPosition() {
			u.Shifted = []int64{}
			for _, i := range w.shifted {
				if h.a0 <= i && i < h.a1 {
					u.Shifted = append(u.Shifted, p.a[i].index)
				}
			}
		}
		if h.a0 == 0 && p.fromA != nil || h.a1 == len(p.a) && p.toA != math.MaxInt64 { // the part could continue outside the gap
			u.FromA, u.ToA, u.Shifted = 0, math.MaxInt64, nil
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

// ways are the ways to pair two lists, in their order. A way costs 1 for each element that is inserted,
// removed or changed. One way is chosen; what is paired differently by ways that cost about as much is
// unclear.
type ways struct {
	a, b        []uint64
	twin, twinB []int
	holes       []hole
	shifted     []int
}

// Limits for following ways.
const (
	margin   = 6       // elements unlike the one before them, beyond what has changed: no other way continues behind them
	maxCells = 1 << 22 // pairs of elements that are looked at in one part
)

// more is how much more than the cheapest a way may cost if the numbers of elements differ. If they are
// equal, a way may cost as much as pairing by position.
const more = 1

// unclear returns the unclear parts: first those where other ways cost no more than the cheapest. Then
// elements that occur once in both lists, and are paired with each other, divide the lists, and ways
// between these may cost more.
func (w *ways) unclear() []hole {
	start, end := pairing{}, pairing{len(w.a), len(w.b)}
	if len(w.a) != len(w.b) {
		w.divide(start, end, 0)
	}
	once := newAligner(w.a, w.b, nil).once
	anchors := []pairing{{-1, -1}}
	for i, j := range w.twin {
		if p, is := once[w.a[i]]; is && p.b == j {
			anchors = append(anchors, p)
		}
	}
	anchors = append(anchors, end)
	for k, p := range anchors[1:] {
		w.divide(pairing{anchors[k].a + 1, anchors[k].b + 1}, p, more)
	}
	if len(w.a) != len(w.b) {
		w.maybeMoved(once)
	}
	w.maybePassed(anchors)
	return w.holes
}

// maxPassed is the number of elements beyond an anchor among which maybePassed looks.
const maxPassed = 64

// maybePassed adds the parts in which an element is gone while an equal one is beyond an anchor, an
// element that occurs once in both lists: the anchor could have been moved instead.
func (w *ways) maybePassed(anchors []pairing) {
	has := func(from, to int, h uint64) bool {
		return from < to && slices.Contains(w.b[from:to], h)
	}
	for k := 1; k < len(anchors); k++ {
		before, after := anchors[max(k-2, 0)], anchors[min(k+1, len(anchors)-1)]
		for i := anchors[k-1].a + 1; i < anchors[k].a; i++ {
			if w.twin[i] >= 0 {
				continue
			}
			if has(max(before.b+1, anchors[k-1].b-maxPassed), anchors[k-1].b, w.a[i]) {
				w.holes = append(w.holes, hole{a0: before.a + 1, a1: i + 1})
			}
			if has(anchors[k].b+1, min(after.b, anchors[k].b+1+maxPassed), w.a[i]) {
				w.holes = append(w.holes, hole{a0: i, a1: after.a})
			}
		}
	}
}

// maybeMoved adds the parts in which an element that occurs once in both lists is not paired with itself:
// it could have been moved.
func (w *ways) maybeMoved(once map[uint64]pairing) {
	place := make([]int, len(w.b)+1) // index in a of each element of b
	place[len(w.b)] = len(w.a)
	for j := len(w.b) - 1; j >= 0; j-- {
		if place[j] = place[j+1]; w.twinB[j] >= 0 {
			place[j] = w.twinB[j]
		}
	}
	for i, h := range w.a {
		if p, is := once[h]; is && w.twin[i] != p.b && w.twin[i] != movedAway {
			at := place[p.b]
			w.holes = append(w.holes, hole{a0: min(i, at), a1: max(i+1, at)})
		}
	}
}

// divide follows the ways through a part. If its lists have the same number of elements, it only follows
// them through those stretches between which no other way leads.
func (w *ways) divide(from, to pairing, more int32) {
	a, b := w.a[from.a:to.a], w.b[from.b:to.b]
	if slices.Equal(a, b) {
		return
	}
	if len(a) != len(b) {
		start, end := 0, 0
		for start < min(len(a), len(b)) && a[start] == b[start] {
			start++
		}
		for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
			end++
		}
		start = start - back(a[:start])
		end = end - ahead(a[len(a)-end:])
		w.follow(pairing{from.a + start, from.b + start}, pairing{to.a - end, to.b - end}, more)
		return
	}
	begin, last := -1, -1 // bounds of what has changed
	flush := func(next int) {
		if begin >= 0 {
			stop := last + 1 + ahead(a[last+1:next])
			if permutes(a[begin:stop], b[begin:stop]) {
				w.holes = append(w.holes, hole{a0: from.a + begin, a1: from.a + stop})
			}
			w.follow(pairing{from.a + begin, from.b + begin}, pairing{from.a + stop, from.b + stop}, more)
		}
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		between := a[last+1 : i]
		if begin < 0 || ahead(between)+back(between) < len(between) {
			flush(i)
			begin = i - back(between)
		}
		last = i
	}
	flush(len(a))
}

// permutes reports whether two parts have the same elements in a different order.
func permutes(a, b []uint64) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// ahead returns through how many elements at the start of a run of equal ones another way could lead.
func ahead(equal []uint64) int {
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

// back returns through how many elements at the end of a run of equal ones another way could lead.
func back(equal []uint64) int {
	unlike := 0
	for i := len(equal) - 1; i > 0; i-- {
		if equal[i] != equal[i-1] {
			if unlike++; unlike == margin {
				return len(equal) - i
			}
		}
	}
	return len(equal)
}

// follow follows all ways through a part.
func (w *ways) follow(from, to pairing, more int32) {
	g := &grid{a: w.a[from.a:to.a], b: w.b[from.b:to.b], twin: w.twin[from.a:to.a], twinB: w.twinB[from.b:to.b]}
	if !g.fill(more) {
		w.holes = append(w.holes, hole{from.a, to.a, from.b, to.b})
		return
	}
	h := hole{from.a, from.a, from.b, from.b}
	isUnclear := false
	better := g.better()
	end := func(i, j int) {
		if h.a1, h.b1 = from.a+i, from.b+j; isUnclear {
			w.holes = append(w.holes, h)
		}
		h.a0, h.b0, isUnclear = h.a1+1, h.b1+1, false
	}
	j := 0
	inserted := func(to int) {
		for ; j < to; j++ {
			isUnclear = isUnclear || g.twinB[j] >= 0 || g.isPaired(j)
		}
	}
	for i := range g.a {
		if g.isShifted(i, from.b, better) {
			w.shifted = append(w.shifted, from.a+i)
		}
		is := g.onlyTwin(i)
		if is >= j && g.twin[i] == from.b+is {
			inserted(is)
			end(i, j)
			j++
			continue
		}
		isUnclear = isUnclear || is != noTwin || g.twin[i] >= 0
	}
	inserted(len(g.b))
	end(len(g.a), len(g.b))
}

const unknown = -4 // which element is the counterpart of another

// A grid holds the cost of reaching each pair of positions in two lists from their start, and of going
// from there to the end. Only diagonals on which affordable ways can lie are filled.
type grid struct {
	a, b        []uint64
	twin, twinB []int // how a and b are paired; movedAway counts as a pairing
	low, width  int   // the first diagonal (position in b minus position in a), and the number of diagonals
	to, on      []int32
	most        int32
}

func (g *grid) fill(more int32) bool {
	n, m := len(g.a), len(g.b)
	for wide := 2; ; wide *= 2 {
		g.low = min(0, m-n) - wide
		g.width = max(0, m-n) + wide - g.low + 1
		if (n+1)*g.width > maxCells {
			return false
		}
		g.passOver()
		best := g.to[g.at(n, m)]
		g.most = best + more
		if n == m && !slices.Contains(g.twin, movedAway) && !slices.Contains(g.twinB, movedAway) {
			g.most = 0
			for i := range g.a {
				if g.a[i] != g.b[i] {
					g.most++
				}
			}
		}
		if apart := max(n-m, m-n); int(g.most) <= apart+2*wide {
			return true
		}
	}
}

const far = math.MaxInt32 / 4

func (g *grid) at(i, j int) int { return i*g.width + j - i - g.low }

// has reports whether a pair of positions is on a filled diagonal.
func (g *grid) has(i, j int) bool {
	k := j - i - g.low
	return k >= 0 && k < g.width && j >= 0 && j <= len(g.b) && i >= 0 && i <= len(g.a)
}

func (g *grid) cost(costs []int32, i, j int) int32 {
	if !g.has(i, j) {
		return far
	}
	return costs[g.at(i, j)]
}

func (g *grid) changed(i, j int) int32 {
	switch {
	case g.twin[i] == movedAway || g.twinB[j] == movedAway:
		return far
	case g.a[i] == g.b[j]:
		return 0
	}
	return 1
}

func (g *grid) passOver() {
	n, m, w := len(g.a), len(g.b), g.width
	g.to, g.on = make([]int32, (n+1)*w), make([]int32, (n+1)*w)
	row := func(of []int32, i int) []int32 { return of[i*w:][:w] }
	for i := 0; i <= n; i++ {
		is, above, before := row(g.to, i), row(g.to, max(0, i-1)), int32(far)
		for j := max(0, i+g.low); j <= min(m, i+g.low+w-1); j++ {
			k, best := j-i-g.low, int32(far)
			if i == 0 && j == 0 {
				best = 0
			}
			if i > 0 && j > 0 {
				best = min(best, above[k]+g.changed(i-1, j-1))
			}
			if i > 0 && k+1 < w {
				best = min(best, above[k+1]+1)
			}
			before = min(best, before+1)
			is[k] = before
		}
	}
	for i := n; i >= 0; i-- {
		is, below, behind := row(g.on, i), row(g.on, min(n, i+1)), int32(far)
		for j := min(m, i+g.low+w-1); j >= max(0, i+g.low); j-- {
			k, best := j-i-g.low, int32(far)
			if i == n && j == m {
				best = 0
			}
			if i < n && j < m {
				best = min(best, below[k]+g.changed(i, j))
			}
			if i < n && k > 0 {
				best = min(best, below[k-1]+1)
			}
			behind = min(best, behind+1)
			is[k] = behind
		}
	}
}

// pairs reports whether an affordable way pairs two elements.
func (g *grid) pairs(i, j int) bool {
	return g.has(i, j) && g.has(i+1, j+1) && g.cost(g.to, i, j)+g.changed(i, j)+g.cost(g.on, i+1, j+1) <= g.most
}

// onlyTwin returns the element with which all ways pair element i of a: noTwin if they remove it, unknown
// if they differ.
func (g *grid) onlyTwin(i int) int {
	twin, removed := noTwin, false
	for j := max(0, i+g.low); j <= min(len(g.b), i+g.low+g.width-1); j++ {
		if j < len(g.b) && g.pairs(i, j) {
			if twin != noTwin {
				return unknown
			}
			twin = j
		}
		removed = removed || g.cost(g.to, i, j)+1+g.cost(g.on, i+1, j) <= g.most
	}
	if twin != noTwin && removed {
		return unknown
	}
	return twin
}

// better returns what a way may cost to explain the change clearly better than pairing by position: half as
// much, or three quarters if there are more than two kinds of elements, which fit elsewhere by chance
// less often.
func (g *grid) better() int32 {
	kinds := map[uint64]bool{}
	for _, h := range slices.Concat(g.a, g.b) {
		if kinds[h] = true; len(kinds) > 2 {
			return max((g.most+1)/clearly, g.most*3/4)
		}
	}
	return (g.most + 1) / clearly
}

// isShifted reports whether a way has element i of a elsewhere, unchanged.
func (g *grid) isShifted(i, base int, most int32) bool {
	for j := max(0, i+g.low); j <= min(len(g.b)-1, i+g.low+g.width-1); j++ {
		if g.a[i] == g.b[j] && base+j != g.twin[i] && g.cost(g.to, i, j)+g.cost(g.on, i+1, j+1) <= most {
			return true
		}
	}
	return false
}

// isPaired reports whether a way pairs element j of b.
func (g *grid) isPaired(j int) bool {
	for i := max(0, j-g.low-g.width+1); i <= min(len(g.a)-1, j-g.low); i++ {
		if g.pairs(i, j) {
			return true
		}
	}
	return false
}
