package tree

import (
	"bytes"
	"hash/maphash"
	"slices"
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

// countedLevels is the number of levels of nesting for which a reader remembers
// countedKeys.
const countedLevels = 16

// countedKeys counts the steps to the entries of a value, as far as they were asked for, so that asking in
// order for the paths of many entries takes one pass over the value.
type countedKeys struct {
	in    *Node
	s     *Scanner
	next  int64 // first entry that is not counted
	ended bool
	keys  KeySet
	step  []byte
}

// begin begins to count the entries of another value, in the same memory.
func (c *countedKeys) begin(r *Reader, in *Node) {
	if c.s != nil {
		r.keep(c.s)
	}
	c.keys.clear()
	*c = countedKeys{in: in, keys: c.keys, step: c.step}
}

// countTo counts the entries before the given one. It reports whether the reader's budget was enough;
// otherwise the next call continues.
func (c *countedKeys) countTo(r *Reader, entry int64) bool {
	if c.s == nil {
		c.s = r.Scan(c.in)
		c.s.seekChildren(c.in)
	}
	for used := r.budget(c.s); c.next < entry && !c.ended; {
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

// knownKeys remembers where the entries of a value are, for look-ups of many keys in it: they take one pass
// over the value, up to the last key that was asked for.
type knownKeys struct {
	in    *Node
	s     *Scanner
	ended bool
	full  bool                // there are more keys than fit into memory
	loose bool                // a key has a second notation
	first map[uint64]knownKey // by nth
	step  []byte
}

// A knownKey is an entry with a key; times, of the first one, counts those with the same.
type knownKey struct {
	index, at int64
	times     int
}

// nth returns what stands for the n-th entry with a key of some hash.
func nth(hash uint64, n int) uint64 { return hash + uint64(n-1)*0x9e3779b97f4a7c15 }

// foundKey returns the entry of n that is the times-th with a step, and the offset of its key: Unknown if there is none.
// known is false if there were too few look-ups in n, or it has too many keys.
func (r *Reader) foundKey(n *Node, step string, times int) (index, at int64, known bool) {
	k := &r.known[n.Depth%countedLevels]
	if k.in == nil || k.in.Value != n.Value {
		*k = knownKeys{in: n} // the second look-up makes it worth the memory
		return Unknown, Unknown, false
	}
	return k.find(r, step, times)
}

// lacksLoose reports whether all keys of n are known, and none has a second notation.
func (r *Reader) lacksLoose(n *Node) bool {
	k := &r.known[n.Depth%countedLevels]
	return k.ended && !k.loose && k.in.Value == n.Value
}

func (k *knownKeys) find(r *Reader, step string, times int) (index, at int64, known bool) {
	if k.s == nil {
		k.first = map[uint64]knownKey{}
		k.s = r.Tree.NewReader().ScanChildren(k.in)
	}
	hash := nth(maphash.String(keySeed, step), times)
	for left := r.Budget; ; left-- {
		if found, ok := k.first[hash]; ok {
			is := k.stepAt(r, found)
			return found.index, found.at, is == step // another key may have the same hash
		}
		if k.full || k.ended || r.Budget > 0 && left == 0 {
			return Unknown, Unknown, k.ended
		}
		k.pass(r)
	}
}

// stepAt returns the step of an entry.
func (k *knownKeys) stepAt(r *Reader, e knownKey) string {
	slot := Slot{e.index, true}
	key := r.read(k.in, slot, Unknown, e.at)
	return canonicalKeyStep(r.appendKeyStep(nil, &k.in.Value, slot, &key.Value))
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

// pass moves to the next key.
func (k *knownKeys) pass(r *Reader) {
	for {
		ev := k.s.Next()
		if ev == Done || ev == Leave && k.s.Depth() <= k.in.Depth {
			k.ended = true
			return
		}
		if ev == Leave || !k.s.slot.Key || k.s.eventDepth(ev) != k.in.Depth+1 {
			continue
		}
		k.step = r.appendKeyStep(k.step[:0], &k.in.Value, k.s.slot, &k.s.value)
		hash := hashOfStep(k.step)
		k.loose = k.loose || len(Loose(k.step)) != len(k.step)
		found, repeated := k.first[hash]
		found.times++
		is := knownKey{k.s.slot.Index, k.s.value.Start, found.times}
		if k.first[nth(hash, found.times)] = is; repeated {
			k.first[hash] = found
		}
		k.full = len(k.first) >= maxKeys
		return
	}
}

// isFirst reports whether an entry is known to be the first of n with a step, without reading on.
func (r *Reader) isFirst(n *Node, step []byte, index int64) bool {
	k := &r.known[n.Depth%countedLevels]
	if k.s == nil || k.in.Value != n.Value {
		return false
	}
	found, ok := k.first[hashOfStep(step)]
	return ok && found.index == index
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
	hashes [32]uint64
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
