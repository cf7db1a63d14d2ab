package tree

import (
	"hash/maphash"
	"strconv"
)

// A keySet counts the keys of one open value, to number those that repeat. It holds their
// hashes: at first in a list, then in a hash table. Its memory serves the next value too.
type keySet struct {
	few    []uint64
	hashes []uint64
	counts []int32 // of them; 0 is a free place
	found  int     // number of different keys in the table
}

const (
	// maxKeys bounds the memory of a keySet, to 24 MiB: in a larger dictionary the keys
	// after this many are not numbered.
	maxKeys  = 1 << 20
	fewKeys  = 32
	keptSize = 1 << 12 // of a table that is kept for the next value
)

func (k *keySet) clear() {
	switch {
	case len(k.counts) > keptSize:
		k.hashes, k.counts = nil, nil
	case k.found > 0:
		clear(k.counts)
	}
	k.few, k.found = k.few[:0], 0
}

// keySeed is the seed of all hashes of keys.
var keySeed = maphash.MakeSeed()

// add adds a key and returns how often it was added before.
func (k *keySet) add(h uint64) (n int32) {
	if len(k.few) < fewKeys {
		n = k.count(h)
		k.few = append(k.few, h)
		return n
	}
	if k.found == 0 {
		for _, seen := range k.few {
			k.addTo(seen, 1)
		}
	}
	return k.addTo(h, 1)
}

// addTo adds n of a key to the table and returns how many were there before.
func (k *keySet) addTo(h uint64, n int32) (before int32) {
	if k.found < maxKeys && 4*k.found >= 3*len(k.counts) {
		k.grow()
	}
	i := k.place(h)
	if before = k.counts[i]; before == 0 {
		if k.found == maxKeys {
			return 0
		}
		k.found++
	}
	k.hashes[i], k.counts[i] = h, before+n
	return before
}

// place returns where in the table a key is, or would be.
func (k *keySet) place(h uint64) int {
	mask := len(k.counts) - 1
	i := int(h) & mask
	for k.counts[i] > 0 && k.hashes[i] != h {
		i = (i + 1) & mask
	}
	return i
}

// grow doubles the table.
func (k *keySet) grow() {
	was := *k
	size := max(4*fewKeys, 2*len(was.counts))
	k.hashes, k.counts, k.found = make([]uint64, size), make([]int32, size), 0
	for i, n := range was.counts {
		if n > 0 {
			k.addTo(was.hashes[i], n)
		}
	}
}

// count returns how often a key was added.
func (k *keySet) count(h uint64) (n int32) {
	if k.found > 0 {
		return k.counts[k.place(h)]
	}
	for _, seen := range k.few {
		if seen == h {
			n++
		}
	}
	return n
}

// number appends #2, #3 … to the step that begins at path[start:] if the same
// was seen before.
func (k *keySet) number(path []byte, start int) []byte {
	return appendNumber(path, k.add(maphash.Bytes(keySeed, path[start:])))
}

// appendNumber appends #2, #3 … to a path; before is the number of entries before it that
// have the same one.
func appendNumber(path []byte, before int32) []byte {
	if before == 0 {
		return path
	}
	return strconv.AppendInt(append(path, '#'), int64(before)+1, 10)
}

// spareKeySets are sets of values that have ended, for others.
type spareKeySets []*keySet

const maxSpareKeySets = 16

func (all *spareKeySets) take() *keySet {
	n := len(*all) - 1
	if n < 0 {
		return &keySet{}
	}
	k := (*all)[n]
	*all = (*all)[:n]
	k.clear()
	return k
}

func (all *spareKeySets) put(k *keySet) {
	if k != nil && len(*all) < maxSpareKeySets {
		*all = append(*all, k)
	}
}

// countedLevels is the number of levels of nesting for which a reader remembers
// countedKeys.
const countedLevels = 16

// countedKeys counts the steps to the entries of a value, as far as they were asked for:
// the paths of many entries, in their order, take one reading.
type countedKeys struct {
	in    *Node
	s     *Scanner
	next  int64 // the first entry that is not counted
	ended bool
	keys  keySet
	step  []byte
}

// countTo counts the entries before the given one. It reports whether the reader's budget
// allows that; the next call continues.
func (c *countedKeys) countTo(r *Reader, entry int64) bool {
	if c.s == nil {
		c.s = r.Scan(c.in)
		c.s.seekChildren(c.in)
	}
	for used := r.budget(); c.next < entry && !c.ended; {
		ev := c.s.Next()
		if ev == Done || ev == Leave && c.s.Depth() <= c.in.Depth {
			c.ended = true
			break
		}
		if ev != Leave && c.s.slot.Key && c.s.eventDepth(ev) == c.in.Depth+1 {
			c.step = r.appendKeyStep(c.step[:0], &c.in.Value, c.s.slot, &c.s.value)
			c.keys.add(maphash.Bytes(keySeed, c.step))
			c.next = c.s.slot.Index + 1
		}
		if used(ev) {
			return false
		}
	}
	return true
}
