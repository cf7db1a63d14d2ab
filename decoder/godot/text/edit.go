package text

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/types"
	"varview/decoder/notation"
	"varview/decoder/source"
	"varview/decoder/textual"
	"varview/decoder/tree"
)

// A speller writes values as the engine of a dialect does.
type speller struct{ *types.Dialect }

func (s speller) isOld() bool { return s.Name == types.Text3.Name }

// parse is the grammar's Parse.
func (s speller) parse(text string) (notation.Value, error) {
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
	case l.Kind == types.Nil:
		v.Kind, v.Name = notation.Word, "null"
	case l.Kind == types.Bool:
		v.Kind, v.Name = notation.Word, text[l.At:l.End]
	case l.Kind == types.Int || l.Kind == types.Float:
		v.Kind, v.Text = notation.Number, []byte(strings.Replace(text[l.At:l.End], "inf_neg", "-inf", 1))
	case l.Kind == types.String:
		v.Kind, v.Text = notation.Text, l.Text
	case t.Shape == types.ShapeArray || t.Shape == types.ShapeDict:
		if v.Kind = notation.List; t.Shape == types.ShapeDict {
			v.Kind = notation.Pairs
		}
		v.Name = s.typed(l)
		for i := range l.Children {
			v.Items = append(v.Items, s.valueOf(&l.Children[i], text))
		}
	default:
		v.Text = s.token(l, text)
	}
	return v
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

// layout is the grammar's Layout for a kind of text.
func layout(what int) func(in *tree.Value) textual.Layout {
	colon, first := " = ", "\n"
	if what == inConfig {
		colon, first = "=", "\n\n"
	}
	return func(in *tree.Value) textual.Layout {
		switch in.Inner {
		case inProperties:
			return textual.Layout{First: first, Comma: "\n", Colon: colon, Lines: true}
		case inFile, inTag:
			return textual.Layout{First: " ", Comma: " ", Colon: "="}
		case inList:
			if in.Rows == kindExternal || in.Rows == kindConnections || in.Rows == kindEditable {
				return textual.Layout{Comma: "\n"}
			}
			return textual.Layout{Comma: "\n\n"}
		case inSections:
			return textual.Layout{Comma: "\n\n"}
		}
		return textual.Layout{}
	}
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
	bareName  = regexp.MustCompile(`^[A-Za-z0-9_/.:-]+$`)
	attribute = regexp.MustCompile(`^[A-Za-z_]\w*$`)
)

// encode is the grammar's Encode.
func (s speller) encode(d textual.Datum, old []byte) []byte {
	role := uint32(0)
	if d.In != nil {
		role = d.In.Inner
	}
	isText := d.Kind == tree.Text
	switch {
	case d.Was != nil && d.Was.Inner >= implied:
		return nil
	case role == inProperties && d.Key:
		return s.name(d, old)
	case (role == inTag || role == inFile) && d.Key:
		if isText && attribute.Match(d.Data) {
			return d.Data
		}
		return nil
	case role == inSection:
		if isText && !bytes.ContainsAny(d.Data, "\r\n") && (!s.isOld() || !bytes.ContainsAny(d.Data, "]")) {
			return bytes.ReplaceAll(d.Data, []byte("]"), []byte(`\]`))
		}
		return nil
	case d.In != nil && d.In.Layout == tree.Fixed:
		return s.component(d, s.plain(d))
	case isText:
		return quote(d.Data, bytes.Contains(old, []byte(`\n`)))
	}
	b := s.plain(d)
	if d.In == nil || b == nil || d.In.Layout != tree.Sequence || isPart(d.In) || types.Of(idOf(d.In)).Shape == types.ShapeArray {
		return b
	}
	return inArray(b, idOf(d.In))
}

// name returns the name of a property.
func (s speller) name(d textual.Datum, old []byte) []byte {
	isQuoted := bytes.HasPrefix(old, []byte{'"'})
	switch {
	case d.Kind != tree.Text || bytes.ContainsAny(d.Data, "\r\n"):
		return nil
	case bareName.Match(d.Data) && !isQuoted:
		return d.Data
	case !s.isOld() || isQuoted:
		return quote(d.Data, false)
	case len(d.Data) == 0 || bytes.ContainsAny(d.Data, "=;[] \t\""):
		return nil // Godot 3 does not read it again
	}
	return d.Data
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

// plain returns a number, a word or a value with a type.
func (s speller) plain(d textual.Datum) []byte {
	switch d.Kind {
	case tree.Null:
		return []byte("null")
	case tree.Bytes:
		return d.Own
	case tree.Uint:
		return nil
	case tree.Float64:
		if d.Own == nil {
			d.Own = d.AppendNumber(nil)
		}
		return s.float(string(d.Own), false)
	case tree.Int:
		d.Own = nil
	}
	return d.AppendNumber(nil)
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

// component returns a number as a part of a value; nil if it cannot be one.
func (s speller) component(d textual.Datum, b []byte) []byte {
	_, err := strconv.ParseInt(string(b), 10, 32)
	switch isInt := types.Of(idOf(d.In)).Comp == types.Int32; {
	case d.Kind != tree.Int && d.Kind != tree.Float64 || isInt && (d.Kind != tree.Int || err != nil):
		return nil
	case d.Kind == tree.Float64:
		return bytes.TrimSuffix(s.float(string(d.AppendNumber(nil)), true), []byte(".0"))
	}
	return b
}

// inArray returns a value as an element of a packed array; nil if it cannot be one.
func inArray(b []byte, array types.ID) []byte {
	t := types.Of(array)
	text := string(b)
	if len(t.Parts) > 0 {
		name, inside, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
		if !ok || name != t.Element() {
			return nil
		}
		text = strings.TrimSpace(inside)
	}
	l, err := literal.Parse(types.TextAny, t.Name+"("+text+")")
	if err == nil {
		_, err = encode.Bytes(anyFormat, t.Name+"("+text+")", &l)
	}
	if err != nil {
		return nil
	}
	return []byte(text)
}

// token returns the token of a literal that has a type, nil where it cannot be written.
func (s speller) token(l *literal.Literal, text string) []byte {
	space := ""
	if s.isOld() {
		space = " "
	}
	t, inside := types.Of(l.Kind), ""
	switch t.Shape {
	case types.ShapeText:
		return append([]byte{'&'}, quote(l.Text, false)...)
	case types.ShapeRID, types.ShapeSignal:
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
		inside = space + strings.Join(elements, ", ") + space
	case types.ShapeObject:
		return s.object(l, text)
	}
	return []byte(t.Name + "(" + inside + ")")
}

// elements returns what is in the parentheses of a type, nil where that cannot be written.
func (s speller) elements(l *literal.Literal, text string) []string {
	all := []string{}
	if l.Text != nil { // a colour in hex digits
		e := encode.Encoder{Format: anyFormat, Text: text}
		for i := range e.Count(l) {
			bits, _ := e.Component(l, i, types.Float64)
			x := tree.Scalar{Kind: tree.Float64, Bits: bits}
			all = append(all, strings.TrimSuffix(string(x.AppendNumber(nil)), ".0"))
		}
	}
	for i := range l.Children {
		v := s.valueOf(&l.Children[i], text)
		b := quote(v.Text, false)
		if v.Kind == notation.Number {
			if x, err := v.Scalar(); err == nil && x.Kind == tree.Int {
				b = x.AppendNumber(nil)
			} else if b = s.float(string(v.Text), true); b == nil {
				return nil
			}
			b = bytes.TrimSuffix(b, []byte(".0"))
		}
		all = append(all, string(b))
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

// Set implements edit.Editor.
func (r *reading) Set(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if isWhole(at) || r.isFile() && at.Depth <= 1 {
		return nil, errNoPart
	}
	return r.Editor.Set(ctx, n, at, c, o)
}

// isWhole reports whether a value is a part of a file that has children, or the name of one.
func isWhole(n *tree.Node) bool {
	return n.Parent != nil && n.Inner != 0 && n.Inner != inVectors
}

// Insert implements edit.Editor.
func (r *reading) Insert(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	switch in.Inner {
	case inList, inSections:
		return r.insertRecord(ctx, n, in, index, c, o)
	case inFile, inTag:
		for index > 0 {
			before, err := n.Child(in, index-1)
			if err != nil || before.Inner == 0 {
				break
			}
			index--
		}
	case inConfig, inSection, inBare:
		return nil, errors.New("nothing can be inserted here; insert into $.sections, or into properties")
	}
	return r.Editor.Insert(ctx, n, in, index, c, o)
}

// Delete implements edit.Editor.
func (r *reading) Delete(ctx context.Context, n *tree.Reader, at *tree.Node, o edit.Options) ([]source.Splice, error) {
	entry := at
	if at.Slot.Key {
		var err error
		if entry, err = n.Child(at.Parent, at.Slot.Index); err != nil {
			return nil, err
		}
	}
	if in := entry.Parent; in != nil && (in.Inner == inSection || in.Inner == inBare || in.Inner == inConfig || entry.Inner == inList || entry.Inner == inProperties) {
		return nil, errNoPart
	}
	var more []source.Splice
	if entry.Inner == inTag {
		if entry.Rows == kindResources {
			if tagAt(n.Window(), &entry.Value)["id"] == "" {
				return nil, errors.New("the main resource cannot be deleted")
			}
		}
		var err error
		if more, err = r.orphans(ctx, n, entry, o); err != nil {
			return nil, err
		}
		more = append(more, r.countSteps(n, entry.Rows, -1)...)
	}
	s, err := r.Editor.Delete(ctx, n, at, o)
	s = append(s, more...)
	source.Sort(s)
	return s, err
}

// Move implements edit.Editor.
func (r *reading) Move(ctx context.Context, n *tree.Reader, at *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	switch in := at.Parent; {
	case in == nil:
	case in.Inner == inSection || in.Inner == inBare || in.Inner == inConfig || in.Inner == inFile || in.Inner == inTag:
		return nil, errors.New("the parts of a file cannot be moved")
	case in.Inner == inList && in.Rows == kindResources:
		if tagAt(n.Window(), &at.Value)["id"] == "" || to == n.Count(in)-1 {
			return nil, errors.New("the main resource is the last one")
		}
	}
	return r.Editor.Move(ctx, n, at, to, o)
}

// orphans makes references to a tag that is deleted null, or refuses to.
func (r *reading) orphans(ctx context.Context, n *tree.Reader, gone *tree.Node, o edit.Options) ([]source.Splice, error) {
	want := map[uint32]types.ID{kindExternal: types.ExtResource, kindResources: types.SubResource}[gone.Rows]
	gone, err := n.Finish(gone)
	if want == 0 || err != nil {
		return nil, err
	}
	id := tagAt(n.Window(), &gone.Value)["id"]
	return edit.NullReferences(ctx, n, gone, o, func(w *source.Window, v *tree.Value) bool {
		if idOf(v) != want {
			return false
		}
		l, _, err := parse(bytes.Clone(w.View(v.Head, v.Tail-v.Head)), v)
		return err == nil && string(l.Text) == id
	}, []byte("null"))
}

// countSteps adds to the number of load steps in the head, if it has one.
func (r *reading) countSteps(n *tree.Reader, kind uint32, by int64) []source.Splice {
	steps, err := n.Resolve("$.load_steps")
	if err != nil || kind != kindExternal && kind != kindResources || steps.Damage != nil {
		return nil
	}
	s := r.Describe(n.Window(), &steps.Value)
	if s.Kind != tree.Int {
		return nil
	}
	return []source.Splice{source.Put(steps.Head, steps.Tail-steps.Head, strconv.AppendInt(nil, int64(s.Bits)+by, 10))}
}

// insertRecord inserts a tag or a section, given as a Dictionary of its attributes and properties.
func (r *reading) insertRecord(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if c.Copy != nil {
		text, err := edit.LiteralOf(ctx, c.From, &c.Copy.Value, notation.MaxText)
		if err != nil {
			return nil, err
		}
		c.Literal = text
	}
	s := speller{r.engine}
	l, err := literal.Parse(s.Dialect, c.Literal)
	if err != nil {
		return nil, err
	}
	if l.Kind != types.Dictionary {
		return nil, l.Errorf(`a part of a file is inserted as { "name": value, …, "properties": { … } }`)
	}
	if in.Inner == inList && in.Rows == kindResources && index == n.Count(in) {
		if main, err := n.LastChild(in); err == nil && tagAt(n.Window(), &main.Value)["id"] == "" {
			return nil, errors.New("the last resource is the main one: insert before it")
		}
	}
	text, err := s.record(&l, c.Literal, in)
	if err != nil {
		return nil, err
	}
	splices, err := r.InsertText(ctx, n, in, index, text, o)
	if err == nil && in.Inner == inList {
		splices = append(splices, r.countSteps(n, in.Rows, 1)...)
		source.Sort(splices)
	}
	return splices, err
}

// tagNames are the names of new tags, by kind.
var tagNames = []string{"ext_resource", "sub_resource", "node", "connection", "editable"}

// record returns the text of a tag or section.
func (s speller) record(l *literal.Literal, text string, in *tree.Node) (string, error) {
	what, head, lines := inConfig, "", ""
	if in.Inner == inList {
		if in.Rows >= kindOther {
			return "", errors.New("a tag of this kind cannot be inserted")
		}
		what, head = inFile, tagNames[in.Rows]
	}
	for i := 0; i+1 < len(l.Children); i += 2 {
		key, v := &l.Children[i], &l.Children[i+1]
		switch {
		case string(key.Text) == "properties" && v.Kind == types.Dictionary:
			f := layout(what)(&tree.Value{Inner: inProperties})
			for j := 0; j+1 < len(v.Children); j += 2 {
				line, err := s.line(v.Children[j].Text, f.Colon, &v.Children[j+1], text)
				if err != nil {
					return "", err
				}
				lines += [2]string{f.First, f.Comma}[min(j, 1)] + line
			}
		case what == inConfig && string(key.Text) == "name" && v.Kind == types.String:
			name := s.encode(textual.Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: v.Text, In: &tree.Value{Inner: inSection}}, nil)
			if name == nil {
				return "", v.Errorf("this is not the name of a section")
			}
			head = string(name)
		default:
			value, err := s.write(v, text)
			if what == inConfig || !attribute.Match(key.Text) || err != nil {
				return "", key.Errorf("there is no such attribute here")
			}
			head += " " + string(key.Text) + "=" + value
		}
	}
	return fmt.Sprintf("[%s]%s", head, lines), nil
}

// errNoName is that of a property whose name cannot be written.
var errNoName = errors.New("there is no property of this name")

// line returns the line of a property.
func (s speller) line(name []byte, colon string, l *literal.Literal, text string) (string, error) {
	is := s.name(textual.Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: name}, nil)
	if is == nil {
		return "", errNoName
	}
	value, err := s.write(l, text)
	return string(is) + colon + value, err
}
