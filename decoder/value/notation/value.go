package notation

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/value/spelling"
)

// A Value is a parsed literal.
type Value struct {
	Kind    Kind
	At, End int     // its bytes in the text
	Text    []byte  // meaning of a Text, spelling of a Number, content of the parentheses of a Call
	Name    string  // name of a Call or Word
	Items   []Value // items of a List; keys and values of Pairs alternately
}

// A Kind is the kind of a literal.
type Kind uint8

// The kinds.
const (
	Word   Kind = iota // null, true, false
	Number             // 42, -1.5e3, 0x1f, inf, nan
	Text               // "text"
	List               // [1, 2]
	Pairs              // { "key": 1 }
	Call               // bin(00ff)
)

// Parse parses text that holds one value and nothing else. Errors are of type *edit.SyntaxError. JSON is a
// subset of the notation.
func Parse(text string) (Value, error) {
	if len(text) > MaxText {
		return Value{}, Errorf(0, "a literal may have at most 1 GiB")
	}
	x := parser{Lexer: Lexer{Text: text}}
	v := x.value()
	x.End(EndsBefore)
	return v, x.Err
}

// A parser parses values.
type parser struct {
	Lexer
	open []Value // items of the lists and pairs that are being parsed
}

// value parses the next value.
func (x *parser) value() (v Value) {
	c := x.Peek()
	v.At = x.At
	switch {
	case c == '"':
		v.Kind, v.Text = Text, x.Quoted()
	case c == '[':
		v.Kind, v.Items = List, x.items(']', x.item)
	case c == '{':
		v.Kind, v.Items = Pairs, x.items('}', func() {
			x.item()
			x.Expect(':')
			x.item()
		})
	case x.BeginsNumber():
		x.Number()
		v.Kind, v.Text = Number, []byte(x.Text[v.At:x.At])
	case IsWord(c) || c == '-':
		x.named(&v)
	case x.At == len(x.Text):
		x.Fail(x.At, "a value is expected here")
	default:
		x.Fail(x.At, "this does not begin a value")
	}
	v.End = x.At
	return v
}

// items parses what follows a bracket, up to the one that closes it. The result has no room to spare.
func (x *parser) items(closing byte, item func()) []Value {
	x.At++
	from := len(x.open)
	x.List(closing, item)
	items := append([]Value(nil), x.open[from:]...)
	x.open = x.open[:from]
	return items
}

func (x *parser) item() {
	v := x.value()
	x.open = append(x.open, v)
}

// named parses a value that begins with a word. Parentheses hold anything except a closing one.
func (x *Lexer) named(v *Value) {
	x.Skip("-")
	x.Word()
	v.Name = x.Text[v.At:x.At]
	switch v.Name {
	case "null", "true", "false":
		return
	case "inf", "-inf", "nan":
		v.Kind, v.Text = Number, []byte(v.Name)
		return
	}
	if v.Name[0] == '-' || !x.Accept('(') {
		meant := ""
		if is := spelling.Constant(v.Name); is != "" {
			meant = is + " is, and "
		}
		x.Fail(v.At, "%s is not a value; %sa text is written in quotes", tree.Prose([]byte(v.Name[:min(len(v.Name), 80)])), meant)
		return
	}
	v.Kind = Call
	start := x.At
	for x.At < len(x.Text) && x.Text[x.At] != ')' {
		x.At++
	}
	v.Text = []byte(x.Text[start:x.At])
	x.Expect(')')
}

// Scalar returns the meaning of a Word or a Number: Null, Bool, Int, Uint for an integer that needs all 64
// bits, or Float64.
func (v *Value) Scalar() (tree.Scalar, error) {
	text := string(v.Text)
	switch {
	case v.Kind == Word && v.Name == "null":
		return tree.Scalar{Kind: tree.Null}, nil
	case v.Kind == Word:
		s := tree.Scalar{Kind: tree.Bool}
		if v.Name == "true" {
			s.Bits = 1
		}
		return s, nil
	case isInteger(text):
		if n, err := ParseInt(text); err == nil {
			return tree.Scalar{Kind: tree.Int, Bits: uint64(n)}, nil
		}
		n, err := parseUint(text)
		if err != nil {
			return tree.Scalar{}, v.Errorf("an integer is from -9223372036854775808 to 18446744073709551615")
		}
		return tree.Scalar{Kind: tree.Uint, Bits: n}, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return tree.Scalar{}, v.Errorf("a float is at most 1.7976931348623157e308")
	}
	return tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(x)}, nil
}

// Samples are literals of values as they are at first, one of each type.
var Samples = []string{"null", "false", "0", "0.0", `""`, "[]", "{}"}

// maxRetyped is the length of the longest literal that is converted to another type.
const maxRetyped = 1 << 20

// Retype returns the literal that a value gets with another type: the same number as text, or the reverse, or
// without its fraction; or else a sample. isOf reports whether a literal is of the type. ok is false if none is.
func Retype(ctx context.Context, r *tree.Reader, v *tree.Value, samples []string, isOf func(literal string) bool) (literal string, ok bool, err error) {
	is, err := edit.LiteralOf(ctx, r, v, maxRetyped)
	if err != nil && !errors.Is(err, edit.ErrTooLong) {
		return "", false, err
	}
	candidates := []string{is, is + ".0", string(tree.AppendQuoted(nil, []byte(is)))}
	if v, err := Parse(is); err == nil && v.Kind == Text {
		candidates = append(candidates, string(v.Text), string(v.Text)+".0")
	} else if whole, _, ok := strings.Cut(is, "."); ok {
		candidates = append(candidates, whole)
	}
	candidates = append(candidates, samples...)
	if i := slices.IndexFunc(candidates, isOf); i >= 0 {
		return candidates[i], true, nil
	}
	return "", false, nil
}

// Errorf returns an error at the value.
func (v *Value) Errorf(format string, args ...any) error { return Errorf(v.At, format, args...) }

// NotIn is the error of a value, or a key, that a format cannot hold.
func (v *Value) NotIn(format string, key bool) error {
	if key {
		return v.Errorf("%s has no key like this", format)
	}
	return v.Errorf("%s has no value for this", format)
}

// isInteger reports whether a number has neither a point nor an exponent.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return isPrefixed(digits) || IsDigit(digits[0]) && !strings.ContainsAny(digits, ".eE")
}

// isPrefixed reports whether digits are hexadecimal or binary.
func isPrefixed(digits string) bool {
	return len(digits) > 1 && !IsDigit(digits[1]) && (digits[1]|0x20 == 'x' || digits[1]|0x20 == 'b')
}

// ParseInt parses an integer in the notation of literals.
func ParseInt(text string) (int64, error) {
	if isPrefixed(strings.TrimPrefix(text, "-")) {
		return strconv.ParseInt(text, 0, 64)
	}
	return strconv.ParseInt(text, 10, 64)
}

func parseUint(text string) (uint64, error) {
	if isPrefixed(text) {
		return strconv.ParseUint(text, 0, 64)
	}
	return strconv.ParseUint(text, 10, 64)
}
