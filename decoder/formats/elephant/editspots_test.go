package elephant_test

import (
	"slices"
)

// A spot is the place of a thing: child index of parent.
type spot struct {
	parent *Thing
	index  int
	path   []int64 // child indexes from the root
	again  bool    // the thing occurs before this
}

func (s spot) thing() *Thing { return s.parent.Kids[s.index] }

// spots lists all places in a thing in the order of the file.
func spots(root *Thing) (all []spot) {
	seen := map[*Thing]bool{root: true}
	var walk func(x *Thing, path []int64)
	walk = func(x *Thing, path []int64) {
		for i, kid := range x.Kids {
			s := spot{x, i, append(slices.Clone(path), int64(i)), seen[kid]}
			all = append(all, s)
			if kid.IsContainer() && !s.again {
				seen[kid] = true
				walk(kid, s.path)
			}
		}
	}
	walk(root, nil)
	return all
}

// homes lists the containers whose first place is in the thing at a spot.
func homes(root *Thing, at spot) map[*Thing]bool {
	in := map[*Thing]bool{}
	for _, s := range spots(root) {
		if len(s.path) >= len(at.path) && slices.Equal(s.path[:len(at.path)], at.path) && !s.again && s.thing().IsContainer() {
			in[s.thing()] = true
		}
	}
	return in
}

// duplicate returns a deep copy of a thing.
func duplicate(x *Thing) *Thing {
	return duplicateOf(x, map[*Thing]*Thing{}, nil)
}

// duplicateOf copies only what is in inside, or everything if that is nil.
func duplicateOf(x *Thing, done map[*Thing]*Thing, inside map[*Thing]bool) *Thing {
	if done[x] != nil {
		return done[x]
	}
	if x.IsContainer() && inside != nil && !inside[x] {
		return x
	}
	y := *x
	done[x] = &y
	y.Kids = slices.Clone(x.Kids)
	y.Names = slices.Clone(x.Names)
	for i := range y.Kids {
		y.Kids[i] = duplicateOf(y.Kids[i], done, inside)
	}
	return &y
}
