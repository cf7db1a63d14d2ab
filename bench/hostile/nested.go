package hostile

import (
	"bytes"
	"fmt"
)

const (
	objectID     = 24
	elementTyped = 1 << 16 // flag in the header of a typed Array
)

// nestedValues are values nested as deeply as the size allows, and many small ones. Most are not damaged,
// unless they are nested deeper than the program follows.
var nestedValues = []Kind{
	{"deep-arrays", "a frame of Arrays in one another", 1_100_000, func(n int) []byte {
		return frame(concat(repeat(n, arrayID, 0, 0, 0, 1, 0, 0, 0), null))
	}},
	{"deep-typed", "the same of Arrays that are typed as Arrays", 1_100_000, func(n int) []byte {
		one := u32(u32(u32(nil, arrayID|elementTyped), arrayID), 1)
		return frame(concat(repeat(n, one...), u32(u32(nil, arrayID), 0)))
	}},
	{"deep-pairs", "Arrays in one another, each between two numbers", 1_100_000, func(n int) []byte {
		return surround(n, concat(u32(u32(nil, arrayID), 3), integer(1)), null, integer(2))
	}},
	{"deep-values", "Dictionaries in one another, as values", 1_100_000, func(n int) []byte {
		return surround(n, concat(u32(u32(nil, dictID), 1), text("k")), null, nil)
	}},
	{"deep-keys", "Dictionaries in one another, as keys", 1_100_000, func(n int) []byte {
		return surround(n, u32(u32(nil, dictID), 1), null, null)
	}},
	{"deep-both", "Dictionaries in one another, in turn as keys and as values", 1_100_000, func(n int) []byte {
		d := u32(u32(nil, dictID), 1)
		return surround(n, concat(d, d, text("k")), null, null)
	}},
	{"deep-long-keys", "Dictionaries in one another with keys of 900 letters", 1_100_000, func(n int) []byte {
		return surround(n, concat(u32(u32(nil, dictID), 1), text(string(bytes.Repeat([]byte{'k'}, 900)))), null, nil)
	}},
	{"deep-objects", "objects in one another", 1_100_000, func(n int) []byte {
		return surround(n, concat(u32(nil, objectID), text("Node")[4:], u32(nil, 1), text("next")[4:]), null, nil)
	}},
	{"deep-list", "numbers in an Array in many Arrays", 1_100_000, func(n int) []byte {
		k := n / 24
		return frame(concat(repeat(8*k, arrayID, 0, 0, 0, 1, 0, 0, 0), u32(u32(nil, arrayID), k), repeat(8*k, integer(7)...)))
	}},
	{"deep-entries", "entries of a Dictionary in many Dictionaries", 1_100_000, func(n int) []byte {
		k := n / 48
		b := bytes.Repeat(concat(u32(u32(nil, dictID), 1), text("k")), k)
		b = u32(u32(b, dictID), k)
		for i := range k {
			b = append(append(b, text(fmt.Sprint("k", i))...), null...)
		}
		return frame(b)
	}},
	{"deep-many", "many Arrays, each with a hundred in one another", 1_100_000, func(n int) []byte {
		one := concat(repeat(800, arrayID, 0, 0, 0, 1, 0, 0, 0), null)
		return frame(concat(u32(u32(nil, arrayID), n/len(one)), bytes.Repeat(one, n/len(one))))
	}},
	{"deep-frames", "frames of a hundred Arrays in one another", 1_100_000, func(n int) []byte {
		one := frame(concat(repeat(800, arrayID, 0, 0, 0, 1, 0, 0, 0), null))
		return bytes.Repeat(one, n/len(one))
	}},
	{"deep-cut", "Arrays in one another that each count two values", 1_100_000, func(n int) []byte {
		return frame(repeat(n, arrayID, 0, 0, 0, 2, 0, 0, 0))
	}},
	{"deep-repeated", "Dictionaries in one another with the same key before each", 1_100_000, func(n int) []byte {
		return surround(n, concat(u32(u32(nil, dictID), 2), text("k"), null, text("k")), null, nil)
	}},
	{"dictionary-keys", "a Dictionary whose keys are Dictionaries", 1_100_000, func(n int) []byte {
		b := u32(u32(nil, dictID), n/36)
		for i := range n / 36 {
			b = append(b, concat(u32(u32(nil, dictID), 1), integer(i), integer(i), null)...)
		}
		return frame(b)
	}},
	{"object-properties", "an object of many properties", 1_100_000, func(n int) []byte {
		b := concat(u32(nil, objectID), text("Node")[4:], u32(nil, n/24))
		for i := range n / 24 {
			b = append(append(b, text(fmt.Sprintf("p%06d", i))[4:]...), integer(i)...)
		}
		return frame(b)
	}},
	{"many-texts", "an Array of short texts", 1_100_000, func(n int) []byte {
		return frame(concat(u32(u32(nil, arrayID), n/16), repeat(n, text("text5")...)))
	}},
	{"texts-of-digits", "an Array of texts that are base64", 1_100_000, func(n int) []byte {
		one := text("AAAAbbbbCCCCddddAAAAbbbbCCCCdddd")
		return frame(concat(u32(u32(nil, arrayID), n/len(one)), repeat(n, one...)))
	}},
	{"elephant-arrays", "Elephant arrays in one another", 300_000, func(n int) []byte {
		return elephant(repeat(n, 0xcd, 1, 0), []byte{0xcf})
	}},
	{"elephant-structs", "Elephant structs in one another", 300_000, func(n int) []byte {
		return elephant(repeat(n, 0xce, 1, 0, 'a', 0), []byte{0xcf})
	}},
	{"msgpack-deep", "MessagePack arrays in one another, complete", 300_000, func(n int) []byte {
		return append(repeat(n, 0x91), 0xc0)
	}},
	{"msgpack-values", "MessagePack maps in one another, as values", 300_000, func(n int) []byte {
		return append(repeat(n, 0x81, 0xa1, 'k'), 0xc0)
	}},
	{"msgpack-keys", "MessagePack maps in one another, as keys", 300_000, func(n int) []byte {
		return concat(repeat(n/2, 0x81), repeat(n/2+1, 0xc0))
	}},
}

// null is a value of Godot without content.
var null = make([]byte, 4)

func integer(n int) []byte { return u32(u32(nil, intID), n) }

// text is a String of Godot, whose length follows a header of 4 bytes.
func text(s string) []byte {
	b := append(u32(u32(nil, stringID), len(s)), s...)
	return append(b, make([]byte, -len(b)&3)...)
}

// frame puts the length before a value.
func frame(value []byte) []byte { return append(u32(nil, len(value)), value...) }

// surround frames a value that is inside before and after, as often as fits.
func surround(size int, before, value, after []byte) []byte {
	n := size / (len(before) + len(after))
	return frame(concat(bytes.Repeat(before, n), value, bytes.Repeat(after, n)))
}

func elephant(parts ...[]byte) []byte {
	return concat([]byte("PELE\x01\x05\x01\x00"), concat(parts...), []byte("TNAH"))
}

func concat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
