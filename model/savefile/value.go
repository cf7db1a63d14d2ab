package savefile

import (
	"bytes"
	"errors"
	"iter"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// A Value is a value as it was in a File when it was returned: it does not follow later edits. It must
// not be used after the file is closed. The zero Value is no value: it has no path, no type and nothing
// inside, and Decode returns ErrNotFound.
type Value struct {
	r *tree.Reader
	n *tree.Node
}

// Path returns the path of the value, such as $[0].player.hp.
func (v Value) Path() string {
	if v.n == nil {
		return ""
	}
	return v.r.Path(v.n)
}

// Type returns the name of the type in the format, such as "PackedByteArray".
func (v Value) Type() string {
	if v.n == nil {
		return ""
	}
	return v.r.Tree.Reading.TypeName(&v.n.Value)
}

// Offset returns the offset of the value's first byte, including the length of a frame before it.
func (v Value) Offset() int64 {
	if v.n == nil {
		return 0
	}
	return v.n.Start
}

// String returns the same as Literal, so that a value can be printed.
func (v Value) String() string { return v.Literal() }

// Literal returns the value in the notation of the format, such as Vector2(1, 2), cut at 64 KiB.
func (v Value) Literal() string {
	if v.n == nil {
		return ""
	}
	return string(v.r.AppendLiteral(nil, &v.n.Value, maxLiteral))
}

const maxLiteral = 64 << 10

// Len returns the number of values directly inside, without keys.
func (v Value) Len() int64 {
	if v.n == nil {
		return 0
	}
	return v.r.Count(v.n)
}

// Children returns the values directly inside, without keys. It ends with the first error.
func (v Value) Children() iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		if v.n == nil {
			return
		}
		c, err := v.r.Child(v.n, 0)
		for ; err == nil; c, err = v.r.Next(c) {
			if !yield(Value{v.r, c}, nil) {
				return
			}
		}
		if !errors.Is(err, tree.ErrNoChild) {
			yield(Value{}, err)
		}
	}
}

// Step returns the last step of the path: .hp, [3] or ["any text"].
func (v Value) Step() string {
	if v.n == nil {
		return ""
	}
	return v.r.Step(v.n)
}

// Name returns the key, member or component name of the value in the one around it, such as "hp" or "x";
// "" if it has an index, or a key that is not text.
func (v Value) Name() string {
	if v.n == nil {
		return ""
	}
	name, _ := v.named()
	return name
}

func (v Value) named() (name string, ok bool) {
	if key := v.r.Key(v.n); key != nil {
		return Value{v.r, key}.text()
	}
	step := v.Step()
	if name, ok := strings.CutPrefix(step, "."); ok && tree.IsIdentifier([]byte(name)) {
		return name, true
	}
	if !strings.HasPrefix(step, `["`) {
		return "", false
	}
	x := notation.Lexer{Text: step[1:]}
	return string(x.Quoted()), x.Err == nil
}

// A shape is what a value with children becomes in Go.
type shape uint8

const (
	list   shape = iota
	names        // members or components, each with a name
	keyed        // entries with keys
	opaque       // it has nothing but its notation
)

func (v Value) shape() shape {
	literal := v.r.AppendLiteral(nil, &v.n.Value, 8)
	switch first, err := v.r.Child(v.n, 0); {
	case v.n.Layout == tree.Pairs, err != nil && bytes.HasPrefix(literal, []byte("{")):
		return keyed
	case err != nil && bytes.HasPrefix(literal, []byte("[")):
		return list
	case v.n.Layout == tree.Leaf:
		return opaque
	case err != nil:
		return list
	default:
		c := Value{v.r, first}
		if _, ok := c.named(); ok {
			return names
		}
		if strings.HasPrefix(c.Step(), "[") {
			return list
		}
		return opaque
	}
}

// text returns the content of a value that is one text.
func (v Value) text() (string, bool) {
	s := v.r.Plain(&v.n.Value)
	switch {
	case s.Kind != tree.Text:
		return "", false
	case s.Own != nil:
		return string(s.Own), true
	}
	b, err := v.bytes(s.Span)
	return string(b), err == nil
}

// bytes reads bytes of the buffer.
func (v Value) bytes(at span.Span) ([]byte, error) {
	b := make([]byte, at.Length)
	if n, err := v.r.Tree.Source.ReadAt(b, at.Offset); n < len(b) {
		return nil, err
	}
	return b, nil
}
