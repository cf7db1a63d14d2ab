// Package wrap opens what holds a buffer in another form: Godot's GCPF
// (compressed) and GDEC (encrypted), base64, zlib and hexadecimal text; and files
// that a program took for text. It describes the wrapper's own bytes as a tree and
// gives what they hold as a source of its own.
package wrap

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
)

// Kind is a sort of wrapper.
type Kind uint8

// The kinds, in the order in which they are listed.
const (
	GCPF   Kind = iota // Godot's FileAccess.open_compressed
	GDEC               // Godot's FileAccess.open_encrypted, open_encrypted_with_pass
	Base64             // base64 text
	Zlib               // one zlib stream
	Hex                // hexadecimal text, also as xxd and hexdump -C print it

	// What programs do to a file that they take for text.
	ByteOrderMark // put EF BB BF before it
	TextMode      // put a 0D before each 0A
	Reencoded     // write each byte from 80 on as a character of UTF-8

	kinds // how many there are
)

var kindNames = [kinds]string{"gcpf", "gdec", "base64", "zlib", "hex", "byte-order-mark", "text-transfer", "re-encoded"}

// String gives the name used in the output of info; a number for a kind that
// does not exist.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("wrapper %d", uint8(k))
}

var kindMeanings = [kinds]string{
	"blocks compressed by Godot's FileAccess.open_compressed",
	"encrypted by Godot's FileAccess.open_encrypted or open_encrypted_with_pass",
	"base64 text, as Marshalls.variant_to_base64 writes it",
	"a zlib stream",
	"hexadecimal text, also as xxd and hexdump -C print it",
	"a file with a byte order mark before it, as editors put it",
	"a file with a 0D before each 0A, as a text-mode transfer puts them",
	"a file read as Latin-1 or Windows-1252 text and saved as UTF-8",
}

// Meaning says in a few words what the wrapper is.
func (k Kind) Meaning() string {
	if k < kinds {
		return kindMeanings[k]
	}
	return ""
}

// Kinds lists all kinds in their order.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// eagerRatio is what a zlib stream is taken to unpack to, in times its size.
// Deflate reaches about 1,032, saves seldom more than 20.
const eagerRatio = 64

// Eager is how many bytes Open goes through before it returns, but for headers
// and tables: all of a text, what a zlib stream can unpack to, none of what is
// unpacked on demand, unless its checksum is verified at once.
func (k Kind) Eager(region span.Span, o Options) int64 {
	switch k {
	case GCPF:
		return 0
	case GDEC:
		if !o.hasKey() || region.Length > verifyAtOnce {
			return 0
		}
	case Zlib:
		if region.Length < o.MaxUnpacked/eagerRatio {
			return region.Length * eagerRatio
		}
		return max(region.Length, o.MaxUnpacked)
	}
	return region.Length
}

// readAt fills p from off on. The error is a *source.HoleError where bytes of a
// hole are among them, which are zero then.
func readAt(src source.Source, p []byte, off int64) error {
	n, err := src.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return fmt.Errorf("%#x: %w", off+int64(n), err)
}
