package blockedit_test

import (
	"slices"

	"varview/decoder/formats/elephant/internal/blocktest"
)

// A spot is the place of a thing: child index of parent.
type spot struct {
	parent *blocktest.Thing
	index  int
	path   []int64 // child indexes from the root
	again  bool    // the thing occurs before this
}

func (s spot) thing() *blocktest.Thing { return s.parent.Kids[s.index] }

// spots lists all places in a thing in the order of the file.
func spots(root *blocktest.Thing) (all []spot) {
	seen := map[*blocktest.Thing]bool{root: true}
	var walk func(x *blocktest.Thing, path []int64)
	walk = func(x *blocktest.Thing, path []int64) {
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
func homes(root *blocktest.Thing, at spot) map[*blocktest.Thing]bool {
	in := map[*blocktest.Thing]bool{}
	for _, s := range spots(root) {
		if len(s.path) >= len(at.path) && slices.Equal(s.path[:len(at.path)], at.path) && !s.again && s.thing().IsContainer() {
			in[s.thing()] = true
		}
	}
	return in
}

// duplicate returns a deep copy of a thing.
func duplicate(x *blocktest.Thing) *blocktest.Thing {
	return duplicateOf(x, map[*blocktest.Thing]*blocktest.Thing{}, nil)
}

// duplicateOf copies only what is in inside, or everything if that is nil.
func duplicateOf(x *blocktest.Thing, done map[*blocktest.Thing]*blocktest.Thing, inside map[*blocktest.Thing]bool) *blocktest.Thing {
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
