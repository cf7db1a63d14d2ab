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
	changedByte   Way = iota
	wrongLength       // a length, count or frame size as a whole
	lostBytes         // one to eight
	insertedBytes     // one to eight
	Cut               // everything from an offset on is lost
	flippedBits       // one to three of them
	wrongType         // a type id
	ways
)

var wayNames = [ways]string{"changed byte", "wrong length", "lost bytes", "inserted bytes", "cut", "flipped bits", "wrong type"}

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

// Rand returns the random numbers for the damage of the file.
func (f *File) Rand(seed uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write(f.Data)
	return rand.New(rand.NewPCG(seed, ^h.Sum64()))
}

func isBinary(f *Field) bool {
	return f.Length == 1 || f.Length == 2 || f.Length == 4 || f.Length == 8
}

func (f *File) bytes(s span.Span) []byte { return f.Data[s.Offset:s.End()] }

// length returns the mutation that puts another number into a length.
func (f *File) length(field *Field, r *rand.Rand) Mutation {
	old := f.bytes(field.Span)
	var wide [8]byte
	copy(wide[:], old)
	n := binary.LittleEndian.Uint64(wide[:])
	all := uint64(1)<<(8*len(old)) - 1
	others := []uint64{n + 1, n - 1, n + 2, n - 2, n + 4, n - 4, 0, 2 * n, all >> 1, 0xffff, all, r.Uint64()}
	binary.LittleEndian.PutUint64(wide[:], others[r.IntN(len(others))])
	return f.replace(wrongLength, field.Offset, wide[:len(old)])
}

// isRestorable reports whether the original file follows from what is left of it.
// Lost bytes of content cannot be known, nor which byte of content is surplus.
func (f *File) isRestorable(m *Mutation) bool {
	switch m.Way {
	case changedByte, wrongLength, flippedBits, wrongType:
		return m.Field == nil || f.isPlain(m.Field)
	case insertedBytes:
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
