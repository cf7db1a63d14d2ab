package compare

import (
	"hash/maphash"
	"math/bits"

	"varview/decoder/engine/tree"
)

// A sum is a hash of a value: of its meaning, and of the form in which it is stored, including the order
// of keys.
type sum struct{ meaning, form uint64 }

var seed = maphash.MakeSeed()

// The seeds of mix are random, so that no file can be crafted to collide.
var mixSeeds = [2]uint64{maphash.String(seed, "a") | 1, maphash.String(seed, "b") | 1}

// mix combines two hashes; their order counts.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^mixSeeds[0], b^bits.RotateLeft64(mixSeeds[1], 23))
	return hi ^ lo ^ bits.RotateLeft64(a, 31) ^ mixSeeds[1]
}

// ofMeaning returns the hash of what a value means apart from its children: of the bytes that its reading
// returns for it, and of its content.
func (s *side) ofMeaning(head []byte, m *tree.Meaning) uint64 {
	if m.Len() == 0 {
		return mix(maphash.Bytes(seed, head), uint64(m.Compared))
	}
	h := mix(maphash.Bytes(seed, head), uint64(m.Compared))
	w := s.read.Window()
	for at := int64(0); at < m.Len(); {
		b := m.View(w, at)
		if len(b) == 0 {
			break
		}
		h = mix(h, maphash.Bytes(seed, b))
		at += int64(len(b))
	}
	return h
}

// ofText returns the hash of what a short text means.
func ofText(text []byte) uint64 {
	h := mix(maphash.Bytes(seed, tree.AppendTextMeaning(nil)), uint64(tree.Whole))
	if len(text) == 0 {
		return h
	}
	return mix(h, maphash.Bytes(seed, text))
}

// ofForm returns the hash of how a value is stored.
func (s *side) ofForm(v *tree.Value) uint64 {
	s.form = s.read.AppendForm(s.form[:0], v)
	return maphash.Bytes(seed, s.form)
}

// An open is a value whose children are being added to its sum.
type open struct {
	of       tree.Meaning
	head     uint64 // hash of what it means apart from its children
	form     uint64 // hash of its form, combined with its children's
	children uint64
	key      sum  // key of the entry whose value comes next
	complete bool // its children do not count: it is compared as a whole or by its content

	value        tree.Value // the value, if its children have names that are not in the bytes
	start, keyAt int64
	slot         tree.Slot
	serial       uint32
}

// add adds a child, or the key of the next child.
func (o *open) add(slot tree.Slot, x sum) {
	switch {
	case o.complete:
	case slot.Key:
		o.key = x
	case o.of.Compared == tree.Map:
		o.children += mix(o.key.meaning, x.meaning)
		o.form = mix(mix(o.form, o.key.meaning), mix(o.key.form, x.form))
	default:
		o.children = mix(o.children, x.meaning)
		o.form = mix(o.form, x.form)
	}
}

// sum returns the sum of a value after its last child was added.
func (o *open) sum() sum {
	if o.complete {
		return sum{o.head, o.form}
	}
	return sum{mix(o.head, o.children), o.form}
}
