package tree

import (
	"hash/maphash"
	"strconv"
)

// A keySet counts the keys of one open value, to number those that repeat.
type keySet struct {
	few  []uint64 // hashes, while there are few
	many map[uint64]int32
}

// maxKeys bounds the memory of a keySet: in a larger dictionary the keys after this many
// are not numbered.
const maxKeys = 1 << 20

func (k *keySet) clear() {
	k.few = k.few[:0]
	k.many = nil
}

// keySeed is the seed of all hashes of keys.
var keySeed = maphash.MakeSeed()

// add adds a key and returns how often it was added before.
func (k *keySet) add(h uint64) (n int32) {
	if k.many != nil {
		if n = k.many[h]; n > 0 || len(k.many) < maxKeys {
			k.many[h] = n + 1
		}
		return n
	}
	n = k.count(h)
	k.few = append(k.few, h)
	if len(k.few) > 32 {
		k.many = map[uint64]int32{}
		for _, seen := range k.few {
			k.many[seen]++
		}
	}
	return n
}

// count returns how often a key was added.
func (k *keySet) count(h uint64) (n int32) {
	if k.many != nil {
		return k.many[h]
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
