package tree

import (
	"strings"
	"testing"
)

// TestAround: any value around another one is found, in few jumps.
func TestAround(t *testing.T) {
	const depth = 5000
	chain := []*Node{newNode(nil, new(Value), Slot{}, Unknown)}
	for i := range depth {
		chain = append(chain, newNode(chain[i], new(Value), Slot{}, Unknown))
	}
	for from := depth; from > 0; from -= 7 {
		for to := 0; to <= from; to += 13 {
			if n := chain[from].Around(to); n != chain[to] {
				t.Fatalf("around %d at %d: %d", from, to, n.Depth)
			}
		}
	}
	jumps := 0
	for n := chain[depth]; n.Depth > 1; jumps++ {
		if n.jump.Depth >= 1 {
			n = n.jump
		} else {
			n = n.Parent
		}
	}
	if jumps > 30 {
		t.Errorf("%d jumps over %d levels", jumps, depth)
	}
	mixed := &Node{Parent: chain[depth], Depth: depth + 1} // made as many nodes are, without a jump
	if n := mixed.Around(3); n != chain[3] {
		t.Errorf("depth %d", n.Depth)
	}
}

// TestReachedFarAround: checking for the end of a segment, as each step does, does not walk through the
// values around it.
func TestReachedFarAround(t *testing.T) {
	const depth, outer = 100_000, 10
	n := newNode(nil, new(Value), Slot{}, Unknown)
	var in *Node
	for i := range depth {
		if n.Depth == outer {
			in = n
		}
		n = newNode(n, new(Value), Slot{Index: int64(i)}, Unknown)
	}
	for next, want := range map[int64]bool{outer: true, outer + 1: false} {
		base := *n
		s := Scanner{base: &base, levels: []level{{}}}
		end := &point{in: in, next: Slot{Index: next}}
		s.endAt(end)
		base.Parent, base.jump = nil, nil // a walk through them would now fail
		if s.hasReached(end) != want {
			t.Errorf("at %d of the value around it: %t", next, !want)
		}
	}
}

// TestLastPath: only the beginning of long paths is compared and kept.
func TestLastPath(t *testing.T) {
	var last lastPath
	path := []byte(strings.Repeat("[0]", 400_000))
	if last.isSame(levelID{8, 1}, path) || len(last.text) > comparedPath {
		t.Errorf("%d bytes kept", len(last.text))
	}
	if !last.isSame(levelID{8, 1}, path) || last.isSame(levelID{16, 2}, path) {
		t.Error("the same value has another path, or another one has the same")
	}
}
