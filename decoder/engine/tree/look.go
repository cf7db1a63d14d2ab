package tree

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/value/condition"
)

// A Looker knows more about its values than their text, so that they can be drawn: colours, rotations,
// bytes. Without it, numbers of a Describer are drawn as numbers, and nothing else is drawn.
type Looker interface {
	// Look returns how v, which is not damaged, can be drawn.
	Look(w *source.Window, v *Value) Look
}

// An Ignorer knows children that the program that reads the file ignores.
type Ignorer interface {
	// IsIgnored reports whether child i of a container is ignored.
	IsIgnored(w *source.Window, container *Value, i int64) bool
}

// IsIgnored reports whether the program that reads the file ignores a value.
func (r *Reader) IsIgnored(n *Node) bool {
	i, ok := r.Tree.Reading.(Ignorer)
	return ok && n.Depth > 1 && i.IsIgnored(r.win, &n.Parent.Value, n.Slot.Index)
}

// A Look is how a value can be drawn.
type Look struct {
	Form   Form
	Number Number    // FormNumber
	Data   span.Span // FormData: the bytes; FormHeld: those of the text
	Text   []byte    // FormHeld: what they mean, nil if that is the bytes themselves; FormColor: that of a text, as #ff8000
}

// A Form is a way in which a value can be drawn.
type Form uint8

// The forms. A value of several numbers has them as its children, in their order.
const (
	FormText       Form = iota // only its text
	FormNumber                 // one number
	FormColor                  // red, green, blue and alpha, from 0 to 1
	FormVector                 // named numbers, such as those of a vector or a matrix
	FormQuaternion             // x, y, z and w of a rotation
	FormBasis                  // the first nine numbers are rotation and scale: the columns are the axes
	FormList                   // any number of numbers, or of lists of values
	FormColors                 // any number of colours
	FormPoints                 // any number of points in the plane or in space
	FormData                   // bytes
	FormHeld                   // text that may hold values, as digits or as text
)

// A Number is a number and the bytes that hold it.
type Number struct {
	Kind ScalarKind // Bool, Int, Uint, Float32 or Float64
	Bits uint64     // bits as in a Scalar
	At   span.Span
	Big  bool // the bytes are big-endian
}

// IsFloat reports whether the number is a float.
func (n Number) IsFloat() bool { return n.Kind == Float32 || n.Kind == Float64 }

// Float returns the number, rounded where a float64 cannot hold it.
func (n Number) Float() float64 {
	switch n.Kind {
	case Int:
		return float64(int64(n.Bits))
	case Float32:
		return float64(math.Float32frombits(uint32(n.Bits)))
	case Float64:
		return math.Float64frombits(n.Bits)
	}
	return float64(n.Bits)
}

// Look returns how a value can be drawn.
func (r *Reader) Look(v *Value) Look {
	if v.Damage != nil {
		return Look{}
	}
	if l := r.Tree.can.looker; l != nil {
		return l.Look(r.win, v)
	}
	if r.Tree.can.describer == nil {
		return Look{}
	}
	if p := r.Tree.can.parter; p != nil && (v.Layout == Fixed || v.Layout == Sequence) {
		return Look{Form: p.PartForm(r.win, v)}
	}
	if v.Layout == Sequence {
		return Look{Form: FormList}
	}
	if v.Layout != Leaf {
		return Look{}
	}
	switch s := r.scalar(v); s.Kind {
	case Bool, Int, Uint, Float32, Float64:
		return Look{Form: FormNumber, Number: r.numberOf(v, &s)}
	case Bytes:
		if s.Span.Length > 0 {
			return Look{Form: FormData, Data: s.Span}
		}
	case Text:
		return r.lookAtText(&s)
	}
	return Look{}
}

func (r *Reader) lookAtText(s *Scalar) Look {
	switch {
	case s.Own == nil:
		return LookAtText(r.win, s.Span)
	case MayHold(s.Own):
		return Look{Form: FormHeld, Data: s.Span, Text: s.Own}
	}
	return Look{}
}

// MayHold reports whether the look of a value is FormHeld. It is quicker than Look.
func (r *Reader) MayHold(v *Value) bool {
	if t := r.Tree.can.texter; t != nil && v.Layout == Leaf && !t.MayBeText(v) {
		return false
	}
	if r.Tree.can.looker != nil || r.Tree.can.describer == nil || v.Layout != Leaf || v.Damage != nil {
		return r.Look(v).Form == FormHeld
	}
	s := r.scalar(v)
	return s.Kind == Text && r.lookAtText(&s).Form == FormHeld
}

// leastHolder is the number of bytes from which on a text may hold values.
const leastHolder = int64(len("[]"))

// PassHolders passes over the whole buffer, and calls each for the texts that may hold values.
func (r *Reader) PassHolders(ctx context.Context, each func(n *Node) error) (err error) {
	ended := r.Tree.Pass(ctx, leastHolder, func(s *Scanner, ev Event) bool {
		switch {
		case ev == Passed:
			err = r.EachHolder(s, each)
		case ev == Atom && !s.Slot().Key && r.MayHold(s.Value()):
			err = each(s.Current(ev))
		}
		return err == nil
	})
	return cmp.Or(err, ended, r.win.Err())
}

// EachHolder calls each for the texts of a Passed event that may hold values.
func (r *Reader) EachHolder(s *Scanner, each func(n *Node) error) error {
	for _, c := range s.Contents() {
		b := bytes.TrimPrefix(s.win.View(c.Offset, min(c.Length, 1+SignLength)), []byte(`"`))
		if len(b) == 0 || b[0] != '\\' && !MayHold(b) {
			continue
		}
		n, err := r.At(c.At)
		if err == nil && !n.Slot.Key && r.MayHold(&n.Value) {
			err = each(n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leastDigits is the number of hexadecimal digits at the start of a text that show bytes.
const leastDigits = 16

// SignLength is the number of bytes that show whether a text holds values.
const SignLength = 64

// color is a colour as web pages have it.
var color = lazy.Regexp(`^#(?:[0-9A-Fa-f]{2}){3,4}$`)

// MayHold reports whether a text, by its beginning, may hold values: lists and objects, sections, values with
// the name of a type, or digits, also those of base64 that say so or begin like JSON, packed bytes or a binary value.
func MayHold(text []byte) bool {
	if bytes.HasPrefix(text, []byte("base64:")) || holdsInBase64(text) {
		return true
	}
	if len(text) >= leastDigits && !slices.ContainsFunc(text[:leastDigits], func(c byte) bool { return !isHexDigit(c) }) {
		return true
	}
	b := text
	for len(b) > 0 && strings.IndexByte(" \t\n\f\r", b[0]) >= 0 {
		b = b[1:]
	}
	if len(b) == 0 || b[0] < 'A' || b[0] > 'Z' {
		return len(b) > 0 && (b[0] == '{' || b[0] == '[')
	}
	for len(b) > 0 && b[0] < utf8.RuneSelf && condition.IsNameByte(b[0]) {
		b = b[1:]
	}
	return len(b) > 0 && (b[0] == '(' || b[0] == '[')
}

// jsonStart matches the beginning of a list or an object.
var jsonStart = lazy.Regexp(`^[{[][\s"{}\[\]\-0-9tfn]`)

// holdsInBase64 reports whether a text begins like base64 of what holds values; a binary value begins with a small number.
func holdsInBase64(text []byte) bool {
	const least = 16
	if len(text) < least {
		return false
	}
	for _, c := range text[:least] {
		if l := c | 0x20; (l < 'a' || l > 'z') && (c < '/' || c > '9') && c != '+' {
			return false
		}
	}
	b, _ := base64.StdEncoding.AppendDecode(nil, text[:least])
	return source.PackedAs(b) != "" || bytes.HasPrefix(b, []byte("GCPF")) || jsonStart().Match(b) || b[0] > 0 && b[2] == 0 && b[3] == 0
}

func isHexDigit(c byte) bool { return c-'0' < 10 || c|0x20 >= 'a' && c|0x20 <= 'f' }

// LookAtText returns the look of a text at a span.
func LookAtText(w *source.Window, s span.Span) Look {
	switch b := w.View(s.Offset, min(s.Length, SignLength)); {
	case MayHold(b):
		return Look{Form: FormHeld, Data: s}
	case len(b) > 0 && b[0] == '#' && color().Match(b):
		return Look{Form: FormColor, Text: bytes.Clone(b)}
	}
	return Look{}
}

// numberOf returns a number with its bytes: the field that holds it, if there is one.
func (r *Reader) numberOf(v *Value, s *Scalar) Number {
	n := Number{Kind: s.Kind, Bits: s.Bits, At: span.Span{Offset: v.Head}}
	if s.Own != nil { // it is in digits, not in bytes
		return n
	}
	for _, f := range r.Tree.Reading.Fields(r.win, nil, v, nil) {
		if f.Kind == span.Value {
			n.At = f.Span
		}
	}
	b := r.win.View(n.At.Offset, n.At.Length)
	switch len(b) {
	case 2:
		n.Big = binary.LittleEndian.Uint16(b) != uint16(s.Bits)
	case 4:
		n.Big = binary.LittleEndian.Uint32(b) != uint32(s.Bits)
	case 8:
		n.Big = binary.LittleEndian.Uint64(b) != s.Bits
	}
	return n
}
