package hostile

import "bytes"

// texts are long runs of what may be digits, or nothing at all.
var texts = []Kind{
	{"digits", "the digit 0", 50_000_000, func(n int) []byte { return repeat(n, '0') }},
	{"letters", "the letter A", 100_000_000, func(n int) []byte { return repeat(n, 'A') }},
	{"zeros", "zero bytes", 100_000_000, func(n int) []byte { return make([]byte, n) }},
	{"ones", "bytes FF", 100_000_000, func(n int) []byte { return repeat(n, 0xff) }},
	{"small-numbers", "the number 1 in 4 bytes", 50_000_000, func(n int) []byte { return repeat(n, 1, 0, 0, 0) }},
	{"replaced", "noise that a program took for text", 300_000, func(n int) []byte { return bytes.ToValidUTF8(noise(n), []byte("\xef\xbf\xbd")) }},
	{"blanks", "blanks", 50_000_000, func(n int) []byte { return repeat(n, ' ') }},
	{"lines", "empty lines", 50_000_000, func(n int) []byte { return repeat(n, '\n') }},
	{"equal-signs", "base64 padding", 50_000_000, func(n int) []byte { return append([]byte("AAAA"), repeat(n, '=')...) }},
	{"prose", "words", 50_000_000, func(n int) []byte { return repeat(n, []byte("the bell rang twice ")...) }},
	{"dump-rows", "rows of a hexadecimal dump, all of the same offset", 30_000_000, func(n int) []byte {
		return repeat(n, []byte("00000000: 0400 0000 0500 0000 6865 6c6c 6f00 0000  ........hello...\n")...)
	}},
}
