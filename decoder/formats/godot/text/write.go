package text

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/convert"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/write"
)

// AppendLiteral implements tree.LiteralWriter.
func (r *reading) AppendLiteral(dst []byte, n *tree.Reader, v *tree.Value, limit int) []byte {
	c := &composer{Writer: write.Literal(anyFormat, tree.NewLiteral(dst, limit), n), reading: r, r: n, w: n.Window()}
	tree.Visit(n, v, c)
	return c.Text().Literal()
}

// WriteText implements tree.LiteralWriter.
func (r *reading) WriteText(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := &composer{Writer: write.Literal(anyFormat, tree.NewWriter(ctx, out), n), reading: r, r: n, w: n.Window()}
	tree.Visit(n, v, c)
	return c.Text().Flush()
}

// WriteLines implements tree.LineWriter.
func (r *reading) WriteLines(ctx context.Context, out io.Writer, n *tree.Reader) error {
	c := &composer{Writer: write.Lines(anyFormat, tree.NewWriter(ctx, out), n), reading: r, r: n, w: n.Window()}
	tree.Visit(n, &n.Tree.Base.Value, c)
	return c.Text().Flush()
}

// WriteJSON implements tree.JSONWriter.
func (r *reading) WriteJSON(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := &composer{Writer: write.JSON(anyFormat, tree.NewWriter(ctx, out), n), reading: r, r: n, w: n.Window(), json: true}
	if textual.IsBuffer(v) {
		root, err := n.Child(n.Tree.Base, 0)
		switch {
		case v.Count == 0 && r.Empty:
			c.Text().Put(`{"type":"ConfigFile","sections":[]}`)
		case err != nil:
			c.damaged(v, span.Truncated)
		case r.Lines:
			tree.Visit(n, v, c)
		case isConfig(&root.Value):
			c.config(root)
		case root.Inner == inFile:
			c.file(root)
		default:
			tree.Visit(n, &root.Value, c)
		}
	} else if at, err := n.Child(n.Tree.Base, 0); err == nil && isConfig(v) {
		c.config(at)
	} else {
		tree.Visit(n, v, c)
	}
	c.Text().Put("\n")
	return c.Text().Flush()
}

// AppendType implements tree.TypeWriter: Array[int].
func (r *reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	switch {
	case v.Damage == nil && v.Layout >= tree.Sequence && v.Inner == 0:
		if class, of := head(w, v); of != nil {
			return fmt.Appendf(dst, "%s[%s]", types.Of(idOf(v)).Name, strings.Join(of, ", "))
		} else if class != "" {
			return append(dst, class...)
		}
	case v.Damage == nil && idOf(v) == types.Legacy:
		word, _, _ := bytes.Cut(w.View(v.Head, v.Tail-v.Head), []byte("("))
		return append(dst, bytes.TrimSpace(word)...)
	case v.Inner == inTag || v.Inner == inFile && !isConfig(v):
		if class, _ := notes(w, v); class != "" {
			return append(dst, class...)
		}
		return append(dst, bytes.TrimLeft(w.View(v.Head, v.Body-v.Head), "[ \t")...)
	}
	return append(dst, r.TypeName(v)...)
}

// head returns what a container says before its children: the class of an Object, or the types of elements, or
// of keys and values.
func head(w *source.Window, v *tree.Value) (class string, of []string) {
	start := w.View(v.Head, v.Body-v.Head)
	if len(start) == 1 { // like most
		return "", nil
	}
	if m := objectStart().FindSubmatch(start); m != nil {
		return string(m[1]), nil
	}
	if m := typedStart().FindSubmatch(start); m != nil {
		for _, is := range strings.SplitN(string(m[2]), ",", int(v.Layout-tree.Sequence)+1) {
			of = append(of, strings.TrimSpace(is))
		}
	}
	return "", of
}

// A composer writes values as literals, or as JSON, in the forms of Variants: the visitor of those writes what is
// around and between the values.
type composer struct {
	*write.Writer
	*reading
	r     *tree.Reader
	w     *source.Window
	json  bool
	open  []tree.Value // those whose children are being written
	class string       // class of the main resource
	joins bool         // lists continue those before them
}

// Open implements tree.Visitor.
func (c *composer) Open(v *tree.Value) (opens bool) {
	switch {
	case v.Inner == inList && c.joins:
		opens = true
	case textual.IsBuffer(v) && c.Lines:
		opens = c.Writer.Open(&tree.Value{Type: types.Stream})
	case textual.IsBuffer(v):
		opens = c.Writer.Open(&tree.Value{Type: types.Raw})
	case isPart(v):
		opens = c.Writer.Open(&tree.Value{Type: idOf(v)})
	default:
		class, of := head(c.w, v)
		opens = c.OpenNamed(idOf(v), class, of)
	}
	if opens {
		c.open = append(c.open, *v)
	}
	if c.json {
		c.identify(v)
	}
	return opens
}

// identify writes what export says of a part of a file besides what is in it. The main resource has the type of
// the file and no id.
func (c *composer) identify(v *tree.Value) {
	if v.Inner != inTag || v.Rows != kindResources {
		return
	}
	text := ""
	if is := tagAt(c.w, v); is["type"] == "" {
		text = `"id":"","type":` + literal.Quote([]byte(c.class))
	} else if is["id"] == "" {
		text = `"id":""`
	}
	if text != "" {
		c.Text().Put(text)
		c.Top().Some = true
	}
}

// Close implements tree.Visitor.
func (c *composer) Close() {
	last := len(c.open) - 1
	if c.open[last].Inner != inList || !c.joins {
		c.Writer.Close()
	}
	c.open = c.open[:last]
}

// isPlainIn reports whether a value of a container has no type in JSON: a name, or what describes a resource.
func isPlainIn(v, in *tree.Value) bool {
	return idOf(v) == types.Name || in.Inner == inTag && in.Rows <= kindResources
}

// Atom implements tree.Visitor.
func (c *composer) Atom(v *tree.Value) {
	var in *tree.Value
	if len(c.open) > 0 {
		in = &c.open[len(c.open)-1]
	}
	isName := in != nil && c.Top().Key && isPart(in)
	switch {
	case v.Damage != nil && c.json && isName:
		c.Text().Put(`""`)
	case v.Damage != nil:
		c.damaged(v, v.Damage.Code)
	case v.Layout >= tree.Sequence || textual.IsBuffer(v):
	case c.json && in != nil && (isName || isPlainIn(v, in)):
		c.plain(v, in.Inner == inTag)
	case isScalar(v):
		c.scalar(v, in)
	default:
		c.value(v, in)
	}
}

// plain writes a text or number as JSON has it; asText makes numbers texts.
func (c *composer) plain(v *tree.Value, asText bool) {
	t := c.Text()
	switch s := c.Describe(c.w, v); {
	case s.Kind == tree.Text:
		c.quote(&s, `"`)
	case s.Kind == tree.Int && asText:
		t.Put(`"` + string(s.AppendNumber(nil)) + `"`)
	default:
		t.Dst = s.AppendNumber(t.Dst)
	}
}

// What texts that are not Strings begin with.
var (
	quotedText = map[types.ID]string{types.StringName: `&"`, types.NodePath: `^"`}
	quotedJSON = map[types.ID]string{types.StringName: `"sn:`}
)

// scalar writes a text, a number, a bool or null.
func (c *composer) scalar(v, in *tree.Value) {
	t, id, s := c.Text(), idOf(v), c.Describe(c.w, v)
	isText := s.Kind == tree.Text
	isName := in != nil && idOf(in) == types.Object && c.Top().Key
	isPlain := c.json && (packed(in) != nil || isName)
	switch {
	case isText && !c.json:
		c.quote(&s, cmp.Or(quotedText[id], `"`))
	case isPlain && !isText, id == types.NodePath:
		c.value(v, in)
	case isPlain:
		c.quote(&s, `"`)
	case isText:
		c.quote(&s, cmp.Or(quotedJSON[id], `"s:`))
	case c.json && s.Kind == tree.Int:
		t.Put(`"i:`)
		t.Dst = append(strconv.AppendInt(t.Dst, int64(s.Bits), 10), '"')
	case c.json && s.Kind == tree.Float64:
		t.Put(`"f:`)
		t.Dst = append(numeric.AppendFloat(t.Dst, math.Float64frombits(s.Bits), 64, numeric.StyleTagged), '"')
	default:
		t.Dst = s.AppendNumber(t.Dst)
	}
}

// packed returns the type of a container if it is a packed array.
func packed(in *tree.Value) *types.Type {
	if in == nil || isPart(in) || !types.Of(idOf(in)).IsPacked() {
		return nil
	}
	return types.Of(idOf(in))
}

func (c *composer) quote(s *tree.Scalar, before string) {
	t := c.Text()
	if t.Put(before); s.Own != nil {
		t.Dst = tree.AppendEscaped(t.Dst, s.Own, '"')
	} else {
		t.Escaped(c.w, s.Span.Offset, s.Span.Length)
	}
	t.Put(`"`)
}

// value writes a value that begins with the name of its type, or an element of a packed array.
func (c *composer) value(v, in *tree.Value) {
	t := c.Text()
	from, token := len(t.Dst), tokenOf(c.w, v)
	ok := true
	switch is := packed(in); {
	case is != nil && c.json:
		t.Dst, _ = appendNumbers(t.Dst, token, is, numeric.StyleJSON, ",")
		return
	case is != nil:
		t.Dst, ok = appendNumbers(t.Dst, token, is, numeric.StyleText, ", ")
	default:
		t.Dst, ok = appendValue(t.Dst, token, v, c.json)
	}
	switch {
	case ok:
	case c.json:
		t.Dst = t.Dst[:from]
		c.damaged(v, textual.NoValue)
	default:
		t.Dst = append(t.Dst[:from], bytes.TrimSpace(token)...)
	}
}

// damaged writes the placeholder for a value that cannot be read.
func (c *composer) damaged(v *tree.Value, code string) {
	c.Writer.Atom(&tree.Value{Start: v.Head, Damage: &span.Problem{Code: code}})
}

// config writes a ConfigFile as JSON: a list of its sections.
func (c *composer) config(n *tree.Node) {
	t := c.Text()
	t.Put(`{"type":"ConfigFile","sections":[`)
	x, err := c.r.Child(n, 0)
	for ; err == nil && !c.Full(); x, err = c.r.Next(x) {
		if x.Slot.Index > 0 {
			t.Put(",")
		}
		t.Put(`{"name":`)
		if key := c.r.Key(x); key.Damage != nil {
			t.Put(`""`)
		} else {
			c.plain(&key.Value, false)
		}
		t.Put(`,"properties":`)
		tree.Visit(c.r, &x.Value, c)
		t.Put("}")
	}
	t.Put("]}")
}

// attribute writes an attribute of the file's first tag.
func (c *composer) attribute(name string, v *tree.Value) {
	if name == "type" && c.class == "" && v.Damage == nil {
		c.class = c.textOf(c.w, v)
	}
	c.Text().Put(`"` + name + `":`)
	if v.Damage != nil {
		c.damaged(v, v.Damage.Code)
	} else {
		c.plain(v, false)
	}
	c.Text().Put(",")
}

// file writes a .tres or .tscn as JSON, with one list of the tags of each kind.
func (c *composer) file(n *tree.Node) {
	t, shown := c.Text(), kindNodes
	var lists [kindOther + 1][]*tree.Node
	t.Put("{")
	if isScene := string(fileStart().FindSubmatch(c.w.View(n.Head, n.Body-n.Head))[1]) == "gd_scene"; isScene {
		c.class, shown = "PackedScene", kindEditable
		t.Put(`"type":"PackedScene",`)
	}
	x, err := c.r.Child(n, 0)
	for ; err == nil && !c.Full(); x, err = c.r.Next(x) {
		name := ""
		if key := c.r.Key(x); key != nil && key.Damage == nil {
			name = c.textOf(c.w, &key.Value)
		}
		switch {
		case x.Inner == inList:
			lists[x.Rows] = append(lists[x.Rows], x)
		case name != "load_steps":
			c.attribute(name, &x.Value)
		}
	}
	c.joins = true
	for kind, name := range partNames[:len(lists)] {
		if kind >= shown && len(lists[kind]) == 0 {
			continue
		}
		if kind > 0 {
			t.Put(",")
		}
		t.Put(`"` + name + `":[`)
		c.Begin(tree.Brackets{Comma: ",", Close: "]"}, struct{}{})
		for _, list := range lists[kind] {
			tree.Visit(c.r, &list.Value, c)
		}
		c.Writer.Close()
	}
	t.Put("}")
}

// isScalar reports whether a value without children is a text, a number, a bool or null.
func isScalar(v *tree.Value) bool {
	id := idOf(v)
	return v.Flags&textual.Quoted != 0 || id <= types.Float || id >= types.Raw
}

// A converter is the family to which files of resources are converted.
type converter struct{ textual.Family }

// File implements convert.Filer.
func (r *reading) File(n *tree.Reader) (*convert.File, error) {
	if !r.isFile() {
		return nil, errors.New("only files of resources are converted, and this is a value")
	}
	f, err := convert.ReadFile(n, convert.Target{Engine: r.engine})
	if err == nil && f.Class == "" {
		err = errors.New("a scene as text is not converted: Godot itself saves it as .scn")
	}
	return f, err
}

// Convert implements format.Converter.
func (converter) Convert(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, out io.Writer) error {
	to := types.Text4
	if q.Dialect == types.Text3.Name {
		to = types.Text3
	}
	return convert.Files(ctx, r, q, convert.Target{Engine: to}, func(c *convert.FileConverter) error {
		w := bufio.NewWriter(out)
		if err := (speller{to}).file(c, w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// file writes a file of resources as the engine does.
func (s speller) file(c *convert.FileConverter, w *bufio.Writer) error {
	text := func(s string) string {
		if s == "" {
			return ""
		}
		return string(quote([]byte(s), false))
	}
	id, format, steps := text, "3", ""
	if s.isOld() {
		id, format = func(id string) string { return id }, "2"
	}
	if n := len(c.External) + len(c.Resources); n > 1 {
		steps = strconv.Itoa(n)
	}
	tag(w, "gd_resource", "type", text(c.Class), "script_class", text(c.Script), "load_steps", steps, "format", format, "uid", text(convert.FormatUID(c.UID)))
	w.WriteString("\n")
	for _, x := range c.External {
		tag(w, "ext_resource", "type", text(x.Class), "uid", text(convert.FormatUID(x.UID)), "path", text(x.Path), "id", id(x.ID))
	}
	if len(c.External) > 0 {
		w.WriteString("\n")
	}
	for i := range c.Resources {
		x := &c.Resources[i]
		if i == len(c.Resources)-1 {
			tag(w, "resource")
		} else {
			tag(w, "sub_resource", "type", text(x.Class), "id", id(x.ID))
		}
		o := &output{s, tree.Nest[textual.Layout]{Writer: tree.NewWriter(context.Background(), w)}}
		if err := cmp.Or(c.Properties(x, o), o.Flush()); err != nil {
			return err
		}
		if i < len(c.Resources)-1 {
			w.WriteString("\n")
		}
	}
	return nil
}

// An output is the properties of a resource in text. It implements convert.Output.
type output struct {
	speller
	tree.Nest[textual.Layout]
}

// Name implements convert.Output.
func (o *output) Name(name string) bool {
	is := o.name(textual.Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: []byte(name)}, nil)
	if is != nil {
		o.Put(string(is) + " = ")
	}
	return is != nil
}

// put writes a part of a value, behind what is between it and the one before.
func (o *output) put(text string) {
	if in := o.Top(); in != nil {
		o.Before(tree.Slot{Key: in.Colon != "" && !in.Key})
	}
	o.Put(text)
}

// end ends a value, and the line of its property.
func (o *output) end() error {
	if o.Top() == nil {
		o.Put("\n")
	}
	if o.Full() {
		return o.Flush()
	}
	return nil
}

// Value implements convert.Output.
func (o *output) Value(l *literal.Literal, text string) error {
	value, err := o.write(l, text)
	if err == nil {
		err = o.acceptIn(aFile)(nil, &tree.Value{Inner: inProperties}, tree.Slot{}, []byte(value))
	}
	if err != nil {
		return l.Errorf("%s has no spelling of this", o.Title)
	}
	o.put(value)
	return o.end()
}

// Open implements convert.Output.
func (o *output) Open(kind types.ID) {
	l, opening, closing := o.fresh(tree.Sequence), "[", "]"
	switch t := types.Of(kind); {
	case kind == types.Dictionary:
		l, opening, closing = o.fresh(tree.Pairs), "{", "}"
	case t.Shape == types.ShapeStrings:
		opening, closing = t.Name+"(", ")"
	}
	o.put(opening)
	o.Begin(tree.Brackets{First: l.First, Comma: l.Comma, Colon: l.Colon, Last: l.Last, Close: closing}, l)
}

// Close implements convert.Output.
func (o *output) Close() error {
	if in := o.Top(); !in.Some {
		o.Put(in.Of.Empty)
	}
	o.Nest.Close()
	return o.end()
}

// tag writes the line of a tag with those of its attributes that there are.
func tag(w *bufio.Writer, name string, attributes ...string) {
	w.WriteString("[" + name)
	for pair := range slices.Chunk(attributes, 2) {
		if pair[1] != "" {
			w.WriteString(" " + pair[0] + "=" + pair[1])
		}
	}
	w.WriteString("]\n")
}
