package change

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
	"varview/decoder/value/notation"
)

// A Value is a value and where it is.
type Value struct {
	read.Place
	read.Cell
}

// parse parses a literal as a value of the type of a node.
func parse(n *Value, text string) (v expr.Value, err error) {
	text = strings.TrimSpace(text)
	if e := n.Attr.Enum; e != nil {
		label := text[strings.LastIndexByte(text, ':')+1:]
		if v, ok := e.Values[label]; ok {
			return v, nil
		}
		if !notation.IsDigit((text + " ")[0]) && !strings.HasPrefix(text, "-") {
			return v, fmt.Errorf("%s has no %s; it has %s", e.Name[strings.LastIndexByte(e.Name, ':')+1:], text, strings.Join(e.Order[:min(len(e.Order), 12)], ", "))
		}
	}
	l, err := notation.Parse(text)
	if err != nil {
		return v, err
	}
	switch kind := n.Cell.Type.Kind; {
	case kind == spec.Str && l.Kind == notation.Text:
		return expr.Of(string(l.Text)), nil
	case kind == spec.Str:
		return v, l.Errorf("a text in quotes is expected here")
	case kind == spec.RawBytes:
		return bytesOf(&l)
	}
	return number(n, &l)
}

// bytesOf returns the bytes that a literal is.
func bytesOf(l *notation.Value) (v expr.Value, err error) {
	if l.Kind == notation.Text {
		return expr.Of(l.Text), nil
	}
	b, err := hex.DecodeString(strings.Join(strings.Fields(string(l.Text)), ""))
	if err != nil || l.Kind != notation.Call || l.Name != "bytes" {
		return v, l.Errorf("bytes are written as hex digits or as a text: bytes(00ff), \"SAVE\"")
	}
	return expr.Of(b), nil
}

// number returns the number or bool that a literal is.
func number(n *Value, l *notation.Value) (v expr.Value, err error) {
	if l.Kind != notation.Number && l.Kind != notation.Word {
		return v, l.Errorf("%s is expected here", typeName(n))
	}
	s, err := l.Scalar()
	if err != nil {
		return v, err
	}
	v = expr.Value{Kind: kinds[s.Kind], N: s.Bits, Wide: s.Kind == tree.Uint && s.Bits > math.MaxInt64}
	if n.Cell.Type.Kind == spec.Float && v.Kind == expr.Int {
		v = expr.Of(v.Float())
	}
	if v.Kind != n.Cell.Val.Kind || v.Kind == expr.Null {
		return v, l.Errorf("%s is expected here", typeName(n))
	}
	return read.Enumerated(v, n.Attr), nil
}

// Number returns the edit that sets a number of a type, on which nothing depends.
func Number(of *read.Struct, a *spec.Attr, t *spec.TypeRef, at span.Span, is expr.Value, text string) ([]source.Splice, error) {
	n := Value{read.Place{Of: of, Attr: a, Index: -1}, read.Cell{Type: t, Val: is, Start: at.Offset, End: at.End()}}
	v, err := parse(&n, text)
	if err != nil || isEqual(is, v) && v.Kind != expr.Float {
		return nil, err
	}
	at, b, err := encoded(n, v)
	if err != nil {
		return nil, err
	}
	return []source.Splice{source.Put(at.Offset, at.Length, b)}, nil
}

// kinds are those of values that literals spell.
var kinds = map[tree.ScalarKind]expr.Kind{tree.Bool: expr.Bool, tree.Int: expr.Int, tree.Uint: expr.Int, tree.Float64: expr.Float}

// typeName names the type of a value for people.
func typeName(n *Value) string {
	if n.Attr.Enum != nil {
		return n.Attr.Enum.Name
	}
	return n.Type.String()
}

// encode returns the bytes of an attribute with a value, and those in whose place they are.
func encode(n Value, v expr.Value) (at span.Span, b []byte, err error) {
	if at, b, err = encoded(n, v); err == nil {
		err = n.Of.Allows(n.Attr, v, max(0, n.Index))
	}
	return at, b, err
}

func encoded(n Value, v expr.Value) (at span.Span, b []byte, err error) {
	at = span.Between(n.Start, n.End)
	switch t := n.Type; t.Kind {
	case spec.Unsigned, spec.Signed, spec.Bits:
		if v.Kind == expr.Float {
			return at, nil, fmt.Errorf("%s is a whole number", t)
		}
		if err := inRange(t, v); err != nil {
			return at, nil, err
		}
		if t.Kind == spec.Bits {
			from, b := bitsAt(&n.Cell, v.N)
			return span.Span{Offset: from, Length: int64(len(b))}, b, nil
		}
		b = n.Of.PutNumber(t, v.N)
	case spec.Float:
		f := float32(v.Float())
		switch {
		case t.Size == 8:
			b = n.Of.PutNumber(t, math.Float64bits(v.Float()))
		case math.IsInf(float64(f), 0) && !math.IsInf(v.Float(), 0):
			err = errors.New("a float of 32 bits is at most 3.4028235e38")
		default:
			b = n.Of.PutNumber(t, uint64(math.Float32bits(f)))
		}
	case spec.Str:
		if b, err = charset.Encode(v.Text(), n.Attr.Encoding); err == nil {
			b, err = fill(&n, b)
		}
	case spec.RawBytes:
		if b = v.Data(); n.Attr.IsContents && !bytes.Equal(b, n.Attr.Contents) {
			err = fmt.Errorf("the description asks for bytes(%x) here", n.Attr.Contents)
		} else {
			b, err = fill(&n, bytes.Clone(b))
		}
	case spec.User:
		b, err = regroup(&n, v)
	default:
		err = errors.New("this value cannot be set")
	}
	return at, b, err
}

func inRange(t *spec.TypeRef, v expr.Value) error {
	bits := t.Bits()
	low, high := expr.Of(0), expr.Of(uint64(math.MaxUint64)>>(64-bits))
	if t.Kind == spec.Signed {
		low, high = expr.Of(int64(-1)<<(bits-1)), expr.Of(uint64(math.MaxUint64)>>(65-bits))
	}
	a, err := expr.Compare(v, low)
	b, _ := expr.Compare(v, high)
	if err == nil && (a < 0 || b > 0) { // one bit is a boolean
		return fmt.Errorf("%s is from %s to %s", t, low.Digits(), high.Digits())
	}
	return nil
}

// fill returns the bytes of an attribute that hold a text or data, with what follows these. They have the size that
// there is where something fills it up or nothing would follow another size.
func fill(n *Value, b []byte) ([]byte, error) {
	a, size := n.Attr, int(n.End-n.Start)
	if a.Process != nil {
		var err error
		if b, err = n.Pack(b, n.Buf.Append(nil, n.Body, n.Tail)); err != nil {
			return nil, err
		}
	}
	term := a.EndOf(n.Type)
	isSized := a.Size != nil || a.SizeEOS || a.IsContents
	if err := endsWhole(a, b, term, size, isSized); err != nil {
		return nil, err
	}
	if !isSized {
		return append(b, n.Buf.Append(nil, n.Tail, n.End)...), nil
	}
	exact := b
	if rest := n.End - n.Tail; !a.Include && (size == 0 || rest > 0 && rest <= int64(len(term))) {
		exact = append(bytes.Clone(b), term...)
	}
	if isExact(n, len(exact)-len(b)) || len(b) > size {
		if by, ok := roomFor(n, len(exact), term); ok {
			return append(exact, bytes.Repeat([]byte{byte(max(a.Pad, 0))}, by)...), nil
		}
	}
	return fillUp(a, b, term, size)
}

// isExact reports whether nothing but a terminator of so many bytes fills up a text or data, or what does follows its length.
func isExact(n *Value, terminator int) bool {
	return n.End == n.Start || n.End-n.Tail == int64(terminator) || saysLength(n)
}

// saysLength reports whether the number that decides the size of a text, as in "(len + 3) / 4 * 4", is the size of the text alone.
func saysLength(n *Value) bool {
	if n.Type.Kind != spec.Str || !isSaid(n.Attr.Size) || expr.NameOf(n.Attr.Size) != "" {
		return false
	}
	found, err := n.Solve(n.Attr.Size, expr.Of(n.End-n.Start), nil)
	return err == nil && len(found) == 1 && isEqual(found[0].Want, expr.Of(n.Tail-n.Body))
}

// fillUp returns bytes with what fills up the size that there is.
func fillUp(a *spec.Attr, b, term []byte, size int) ([]byte, error) {
	switch {
	case len(b) > size && isSaid(a.Size):
		return nil, fmt.Errorf("the size of %s (%v) would have to be %d: %w", a.ID, a.Place, len(b), errUnsolved)
	case len(b) > size:
		return nil, fmt.Errorf("there is room for %d bytes, and this has %d", size, len(b))
	}
	if len(b) < size && !a.Include && len(b)+len(term) <= size {
		b = append(b, term...)
	}
	if len(b) < size && a.Pad < 0 && term == nil {
		return nil, fmt.Errorf("the value has %d bytes, and this has %d: nothing fills the rest", size, len(b))
	}
	return append(b, bytes.Repeat([]byte{byte(max(a.Pad, 0))}, size-len(b))...), nil
}

// endsWhole returns an error if the bytes would not be read back as a whole, because of a terminator or the padding.
func endsWhole(a *spec.Attr, b, term []byte, size int, isSized bool) error {
	switch {
	case term != nil && !a.Include && read.IndexUnit(b, term) >= 0:
		return errors.New("the value would end at the terminator in it")
	case term != nil && a.Include && !isWhole(b, term, size, isSized):
		return errors.New("the value ends with its terminator, and contains no other one")
	case a.Pad >= 0 && len(b) > 0 && int(b[len(b)-1]) == a.Pad && (term == nil || int(term[len(term)-1]) != a.Pad):
		return errors.New("the value would lose its last byte, which is the padding's")
	}
	return nil
}

// follows reports whether something says the size of an attribute that can follow it.
func follows(n *Value, size int64) bool {
	if n.Attr.Size == nil {
		return n.Attr.SizeEOS
	}
	if size == n.End-n.Start {
		return true
	}
	_, err := n.Solve(n.Attr.Size, expr.Of(size), nil)
	return err == nil || !errors.Is(err, expr.ErrFixed)
}

// roomFor reports whether the size of an attribute can follow bytes, filled up by some more if that is the least size that can be
// said: "4 * words".
func roomFor(n *Value, size int, term []byte) (by int, ok bool) {
	if !follows(n, int64(size)) {
		return 0, false
	}
	if n.Attr.Size != nil && (n.Attr.Pad >= 0 || term != nil && !n.Attr.Include) {
		by = filler(n, size)
	}
	return by, true
}

// filler returns how many bytes more have the least size that can be said; 0 if there is none.
func filler(n *Value, size int) int {
	const most = 256
	for by := range most {
		if _, err := n.Solve(n.Attr.Size, expr.Of(size+by), nil); err == nil {
			return by
		}
	}
	return 0
}

// isWhole reports whether a value that includes its terminator is read as a whole, in so many bytes if it isSized.
func isWhole(b, term []byte, size int, isSized bool) bool {
	at := read.IndexUnit(b, term)
	return at >= 0 && at == len(b)-len(term) || at < 0 && isSized && len(b) == size
}

// bitsAt returns the bytes that a number of bits is in, with another value.
func bitsAt(c *read.Cell, value uint64) (from int64, b []byte) {
	from = c.Start
	if c.Bit > 0 {
		from--
	}
	size, first := c.Type.Size, int(c.Bit)
	b = c.Buf.Append(nil, from, from+int64(first+size+7)/8)
	for i := range size {
		at := first + i
		bit, mask := value>>(size-1-i)&1, byte(0x80)>>(at%8)
		if c.Type.Endian == spec.Little {
			bit, mask = value>>i&1, 1<<(at%8)
		}
		if b[at/8] &^= mask; bit != 0 {
			b[at/8] |= mask
		}
	}
	return from, b
}

// regroup returns the bytes of a struct in which a number is in groups of seven bits, with another number. They are
// those of several orders that the description reads as the number.
func regroup(n *Value, v expr.Value) ([]byte, error) {
	want, err := v.Int64()
	if err != nil || want < 0 {
		return nil, errors.New("no negative number fits")
	}
	s, ok := n.Val.Ref.(*read.Struct)
	var low []byte // groups, the lowest first
	for x := want; x > 0 || len(low) == 0; x >>= 7 {
		low = append(low, byte(x&0x7f))
	}
	high := bytes.Clone(low)
	slices.Reverse(high)
	for _, groups := range [][]byte{low, high} {
		for _, mark := range []int{len(groups) - 1, -1} {
			b := bytes.Clone(groups)
			for i := range b {
				if (i == len(b)-1) != (mark >= 0) {
					b[i] |= 0x80
				}
			}
			if ok && s.ReadsAs(b, want) {
				return b, nil
			}
		}
	}
	return nil, fmt.Errorf("how %s holds a number is not known", n.Type.Name)
}
