package text

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// A speller writes values as the engine of a dialect does.
type speller struct{ *types.Dialect }

func (s speller) isOld() bool { return s.Name == types.Text3.Name }

// last is the grammar's Last.
func (s speller) last(v *tree.Value) bool {
	return packed(v) == nil || literal.Of(s.Dialect).Trailing(types.Of(idOf(v)).Name)
}

// parse is the grammar's Parse.
func (s speller) parse(text string) (notation.Value, error) {
	if text == "" {
		return notation.Value{}, errors.New("a value is expected")
	}
	if t := lexValue([]byte(text)); t.Type == typeOf(types.Legacy) && t.Bad == "" && t.Len == len(text) {
		return notation.Value{End: len(text), Kind: notation.Call, Text: []byte(text)}, nil
	}
	l, err := literal.Parse(s.Dialect, text)
	if err != nil {
		return notation.Value{}, err
	}
	return s.valueOf(&l, text), nil
}

// valueOf returns a literal as the package textual writes it: containers by their items, others that have a
// type by the token.
func (s speller) valueOf(l *literal.Literal, text string) notation.Value {
	v := notation.Value{At: int(l.At), End: int(l.End), Kind: notation.Call}
	switch t := types.Of(l.Kind); {
	case l.Kind == types.Int || l.Kind == types.Float:
		v.Kind, v.Text = notation.Number, spelled(strings.Replace(text[l.At:l.End], "inf_neg", "-inf", 1))
	case l.Kind == types.String:
		v.Kind, v.Text = notation.Text, l.Text
	case t.Shape == types.ShapeArray || t.Shape == types.ShapeDict:
		if v.Kind = notation.List; t.Shape == types.ShapeDict {
			v.Kind = notation.Pairs
		}
		v.Name = s.typed(l)
		for i := range l.Children {
			child, is := l.Children[i], l.Elem
			if t.Shape == types.ShapeDict && i%2 == 1 {
				is = l.Value
			}
			if child.Kind == types.String && is.Name == types.Of(types.StringName).Name {
				child.Kind = types.StringName
			}
			v.Items = append(v.Items, s.valueOf(&child, text))
		}
	default:
		v.Text = s.token(l, text)
	}
	return v
}

// spelled returns a number with the digits that engines want: one before a point, and no plus sign before them.
func spelled(number string) []byte {
	number = strings.TrimPrefix(number, "+")
	sign, digits := "", number
	if rest, ok := strings.CutPrefix(number, "-"); ok {
		sign, digits = "-", rest
	}
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	return []byte(sign + digits)
}

// write returns a literal as the engine writes it.
func (s speller) write(l *literal.Literal, text string) (string, error) {
	v := s.valueOf(l, text)
	return formatOf(s.Dialect).Write(&v)
}

// typed returns the type of a typed container, as Array[int].
func (s speller) typed(l *literal.Literal) string {
	switch {
	case l.Elem.Kind|l.Value.Kind == types.KindNone:
		return ""
	case l.Kind == types.Dictionary:
		return "Dictionary[" + l.Elem.Text() + ", " + l.Value.Text() + "]"
	}
	return "Array[" + l.Elem.Text() + "]"
}

// fresh is the grammar's Fresh.
func (s speller) fresh(kind tree.Layout) textual.Layout {
	switch {
	case kind == tree.Pairs && s.isOld():
		return textual.Layout{First: "\n", Comma: ",\n", Colon: ": ", Last: "\n", Empty: "\n\n"}
	case kind == tree.Pairs:
		return textual.Layout{First: "\n", Comma: ",\n", Colon: ": ", Last: "\n"}
	case s.isOld():
		return textual.Layout{First: " ", Comma: ", ", Last: " ", Empty: "  "}
	}
	return textual.Layout{Comma: ", "}
}

var (
	bareName  = lazy.Regexp(`^[A-Za-z0-9_/.:-]+$`)
	attribute = lazy.Regexp(`^[A-Za-z_]\w*$`)
)

// encode is the grammar's Encode.
func (s speller) encode(d textual.Datum, old []byte) []byte {
	isText := d.Kind == tree.Text
	if d.Was != nil && d.Was.Inner >= implied {
		return nil
	}
	if b, isName := s.encodeName(d, old); isName {
		return b
	}
	if isText && (d.In == nil || d.In.Layout != tree.Fixed) {
		return quote(d.Data, bytes.Contains(old, []byte(`\n`)))
	}
	b := s.plain(d)
	if d.In == nil || b == nil || isPart(d.In) {
		return b
	}
	if array := arrayLike(idOf(d.In)); array != types.Nil {
		return s.inArray(b, array)
	}
	return b
}

// encodeName is encode of the name of a part of a file; isName is false for all else.
func (s speller) encodeName(d textual.Datum, old []byte) (b []byte, isName bool) {
	role := uint32(0)
	if d.In != nil {
		role = d.In.Inner
	}
	switch {
	case role == inProperties && d.Key:
		return s.name(d, old), true
	case role == inFile && isConfig(d.In):
		return s.section(d), true
	case (role == inTag || role == inFile) && d.Key:
		if d.Kind == tree.Text && attribute().Match(d.Data) {
			b = d.Data
		}
		return b, true
	}
	return nil, false
}

// arrayLike returns the packed array whose numbers are spelled like those in a value; Nil if it has none.
func arrayLike(id types.ID) types.ID {
	switch t := types.Of(id); {
	case t.Shape == types.ShapeFixed && t.Comp == types.Int32:
		return types.PoolIntArray
	case t.Shape == types.ShapeFixed:
		return types.PoolRealArray
	case t.IsPacked():
		return id
	}
	return types.Nil
}

// section returns the header of a section. All engines read over one that is empty and over blank space around a name; Godot 3
// takes each byte for a character.
func (s speller) section(d textual.Datum) []byte {
	isBlank := func(r rune) bool { return r <= ' ' }
	switch {
	case d.Kind != tree.Text, len(d.Data) == 0, len(bytes.TrimFunc(d.Data, isBlank)) < len(d.Data), bytes.ContainsAny(d.Data, "\r\n"):
		return nil
	case s.isOld() && bytes.ContainsFunc(d.Data, func(r rune) bool { return r == ']' || r >= utf8.RuneSelf }):
		return nil
	}
	return slices.Concat([]byte("["), bytes.ReplaceAll(d.Data, []byte("]"), []byte(`\]`)), []byte("]"))
}

// name returns the name of a property. All engines read one in quotes, which Godot 3 does not write itself, and take none for
// no entry.
func (s speller) name(d textual.Datum, old []byte) []byte {
	switch {
	case d.Kind != tree.Text || len(d.Data) == 0 || bytes.ContainsAny(d.Data, "\r\n"):
		return nil
	case bareName().Match(d.Data) && !bytes.HasPrefix(old, []byte{'"'}):
		return d.Data
	}
	return quote(d.Data, false)
}

// quote returns a text in quotes, in which engines escape two characters only.
func quote(text []byte, escapes bool) []byte {
	b := []byte{'"'}
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n' && escapes:
			b = append(b, '\\', 'n')
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// plain returns a number, or a token that is written already.
func (s speller) plain(d textual.Datum) []byte {
	switch d.Kind {
	case tree.Uint:
		return nil
	case tree.Float64:
		return s.float(string(d.Own), false)
	case tree.Int:
		d.Own = nil
		return d.AppendNumber(nil)
	}
	return d.Own
}

// float returns the spelling of a float; nil if the engine would not read it.
func (s speller) float(text string, inType bool) []byte {
	switch {
	case s.isOld() && inType && text == "nan":
		return nil
	case s.isOld() && (text == "-inf" || inType && text == "inf"):
		return []byte(strings.Replace(text, "inf", "1e999", 1)) // the engine has no word for this, and reads so many digits as infinity
	case text == "-inf":
		return []byte("inf_neg")
	}
	return []byte(text)
}

// inArray returns a value as an element of a packed array; nil if it cannot be one.
func (s speller) inArray(b []byte, array types.ID) []byte {
	t := types.Of(array)
	text := string(b)
	if len(t.Parts) > 0 {
		name, inside, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
		if !ok || name != t.Element() {
			return nil
		}
		text = inside
	}
	text = t.Name + "(" + text + ")"
	l, err := literal.Parse(types.TextAny, text)
	if err == nil {
		_, err = encode.Bytes(anyFormat, text, &l)
	}
	if err != nil {
		return nil
	}
	if all := s.elements(&l, text); len(all) > 0 {
		return all
	}
	return nil
}

// token returns the token of a literal that has a type, nil where it cannot be written.
func (s speller) token(l *literal.Literal, text string) []byte {
	space := ""
	if s.isOld() {
		space = " "
	}
	t, inside := types.Of(l.Kind), ""
	switch t.Shape {
	case types.ShapeNone:
		if l.Kind == types.Nil {
			return []byte("null")
		}
	case types.ShapeText:
		return append([]byte{'&'}, quote(l.Text, false)...)
	case types.ShapeBool, types.ShapeRID, types.ShapeSignal:
		return []byte(text[l.At:l.End])
	case types.ShapePath:
		inside = string(quote(l.Text, false))
	case types.ShapeReference:
		inside = string(quote(l.Text, false))
		if n, err := strconv.ParseUint(string(l.Text), 10, 64); err == nil && s.isOld() && l.Kind != types.Resource {
			inside = strconv.FormatUint(n, 10)
		}
		inside = space + inside + space
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes, types.ShapeStrings:
		elements := s.elements(l, text)
		if elements == nil {
			return nil
		}
		return slices.Concat([]byte(t.Name+"("+space), elements, []byte(space+")"))
	case types.ShapeObject:
		return s.object(l, text)
	}
	return []byte(t.Name + "(" + inside + ")")
}

// elements returns what is in the parentheses of a type, nil where that cannot be written.
func (s speller) elements(l *literal.Literal, text string) []byte {
	all := make([]byte, 0, l.End-l.At)
	next := func() {
		if len(all) > 0 {
			all = append(all, ", "...)
		}
	}
	if l.Text != nil { // a colour in hex digits
		e := encode.Encoder{Format: anyFormat, Text: text}
		for i := range e.Count(l) {
			bits, _ := e.Component(l, i, types.Float64)
			next()
			all = numeric.AppendBits(all, types.Float64, bits, numeric.StyleShort)
		}
	}
	for i := range l.Children {
		next()
		v := s.valueOf(&l.Children[i], text)
		if v.Kind != notation.Number {
			all = append(all, quote(v.Text, false)...)
			continue
		}
		if x, err := v.Scalar(); err == nil && x.Kind == tree.Int {
			all = x.AppendNumber(all)
			continue
		}
		b := s.float(string(v.Text), true)
		if b == nil {
			return nil
		}
		all = append(all, bytes.TrimSuffix(b, []byte(".0"))...)
	}
	return all
}

func (s speller) object(l *literal.Literal, text string) []byte {
	if !l.Whole {
		return []byte("null")
	}
	b := append([]byte("Object("), l.Text...)
	for i := range l.Children {
		child, err := s.write(&l.Children[i], text)
		if err != nil {
			return nil
		}
		b = append(append(b, ",:"[i%2]), child...)
	}
	return append(b, ")\n"...)
}

// tagNames are the names of new tags, by kind.
var tagNames = []string{"ext_resource", "sub_resource", "node", "connection", "editable"}

// lines returns the lines of properties or entries, each after a line end.
func (s speller) lines(what int, l *literal.Literal, text string) (all string, err error) {
	in := &tree.Value{Inner: inProperties}
	between := separatorsIn(what)(in).Layout
	for i := 0; i+1 < len(l.Children); i += 2 {
		name := s.name(textual.Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: l.Children[i].Text}, nil)
		if name == nil {
			return "", errors.New("there is no property of this name")
		}
		value, err := s.write(&l.Children[i+1], text)
		if err = cmp.Or(err, s.acceptIn(what)(nil, in, tree.Slot{}, []byte(value))); err != nil {
			return "", err
		}
		all += [2]string{between.First, between.Comma}[min(i, 1)] + string(name) + between.Colon + value
	}
	return all, nil
}

// record returns the text of a tag.
func (s speller) record(l *literal.Literal, text string, in *tree.Node) (_ string, err error) {
	if in.Rows >= kindOther {
		return "", errors.New("a tag of this kind cannot be inserted")
	}
	head, lines := tagNames[in.Rows], ""
	for i := 0; i+1 < len(l.Children); i += 2 {
		key, v := &l.Children[i], &l.Children[i+1]
		switch {
		case string(key.Text) == "properties" && v.Kind == types.Dictionary:
			if lines, err = s.lines(aFile, v, text); err != nil {
				return "", err
			}
		default:
			value, err := s.write(v, text)
			if in.Rows <= kindResources && !slices.Contains(attributes[in.Rows], string(key.Text)) {
				return "", key.Errorf(`a resource has no attribute %s; its values are in "properties": { … }`, key.Text)
			}
			if !attribute().Match(key.Text) || err != nil {
				return "", key.Errorf("there is no such attribute here")
			}
			head += " " + string(key.Text) + "=" + value
		}
	}
	for _, name := range needed[tagNames[in.Rows]].names {
		if !strings.Contains(head, " "+name+"=") {
			return "", l.Errorf(tagWithout, tagNames[in.Rows], name)
		}
	}
	return fmt.Sprintf("[%s]%s", head, lines), nil
}
