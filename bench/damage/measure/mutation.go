package measure

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"

	"varview/decoder/engine/span"
)

// A Way is a kind of damage.
type Way uint8

// The ways to damage a file.
const (
	changedByte Way = iota // of a structural field
	wrongLength            // a length, count or frame size as a whole
	lostByte
	insertedByte
	lostBytes     // two to eight
	insertedBytes // two to eight
	Cut           // everything from an offset on is lost
	flippedBits   // one to three of them
	wrongType     // a type id
	Asked         // a request of the command line
	ways
)

var wayNames = [ways]string{"changed byte", "wrong length", "lost byte", "inserted byte", "lost bytes", "inserted bytes", "cut", "flipped bits", "wrong type", "asked for"}

func (w Way) String() string { return wayNames[w] }

// A Mutation replaces some bytes by others.
type Mutation struct {
	Way   Way
	At    int64
	Old   []byte // number of replaced bytes
	New   []byte
	Field *Field // the field that it changes, or that begins or continues after it; nil after the end
}

// Apply returns the damaged file.
func (m *Mutation) Apply(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(m.New)-len(m.Old))
	out = append(out, data[:m.At]...)
	out = append(out, m.New...)
	return append(out, data[m.At+int64(len(m.Old)):]...)
}

// Mutations calls each with the mutations of the file that wants accepts, until
// each returns false. It takes one of every sample, and at most most if that is not
// 0; the others are left out evenly, by seed.
func (f *File) Mutations(sample, most int, seed uint64, wants func(Way) bool, each func(Mutation) bool) {
	count := 0
	f.all(f.Rand(seed), func(m Mutation) { count += one(wants(m.Way)) })
	if most > 0 {
		sample = max(sample, (count+most-1)/most)
	}
	skip, done := rand.New(rand.NewPCG(seed, f.hash())).IntN(sample), false
	f.all(f.Rand(seed), func(m Mutation) {
		if done || !wants(m.Way) {
			return
		}
		if skip--; skip >= 0 {
			return
		}
		skip = sample - 1
		done = !each(m)
	})
}

func (f *File) Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, ^f.hash())) }

func (f *File) hash() uint64 {
	h := fnv.New64a()
	h.Write(f.Data)
	return h.Sum64()
}

// all calls each with all mutations in turn.
func (f *File) all(r *rand.Rand, each func(Mutation)) {
	for i := range f.Fields {
		if field := &f.Fields[i]; field.isStructural() {
			f.changes(field, r, each)
		}
	}
	for i := range f.Fields {
		if field := &f.Fields[i]; field.Kind == span.Length && len(f.bytes(field.Span)) <= 8 && isBinary(field) {
			f.lengths(field, r, each)
		}
	}
	for at := range int64(len(f.Data)) {
		each(Mutation{Cut, at, f.Data[at:], nil, f.at(at)})
		each(Mutation{lostByte, at, f.Data[at : at+1], nil, f.at(at)})
		f.insertions(at, r, each)
	}
	f.insertions(int64(len(f.Data)), r, each)
	for at := range int64(len(f.Data)) {
		f.many(at, r, each)
	}
}

func isBinary(f *Field) bool {
	return f.Length == 1 || f.Length == 2 || f.Length == 4 || f.Length == 8
}

func (f *File) bytes(s span.Span) []byte { return f.Data[s.Offset:s.End()] }

// changes are the other values of each byte of a field.
func (f *File) changes(field *Field, r *rand.Rand, each func(Mutation)) {
	for at := field.Offset; at < field.End(); at++ {
		old := f.Data[at]
		seen := map[byte]bool{old: true}
		for _, c := range []byte{old + 1, old - 1, old ^ 0x80, 0, 0xff, byte(r.Uint32())} {
			if !seen[c] {
				seen[c] = true
				each(Mutation{changedByte, at, f.Data[at : at+1], []byte{c}, field})
			}
		}
	}
}

// lengths are the other values of a length.
func (f *File) lengths(field *Field, r *rand.Rand, each func(Mutation)) {
	old := f.bytes(field.Span)
	var wide [8]byte
	copy(wide[:], old)
	n := binary.LittleEndian.Uint64(wide[:])
	all := uint64(1)<<(8*len(old)) - 1
	seen := map[uint64]bool{n: true}
	for _, x := range []uint64{n + 1, n - 1, n + 2, n - 2, n + 4, n - 4, 0, 2 * n, all >> 1, 0xffff, all, r.Uint64()} {
		if x &= all; !seen[x] {
			seen[x] = true
			binary.LittleEndian.PutUint64(wide[:], x)
			each(Mutation{wrongLength, field.Offset, old, bytes.Clone(wide[:len(old)]), field})
		}
	}
}

func (f *File) insertions(at int64, r *rand.Rand, each func(Mutation)) {
	seen := map[byte]bool{}
	for _, c := range []byte{0, f.Data[min(at, int64(len(f.Data))-1)], 0xff, byte(r.Uint32())} {
		if !seen[c] {
			seen[c] = true
			each(Mutation{insertedByte, at, nil, []byte{c}, f.at(at)})
		}
	}
}

// many loses and inserts several bytes, at about every eighth place.
func (f *File) many(at int64, r *rand.Rand, each func(Mutation)) {
	n := 2 + r.Int64N(7)
	switch r.IntN(16) {
	case 0:
		if at+n < int64(len(f.Data)) {
			each(Mutation{lostBytes, at, f.Data[at : at+n], nil, f.at(at)})
		}
	case 1:
		put := make([]byte, n)
		for i := range put {
			put[i] = byte(r.Uint32())
		}
		each(Mutation{insertedBytes, at, nil, put, f.at(at)})
	}
}

// isRestorable reports whether the original file follows from what is left of it.
// Lost bytes of content cannot be known, nor which byte of content is surplus.
func (f *File) isRestorable(m *Mutation) bool {
	switch m.Way {
	case changedByte, wrongLength, flippedBits, wrongType:
		return m.Field == nil || f.isPlain(m.Field)
	case insertedByte, insertedBytes:
		if before := f.at(m.At - 1); before != nil && !f.isPlain(before) {
			return m.Field == nil // after the last value
		}
		return m.Field != nil && f.isPlain(m.Field)
	}
	for at := m.At; at < m.At+int64(len(m.Old)); {
		field := f.at(at)
		for ; at < field.End() && at < m.At+int64(len(m.Old)); at++ {
			if !f.isImplied(field, at, m.Way == Cut) {
				return false
			}
		}
	}
	return true
}

// isPlain reports whether a field shows that it contains a surplus byte.
func (f *File) isPlain(field *Field) bool {
	if field.Kind == span.Padding {
		return len(bytes.Trim(f.bytes(field.Span), "\x00")) == 0
	}
	return field.isStructural() && field.Kind != span.Hash && field.Kind != span.Checksum && field.Kind != span.IV
}

// isImplied reports whether a byte follows from those around it, or at the end of
// a file from those before it.
func (f *File) isImplied(field *Field, at int64, last bool) bool {
	switch field.Kind {
	case span.Terminator, span.Magic:
		return true
	case span.Length:
		return !last
	case span.Padding:
		return f.Data[at] == 0
	case span.Flags:
		return f.Data[at] == 0 && !last
	case span.Type:
		return f.Data[at] == 0 && at > field.Offset && !last
	}
	return false
}
