package own

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
)

// A Field is one of the fields in a game's own header or trailer. In a recipe it is a table of TOML.
type Field struct {
	Type  string `toml:"type"`            // one of Types
	Bytes int64  `toml:"bytes,omitempty"` // number of bytes, of "bytes" and of a "text" without a length
	Is    string `toml:"is,omitempty"`    // one of Measures, for a number that follows edits; "" for one that stays
	Name  string `toml:"name,omitempty"`  // for people; "" for that of its type

	sum   *checksum.Place // set for a checksum of the content, or
	after bool            // of all bytes of the file after it
	level int             // of PackedSize, the number of layers inside this one whose bytes it leaves out, such as a checksum
	add   int64           // number of bytes by which the number is greater than what it measures
}

// Types are the types of fields. A number has its lowest byte first unless its type ends in "be". The number
// at the end of text32 is the width in bits of the length before the text. A line ends with its line feed.
var Types = []string{"bytes", "text", "text8", "text16", "text32", "line", "u8", "u16", "u16be", "u32", "u32be", "u64", "u64be"}

// What a number in a header or trailer can measure.
const (
	PackedSize = "packed-size" // bytes between header and trailer
	PlainSize  = "plain-size"  // bytes of the values, once all layers are unpacked
	FileSize   = "file-size"   // bytes of header, content and trailer together
	Count      = "count"       // outermost values
)

// Measures are all of these.
var Measures = []string{PackedSize, PlainSize, FileSize, Count}

// Check returns what is wrong with a field of a recipe.
func (f *Field) Check() error {
	switch {
	case !slices.Contains(Types, f.Type):
		return fmt.Errorf("a header has no field of type %q: %s", f.Type, strings.Join(Types, ", "))
	case f.Is != "" && !slices.Contains(Measures, f.Is):
		return fmt.Errorf("a number cannot be %q: %s", f.Is, strings.Join(Measures, ", "))
	case f.Is != "" && f.width() == 0:
		return fmt.Errorf("%s is no number, which alone can be the %s", f.Type, f.Is)
	case f.Bytes < 0, f.isSized() && f.Bytes == 0:
		return fmt.Errorf("%s needs a number of bytes", f.Type)
	case !f.isSized() && f.Bytes != 0:
		return fmt.Errorf("the number of bytes of %s follows from its type", f.Type)
	}
	return nil
}

func (f *Field) isSized() bool { return f.Type == "bytes" || f.Type == "text" }

// width returns the number of bytes of a number; 0 if the field is none.
func (f *Field) width() int64 {
	switch strings.TrimSuffix(f.Type, "be") {
	case "u8":
		return 1
	case "u16":
		return 2
	case "u32":
		return 4
	case "u64":
		return 8
	}
	return 0
}

// prefix returns the number of bytes of the length before a text.
func (f *Field) prefix() int64 {
	switch f.Type {
	case "text8":
		return 1
	case "text16":
		return 2
	case "text32":
		return 4
	}
	return 0
}

// length returns the number of bytes that the field takes at the beginning of b; ok is false if b is too
// short.
func (f *Field) length(b []byte) (n int64, ok bool) {
	switch {
	case f.isSized():
		n = f.Bytes
	case f.Type == "line":
		n = int64(bytes.IndexByte(b, '\n') + 1)
		return n, n > 0
	case f.prefix() > 0:
		n = f.prefix()
		if int64(len(b)) < n {
			return 0, false
		}
		n += int64(number(b[:n], false))
	default:
		n = f.width()
	}
	return n, n <= int64(len(b))
}

// number returns the number in all of b.
func number(b []byte, big bool) (n uint64) {
	for i, c := range b {
		if big {
			n = n<<8 | uint64(c)
		} else {
			n |= uint64(c) << (8 * i)
		}
	}
	return n
}

func (f *Field) isBig() bool { return strings.HasSuffix(f.Type, "be") }

// put writes a number into the bytes of the field. It is an error if they cannot hold it.
func (f *Field) put(b []byte, n int64) error {
	if n < 0 || len(b) < 8 && n >= 1<<(8*len(b)) {
		return fmt.Errorf("the %s in the game's own bytes cannot be %d: it has %s", f.title(), n, span.Bytes(int64(len(b))))
	}
	whole := binary.BigEndian.AppendUint64(nil, uint64(n))[8-len(b):]
	if !f.isBig() {
		slices.Reverse(whole)
	}
	copy(b, whole)
	return nil
}

// title returns what a field is, for people.
func (f *Field) title() string {
	switch {
	case f.Name != "":
		return f.Name
	case f.Is == Count:
		return "number of values"
	case f.Is != "":
		return strings.ReplaceAll(f.Is, "-", " ")
	case f.width() > 0:
		return "number"
	case f.prefix() > 0:
		return "text"
	}
	return f.Type
}

// kind returns the kind of the field's bytes.
func (f *Field) kind() span.Kind {
	switch {
	case f.sum != nil:
		return span.Checksum
	case f.Is != "":
		return span.Length
	case f.width() > 0:
		return span.Value
	case f.Type == "bytes":
		return span.Data
	}
	return span.Text
}
