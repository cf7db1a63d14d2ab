package tree

import "testing"

// TestAround: any value around another one is found, in few jumps.
func TestAround(t *testing.T) {
	const depth = 5000
	chain := []*Node{newNode(nil, Value{}, Slot{}, Unknown)}
	for i := range depth {
		chain = append(chain, newNode(chain[i], Value{}, Slot{}, Unknown))
	}
	for from := depth; from > 0; from -= 7 {
		for to := 0; to <= from; to += 13 {
			if n := chain[from].around(to); n != chain[to] {
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
	mixed := &Node{Parent: chain[depth], Depth: depth + 1} // as many are made: it has no jump
	if n := mixed.around(3); n != chain[3] {
		t.Errorf("depth %d", n.Depth)
	}
}
