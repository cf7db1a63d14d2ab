package text

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"varview/decoder/format"
	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/json"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/textual"
	"varview/decoder/tree"
)

// scalar is the grammar's Scalar.
func scalar(b []byte, v *tree.Value) tree.Scalar {
	word := string(b)
	switch id := idOf(v); id {
	case types.Unknown:
		return tree.Scalar{}
	case types.Nil:
		return tree.Scalar{Kind: tree.Null, Own: []byte("null")}
	case types.Bool:
		return tree.Scalar{Kind: tree.Bool, Bits: uint64(len("false") - len(b))}
	case types.Int:
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			return tree.Scalar{Kind: tree.Int, Bits: uint64(n), Own: bytes.TrimPrefix(b, []byte("+"))}
		}
		return float(word, b)
	case types.Float:
		if odd := oddFloats[word]; odd != "" {
			return float(odd, nil)
		}
		return float(word, bytes.TrimPrefix(b, []byte("+")))
	case types.Property, types.Name:
		s := tree.Scalar{Kind: tree.Text, Span: span.Between(v.Head, v.Tail)}
		switch {
		case v.Inner >= implied:
			s.Own = []byte(partNames[v.Inner-implied])
		case id == types.Name && bytes.Contains(b, []byte(`\]`)):
			s.Own = bytes.ReplaceAll(b, []byte(`\]`), []byte("]"))
		}
		return s
	default:
		s := tree.Scalar{Span: span.Between(v.Head, v.Tail), Name: types.Of(id).Name}
		if text, ok := literalOf(b, v); ok {
			if _, inside, ok := strings.Cut(strings.TrimSuffix(text, ")"), "("); ok {
				s.Note = inside
			}
		}
		return s
	}
}

func float(word string, own []byte) tree.Scalar {
	x, _ := strconv.ParseFloat(word, 64) // infinite if it is out of range
	if math.IsInf(x, 0) {
		own = nil
	}
	if own != nil && !strings.ContainsAny(word, ".eE") {
		own = append(bytes.Clone(own), ".0"...)
	}
	return tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(x), Own: own}
}

// unescape is the grammar's Unescape: a letter that is not an escape stands for itself.
func unescape(dst, b []byte) ([]byte, int) { return textual.Unescape(dst, b, "btnfrU", true) }

// anyFormat is how values are stored to be written in the forms that Variants have.
var anyFormat = &variant.Format{Dialect: types.TextAny}

// parse returns the value of a token; nil if it has no type of its own.
func parse(b []byte, v *tree.Value) (l literal.Literal, text string, err error) {
	text = strings.TrimSpace(string(b))
	id := idOf(v)
	t := types.Of(id)
	name, inside, ok := strings.Cut(text, "(")
	inside = strings.TrimSuffix(strings.TrimSpace(inside), ")")
	if old := olds[strings.TrimSpace(name)]; old != "" && ok {
		text = old + "(" + inside + ")"
	}
	switch {
	case t.Shape == types.ShapeText, t.Shape == types.ShapePath, t.Shape == types.ShapeReference:
		l.Kind, l.Parts = id, &literal.Parts{}
		if inside = strings.TrimSpace(inside); len(inside) > 1 && inside[0] == '"' {
			l.Text, _ = unescape(nil, []byte(inside[1:len(inside)-1]))
		} else {
			l.Text = []byte(inside)
		}
		return l, text, nil
	case t.Shape == types.ShapeBytes && isQuoted([]byte(inside)):
		data, err := base64.StdEncoding.DecodeString(strings.Trim(inside, " \t\r\n\""))
		if err != nil {
			return l, text, errors.New("these are not base64 digits")
		}
		text = t.Name + "(" + strings.Trim(strings.ReplaceAll(fmt.Sprint(data), " ", ", "), "[]") + ")"
	case t.Shape == types.ShapeFixed && !ok && text[0] != '#': // an element of a packed array
		text = t.Name + "(" + text + ")"
	case t.Shape == types.ShapeFixed:
		text = strings.ReplaceAll(text, "-inf.0", "-inf")
	}
	if id == types.Color && text[0] == '#' && len(text) < 6 {
		text = "#" + digit.ReplaceAllString(text[1:], "$0$0")
	}
	l, err = literal.Parse(types.TextAny, text)
	return l, text, err
}

var digit = regexp.MustCompile(`.`)

// stored returns a tree with the value that a token has, and the value in it.
func stored(b []byte, v *tree.Value) (*tree.Reader, *tree.Node, error) {
	l, text, err := parse(b, v)
	if err != nil {
		return nil, nil, err
	}
	return store(&l, text)
}

func store(l *literal.Literal, text string) (*tree.Reader, *tree.Node, error) {
	data, err := encode.Bytes(anyFormat, text, l)
	if err != nil {
		return nil, nil, err
	}
	t := tree.New(source.Bytes(data), anyFormat, span.Between(0, int64(len(data))))
	r := t.NewReader()
	n, err := r.Child(t.Base, 0)
	return r, n, err
}

// literalOf returns the literal of a token as it is shown.
func literalOf(b []byte, v *tree.Value) (string, bool) {
	if t := types.Of(idOf(v)); v.Layout == tree.Fixed {
		inside := b[v.Body-v.Head:]
		if v.Body > v.Head {
			inside = inside[:len(inside)-1]
		}
		text, ok := appendNumbers([]byte(t.Name+"("), inside, t, numeric.StyleText, ", ")
		return string(append(text, ')')), ok
	}
	l, _, err := parse(b, v)
	if err != nil {
		return "", false
	}
	if s := types.Of(l.Kind).Shape; s == types.ShapeReference {
		return types.Of(l.Kind).Name + "(" + literal.Quote(l.Text) + ")", true
	}
	r, n, err := stored(b, v)
	if err != nil {
		return "", false
	}
	return string(literal.Literals{Format: anyFormat}.AppendLiteral(nil, r, &n.Value, math.MaxInt32)), true
}

// envelope is the beginning of the JSON of a file of resources.
var envelope = regexp.MustCompile(`^\s*\{[^{}]*"external":\s*\[`)

// Literal returns the literal of a value that is imported.
func (f family) Literal(ctx context.Context, text []byte, r *format.ImportRequest) ([]byte, error) {
	var b, out bytes.Buffer
	var err error
	switch {
	case f.name == "configfile":
		return nil, errors.New("a ConfigFile is not made from JSON; edit an existing one")
	case r.Form == format.Exported && envelope.Match(text):
		return nil, errors.New("a file of resources is not made from JSON; edit an existing one, or convert one from .res")
	case r.Form == format.Literals:
		return text, nil
	case r.Form == format.Plain:
		err = json.ImportPlain(ctx, anyFormat, bytes.NewReader(text), &b)
	default:
		err = json.Forms{Format: anyFormat}.Import(ctx, bytes.NewReader(text), &b)
	}
	if err != nil {
		return nil, err
	}
	t := tree.New(source.Bytes(b.Bytes()), anyFormat, span.Between(0, int64(b.Len())))
	n := t.NewReader()
	root, err := n.Child(t.Base, 0)
	if err == nil {
		err = literal.Literals{Format: anyFormat}.WriteText(ctx, &out, n, &root.Value)
	}
	return out.Bytes(), err
}
