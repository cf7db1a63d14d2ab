package ordinary

import (
	"encoding/binary"

	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
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
		return x.container(at+4, n, f.how == asDictionary, ends, levels-1, 0, 0)
	}
	at += 4
	x.put(f.open)
	switch f.how {
	case asElements:
		x.dst = numeric.AppendList(x.dst, f.comp, x.b[at:at+n*size], x.Part, x.Comma)
		at += n * size
	case asBytes:
		end := at + n + int(types.Pad(int64(n)))
		if end > len(x.b) || string(x.b[at+n:end]) != "\x00\x00\x00"[:end-at-n] {
			return -1
		}
		x.dst = numeric.AppendList(x.dst, types.Byte, x.b[at:at+n], x.Part, x.Comma)
		at = end
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
	var ids [2]int // of the keys, if there are any, and of the other values
	for ; len(words) > 2; words = words[1:] {
		if len(x.b)-at < 4 || binary.LittleEndian.Uint32(x.b[at:]) > 0xff || x.names[x.b[at]] == "" {
			return -1
		}
		x.put(words[0])
		x.put(x.names[x.b[at]])
		ids[0], ids[1] = ids[1], int(x.b[at])
		at += 4
	}
	n := x.count(at, 1)
	if n < 0 || n == 0 && pairs {
		return -1
	}
	return x.container(at+4, n, pairs, [2]string(words), levels-1, ids[0], ids[1])
}

// container writes n elements or entries between its ends. key and elem are the type ids that
// they must have.
func (x *writer) container(at, n int, pairs bool, ends [2]string, levels, key, elem int) int {
	outerKey, outerElem := x.key, x.elem
	x.key, x.elem = key, elem
	x.put(ends[0])
	if pairs {
		at = x.entries(at, n, levels)
	} else {
		for i := 0; i < n && at >= 0; i++ {
			if i > 0 {
				x.put(x.Comma)
			}
			at = x.element(at, levels)
		}
	}
	x.put(ends[1])
	x.key, x.elem = outerKey, outerElem
	return at
}

// entries writes n entries of which no key repeats.
func (x *writer) entries(at, n, levels int) int {
	var keys variant.FewKeys
	for i := range n {
		if i > 0 {
			x.put(x.Comma)
		}
		value, end := x.entry(at, levels)
		if end < 0 || !keys.AddNew(x.b[at:value]) {
			return -1
		}
		at = end
	}
	return at
}
