package own

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
)

// A Field is one of the fields in a game's own header or trailer. In a recipe it is a table of TOML.
type Field struct {
	Type string `toml:"type"`                 // one of types
	Size int64  `toml:"size,omitempty"`       // number of bytes, of "bytes" and of a "text" without a length before it
	Text string `toml:"text,omitempty"`       // what bytes, a text or a line must be
	Is   string `toml:"is,omitempty"`         // one of Measures, for a number that follows edits; "" for one that stays
	Big  bool   `toml:"big-endian,omitempty"` // of a number, also of the length of a text
	Name string `toml:"name,omitempty"`       // for people, and for the secrets of a recipe; "" for that of its type

	sum   *checksum.Place // how a checksum is written that is no number of the field's type
	of    scope           // what it is of
	skip  int64           // number of bytes of a scope next to the field that it leaves out, or the first ones of the content
	end   ending          // how the content ends that it is of
	level int             // the buffer that it is of: 0 for the content, 1 for what is unpacked from it
	index int             // of the value that it is the offset or the size of
	among int             // number of the values, of which each has such a number
	add   int64           // number of bytes by which a size is greater than what it measures
	doubt string          // what its bytes may be instead
	sure  int64           // below this number its bytes are the same all the same
	pad   bool            // it only sets others apart

	isShared bool // the least significant byte is the same in either case
	isEither bool // it may be the packed size as well as the plain one
}

// types are the types of fields. A text without a size comes after its length in 4 bytes, or in as many bits as the
// number at the end of the type. A line ends with its line feed. digits are all decimal digits that stand there, with the
// blanks before them, two or more, that make them as wide; hex are hexadecimal ones: 4, 8, 16, or as many as begin with a zero, stay as
// many. A varint has seven bits of a number in each byte, the least
// significant first, and the eighth set in all but the last.
var types = []string{"bytes", "text", "text8", "text16", "line", "u8", "u16", "u32", "u64", digits, hex, varint}

const (
	digits = "digits"
	hex    = "hex"
	varint = "varint"

	hexDigits  = "0123456789abcdefABCDEF"
	mostDigits = 19 // of a number, with the blanks before them
)

// What a number in a header or trailer can measure, beside the checksums that are numbers.
const (
	packedSize = "packed-size" // bytes between header and trailer
	plainSize  = "plain-size"  // bytes of the values, once all layers are unpacked
	fileSize   = "file-size"   // bytes of header, content and trailer together
	Count      = "count"       // outermost values

	characters = checksum.Length // of a text in UTF-8 between header and trailer
	inverted   = "inverted size" // packedSize with all bits inverted
	negative   = "negative size" // what is to be added to packedSize to get zero
	offsetOf   = "offset"        // of an outermost value
	sizeOf     = "size"          // of an outermost value
)

// measures are all of these, and the checksums of the content that are numbers.
func measures() []string {
	return append([]string{packedSize, plainSize, fileSize, characters, Count}, checksum.Numbers()...)
}

// Check returns what is wrong with a field of a recipe.
func (f *Field) Check() error {
	_, least := checksum.SumOf(f.Is)
	switch {
	case !slices.Contains(types, f.Type):
		return fmt.Errorf("a header has no field of type %q: %s", f.Type, strings.Join(types, ", "))
	case f.Is != "" && !slices.Contains(measures(), f.Is):
		return fmt.Errorf("a number cannot be %q: %s", f.Is, strings.Join(measures(), ", "))
	case f.Is != "" && !f.isNumber():
		return fmt.Errorf("%s is no number, which alone can be the %s", f.Type, f.Is)
	case f.width() > 0 && f.width() < least || least == 4 && f.Type == varint:
		return fmt.Errorf("%s cannot hold the %s", f.Type, f.Is)
	case f.isNumber() && f.Text != "":
		return fmt.Errorf("%s is a number, which is no text", f.Type)
	case f.Size < 0, f.Type == "bytes" && f.Size == 0 && f.Text == "":
		return errors.New("bytes need a size, or a text that they are")
	case f.Type != "bytes" && f.Type != "text" && f.Size != 0:
		return fmt.Errorf("the size of %s follows from its type", f.Type)
	}
	return nil
}

// isNumber reports whether a field is a number.
func (f *Field) isNumber() bool { return f.width() > 0 || f.isDigits() || f.Type == varint }

// isDigits reports whether a field is a number in digits.
func (f *Field) isDigits() bool { return f.Type == digits || f.Type == hex }

// isFree reports whether a field is a number that may get more digits.
func (f *Field) isFree() bool { return f.isDigits() && f.Is != "" }

// isSum reports whether a field is a checksum.
func (f *Field) isSum() bool {
	_, size := checksum.SumOf(f.Is)
	return size > 0
}

// order returns how much a field that is a number or checksum speaks for big-endian ones, or against them.
func (f *Field) order() int {
	const votes = 2
	isNumber, isBig := f.Is != "" && f.width() > 1, f.Big
	if f.sum != nil && f.Size == 4 {
		isNumber, isBig = !f.sum.IsText(), f.sum.Form == checksum.Big
	}
	switch {
	case !isNumber:
		return 0
	case isBig:
		return votes
	}
	return -votes
}

// isText reports whether a field is a number or checksum in digits.
func (f *Field) isText() bool { return f.isDigits() || f.sum != nil && f.sum.IsText() }

// width returns the number of bytes of a number that always has as many; 0 if the field is none.
func (f *Field) width() int64 { return map[string]int64{"u8": 1, "u16": 2, "u32": 4, "u64": 8}[f.Type] }

// prefix returns the number of bytes of the length before a text.
func (f *Field) prefix() int64 {
	if f.Size > 0 {
		return 0
	}
	return map[string]int64{"text8": 1, "text16": 2, "text": 4}[f.Type]
}

// length returns the number of bytes that the field takes at the beginning of b; ok is false if b is too
// short, or has not the field's text.
func (f *Field) length(b []byte) (n int64, ok bool) {
	switch n = f.prefix(); {
	case f.Type == "line":
		if n = int64(bytes.IndexByte(b, '\n') + 1); n == 0 {
			return 0, false
		}
	case f.Type == digits:
		rest := bytes.TrimLeft(b, " ")
		blanks := len(b) - len(rest)
		n = int64(len(b) - len(bytes.TrimLeft(rest, "0123456789")))
		return n, n > int64(blanks) && n <= mostDigits && blanks != 1
	case f.Type == hex:
		n = int64(len(b) - len(bytes.TrimLeft(b, hexDigits)))
		return n, n > 0 && n <= 16
	case f.Type == varint:
		_, size := binary.Uvarint(b)
		return int64(size), size > 0
	case n > int64(len(b)):
		return 0, false
	case n > 0:
		n += int64(min(number(b[:n], f.Big), math.MaxInt32))
	case f.width() > 0:
		n = f.width()
	default:
		n = max(f.Size, int64(len(f.Text)))
	}
	return n, n <= int64(len(b)) && f.hasText(b[:n])
}

// A located field is one of a header or trailer, with its bytes.
type located struct {
	*Field
	own    []byte
	at     span.Span // in the header or trailer
	start  int64     // of that in the file
	isHead bool
	side   int64 // number of bytes of the header or trailer
}

// each yields fields that begin b, with their bytes.
func each(fields []Field, b []byte) iter.Seq2[*Field, []byte] {
	return func(yield func(*Field, []byte) bool) {
		for i := range fields {
			f := &fields[i]
			n, _ := f.length(b)
			if !yield(f, b[:n]) {
				return
			}
			b = b[n:]
		}
	}
}

// fields returns the fields of the header and the trailer of a file that have these bytes, with content of some size between.
func (k *place) fields(b sides, content int64) (all []located) {
	for i, side := range [][]Field{k.head, k.tail} {
		own, start, at := b.head, int64(0), int64(0)
		if i > 0 {
			own, start = b.tail, int64(len(b.head))+content
		}
		for f, x := range each(side, own) {
			n := int64(len(x))
			all = append(all, located{f, x, span.Span{Offset: at, Length: n}, start, i == 0, int64(len(own))})
			at += n
		}
	}
	return all
}

// inFile returns where the field is in the file.
func (x *located) inFile() span.Span {
	return span.Span{Offset: x.start + x.at.Offset, Length: x.at.Length}
}

// verb returns how a checksum is printed.
func (f *Field) verb() string { return map[bool]string{true: "%s", false: "%x"}[f.isText()] }

// hasText reports whether the bytes of a field are the text that they must be.
func (f *Field) hasText(b []byte) bool {
	own := string(b[f.prefix():])
	return f.Text == "" || own == f.Text || f.Type == "line" && strings.TrimRight(own, "\r\n") == f.Text
}

// unknownSum returns the kind of checksum that the bytes of the field could be, or a part of its text; "" for none, and for one that is
// known.
func (f *Field) unknownSum(b []byte) string {
	if f.Is != "" {
		return ""
	}
	b = b[f.prefix():]
	kind := checksum.Resembles(b)
	if f.kind() == span.Text {
		for part := range bytes.FieldsFuncSeq(b, func(c rune) bool { return strings.ContainsRune("|:.,;# \r\n\x00", c) }) {
			kind = cmp.Or(kind, checksum.Resembles(part))
		}
	}
	return kind
}

// number returns the number that the bytes of the field are.
func (f *Field) number(b []byte) (n uint64) {
	switch f.Type {
	case digits:
		n, _ = strconv.ParseUint(string(bytes.TrimLeft(b, " ")), 10, 64)
	case hex:
		n, _ = strconv.ParseUint(string(b), 16, 64)
	case varint:
		n, _ = binary.Uvarint(b)
	default:
		n = number(b, f.Big)
	}
	return n
}

// number returns the number in all of b.
func number(b []byte, big bool) (n uint64) {
	for i, c := range b {
		if big {
			i = len(b) - 1 - i
		}
		n |= uint64(c) << (8 * i)
	}
	return n
}

// held returns what the bytes of a field can hold of what it measures: of a sum and a negative number, all but what is carried.
func (f *Field) held(n int64) int64 {
	isCarried := f.Is == checksum.ByteSum || f.Is == inverted || f.Is == negative
	if width := f.width(); isCarried && width > 0 && width < 8 {
		n &= 1<<(8*width) - 1
	}
	return n
}

var errLarge = errors.New("cannot be")

// written returns the bytes of the field for a number. was are those of another one. It is an error if as many cannot hold it.
func (f *Field) written(was []byte, n int64) ([]byte, error) {
	n = f.held(n)
	old := int64(f.number(was))
	switch {
	case n < 0:
	case f.doubt != "" && n != old && old|n >= f.sure && !(f.isShared && n>>8 == old>>8):
		return nil, fmt.Errorf("the %s in the game's own bytes becomes %d, but its %s may as well be %s: a recipe says which it is, with the step header", f.title(), n, span.Bytes(f.width()), f.doubt)
	case f.isDigits():
		return f.inDigits(was, n), nil
	case f.Type == varint:
		return binary.AppendUvarint(nil, uint64(n)), nil
	}
	if n < 0 || len(was) < 8 && n >= 1<<(8*len(was)) {
		return nil, fmt.Errorf("the %s in the game's own bytes %w %d: it has %s", f.title(), errLarge, n, span.Bytes(int64(len(was))))
	}
	whole := binary.BigEndian.AppendUint64(nil, uint64(n))[8-len(was):]
	if !f.Big {
		slices.Reverse(whole)
	}
	return whole, nil
}

// inDigits returns a number in digits of the field's type, with zeros or blanks before it as others have them.
func (f *Field) inDigits(was []byte, n int64) []byte {
	verb, width, isHex := "%0*d", len(was), f.Type == hex
	if isHex {
		verb = "%0*x"
	} else if was[0] == ' ' {
		verb = "%*d"
	}
	if isFixed := was[0] == '0' || was[0] == ' ' || isHex && (width == 4 || width == 8 || width == 16); !isFixed {
		width = 0
	}
	return inCase(fmt.Appendf(nil, verb, width, n), was)
}

// inCase returns hexadecimal digits with capitals, if others have them.
func inCase(digits, was []byte) []byte {
	if bytes.ContainsAny(was, "ABCDEF") {
		return bytes.ToUpper(digits)
	}
	return digits
}

// title returns what a field is, for people.
func (f *Field) title() string {
	switch {
	case f.Name != "":
		return f.Name
	case f.Is == fileSize && f.of > ofContent:
		return map[scope]string{ofBehind: "size of what follows it", ofBefore: "size of what precedes it"}[f.of]
	case f.Is == offsetOf, f.Is == sizeOf:
		return fmt.Sprintf("%s of value %d", f.Is, f.index)
	case f.prefix() > 0:
		return "text"
	case f.Is == "" && f.isNumber():
		return "number"
	}
	sum, _ := checksum.SumOf(f.Is)
	return cmp.Or(sum, map[string]string{Count: "number of values", "": f.Type}[f.Is], strings.ReplaceAll(f.Is, "-", " "))
}

// kind returns the kind of the field's bytes.
func (f *Field) kind() span.Kind {
	switch {
	case f.pad:
		return span.Padding
	case f.isSum():
		return span.Checksum
	case f.Is != "":
		return span.Length
	case f.isNumber():
		return span.Value
	case f.Type == "bytes":
		return span.Data
	}
	return span.Text
}
