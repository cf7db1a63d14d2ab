package tree

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A Meaning is what is compared between a value and one of another file, whose dialect may differ.
type Meaning struct {
	Compared Comparison
	Content  span.Span // bytes that follow what AppendMeaning appends, unchanged
	Own      []byte    // the same bytes if they are not in the buffer in that form
	Numbers  int       // how many numbers of AppendNumberMeaning end what was appended
}

// Len returns the number of bytes of the content.
func (m *Meaning) Len() int64 {
	if m.Own != nil {
		return int64(len(m.Own))
	}
	return m.Content.Length
}

// View returns at most source.MaxView bytes of the content, from byte at on, valid until w is used again.
func (m *Meaning) View(w *source.Window, at int64) []byte {
	return view(w, m.Own, m.Content, at, source.MaxView)
}

// Comparison is the way in which a value is compared.
type Comparison uint8

const (
	Whole  Comparison = iota // the value is compared as one
	List                     // its children are compared in their order
	Map                      // its children are compared by their keys or names
	Absent                   // not at all: the value is not in the bytes
)

// A Meaner knows the meaning of its values, whatever the dialect that stores them. Without it the tree
// compares what a Describer returns.
type Meaner interface {
	// AppendMeaning appends the meaning of v without its children. For values with the same meaning it
	// appends the same in any dialect of the family, and refers to the same Content.
	AppendMeaning(dst []byte, w *source.Window, v *Value) ([]byte, Meaning)

	// AppendForm appends how v is stored, such as its type and width: two values with the
	// same meaning may differ in form.
	AppendForm(dst []byte, w *source.Window, v *Value) []byte
}

// A Bounder has lists that mean more than their children: a queue, of which only some places are in use.
type Bounder interface {
	// AppendBounds appends what a list means besides its children; nothing if that is all.
	AppendBounds(dst []byte, w *source.Window, v *Value) []byte
}

// First bytes of a meaning.
const (
	meansNothing = 'n'
	meansBool    = 'b'
	meansInteger = 'i'
	meansUint    = 'u' // above the range of an int64
	meansFloat   = 'f' // not an integer within the range of an int64
	meansText    = 't'
	meansBytes   = 'x'
	meansDigits  = 'd' // a number that no float equals exactly; the nearest float is before its digits
	meansLost    = '?' // bytes that could not be read
)

// NumberSize is the number of bytes of a number in a meaning.
const NumberSize = 9

// AppendNullMeaning appends the meaning of null.
func AppendNullMeaning(dst []byte) []byte { return append(dst, meansNothing) }

// AppendBoolMeaning appends the meaning of a bool.
func AppendBoolMeaning(dst []byte, is bool) []byte {
	if is {
		return append(dst, meansBool, 1)
	}
	return append(dst, meansBool, 0)
}

// AppendIntMeaning appends the meaning of an integer.
func AppendIntMeaning(dst []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, meansInteger), uint64(n))
}

// AppendUintMeaning appends the meaning of an unsigned integer.
func AppendUintMeaning(dst []byte, n uint64) []byte {
	if n <= math.MaxInt64 {
		return AppendIntMeaning(dst, int64(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, meansUint), n)
}

// AppendFloatMeaning appends the meaning of a float: the same as that of the integer with this value,
// except for -0. All NaN mean the same.
func AppendFloatMeaning(dst []byte, x float64) []byte {
	if i := int64(x); x >= -1<<63 && x < 1<<63 && float64(i) == x && (i != 0 || !math.Signbit(x)) {
		return AppendIntMeaning(dst, i)
	}
	if x != x {
		x = math.NaN()
	}
	return binary.BigEndian.AppendUint64(append(dst, meansFloat), math.Float64bits(x))
}

// NumberMeaning returns the number in a meaning of NumberSize bytes.
func NumberMeaning(b []byte) float64 {
	bits := binary.BigEndian.Uint64(b[1:])
	switch b[0] {
	case meansInteger:
		return float64(int64(bits))
	case meansUint:
		return float64(bits)
	}
	return math.Float64frombits(bits)
}

// AppendTextMeaning appends that the content of a value is text.
func AppendTextMeaning(dst []byte) []byte { return append(dst, meansText) }

// AppendMeaning appends the meaning of v without its children; see Meaner. A damaged value without children
// means its bytes.
func (r *Reader) AppendMeaning(dst []byte, v *Value) ([]byte, Meaning) {
	if v.Damage != nil && v.Layout == Leaf {
		return append(dst, meansLost), Meaning{Content: span.Between(v.Start, v.End)}
	}
	if m := r.Tree.can.meaner; m != nil {
		return m.AppendMeaning(dst, r.win, v)
	}
	switch {
	case v.Layout == Pairs:
		return dst, Meaning{Compared: Map}
	case v.Layout != Leaf && !v.Opaque:
		if b := r.Tree.can.bounder; b != nil {
			dst = b.AppendBounds(dst, r.win, v)
		}
		return dst, Meaning{Compared: List}
	}
	s := r.scalar(v)
	return appendScalarMeaning(dst, &s)
}

func appendScalarMeaning(dst []byte, s *Scalar) ([]byte, Meaning) {
	switch s.Kind {
	case Null:
		return AppendNullMeaning(dst), Meaning{}
	case Bool:
		return AppendBoolMeaning(dst, s.Bits != 0), Meaning{}
	case Int:
		return AppendIntMeaning(dst, int64(s.Bits)), Meaning{Numbers: 1}
	case Uint:
		return AppendUintMeaning(dst, s.Bits), Meaning{Numbers: 1}
	case Float32:
		return AppendFloatMeaning(dst, float64(math.Float32frombits(uint32(s.Bits)))), Meaning{Numbers: 1}
	case Float64:
		x := math.Float64frombits(s.Bits)
		if exact := exactDigits(s.Own, x); exact != "" {
			return append(binary.BigEndian.AppendUint64(append(dst, meansDigits), s.Bits), exact...), Meaning{}
		}
		return AppendFloatMeaning(dst, x), Meaning{Numbers: 1}
	case Text:
		return AppendTextMeaning(dst), Meaning{Content: s.Span, Own: s.Own}
	}
	dst = append(append(append(dst, meansBytes), s.Name...), 0)
	return binary.BigEndian.AppendUint64(dst, uint64(s.Code)), Meaning{Content: s.Span}
}

// exactDigits returns the digits and the exponent of a number in one form; "" if they are the shortest
// digits of x.
func exactDigits(spelled []byte, x float64) string {
	if len(spelled) == 0 || isShort(spelled) || bytes.ContainsAny(spelled, "nN") { // inf, NaN
		return ""
	}
	is := NormalDigits(string(spelled))
	if is == NormalDigits(strconv.FormatFloat(x, 'e', -1, 64)) {
		return ""
	}
	return is
}

// isShort reports whether a number is spelled with so few digits, and no exponent, that no shorter digits are read as the same
// float64.
func isShort(spelled []byte) bool {
	const digits = 15 // that each float64 keeps
	for _, c := range spelled {
		if c-'0' >= 10 && c != '.' && c != '-' {
			return false
		}
	}
	return len(spelled) <= digits
}

// NormalDigits returns a decimal number as its digits, without zeros at either end, and an exponent.
func NormalDigits(s string) string {
	sign, s := s[:len(s)-len(strings.TrimPrefix(s, "-"))], strings.TrimPrefix(s, "-")
	digits, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	e, _ := strconv.ParseInt(cmp.Or(exponent, "0"), 10, 64)
	whole, fraction, _ := strings.Cut(digits, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(all, "0")
	if short == "" {
		return sign + "0"
	}
	return sign + short + "e" + strconv.FormatInt(e-int64(len(fraction))+int64(len(all)-len(short)), 10)
}

// Plain returns the meaning of a value if it is one bool, number or text, or null: its Kind is then Bool,
// Int, Uint, Float64, Text or Null, whatever the type of the value. Anything else is Bytes, and only the
// length of their span counts.
func (r *Reader) Plain(v *Value) Scalar {
	b, m := r.AppendMeaning(r.plain[:0], v)
	r.plain = b
	s := Scalar{Span: m.Content, Own: m.Own}
	if m.Compared != Whole || len(b) == 0 {
		return s
	}
	switch b[0] {
	case meansNothing:
		s.Kind = Null
	case meansBool:
		s.Kind, s.Bits = Bool, uint64(b[1])
	case meansText:
		s.Kind = Text
	case meansInteger, meansUint, meansFloat, meansDigits:
		s.Kind, s.Bits = Int, binary.BigEndian.Uint64(b[1:])
		if b[0] == meansUint {
			s.Kind = Uint
		} else if b[0] != meansInteger {
			s.Kind = Float64
		}
	}
	return s
}

// MayBeText reports whether what Plain returns may be text. It is quicker than Plain.
func (r *Reader) MayBeText(v *Value) bool {
	t := r.Tree.can.texter
	return t == nil || r.Tree.can.meaner != nil || t.MayBeText(v)
}

// Counted returns what Plain does, but a text that spells a number as that number where all values are text. Own is then the
// text; of other numbers it is all their digits if Bits cannot hold them.
func (r *Reader) Counted(v *Value) Scalar {
	s := r.Plain(v)
	switch {
	case s.Kind == Float64:
		if s.Own = r.wholeDigits(v); s.Own == nil && len(r.plain) > NumberSize {
			s.Own = r.plain[NumberSize:]
		}
	case s.Kind == Text && r.Tree.can.OnlyText && 0 < s.Len() && s.Len() <= longestNumber:
		if text := s.View(r.win, 0, longestNumber); json.Valid(text) && (text[0] == '-' || text[0]-'0' < 10) {
			return spelledNumber(text)
		}
	}
	return s
}

// Number returns what Counted does, and whether the value is a float.
func (r *Reader) Number(v *Value) (s Scalar, isFloat bool) {
	can := r.Tree.can
	if can.describer != nil && can.meaner == nil && v.Layout == Leaf && v.Damage == nil {
		if s = r.scalar(v); s.Kind == Int || s.Kind == Uint && s.Bits <= math.MaxInt64 {
			return Scalar{Kind: Int, Bits: s.Bits}, can.looker != nil && r.isFloat(v)
		}
	}
	return r.Counted(v), r.isFloat(v)
}

func (r *Reader) isFloat(v *Value) bool { return r.Look(v).Number.IsFloat() && r.wholeDigits(v) == nil }

// longestNumber is the largest number of bytes of a text that is read as a number.
const longestNumber = 400

// spelledNumber returns the number that a text spells.
func spelledNumber(text []byte) Scalar {
	s := Scalar{Kind: Int, Own: bytes.Clone(text)}
	n, err := strconv.ParseInt(string(text), 10, 64)
	s.Bits = uint64(n)
	if err != nil {
		x, _ := strconv.ParseFloat(string(text), 64) // infinite if it is out of range
		s.Kind, s.Bits = Float64, math.Float64bits(x)
	}
	return s
}

// wholeDigits returns the digits of a number that is spelled as a whole one, however large it is; nil for another.
func (r *Reader) wholeDigits(v *Value) []byte {
	if s := r.scalar(v); s.Kind == Float64 && !bytes.ContainsAny(s.Own, ".eEnN") {
		return s.Own
	}
	return nil
}

// AppendForm appends how v is stored; see Meaner.
func (r *Reader) AppendForm(dst []byte, v *Value) []byte {
	if m := r.Tree.can.meaner; m != nil && v.Damage == nil {
		return m.AppendForm(dst, r.win, v)
	}
	return r.Tree.AppendType(dst, r.win, v)
}
