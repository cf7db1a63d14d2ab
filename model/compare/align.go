package compare

import (
	"slices"

	"varview/model/order"
)

// A pairing is an element of one list with its counterpart in the other.
type pairing struct{ a, b int }

// An aligner pairs the elements of two lists by what they mean, in the order of both. Those that mean the same have the same number.
//
// Parts of the same length are paired by position, unless far less has changed if they are paired by
// content.
type aligner struct {
	a, b  []int32
	holds func(i, j int) bool // whether elements i of a and j of b are containers
	found []pairing
	met   []met // by number
}

// A met is how often a number occurs in the two lists, and where last.
type met struct{ inA, inB, a, b int32 }

// weightOfHolding is the weight of a changed element that is a container in both lists, since everything
// in it may differ. Everything else weighs 1.
const weightOfHolding = 2

// clearly is how many times as much must have changed by position before elements are paired by content.
const clearly = 2

// newAligner returns an aligner of two lists, given what their elements mean.
func newAligner[T comparable](a, b []T) *aligner {
	x := &aligner{a: make([]int32, len(a)), b: make([]int32, len(b)), met: make([]met, 0, len(a))}
	known := make(map[T]int32, len(a))
	numberOf := func(t T) int32 {
		n, is := known[t]
		if !is {
			n = int32(len(x.met))
			known[t], x.met = n, append(x.met, met{})
		}
		return n
	}
	for i, t := range a {
		x.a[i] = numberOf(t)
		m := &x.met[x.a[i]]
		m.inA, m.a = m.inA+1, int32(i)
	}
	for j, t := range b {
		x.b[j] = numberOf(t)
		m := &x.met[x.b[j]]
		m.inB, m.b = m.inB+1, int32(j)
	}
	return x
}

// once returns where a number is that occurs once in both lists.
func (x *aligner) once(number int32) (p pairing, is bool) {
	m := x.met[number]
	return pairing{int(m.a), int(m.b)}, m.inA == 1 && m.inB == 1
}

// align returns the pairs. The elements of a pair may mean something else.
func (x *aligner) align() []pairing {
	x.between(0, len(x.a), 0, len(x.b))
	return x.found
}

func (x *aligner) between(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && x.a[a0] == x.b[b0] {
		x.found = append(x.found, pairing{a0, b0})
		a0, b0 = a0+1, b0+1
	}
	tail := 0
	for a0 < a1 && b0 < b1 && x.a[a1-1] == x.b[b1-1] {
		a1, b1, tail = a1-1, b1-1, tail+1
	}
	switch {
	case a0 == a1 || b0 == b1:
	case x.isByPosition(a0, a1, b0, b1):
		for k := range a1 - a0 {
			x.found = append(x.found, pairing{a0 + k, b0 + k})
		}
	default:
		x.byContent(a0, a1, b0, b1)
	}
	for i := range tail {
		x.found = append(x.found, pairing{a1 + i, b1 + i})
	}
}

// byContent pairs as many elements as possible; if many are left over, it first pairs those that
// occur once in both lists.
func (x *aligner) byContent(a0, a1, b0, b1 int) {
	start := len(x.found)
	if a, b := x.some(a0, a1, b0, b1); a == a1 && b == b1 {
		return
	}
	x.found = x.found[:start]
	for _, p := range append(x.anchors(a0, a1, b0, b1), pairing{a1, b1}) {
		x.shortest(a0, p.a, b0, p.b)
		if p.a < a1 {
			x.found = append(x.found, p)
		}
		a0, b0 = p.a+1, p.b+1
	}
}

// isByPosition reports whether two parts are paired by position.
func (x *aligner) isByPosition(a0, a1, b0, b1 int) bool {
	if a1-a0 != b1-b0 {
		return false
	}
	changed, missing := 0, 0
	for k := range a1 - a0 {
		g, h := x.a[a0+k], x.b[b0+k]
		if g == h {
			continue
		}
		if changed++; x.holds(a0+k, b0+k) {
			changed += weightOfHolding - 1
		}
		if x.met[g].inB == 0 {
			missing++
		}
		if x.met[h].inA == 0 {
			missing++
		}
	}
	if changed <= clearly*max(1, missing) { // no pairs by content leave less over
		return true
	}
	other := &aligner{a: x.a, b: x.b, met: x.met}
	other.byContent(a0, a1, b0, b1)
	left := a1 - a0 + b1 - b0 - 2*len(other.found) // inserted and removed; a moved one counts as both
	for i := a0; i < a1; i++ {
		if p, is := x.once(x.a[i]); is && b0 <= p.b && p.b < b1 && !other.has(p) {
			left--
		}
	}
	return changed <= clearly*left
}

func (x *aligner) has(p pairing) bool {
	_, is := slices.BinarySearchFunc(x.found, p, func(q, p pairing) int { return q.a - p.a })
	return is
}

// maxEdits is the number of elements in only one of the lists up to which the best pairs are found. What
// comes after that many is paired on its own.
const maxEdits = 128

// shortest pairs as many elements as possible.
func (x *aligner) shortest(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 {
		a0, b0 = x.some(a0, a1, b0, b1)
	}
}

// some pairs elements from the start of two parts, and returns where it has ended: at the end of both, or
// at the farthest point reached with maxEdits elements left over. It follows all paths through both lists
// with the same number of elements left over (Myers, An O(ND) Difference Algorithm).
func (x *aligner) some(a0, a1, b0, b1 int) (a, b int) {
	n, m := a1-a0, b1-b0
	var reached [][]int // by the number of elements left over: how far each path has come in a
	at := make([]int, 2*maxEdits+3)
	const middle = maxEdits + 1
	i, j := 0, 0 // the farthest point
	for d := 0; d <= min(maxEdits, n+m); d++ {
		for k := -d; k <= d; k += 2 {
			to := at[middle+k-1] + 1
			if k == -d || k != d && at[middle+k-1] < at[middle+k+1] {
				to = at[middle+k+1]
			}
			if d == 0 {
				to = 0
			}
			for to < n && to-k < m && to-k >= 0 && x.a[a0+to] == x.b[b0+to-k] {
				to++
			}
			at[middle+k] = to
			if to <= n && to-k <= m && 2*to-k > i+j {
				i, j = to, to-k
			}
			if to >= n && to-k >= m {
				x.trace(reached, a0, b0, n, m)
				return a1, b1
			}
		}
		reached = append(reached, slices.Clone(at))
	}
	for d, k := 0, i-j; d < len(reached); d++ { // the first path that came so far
		if d >= max(k, -k) && (d-k)%2 == 0 && reached[d][middle+k] >= i {
			x.trace(reached[:d], a0, b0, i, j)
			break
		}
	}
	return a0 + i, b0 + j
}

// trace follows a path back from its end, and pairs the equal elements on it.
func (x *aligner) trace(reached [][]int, a0, b0, i, j int) {
	const middle = maxEdits + 1
	start := len(x.found)
	for d := len(reached); d > 0; d-- {
		at, k := reached[d-1], i-j
		before := k - 1
		if k == -d || k != d && at[middle+k-1] < at[middle+k+1] {
			before = k + 1
		}
		toI := at[middle+before]
		toJ := toI - before
		for i > toI && j > toJ && i > 0 && j > 0 && x.a[a0+i-1] == x.b[b0+j-1] {
			i, j = i-1, j-1
			x.found = append(x.found, pairing{a0 + i, b0 + j})
		}
		i, j = toI, toJ
	}
	for i > 0 && j > 0 {
		i, j = i-1, j-1
		x.found = append(x.found, pairing{a0 + i, b0 + j})
	}
	slices.Reverse(x.found[start:])
}

// anchors returns the longest list of pairs that occur once in both lists, in the same order in
// both.
func (x *aligner) anchors(a0, a1, b0, b1 int) []pairing {
	var pairs []pairing // in the order of b
	for j := b0; j < b1; j++ {
		if p, is := x.once(x.b[j]); is && a0 <= p.a && p.a < a1 {
			pairs = append(pairs, p)
		}
	}
	return rising(pairs)
}

// rising returns the longest subsequence of pairs, which are in the order of b, in which a rises too.
func rising(pairs []pairing) (part []pairing) {
	numbers := make([]int, len(pairs))
	for i, p := range pairs {
		numbers[i] = p.a
	}
	for _, i := range order.Rising(numbers) {
		part = append(part, pairs[i])
	}
	return part
}
