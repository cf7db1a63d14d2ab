package tree

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A Scalar is the meaning of a value without children.
type Scalar struct {
	Kind    ScalarKind
	Coded   bool // Code is set
	NoPoint bool // a whole float is a literal without a point, as where all numbers are floats

	Bits uint64    // bits of a Bool, an integer (in two's complement) or a float
	Span span.Span // span of Text and Bytes
	Name string    // Bytes: their name; "" for the name of the type
	Code int64     // Bytes: a number that identifies their content, if it has one (Coded)
	Note string    // Bytes: their meaning, if that is shorter to read; Text: its meaning if it is not UTF-8

	// Own is the content of Text whose bytes in Span spell it differently, with escapes, or the digits of a
	// number written in digits; otherwise nil.
	Own []byte

	JSON []byte // how a text that is JSON itself spells a number, if not as one; otherwise nil
}

// Len returns the length in bytes of Text.
func (s *Scalar) Len() int64 {
	if s.Own != nil {
		return int64(len(s.Own))
	}
	return s.Span.Length
}

// View returns at most n bytes of Text, from byte at on, valid until w is used again.
func (s *Scalar) View(w *source.Window, at, n int64) []byte { return view(w, s.Own, s.Span, at, n) }

func view(w *source.Window, own []byte, s span.Span, at, n int64) []byte {
	if own != nil {
		return own[at:min(int64(len(own)), at+min(n, source.MaxView))]
	}
	return w.View(s.Offset+at, min(n, s.Length-at))
}

// A ScalarKind says which fields of a Scalar count.
type ScalarKind uint8

// The kinds of scalars.
const (
	Bytes ScalarKind = iota
	Null
	Bool
	Int
	Uint
	Float32
	Float64
	Text // UTF-8, but not always valid
)

// scalar returns the meaning of a value without children: its bytes, unless the reading knows more.
func (r *Reader) scalar(v *Value) Scalar {
	if d := r.Tree.can.describer; d != nil {
		return d.Describe(r.win, v)
	}
	return Scalar{Span: span.Between(v.Head, v.Tail)}
}

// AppendNumber appends a number or bool as it is spelled, or in the shortest form that reads back as the
// same. A float has a point or an exponent, except nan, inf, -inf, and one that is NoPoint.
func (s *Scalar) AppendNumber(dst []byte) []byte {
	if s.Own != nil {
		return append(dst, s.Own...)
	}
	if s.NoPoint && s.Kind == Float64 {
		return AppendFloat(dst, math.Float64frombits(s.Bits), 64)
	}
	switch s.Kind {
	case Bool:
		return strconv.AppendBool(dst, s.Bits != 0)
	case Int:
		return strconv.AppendInt(dst, int64(s.Bits), 10)
	case Float32:
		return appendFloat(dst, float64(math.Float32frombits(uint32(s.Bits))), 32)
	case Float64:
		return appendFloat(dst, math.Float64frombits(s.Bits), 64)
	}
	return strconv.AppendUint(dst, s.Bits, 10)
}

// AppendFloat appends the shortest digits that read back as a number of 32 or 64 bits, with an exponent only
// for very small and very large ones: 2, 0.5, 1e+20, nan, inf, -inf.
func AppendFloat(dst []byte, x float64, bits int) []byte {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return append(dst, "nan"...)
	case math.IsInf(x, 1):
		return append(dst, "inf"...)
	case math.IsInf(x, -1):
		return append(dst, "-inf"...)
	case a != 0 && (a < 1e-5 || a >= 1e16):
		return strconv.AppendFloat(dst, x, 'e', -1, bits)
	}
	if n, ok := thousandths(a, bits); ok {
		return appendThousandths(dst, n, math.Signbit(x))
	}
	return strconv.AppendFloat(dst, x, 'f', -1, bits)
}

// thousandths returns n if the shortest digits of a number are those of n/1000: a fast path for most
// numbers in saves. Below its limits, numbers of that size are less than 1/1000 apart, so that no other
// thousandth reads back as the same number. Dividing rounds as reading digits does.
func thousandths(a float64, bits int) (n int64, ok bool) {
	if a >= 1<<42 || bits == 32 && a >= 1<<13 {
		return 0, false
	}
	n = int64(a*1000 + 0.5)
	near := float64(n) / 1000
	if bits == 32 {
		near = float64(float32(near))
	}
	return n, near == a
}

func appendThousandths(dst []byte, n int64, negative bool) []byte {
	if negative {
		dst = append(dst, '-')
	}
	dst = strconv.AppendInt(dst, n/1000, 10)
	n %= 1000
	if n == 0 {
		return dst
	}
	dst = append(dst, '.', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
	return bytes.TrimRight(dst, "0")
}

// appendFloat appends digits with a point or an exponent.
func appendFloat(dst []byte, x float64, bits int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return AppendFloat(dst, x, bits)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, x, 'g', -1, bits)
	if bytes.ContainsAny(dst[start:], ".e") {
		return dst
	}
	return append(dst, ".0"...)
}

// Rat returns a number exactly, with all the digits that it is spelled with; nil if it is not finite or has a very large
// exponent.
func (s *Scalar) Rat() *big.Rat {
	x := math.Float64frombits(s.Bits)
	switch {
	case s.Kind == Int:
		return new(big.Rat).SetInt64(int64(s.Bits))
	case s.Kind == Uint:
		return new(big.Rat).SetInt(new(big.Int).SetUint64(s.Bits))
	case math.IsInf(x, 0):
		return nil
	case len(s.Own) > 0 && len(s.Own) <= longestNumber && (x == 0 || math.Abs(math.Log10(math.Abs(x))) < longestNumber):
		if r, ok := new(big.Rat).SetString(string(s.Own)); ok {
			return r
		}
	}
	return new(big.Rat).SetFloat64(x) // nil for nan
}

// CompareNumbers compares two numbers without rounding. NaN comes last.
func CompareNumbers(a, b *Scalar) int {
	x, y := a.Float(), b.Float()
	switch {
	case a.Kind == Int && b.Kind == Int:
		return cmp.Compare(int64(a.Bits), int64(b.Bits))
	case math.IsNaN(x) || math.IsNaN(y):
		return -cmp.Compare(x, y) // which takes NaN for the smallest
	case x != y || math.IsInf(x, 0):
		return cmp.Compare(x, y) // rounding keeps the order
	}
	p, q := a.Rat(), b.Rat()
	if p == nil || q == nil {
		return 0
	}
	return p.Cmp(q)
}

// IsNumber reports whether a scalar is a number.
func (s *Scalar) IsNumber() bool { return s.Kind >= Int && s.Kind <= Float64 }

// Float returns a number, rounded where a float64 cannot hold it.
func (s *Scalar) Float() float64 { return Number{Kind: s.Kind, Bits: s.Bits}.Float() }

// isFinite reports whether JSON can hold the number.
func (s *Scalar) isFinite() bool {
	switch s.Kind {
	case Float32:
		return s.Bits>>23&0xff != 0xff
	case Float64:
		return s.Bits>>52&0x7ff != 0x7ff
	}
	return true
}

// literal writes a scalar of the named type as a literal.
func (t *Writer) literal(w *source.Window, typeName string, s *Scalar) {
	switch {
	case s.Kind == Null:
		t.Put("null")
	case s.Kind == Text && s.Note != "":
		t.Dst = AppendQuoted(t.Dst, []byte(s.Note))
	case s.Kind == Text:
		t.text(w, s)
	case s.Kind != Bytes:
		t.Dst = s.AppendNumber(t.Dst)
	case s.Note != "":
		t.Put(typeName + "(" + s.Note + ")")
	default:
		t.Put(s.named(typeName) + "(")
		if s.Coded {
			t.Dst = strconv.AppendInt(t.Dst, s.Code, 10)
			t.Put(", ")
		}
		t.Hex(w, s.Span)
		t.Put(")")
	}
}

// json writes a scalar of the named type as JSON. Nothing is lost: text that JSON
// cannot hold, and bytes, become objects with hex digits.
func (t *Writer) json(w *source.Window, typeName string, s *Scalar) {
	s.NoPoint = false
	switch {
	case s.Kind == Null:
		t.Put("null")
		return
	case s.Kind == Text && IsUTF8(w, s.Span) && !isFloatName(w, s.Span):
		t.text(w, s)
		return
	case s.Kind == Text, s.Kind == Bytes:
		t.PutQuoted(`{"type":`, []byte(s.named(typeName)))
	case s.isFinite():
		t.Dst = s.AppendNumber(t.Dst)
		return
	default:
		t.Put(`"`)
		t.Dst = s.AppendNumber(t.Dst)
		t.Put(`"`)
		return
	}
	if s.Coded {
		t.PutInt(`,"code":`, s.Code)
	}
	t.Put(`,"hex":"`)
	t.Hex(w, s.Span)
	t.Put(`"`)
	if s.Note != "" {
		t.PutQuoted(`,"text":`, []byte(s.Note))
	}
	t.Put("}")
}

// ownJSON writes a scalar of a text that is JSON itself: numbers keep their spelling, if JSON allows it.
func (t *Writer) ownJSON(w *source.Window, s *Scalar) {
	switch {
	case s.Kind == Text:
		t.text(w, s)
	case s.JSON != nil:
		t.Dst = append(t.Dst, s.JSON...)
	case json.Valid(s.Own):
		t.Dst = append(t.Dst, s.Own...)
	case s.Own != nil:
		own := *s
		own.Own = nil
		t.json(w, "", &own)
	case s.Kind == Bytes:
		t.Put("null")
	default:
		t.json(w, "", s)
	}
}

// text writes a text in quotes.
func (t *Writer) text(w *source.Window, s *Scalar) {
	if s.Own != nil {
		t.Dst = AppendQuoted(t.Dst, s.Own)
		return
	}
	t.Quoted(w, s.Span.Offset, s.Span.Length)
}

func (s *Scalar) named(typeName string) string {
	if s.Name != "" {
		return s.Name
	}
	return typeName
}

// IsUTF8 reports whether a span holds valid UTF-8.
func IsUTF8(w *source.Window, s span.Span) bool {
	if s.Length <= source.MaxView {
		return utf8.Valid(w.View(s.Offset, s.Length))
	}
	bad, _ := ScanText(w, s.Offset, s.Length, RuneSize)
	return bad == Unknown
}

// isFloatName reports whether a span holds a text that represents a float in JSON.
func isFloatName(w *source.Window, s span.Span) bool {
	switch string(w.View(s.Offset, min(s.Length, 5))) {
	case "nan", "inf", "-inf":
		return true
	}
	return false
}

// Hex writes all bytes of a span as hex digits.
func (t *Writer) Hex(w *source.Window, s span.Span) {
	const step = 4096 // bytes before the writer is asked whether it is full
	for at := s.Offset; at < s.End() && !t.Full(); {
		b := w.View(at, min(step, s.End()-at))
		if len(b) == 0 {
			return
		}
		t.Dst = hex.AppendEncode(t.Dst, b)
		at += int64(len(b))
	}
}
