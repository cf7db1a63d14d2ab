package ordinary

import (
	"encoding/binary"

	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
)

// counted writes a value that begins with a count.
func (x *writer) counted(at int, f *form, size, levels int) int {
	n := x.count(at, max(1, size))
	if n < 0 {
		return -1
	}
	if f.how == asArray || f.how == asDictionary {
		if levels == 0 {
			return -1
		}
		ends := x.Array
		if f.how == asDictionary {
			ends = x.Dictionary
			if n == 0 {
				x.put(x.EmptyDictionary)
				return at + 4
			}
		}
		return x.container(at+4, n, f.how == asDictionary, ends, levels-1)
	}
	at += 4
	x.put(f.open)
	switch f.how {
	case asElements:
		x.dst = numeric.AppendList(x.dst, f.comp, x.b[at:at+n*size], x.Part, x.Comma)
		at += n * size
	case asBytes:
		x.dst = numeric.AppendList(x.dst, types.Byte, x.b[at:at+n], x.Part, x.Comma)
		if at += n + int(types.Pad(int64(n))); at > len(x.b) {
			return -1
		}
	case asStrings:
		for i := range n {
			if i > 0 {
				x.put(x.Comma)
			}
			if at = x.text(at, `"`, true); at < 0 {
				return -1
			}
		}
	}
	x.put(x.End)
	return at
}

// typed writes a container whose elements, or keys and values, have types that are given by
// their ids alone.
func (x *writer) typed(at int, pairs bool, flags uint32, levels int) int {
	want, words := uint32(types.KindBuiltin), x.TypedArray[:]
	if pairs {
		want, words = types.KindBuiltin|types.KindBuiltin<<2, x.TypedDictionary[:]
	}
	if !x.format.Dialect.Typed || flags != want || levels == 0 {
		return -1
	}
	for ; len(words) > 2; words = words[1:] {
		if len(x.b)-at < 4 || binary.LittleEndian.Uint32(x.b[at:]) > 0xff || x.names[x.b[at]] == "" {
			return -1
		}
		x.put(words[0])
		x.put(x.names[x.b[at]])
		at += 4
	}
	n := x.count(at, 1)
	if n < 0 || n == 0 && pairs {
		return -1
	}
	return x.container(at+4, n, pairs, [2]string(words), levels-1)
}

// container writes n elements or entries between its ends.
func (x *writer) container(at, n int, pairs bool, ends [2]string, levels int) int {
	one := x.value
	if pairs {
		one = x.entry
	}
	x.put(ends[0])
	for i := range n {
		if i > 0 {
			x.put(x.Comma)
		}
		if at = one(at, levels); at < 0 {
			return -1
		}
	}
	x.put(ends[1])
	return at
}
