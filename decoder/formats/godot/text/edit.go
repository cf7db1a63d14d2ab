package text

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
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

// section returns the header of a section.
func (s speller) section(d textual.Datum) []byte {
	if d.Kind != tree.Text || bytes.ContainsAny(d.Data, "\r\n") || s.isOld() && bytes.ContainsAny(d.Data, "]") {
		return nil
	}
	return slices.Concat([]byte("["), bytes.ReplaceAll(d.Data, []byte("]"), []byte(`\]`)), []byte("]"))
}

// name returns the name of a property.
func (s speller) name(d textual.Datum, old []byte) []byte {
	isQuoted := bytes.HasPrefix(old, []byte{'"'})
	switch {
	case d.Kind != tree.Text || bytes.ContainsAny(d.Data, "\r\n"):
		return nil
	case bareName().Match(d.Data) && !isQuoted:
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
		return []byte(strings.Join(all, ", "))
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
			all = append(all, string(numeric.AppendBits(nil, types.Float64, bits, numeric.StyleShort)))
		}
	}
	for i := range l.Children {
		v := s.valueOf(&l.Children[i], text)
		b := quote(v.Text, false)
		if v.Kind == notation.Number {
			if x, err := v.Scalar(); err == nil && x.Kind == tree.Int {
				b = x.AppendNumber(nil)
			} else {
				b = bytes.TrimSuffix(s.float(string(v.Text), true), []byte(".0"))
			}
		}
		if b == nil {
			return nil
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

// withType returns the literal of a container with the type that an old one has, if it is one of StringNames and the literal fits it.
func (r *reading) withType(n *tree.Reader, was *tree.Value, text string) string {
	if _, of := head(n.Window(), was); slices.Contains(of, "StringName") {
		typed := fmt.Sprintf("%s(%s)", r.AppendType(nil, n.Window(), was), text)
		if _, err := literal.Parse(r.engine, typed); err == nil {
			return typed
		}
	}
	return text
}

// CanSet implements edit.Partial.
func (r *reading) CanSet(_ *tree.Reader, at *tree.Node) bool {
	return (at.Parent == nil || at.Inner == 0 || at.Inner == inVectors) && !(r.isFile() && at.Depth <= 1)
}

// checkPart returns an error if a value is a part of a file that cannot be set, or content is no name of a section, or that of another.
func (r *reading) checkPart(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) error {
	isSection := at.Slot.Key && isConfig(&at.Parent.Value)
	switch {
	case isSection && at.Inner >= implied:
		return errNone
	case !r.CanSet(n, at):
		return errNoPart
	case at.Slot.Key && r.isFile():
		return r.needs(n, at)
	case !isSection || c.Copy != nil:
		return nil
	}
	if l, err := literal.Parse(r.engine, c.Literal); err != nil || l.Kind != types.String {
		return cmp.Or(err, errSection)
	}
	return edit.CheckFreeKey(ctx, n, o.Together, at.Parent, at.Slot.Index, c.Literal, notation.MaxText)
}

// Set implements edit.Editor.
func (r *reading) Set(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if err := r.checkPart(ctx, n, at, c, o); err != nil {
		return nil, err
	}
	if err := r.allows(ctx, &c, o); err != nil {
		return nil, err
	}
	if o.Infer && !o.Retype && c.Copy == nil {
		c.Literal = r.withType(n, &at.Value, c.Literal)
	}
	splices, err := r.Editor.Set(ctx, n, at, c, o)
	if err == nil && len(splices) > 0 && !at.Slot.Key && at.Parent != nil && at.Parent.Inner == inTag && at.Parent.Rows <= kindResources && n.Step(at) == ".id" {
		refers, err := r.followID(ctx, n, at, c, o)
		if err != nil {
			return nil, err
		}
		splices = append(splices, refers...)
		source.Sort(splices)
	}
	return splices, cmp.Or(err, n.Window().Err())
}

// followID returns what lets the references to a resource lead to it when its id is set, or an error if another has that
// id, or the old one is also where no value is: in the type of a typed container, or a text.
func (r *reading) followID(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	kind, was := at.Parent.Rows, tagAt(n.Window(), &at.Parent.Value)["id"]
	l, err := literal.Parse(r.engine, c.Literal)
	switch {
	case err != nil || c.Copy != nil || was == "":
		return nil, errors.New("an id is set to a literal")
	case o.Together != nil:
		return nil, edit.ErrAlone
	}
	id := strings.TrimSpace(c.Literal)
	if l.Kind == types.String {
		id = string(l.Text)
	}
	if _, taken := r.ids()[kind][id]; taken {
		return nil, l.Errorf("another resource has the id %s", literal.Quote([]byte(id)))
	}
	o.Orphans = edit.Undefined
	space, quoted := "", string(quote([]byte(id), false))
	if (speller{r.engine}).isOld() {
		space, quoted = " ", strings.TrimSpace(c.Literal)
	}
	name := []string{kindExternal: "ExtResource", kindResources: "SubResource"}[kind]
	return r.referring(ctx, n, at, kind, was, name+"("+space+quoted+space+")", o)
}

// attributes are those of new tags of resources, by kind.
var attributes = [][]string{{"type", "path", "uid", "id"}, {"type", "id"}}

// Insert implements edit.Editor.
func (r *reading) Insert(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if err := r.allows(ctx, &c, o); err != nil {
		return nil, err
	}
	switch {
	case in.Inner == inList:
		return r.insertRecord(ctx, n, in, index, c, o)
	case isConfig(&in.Value):
		return r.insertSection(ctx, n, in, index, c, o)
	case in.Inner == inFile || in.Inner == inTag:
		for index > 0 {
			before, err := n.Child(in, index-1)
			if err != nil || before.Inner == 0 {
				break
			}
			index--
		}
	}
	return r.Editor.Insert(ctx, n, in, index, c, o)
}

// isMain reports whether a value is the tag of the main resource.
func isMain(n *tree.Reader, at *tree.Node) bool {
	return at.Inner == inTag && at.Rows == kindResources && tagAt(n.Window(), &at.Value)["id"] == ""
}

// Delete implements edit.Editor.
func (r *reading) Delete(ctx context.Context, n *tree.Reader, at *tree.Node, o edit.Options) ([]source.Splice, error) {
	var err error
	entry := at
	if at.Slot.Key {
		if entry, err = n.Child(at.Parent, at.Slot.Index); err != nil {
			return nil, err
		}
	}
	var more []source.Splice
	switch in := entry.Parent; {
	case in != nil && isConfig(&in.Value):
	case in != nil && (entry.Inner == inList || entry.Inner == inProperties):
		return nil, errNoPart
	case isMain(n, entry):
		return nil, errors.New("the main resource cannot be deleted")
	case entry.Inner == 0 && r.isFile():
		if err = r.needs(n, entry); err != nil {
			return nil, err
		}
	case entry.Inner == inTag:
		if more, err = r.orphans(ctx, n, entry, o); err != nil {
			return nil, err
		}
		more = append(more, r.countSteps(n, entry.Rows, -1)...)
	}
	s, err := r.Editor.Delete(ctx, n, at, o)
	s = append(s, more...)
	source.Sort(s)
	return s, cmp.Or(err, n.Window().Err())
}

// Move implements edit.Editor.
func (r *reading) Move(ctx context.Context, n *tree.Reader, at *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	switch in := at.Parent; {
	case in == nil:
	case isConfig(&in.Value):
		if from, err := hasNone(n, in); err != nil || from && min(at.Slot.Index, to) == 0 {
			return nil, cmp.Or(err, errNone)
		}
	case in.Inner == inFile || in.Inner == inTag:
		return nil, errors.New("the parts of a file cannot be moved")
	case in.Inner == inList && in.Rows == kindResources && (isMain(n, at) || to == n.Count(in)-1):
		return nil, errors.New("the main resource is the last one")
	}
	return r.Editor.Move(ctx, n, at, to, o)
}

// orphans makes references to a tag that is deleted null, or refuses to.
func (r *reading) orphans(ctx context.Context, n *tree.Reader, gone *tree.Node, o edit.Options) ([]source.Splice, error) {
	gone, err := n.Finish(gone)
	if err != nil || gone.Rows > kindResources {
		return nil, err
	}
	id := tagAt(n.Window(), &gone.Value)["id"]
	if i, ok := r.ids()[gone.Rows][id]; ok && i != gone.Slot.Index {
		return nil, nil // they lead to another resource with this id
	}
	return r.referring(ctx, n, gone, gone.Rows, id, "null", o)
}

// referring returns splices that put a text in the place of the references to an id of resources of a kind, except those in a
// value. The error is that there are some, if o does not say what becomes of them, or that the id is also where no value
// is: in the type of a typed container, or a text.
func (r *reading) referring(ctx context.Context, n *tree.Reader, except *tree.Node, kind uint32, id, put string, o edit.Options) ([]source.Splice, error) {
	to := []types.ID{kindExternal: types.ExtResource, kindResources: types.SubResource}[kind]
	splices, err := edit.NullReferences(ctx, n, except, o, func(w *source.Window, v *tree.Value) bool {
		if idOf(v) != to {
			return false
		}
		l, _, err := parse(tokenOf(w, v), v)
		return err == nil && string(l.Text) == id
	}, []byte(put))
	if err != nil {
		return nil, err
	}
	all, inside := 0, except.Span()
	for _, at := range regexp.MustCompile(types.Of(to).Name+`\(\s*"?`+regexp.QuoteMeta(id)+`"?\s*\)`).FindAllIndex(n.Window().All(r.region), -1) {
		if !inside.Contains(r.region.Offset + int64(at[0])) {
			all++
		}
	}
	if all != len(splices) {
		return nil, fmt.Errorf("the id %s is named in a type or a text too, which would not follow", literal.Quote([]byte(id)))
	}
	return splices, nil
}

// Follows implements format.Follower: the load steps are counted.
func (r *reading) Follows(n *tree.Reader, v *tree.Node) bool {
	return v.Depth == 2 && !v.Slot.Key && n.Step(v) == ".load_steps"
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

var (
	errNone    = errors.New("entries before all sections stay there")
	errSection = errors.New("the name of a section is a text on one line")
)

// hasNone reports whether a ConfigFile begins with entries before all sections.
func hasNone(n *tree.Reader, in *tree.Node) (bool, error) {
	first, err := n.Child(in, 0)
	if errors.Is(err, tree.ErrNoChild) {
		return false, nil
	}
	return err == nil && n.Key(first).Inner == implied+partNone, err
}

// dictionary returns the Dictionary that a part of a file is inserted as.
func (r *reading) dictionary(ctx context.Context, c *edit.Content, like string) (literal.Literal, error) {
	if c.Copy != nil {
		text, err := edit.LiteralOf(ctx, c.From, &c.Copy.Value, notation.MaxText)
		if err != nil {
			return literal.Literal{}, err
		}
		c.Literal = text
	}
	l, err := literal.Parse(r.engine, c.Literal)
	if err == nil && l.Kind != types.Dictionary {
		err = l.Errorf("a part of a file is inserted as %s", like)
	}
	return l, err
}

// insertSection inserts a section, given as a Dictionary of its entries.
func (r *reading) insertSection(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	l, err := r.dictionary(ctx, &c, "{ key: value, … }")
	if err != nil {
		return nil, err
	}
	if key := c.KeyContent(); key.Copy != nil {
		if c.Key, err = edit.LiteralOf(ctx, key.From, &key.Copy.Value, notation.MaxText); err != nil {
			return nil, err
		}
	}
	key, err := literal.Parse(r.engine, c.Key)
	if err != nil {
		return nil, err
	}
	name := speller{r.engine}.encode(textual.Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: key.Text, In: &in.Value, Key: true}, nil)
	if name == nil || key.Kind != types.String {
		return nil, errSection
	}
	if err := edit.CheckFreeKey(ctx, n, o.Together, in, tree.Unknown, c.Key, notation.MaxText); err != nil {
		return nil, err
	}
	lines, err := speller{r.engine}.lines(aConfig, &l, c.Literal)
	if err != nil {
		return nil, err
	}
	if first, err := hasNone(n, in); err != nil || first && index == 0 {
		return nil, cmp.Or(err, errNone)
	}
	return r.InsertText(ctx, n, in, index, string(name)+lines, o)
}

// insertRecord inserts a tag, given as a Dictionary of its attributes and properties.
func (r *reading) insertRecord(ctx context.Context, n *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	l, err := r.dictionary(ctx, &c, `{ "name": value, …, "properties": { … } }`)
	if err != nil {
		return nil, err
	}
	if main, err := n.LastChild(in); err == nil && index == n.Count(in) && isMain(n, main) {
		return nil, errors.New("the last resource is the main one: insert before it")
	}
	if in.Rows <= kindResources {
		if err := r.giveID(&l, &c, in.Rows, o); err != nil {
			return nil, err
		}
	}
	text, err := speller{r.engine}.record(&l, c.Literal, in)
	if err != nil {
		return nil, err
	}
	splices, err := r.InsertText(ctx, n, in, index, text, o)
	splices = append(splices, r.countSteps(n, in.Rows, 1)...)
	source.Sort(splices)
	return splices, cmp.Or(err, n.Window().Err())
}

// giveID gives a new resource an id if it has none, and a copy another one if its own is taken.
func (r *reading) giveID(l *literal.Literal, c *edit.Content, kind uint32, o edit.Options) error {
	at, end, id, prefix := l.End-1, l.End-1, "", "Resource"
	for i := 0; i+1 < len(l.Children); i += 2 {
		switch v := &l.Children[i+1]; string(l.Children[i].Text) {
		case "id":
			at, end, id = v.At, v.End, c.Literal[v.At:v.End]
			if v.Kind == types.String {
				id = string(v.Text)
			}
		case "type":
			if v.Kind == types.String {
				prefix = string(v.Text)
			}
		}
	}
	_, taken := r.ids()[kind][id]
	switch {
	case id != "" && !taken:
		return nil
	case id != "" && c.Copy == nil:
		return l.Errorf("another resource has the id %s", literal.Quote([]byte(id)))
	case o.Together != nil:
		return edit.ErrAlone // another edit may take the same
	}
	fresh := r.freshID(kind, id, prefix)
	if id == "" {
		fresh = `"id": ` + fresh
		if len(l.Children) > 0 {
			fresh = ", " + fresh
		}
	}
	c.Literal = c.Literal[:at] + fresh + c.Literal[end:]
	changed, err := literal.Parse(r.engine, c.Literal)
	*l = changed
	return err
}

// freshID returns the literal of an id that no resource of a kind has, in the form of another one or, if that is "", of the
// engine: a number, or a prefix and five letters or digits.
func (r *reading) freshID(kind uint32, like, prefix string) string {
	ids := r.ids()[kind]
	_, err := strconv.Atoi(like)
	if err == nil || like == "" && (speller{r.engine}).isOld() {
		next := 1
		for id := range ids {
			if n, err := strconv.Atoi(id); err == nil {
				next = max(next, n+1)
			}
		}
		if (speller{r.engine}).isOld() {
			return strconv.Itoa(next)
		}
		return strconv.Quote(strconv.Itoa(next))
	}
	if i := strings.LastIndexByte(like, '_'); i > 0 {
		prefix = like[:i]
	}
	for hash := crc32.ChecksumIEEE([]byte(like)); ; hash++ {
		suffix := []byte("00000" + strconv.FormatUint(uint64(hash), 34))
		id := prefix + "_" + string(suffix[len(suffix)-5:])
		if _, taken := ids[id]; !taken {
			return string(quote([]byte(id), false))
		}
	}
}

// tagNames are the names of new tags, by kind.
var tagNames = []string{"ext_resource", "sub_resource", "node", "connection", "editable"}

// lines returns the lines of properties or entries, each after a line end.
func (s speller) lines(what int, l *literal.Literal, text string) (all string, err error) {
	between := separatorsIn(what)(&tree.Value{Inner: inProperties}).Layout
	for i := 0; i+1 < len(l.Children); i += 2 {
		line, err := s.line(what, l.Children[i].Text, &l.Children[i+1], text)
		if err != nil {
			return "", err
		}
		all += [2]string{between.First, between.Comma}[min(i, 1)] + line
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

// errNoName is that of a property whose name cannot be written.
var errNoName = errors.New("there is no property of this name")

// line returns the line of a property in a kind of text.
func (s speller) line(what int, name []byte, l *literal.Literal, text string) (string, error) {
	in := &tree.Value{Inner: inProperties}
	is := s.name(textual.Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: name}, nil)
	if is == nil {
		return "", errNoName
	}
	value, err := s.write(l, text)
	if err == nil {
		err = s.acceptIn(what)(nil, in, tree.Slot{}, []byte(value))
	}
	return string(is) + separatorsIn(what)(in).Layout.Colon + value, err
}
