package hostile

import "bytes"

// Type ids of Godot 4.
const (
	boolID   = 1
	intID    = 2
	stringID = 4
	vectorID = 9
	dictID   = 27
	arrayID  = 28
	bytesID  = 29
	textsID  = 34
)

const huge = 1<<31 - 1

// values are bytes that look like values: counts that nothing follows, damage in every value.
var values = []Kind{
	{"array-noise", "an Array that counts 2³¹ values, and noise", 300_000, func(n int) []byte { return append(u32(u32(nil, arrayID), huge), noise(n)...) }},
	{"dictionary-noise", "a Dictionary that counts 2³¹ entries, and noise", 300_000, func(n int) []byte { return append(u32(u32(nil, dictID), huge), noise(n)...) }},
	{"strings-noise", "a PackedStringArray that counts 2³¹ texts, and noise", 300_000, func(n int) []byte { return append(u32(u32(nil, textsID), huge), noise(n)...) }},
	{"frame-noise", "a frame as long as the file, an Array in it, and noise", 300_000, func(n int) []byte {
		return append(u32(u32(u32(nil, n+8), arrayID), huge), noise(n)...)
	}},
	{"nested-arrays", "Arrays in one another", 300_000, func(n int) []byte { return repeat(n, arrayID, 0, 0, 0, 1, 0, 0, 0) }},
	{"nested-frames-cut", "an Array that ends too early, in each frame", 300_000, func(n int) []byte {
		return repeat(n, 16, 0, 0, 0, arrayID, 0, 0, 0, 3, 0, 0, 0, intID, 0, 0, 0, 7, 0, 0, 0)
	}},
	{"tiny-frames", "frames that hold null", 300_000, func(n int) []byte { return repeat(n, 4, 0, 0, 0, 0, 0, 0, 0) }},
	{"zero-frames", "frames without a byte", 300_001, func(n int) []byte { return append(make([]byte, n-1), 1) }},
	{"damaged-frames", "frames that each hold a bool of 2", 300_000, func(n int) []byte {
		return repeat(n, 8, 0, 0, 0, boolID, 0, 0, 0, 2, 0, 0, 0)
	}},
	{"unknown-frames", "frames that each hold a type that does not exist", 300_000, func(n int) []byte {
		return repeat(n, 12, 0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)
	}},
	{"trailing-frames", "frames that are each 4 bytes too long", 300_000, func(n int) []byte {
		return repeat(n, 12, 0, 0, 0, intID, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)
	}},
	{"padding-frames", "frames that each hold a text with letters in its padding", 300_000, func(n int) []byte {
		return repeat(n, 16, 0, 0, 0, stringID, 0, 0, 0, 5, 0, 0, 0, 'h', 'e', 'l', 'l', 'o', 'x', 'y', 'z')
	}},
	{"text-frames", "frames that each hold a text that is no UTF-8", 300_000, func(n int) []byte {
		return repeat(n, 16, 0, 0, 0, stringID, 0, 0, 0, 8, 0, 0, 0, 0xff, 0xfe, 'a', 0xc0, 0, 'l', 'l', 'o')
	}},
	{"damaged-array", "an Array of 10⁶ bools of 2", 8_000_000, func(n int) []byte {
		return append(u32(u32(nil, arrayID), n/8), repeat(n, boolID, 0, 0, 0, 2, 0, 0, 0)...)
	}},
	{"damaged-texts", "an Array of 10⁶ texts that are no UTF-8", 12_000_000, func(n int) []byte {
		return append(u32(u32(nil, arrayID), n/12), repeat(n, stringID, 0, 0, 0, 3, 0, 0, 0, 0xff, 'a', 0, 'x')...)
	}},
	{"short-lengths", "an Array of texts, each longer than it says", 300_000, func(n int) []byte {
		return append(u32(u32(nil, arrayID), n/16), repeat(n, stringID, 0, 0, 0, 4, 0, 0, 0, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')...)
	}},
	{"same-keys", "a Dictionary with one key a hundred thousand times", 1_600_000, func(n int) []byte {
		return append(u32(u32(nil, dictID), n/16), repeat(n, intID, 0, 0, 0, 1, 0, 0, 0, intID, 0, 0, 0, 2, 0, 0, 0)...)
	}},
	{"nan-vectors", "an Array of vectors that no game stores", 1_600_000, func(n int) []byte {
		return append(u32(u32(nil, arrayID), n/16), repeat(n, vectorID, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0)...)
	}},
	{"elephant-noise", "the header of an Elephant block, a struct of 65,000 members, and noise", 300_000, func(n int) []byte {
		return append([]byte("PELE\x01\x05\x01\x00\xce\xe8\xfd"), noise(n)...)
	}},
	{"elephant-unknown", "structs of a constructor whose schema is missing", 300_000, func(n int) []byte {
		b := []byte("PELE\x01\x05\x01\x00\xcd")
		b = append(b, byte(n/10), byte(n/10>>8), 0xce)
		return append(append(b, "\xfe\xff\x00\x00Thing\x00\x01"...), repeat(n, 0xfe, 0xff, 0, 0, 1, 0, 0, 1, 2, 3)...)
	}},
	{"elephant-same-names", "structs that each have a name twice", 126_485 * repeatedStruct, elephantSameNames},
	{"elephant-references", "arrays that each hold the one before twice", 10_000, elephantReferences},
	{"msgpack-noise", "the header of a MessagePack array of 2³² values, and noise", 300_000, func(n int) []byte { return append([]byte("\xdd\xff\xff\xff\xff"), noise(n)...) }},
	{"msgpack-nested", "MessagePack arrays in one another", 300_000, func(n int) []byte { return repeat(n, 0x91) }},
}

// elephantReferences nests arrays so that each but the innermost holds the next one and a reference to it: as a tree they
// are 2ⁿ values.
func elephantReferences(size int) []byte {
	b := []byte("PELE\x01\x05\x01\x00")
	depth := size / 10
	for range depth {
		b = append(b, 0xcd, 2, 0, 0xcc) // two values, each with its tag
	}
	b = append(b, 0xcd, 0, 0)
	for i := range depth {
		index := depth - i
		b = append(b, 0xcd, 0xff, 0xff, byte(index), byte(index>>8))
	}
	return append(b, "TNAH"...)
}

const (
	repeatedStruct = 474   // bytes of a struct with a name twice
	mostElements   = 65534 // of an array
)

// elephantSameNames is an array of arrays of structs.
func elephantSameNames(size int) []byte {
	one := append([]byte{3, 0}, "hp\x00\x09\x00\x00\x00\x00\x00\x00\x59\x40note\x00\x0b"...)
	text := bytes.Repeat([]byte("the bell rang twice "), 22)
	const again = "note\x00\x0bonce more\x00"
	one = append(append(one, text[:repeatedStruct-len(one)-1-len(again)]...), 0)
	one = append(one, again...)

	left := size / repeatedStruct
	arrays := (left + mostElements - 1) / mostElements
	b := append([]byte("PELE\x01\x05\x01\x00\xcd"), byte(arrays), byte(arrays>>8), 0xcd)
	for ; left > 0; left -= mostElements {
		n := min(left, mostElements)
		b = append(b, byte(n), byte(n>>8), 0xce)
		b = append(b, bytes.Repeat(one, n)...)
	}
	return append(b, "TNAH"...)
}
