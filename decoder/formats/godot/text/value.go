package text

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/json"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/formats/godot/internal/write"
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
			if n == 0 { // -0 too
				return tree.Scalar{Kind: tree.Int}
			}
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
		case id == types.Name:
			s.Own = bytes.ReplaceAll(b[1:len(b)-1], []byte(`\]`), []byte("]"))
		}
		return s
	default:
		s := tree.Scalar{Span: span.Between(v.Head, v.Tail), Name: types.Of(id).Name}
		if text, ok := appendValue(nil, b, v, false); ok {
			if name, inside, ok := strings.Cut(strings.TrimSuffix(string(text), ")"), "("); ok {
				s.Name, s.Note = name, inside
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

// unescape3 is unescape in Godot 3.
func unescape3(dst, b []byte) ([]byte, int) { return textual.Unescape(dst, b, "btnfr", true) }

// unescape is the grammar's Unescape: a letter that is not an escape stands for itself.
func unescape(dst, b []byte) ([]byte, int) { return textual.Unescape(dst, b, "btnfrU", true) }

// anyFormat is how values are stored to be written in the forms that Variants have.
var anyFormat = &variant.Format{Dialect: types.TextAny}

// parse returns the value of a token.
func parse(b []byte, v *tree.Value) (l literal.Literal, text string, err error) {
	text = strings.TrimSpace(string(b))
	if alpha := len(text) / 4; v.Rows == alphaFirst && (len(text) == 5 || len(text) == 9) {
		text = "#" + text[1+alpha:] + text[1:1+alpha]
	}
	id := idOf(v)
	t := types.Of(id)
	_, inside, ok := strings.Cut(text, "(")
	switch {
	case id == types.Legacy:
		l.Kind, l.Parts = id, &literal.Parts{Text: []byte(text)}
		return l, text, nil
	case t.Shape == types.ShapeText, t.Shape == types.ShapePath, t.Shape == types.ShapeReference:
		if inside = strings.TrimSpace(strings.TrimSuffix(inside, ")")); !ok {
			inside = text[1:] // ^"path"
		}
		l.Kind, l.Parts = id, &literal.Parts{Text: []byte(inside)}
		if isQuoted(l.Text) {
			l.Text, _ = unescape(nil, bytes.TrimSuffix(l.Text[1:], []byte(`"`)))
		}
		return l, text, nil
	case t.Shape == types.ShapeBytes:
		l.Kind, l.Parts = id, &literal.Parts{}
		l.Text, err = base64.StdEncoding.DecodeString(strings.Trim(strings.TrimSuffix(inside, ")"), " \t\r\n\""))
		if err != nil {
			err = errors.New("these are not base64 digits")
		}
		return l, text, err
	case t.Shape == types.ShapeFixed && !ok && text[0] != '#': // an element of a packed array
		text = t.Name + "(" + text + ")"
	case t.Shape == types.ShapeFixed:
		text = strings.ReplaceAll(text, "-inf.0", "-inf")
	}
	l, err = literal.Parse(types.TextAny, text)
	return l, text, err
}

// store returns a tree with a value, and the value in it.
func store(l *literal.Literal, text string) (*tree.Reader, *tree.Node, error) {
	data, err := encode.Bytes(anyFormat, text, l)
	if err != nil {
		return nil, nil, err
	}
	return treeOf(data)
}

func treeOf(data []byte) (*tree.Reader, *tree.Node, error) {
	t := tree.New(source.Bytes(data), anyFormat, span.Between(0, int64(len(data))))
	r := t.NewReader()
	n, err := r.Child(t.Base, 0)
	return r, n, err
}

// appendValue appends the literal of the value of a token, or its JSON. ok is false if it has no value.
func appendValue(dst, token []byte, v *tree.Value, asJSON bool) (_ []byte, ok bool) {
	t, visitor, style := types.Of(idOf(v)), write.Literal, numeric.StyleText
	start, between, end := t.Name+"(", ", ", ")"
	if asJSON {
		visitor, style, start, between, end = write.JSON, numeric.StyleJSON, `{"type":"`+t.Name+`","args":[`, ",", "]}"
	}
	if v.Layout == tree.Fixed && !(asJSON && form(nil, v) == tree.FormBasis) { // its JSON has another order
		inside := token[v.Body-v.Head:]
		if v.Body > v.Head {
			inside = inside[:len(inside)-1]
		}
		dst, ok = appendNumbers(append(dst, start...), inside, t, style, between)
		return append(dst, end...), ok
	}
	l, text, err := parse(token, v)
	if err != nil {
		return dst, false
	}
	switch name, inside, _ := strings.Cut(strings.TrimSuffix(text, ")"), "("); {
	case t.Shape == types.ShapeBytes:
		return append(appendBytes(append(dst, start...), l.Text, between), end...), true
	case l.Kind == types.Legacy && asJSON:
		dst = append(dst, `{"type":"`+strings.TrimSpace(name)+`","text":`...)
		return append(tree.AppendQuoted(dst, []byte(strings.TrimSpace(inside))), '}'), true
	case l.Kind == types.Legacy:
		return append(dst, text...), true
	case t.Shape == types.ShapeReference:
		member := "id"
		if l.Kind == types.Resource {
			member = "path"
		}
		if asJSON {
			start, end = `{"type":"`+t.Name+`","`+member+`":`, "}"
		}
		return append(append(append(dst, start...), literal.Quote(l.Text)...), end...), true
	}
	r, n, err := store(&l, text)
	if err != nil {
		return dst, false
	}
	x := visitor(anyFormat, tree.NewLiteral(dst, math.MaxInt32), r)
	tree.Visit(r, &n.Value, x)
	return x.Text().Literal(), true
}

// appendBytes appends the numbers of bytes.
func appendBytes(dst, data []byte, between string) []byte {
	for i, c := range data {
		if i > 0 {
			dst = append(dst, between...)
		}
		dst = strconv.AppendUint(dst, uint64(c), 10)
	}
	return dst
}

// appendNumbers appends the numbers of a value of a type, or of an element of a packed array. ok is false
// if one of them is not a number.
func appendNumbers(dst, text []byte, t *types.Type, style numeric.Style, between string) (_ []byte, ok bool) {
	isFloat, size := t.Comp == types.Float32 || t.Comp == types.Float64, 8*int(types.Width(t.Comp))
	for i := 0; len(text) > 0 || i == 0; i++ {
		if i > 0 {
			dst = append(dst, between...)
		}
		word, rest, _ := bytes.Cut(text, []byte(","))
		text = rest
		word = bytes.TrimPrefix(bytes.TrimSpace(word), []byte("+"))
		if len(word) > 1 && (word[0] > '9' || word[1] > '9') {
			word = []byte(cmp.Or(oddFloats[string(word)], string(word)))
		}
		if n, err := strconv.ParseInt(string(word), 10, size); err == nil && !isFloat {
			dst = strconv.AppendInt(dst, n, 10)
			continue
		}
		x, err := strconv.ParseFloat(string(word), size|32)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange), !isFloat && t.Shape == types.ShapeFixed:
			return dst, false
		case isFloat:
			dst = numeric.AppendFloat(dst, x, size, style)
		default:
			dst = strconv.AppendInt(dst, int64(x), 10)
		}
	}
	return dst, true
}

// envelope is the beginning of the JSON of a file of resources.
var envelope = lazy.Regexp(`^\s*\{[^{}]*"external":\s*\[`)

// Literal returns the literal of a value that is imported.
func (f family) Literal(ctx context.Context, text []byte, r *format.ImportRequest) ([]byte, error) {
	var b, out bytes.Buffer
	var err error
	switch {
	case f.name == "configfile":
		return nil, errors.New("a ConfigFile is not made from JSON; edit an existing one")
	case r.Form == format.Exported && envelope().Match(text):
		return nil, errors.New("a file of resources is not made from JSON; edit an existing one, or convert one from .res")
	case r.Form == format.Literals:
		return text, nil
	case r.Form == format.Plain:
		err = json.ImportPlain(ctx, anyFormat, bytes.NewReader(text), &b)
	default:
		err = json.Importer{Format: anyFormat}.Import(ctx, bytes.NewReader(text), &b)
	}
	if err != nil {
		return nil, err
	}
	n, root, err := treeOf(b.Bytes())
	if err == nil {
		err = write.Forms{Format: anyFormat}.WriteText(ctx, &out, n, &root.Value)
	}
	return out.Bytes(), err
}
