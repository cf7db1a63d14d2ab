package tree

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"sort"
	"strconv"
)

// A KeySet counts the keys of one open value, to find those that repeat.
type KeySet struct {
	slots     []keyCount // the length is a power of two, or 0; a hash is in the first free slot from its own on
	used      int
	order     []uint64 // hashes in the order in which they were added, if isOrdered is set
	isOrdered bool
}

// A keyCount is a hash of keys and how often it was added; 0 for a free slot.
type keyCount struct {
	hash  uint64
	times int32
}

// maxKeys bounds the memory of a KeySet to 32 MiB: in a larger dictionary further keys are not counted.
const maxKeys = 1 << 20

// clear empties the set. It keeps the memory of a small set.
func (k *KeySet) clear() {
	if len(k.slots) > 1<<10 {
		k.slots = nil
	}
	clear(k.slots)
	k.used, k.order, k.isOrdered = 0, k.order[:0], false
}

// keySeed is the seed of all hashes of keys.
var keySeed = maphash.MakeSeed()

// AddNew adds a key and reports whether it is the first with its bytes. A key that repeats
// one is not added.
func (k *KeySet) AddNew(key []byte) bool {
	h := maphash.Bytes(keySeed, key)
	if k.count(h) > 0 {
		return false
	}
	k.add(h)
	return true
}

// add adds a key and returns how often it was added before.
func (k *KeySet) add(h uint64) (n int32) {
	if k.isOrdered {
		k.order = append(k.order, h)
	}
	if 4*k.used >= 3*len(k.slots) {
		k.grow()
	}
	s := k.slot(h)
	if n = s.times; n == 0 {
		if k.used >= maxKeys {
			return 0
		}
		k.used++
	}
	s.hash, s.times = h, n+1
	return n
}

// slot returns the slot of a hash, or the free slot for it. There is always a free one.
func (k *KeySet) slot(h uint64) *keyCount {
	last := uint64(len(k.slots) - 1)
	for i := h & last; ; i = (i + 1) & last {
		if s := &k.slots[i]; s.times == 0 || s.hash == h {
			return s
		}
	}
}

// grow doubles the number of slots.
func (k *KeySet) grow() {
	old := k.slots
	k.slots = make([]keyCount, max(16, 2*len(old)))
	for _, s := range old {
		if s.times > 0 {
			*k.slot(s.hash) = s
		}
	}
}

// count returns how often a key was added.
func (k *KeySet) count(h uint64) int32 {
	if k.used == 0 {
		return 0
	}
	return k.slot(h).times
}

// appendNumber appends #2, #3 … to a path; before is the number of earlier entries with the
// same path.
func appendNumber(path []byte, before int32) []byte {
	if before == 0 {
		return path
	}
	return strconv.AppendInt(append(path, '#'), int64(before)+1, 10)
}

// spareKeySets are the sets of values that have ended, to be reused.
type spareKeySets []*KeySet

const maxSpareKeySets = 16

func (all *spareKeySets) take() *KeySet {
	n := len(*all) - 1
	if n < 0 {
		return &KeySet{}
	}
	k := (*all)[n]
	*all = (*all)[:n]
	k.clear()
	return k
}

func (all *spareKeySets) put(k *KeySet) {
	if k != nil && len(*all) < maxSpareKeySets {
		*all = append(*all, k)
	}
}

// countedLevels is the number of levels of nesting for which a reader remembers a keyTable.
const countedLevels = 16

// A keyTable tells where the entries of a value are, as far as they were passed. Finding many by their keys, and numbering those
// with the same key, takes one pass over the value, up to the last that was asked for.
type keyTable struct {
	in      *Node
	own     *Reader  // of the scanner; nil until the first key is passed
	s       *Scanner // nil until the first key is passed
	ended   bool
	loose   bool // a key has a second notation
	entries []keyPlace
	slots   []uint64         // by inSlot, or 0, in the first free one from the hash on; their number is a power of two
	times   map[uint64]int32 // how many entries have a key, by its hash, where that repeats
	earlier map[int64]int32  // how many earlier entries have the key of an entry, by its index, where some have
	step    []byte
}

// A keyPlace is the offset of a key, and its hash by nth.
type keyPlace struct {
	at   int64
	hash uint64
}

// maxEntries bounds the memory of a keyTable to 128 MiB: in a larger dictionary further keys are not found in it, nor numbered.
const maxEntries = 1 << 22

// nth returns what stands for the n-th entry with a key of some hash.
func nth(hash uint64, n int) uint64 { return hash + uint64(n-1)*0x9e3779b97f4a7c15 }

// keysOf returns the table of all entries of a value, if it is known to all readers; otherwise nil. No value in it has a number.
func (t *Tree) keysOf(n *Node) *keyTable {
	if k := t.keys.Load(); k != nil && n.Layout == Pairs && k.in.Same(n) {
		return k
	}
	return nil
}

// before returns the index of the last entry that begins at an offset or before it; -1 if there is none.
func (k *keyTable) before(off int64) int64 {
	return int64(sort.Search(len(k.entries), func(i int) bool { return k.entries[i].at > off })) - 1
}

// tableOf returns the table of the entries of a value.
func (r *Reader) tableOf(n *Node) (k *keyTable, isNew bool) {
	if k = r.Tree.keysOf(n); k != nil {
		return k, false
	}
	known := &r.keys[n.Depth%countedLevels]
	switch {
	case *known == nil:
		*known, isNew = &keyTable{in: n}, true
	case !(*known).in.Same(n):
		*known, isNew = &keyTable{in: n, own: (*known).own}, true // the bytes that its reader has are often near
	}
	return *known, isNew
}

// foundKey returns the entry of n that is the times-th with a step, and the offset of its key: Unknown if there is none.
// known is false if there were too few look-ups in n, or it has too many keys.
func (r *Reader) foundKey(n *Node, step string, times int) (index, at int64, known bool) {
	k, isNew := r.tableOf(n)
	if isNew { // the second look-up makes it worth the memory
		return Unknown, Unknown, false
	}
	hash := nth(maphash.String(keySeed, step), times)
	if !k.pass(r, func() bool { index = k.find(hash); return index != Unknown }) {
		return Unknown, Unknown, k.ended
	}
	at = k.entries[index].at
	slot := Slot{index, true}
	key := r.read(k.in, slot, Unknown, at)
	return index, at, canonicalKeyStep(r.appendKeyStep(nil, &k.in.Value, slot, &key.Value)) == step // another key may have the same hash
}

// lacksLoose reports whether all keys of n are known, and none has a second notation.
func (r *Reader) lacksLoose(n *Node) bool {
	k, _ := r.tableOf(n)
	return k.ended && !k.loose
}

// pass passes keys until there are enough. It reports whether there are: the budget of r may not be enough, and the next call
// continues.
func (k *keyTable) pass(r *Reader, isEnough func() bool) bool {
	if isEnough() || k.ended {
		return isEnough()
	}
	if k.own == nil {
		k.own = r.Tree.NewReader()
	}
	if k.s == nil {
		k.s = k.own.ScanChildren(k.in)
	}
	for used := r.budget(k.s); !isEnough(); {
		ev := k.s.Next()
		if k.note(r, k.s, ev); k.ended || len(k.entries) == maxEntries || used(ev) {
			return isEnough()
		}
	}
	return true
}

// note notes an event of a scanner that passes the children of the value.
func (k *keyTable) note(r *Reader, s *Scanner, ev Event) {
	switch {
	case ev == Done || ev == Leave && s.Depth() <= k.in.Depth:
		k.ended = true
	case ev != Leave && s.slot.Key && s.eventDepth(ev) == k.in.Depth+1:
		k.step = r.appendKeyStep(k.step[:0], &k.in.Value, s.slot, &s.value)
		k.loose = k.loose || len(Loose(k.step)) != len(k.step)
		k.add(hashOfStep(k.step), s.value.Start)
	}
}

// add adds the next entry.
func (k *keyTable) add(hash uint64, at int64) {
	if 4*len(k.entries) >= 3*len(k.slots) {
		k.slots = make([]uint64, max(16, 2*len(k.slots)))
		for i, e := range k.entries {
			*k.slot(e.hash) = inSlot(e.hash, i)
		}
	}
	s := k.slot(hash)
	if *s > 0 {
		if k.times == nil {
			k.times, k.earlier = map[uint64]int32{}, map[int64]int32{}
		}
		before := max(k.times[hash], 1)
		k.times[hash], k.earlier[int64(len(k.entries))] = before+1, before
		hash = nth(hash, int(before)+1)
		s = k.slot(hash)
	}
	*s = inSlot(hash, len(k.entries))
	k.entries = append(k.entries, keyPlace{at, hash})
}

// inSlot returns what a slot has of an entry: its index + 1, and the upper half of its hash.
func inSlot(hash uint64, index int) uint64 { return hash&^math.MaxUint32 | uint64(index+1) }

// find returns the index of the entry with a hash; Unknown if there is none.
func (k *keyTable) find(hash uint64) int64 {
	if len(k.slots) == 0 {
		return Unknown
	}
	return int64(uint32(*k.slot(hash))) - 1
}

// slot returns the slot of a hash, or the free one for it. There is always a free one.
func (k *keyTable) slot(hash uint64) *uint64 {
	last := uint64(len(k.slots) - 1)
	for i := hash & last; ; i = (i + 1) & last {
		if s := &k.slots[i]; *s == 0 || (*s^hash)>>32 == 0 && k.entries[uint32(*s)-1].hash == hash {
			return s
		}
	}
}

// canonicalKeyStep returns the form of a step in which keys are compared.
func canonicalKeyStep(step []byte) string {
	if bytes.IndexByte(step, ' ') >= 0 {
		return canonicalStep(string(step))
	}
	return string(step)
}

// hashOfStep returns the hash of the form of a step in which keys are compared.
func hashOfStep(step []byte) uint64 {
	if bytes.IndexByte(step, ' ') >= 0 {
		return maphash.String(keySeed, canonicalStep(string(step)))
	}
	return maphash.Bytes(keySeed, step)
}

// A levelID identifies an open value.
type levelID struct {
	start int64
	depth int
}

func (l *level) id(depth int) levelID { return levelID{l.Start, depth} }

// depthOf returns the depth of the i-th of the open values that the scanner holds.
func (s *Scanner) depthOf(i int) int { return s.Depth() - len(s.levels) + i }

// spanningKeys returns the keys of the innermost open value, which begins in an earlier segment: the keys
// that were passed in this segment, in their order, or all.
func (s *Scanner) spanningKeys(l *level) *KeySet {
	id := l.id(s.Depth() - 1)
	keys := s.spanning[id]
	if keys == nil {
		keys = &KeySet{isOrdered: true}
		s.spanning[id] = keys
	}
	return keys
}

// FewKeys has the keys of an object with few members.
type FewKeys struct {
	hashes [64]uint64
	n      int
	seen   uint64 // bits of the hashes
}

// AddNew adds a key. It reports whether there is room for it and it repeats no other.
func (k *FewKeys) AddNew(key []byte) bool {
	if k.n == len(k.hashes) {
		return false
	}
	h := maphash.Bytes(keySeed, key)
	if bit := uint64(1) << (h >> 58); k.seen&bit == 0 {
		k.seen |= bit
	} else if slices.Contains(k.hashes[:k.n], h) {
		return false
	}
	k.hashes[k.n] = h
	k.n++
	return true
}
