package variant

import (
	"encoding/binary"
	"math"
	"slices"

	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// The headers of a 64-bit int and float.
const (
	wideInt   = uint32(types.WideFlag<<16 | 2)
	wideFloat = uint32(types.WideFlag<<16 | 3)
)

// needsWide reports whether a header and 64 bits of payload are a number that does
// not fit 32 bits.
func needsWide(header uint32, payload uint64) bool {
	switch header {
	case wideInt:
		return int64(payload) != int64(int32(payload))
	case wideFloat:
		return !numeric.FitsFloat32(math.Float64frombits(payload))
	}
	return false
}

// Pass implements tree.Passer. It passes values of an Array in which Inspect would
// find no problem, or all entries of a Dictionary if no key repeats.
func (f *Format) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Sub != 0 || f.Double {
		return
	}
	switch parent.Type {
	case types.Array:
		f.passValues(w, parent, s)
	case types.Dictionary:
		if s.Next.Index > 0 || !s.Next.Key || parent.Count > passKeys {
			return
		}
		if n := f.passPairs(ahead(w, s), int(parent.Count), s.Levels); n > 0 {
			s.Pos += int64(n)
			s.Next.Index = parent.Count
		}
	}
}

// ahead are the bytes of a stretch that are in memory.
func ahead(w *source.Window, s *tree.Stretch) []byte {
	b := w.Ahead(s.Pos)
	if left := s.Until - s.Pos; int64(len(b)) > left {
		b = b[:max(0, left)]
	}
	return b
}

func (f *Format) passValues(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	var b []byte // bytes in memory from Pos on
	fresh := false
	for s.Next.Index < parent.Count {
		n := f.passOne(b, s.Levels)
		switch {
		case n > 0:
			b = b[n:]
			s.Pos += int64(n)
			s.Next.Index++
			fresh = false
		case fresh:
			return
		default: // perhaps b only ends within the value
			b = ahead(w, s)
			fresh = true
		}
	}
}

// passOne is the length of the ordinary value at the start of b, with at most the
// given levels of nested values. It is 0 if there is none, or not all of it is in b.
func (f *Format) passOne(b []byte, levels int) int {
	if len(b) < 4 {
		return 0
	}
	header := binary.LittleEndian.Uint32(b)
	if header >= 256 {
		if len(b) >= 12 && !f.Dialect.NoFlags && needsWide(header, binary.LittleEndian.Uint64(b[4:])) {
			return 12
		}
		return 0
	}
	size := int(f.Dialect.Pass.Sizes[header])
	if size < types.PassPacked {
		if len(b) < 4+size {
			return 0
		}
		return 4 + size
	}
	if len(b) < 8 {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(b[4:]))
	switch size {
	case types.PassText:
		end := 8 + n + int(types.Pad(int64(n)))
		if n <= len(b) && end <= len(b) && isPlain(b[8:end], int64(n)) {
			return end
		}
	case types.PassBool:
		if n <= 1 {
			return 8
		}
	case types.PassPacked:
		if end := 8 + n*int(f.Dialect.Pass.Strides[header]); n <= len(b) && end <= len(b) {
			return end
		}
	case types.PassArray, types.PassDict:
		if levels > 0 {
			return f.passContainer(b, n, size == types.PassDict, levels-1)
		}
	}
	return 0
}

// passContainer is the length of the container at the start of b if all its values
// are ordinary, else 0.
func (f *Format) passContainer(b []byte, count int, pairs bool, levels int) int {
	if count > len(b)/4 {
		return 0
	}
	at := 8
	if pairs {
		n := f.passPairs(b[at:], count, levels)
		if n == 0 && count > 0 {
			return 0
		}
		return at + n
	}
	for range count {
		n := f.passOne(b[at:], levels)
		if n == 0 {
			return 0
		}
		at += n
	}
	return at
}

// passKeys is the number of entries up to which a Dictionary is passed.
const passKeys = 64

// passPairs is the length of count entries of a Dictionary at the start of b if all
// are ordinary and no key repeats, else 0. It is also 0 where the hashes of two keys
// collide.
func (f *Format) passPairs(b []byte, count, levels int) int {
	if count > passKeys {
		return 0
	}
	var keys [passKeys]uint32 // hashes
	var seen uint64           // bits of these
	at := 0
	for i := range count {
		n := f.passOne(b[at:], levels)
		if n == 0 {
			return 0
		}
		h := hashKey(b[at : at+n])
		if bit := uint64(1) << (h >> 26); seen&bit == 0 {
			seen |= bit
		} else if slices.Contains(keys[:i], h) {
			return 0
		}
		keys[i] = h
		at += n
		if n = f.passOne(b[at:], levels); n == 0 {
			return 0
		}
		at += n
	}
	return at
}

// hashKey is a hash of a value, whose length is a multiple of four.
func hashKey(b []byte) uint32 {
	h := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	if len(b) >= 4 {
		h = (h ^ uint64(binary.LittleEndian.Uint32(b))) * 0x9e3779b97f4a7c15
	}
	return uint32(h >> 32)
}
