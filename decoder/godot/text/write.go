package text

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"varview/decoder/godot/internal/json"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/textual"
	"varview/decoder/tree"
)

var (
	_ tree.LiteralWriter = (*reading)(nil)
	_ tree.JSONWriter    = (*reading)(nil)
	_ tree.TypeWriter    = (*reading)(nil)
)

// AppendLiteral implements tree.LiteralWriter.
func (r *reading) AppendLiteral(dst []byte, n *tree.Reader, v *tree.Value, limit int) []byte {
	c := composer{nest: nest{Writer: tree.NewLiteral(dst, limit)}, reading: r, w: n.Window()}
	tree.Visit(n, v, &c)
	return c.Literal()
}

// WriteText implements tree.LiteralWriter.
func (r *reading) WriteText(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := composer{nest: nest{Writer: tree.NewWriter(ctx, out)}, reading: r, w: n.Window()}
	tree.Visit(n, v, &c)
	return c.Flush()
}

// WriteJSON implements tree.JSONWriter.
func (r *reading) WriteJSON(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := composer{nest: nest{Writer: tree.NewWriter(ctx, out)}, reading: r, w: n.Window(), json: true, ctx: ctx}
	x := exporter{composer: &c, r: n}
	node := &tree.Node{Value: *v, KeyAt: tree.Unknown}
	if textual.IsBuffer(v) && (v.Count != 0 || !r.Empty) {
		var err error
		if node, err = n.Child(n.Tree.Base, 0); err != nil {
			c.damaged(span.Truncated)
			c.Put("\n")
			return c.Flush()
		}
	}
	x.any(node)
	c.Put("\n")
	return c.Flush()
}

// AppendType implements tree.TypeWriter: Array[int].
func (r *reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	switch {
	case v.Damage == nil && v.Layout >= tree.Sequence && v.Inner == 0:
		if m := typedStart.FindSubmatch(w.View(v.Head, v.Body-v.Head)); m != nil {
			return append(dst, string(m[1])+"["+string(m[2])+"]"...)
		} else if m := objectStart.FindSubmatch(w.View(v.Head, v.Body-v.Head)); m != nil {
			return append(dst, m[1]...)
		}
	case v.Damage == nil && idOf(v) == types.Legacy:
		word, _, _ := bytes.Cut(w.View(v.Head, v.Tail-v.Head), []byte("("))
		return append(dst, bytes.TrimSpace(word)...)
	case v.Inner == inTag || v.Inner == inFile:
		if class, _ := notes(w, v); class != "" {
			return append(dst, class...)
		}
		return append(dst, bytes.TrimLeft(w.View(v.Head, v.Body-v.Head), "[ \t")...)
	}
	return append(dst, r.TypeName(v)...)
}

// A composer writes values as literals, or as JSON in the form that Variants have.
type composer struct {
	nest
	*reading
	w    *source.Window
	json bool
	ctx  context.Context
}

type nest = tree.Nest[*types.Type] // of a packed array or an Object

// Open implements tree.Visitor.
func (c *composer) Open(v *tree.Value) bool {
	if c.IsTooDeep() {
		return false
	}
	o := tree.Brackets{Comma: ", ", Colon: ": "}
	var is *types.Type
	switch {
	case textual.IsBuffer(v):
	case c.json:
		c.openJSON(v)
		return true
	default:
		start := c.w.View(v.Head, v.Body-v.Head)
		o.Close = "]"
		switch t := types.Of(idOf(v)); {
		case t.Shape == types.ShapeObject:
			m := objectStart.FindSubmatch(start)
			c.Put("Object(" + string(m[1]))
			o.First, o.Close = ", ", ")"
		case v.Layout == tree.Sequence && t.Shape != types.ShapeArray && v.Inner != inList && v.Inner != inSections:
			c.Put(t.Name + "(")
			o.Close, is = ")", t
		default:
			open := "["
			if v.Layout == tree.Pairs {
				open, o.Close, o.First, o.Last = "{", "}", " ", " "
			}
			if m := typedStart.FindSubmatch(start); m != nil && v.Inner == 0 {
				open = string(m[1]) + "[" + string(m[2]) + "](" + open
				o.Close += ")"
			}
			c.Put(open)
		}
	}
	c.Begin(o, is)
	return true
}

// openJSON begins a value that has its own type in JSON.
func (c *composer) openJSON(v *tree.Value) {
	o := tree.Brackets{Comma: ",", Colon: ",", Close: "]}"}
	var is *types.Type
	t, start := types.Of(idOf(v)), c.w.View(v.Head, v.Body-v.Head)
	m := typedStart.FindSubmatch(start)
	switch {
	case t.Shape == types.ShapeObject:
		c.Put(`{"type":`)
		c.Dst = tree.AppendQuoted(c.Dst, bytes.Trim(objectStart.FindSubmatch(start)[1], `"`))
		c.Put(`,"props":[`)
		is = t
	case t.Shape == types.ShapeArray && m == nil:
		c.Put("[")
		o.Close = "]"
	default:
		c.Put(`{"type":"` + t.Name + `"`)
		if m != nil {
			names := []string{"elem_type"}
			if v.Layout == tree.Pairs {
				names = []string{"key_type", "value_type"}
			}
			for i, elem := range strings.SplitN(string(m[2]), ",", len(names)) {
				if elem = strings.TrimSpace(elem); elem != "Variant" {
					c.Put(`,"` + names[i] + `":`)
					c.Dst = tree.AppendQuoted(c.Dst, []byte(elem))
				}
			}
		}
		c.Put(`,"args":[`)
		if v.Layout == tree.Sequence && t.Shape != types.ShapeArray {
			is = t
		}
	}
	c.Begin(o, is)
}

// Close implements tree.Visitor.
func (c *composer) Close() {
	if c.Lacks() {
		c.damaged(span.MissingValue)
	}
	c.nest.Close()
}

// Atom implements tree.Visitor.
func (c *composer) Atom(v *tree.Value) {
	if v.Damage != nil {
		c.damaged(v.Damage.Code)
		return
	}
	if v.Layout >= tree.Sequence || textual.IsBuffer(v) {
		return
	}
	id := idOf(v)
	var in *types.Type
	o := c.Top()
	if o != nil && o.Of != nil && o.Of.Shape != types.ShapeRecord {
		in = o.Of
	}
	var s tree.Scalar
	if v.Flags&textual.Quoted != 0 || id <= types.Float || id >= types.Raw {
		s = c.Describe(c.w, v)
	}
	switch {
	case !c.json && s.Kind == tree.Text:
		c.Put(map[types.ID]string{types.StringName: "&", types.NodePath: "^"}[id])
		c.quote(&s)
	case !c.json && s.Kind != tree.Bytes:
		c.Dst = s.AppendNumber(c.Dst)
	case !c.json:
		if text, ok := literalOf(c.token(v), v); ok {
			if _, inside, _ := strings.Cut(text, "("); in != nil {
				text = strings.TrimSuffix(inside, ")")
			}
			c.Put(text)
			return
		}
		c.Dst = append(c.Dst, bytes.TrimSpace(c.token(v))...)
	case in != nil && (in.Shape == types.ShapeStrings || in.Shape == types.ShapeObject && o.Key):
		c.quote(&s)
	case in != nil && in.Shape != types.ShapeObject:
		c.Dst, _ = appendNumbers(c.Dst, c.w.View(v.Head, v.Tail-v.Head), in, numeric.StyleJSON, ",")
	case v.Layout == tree.Fixed && form(nil, v) != tree.FormBasis: // its JSON has another order
		c.vector(v)
	default:
		c.atomJSON(v, &s)
	}
}

// vector writes a value of numbers.
func (c *composer) vector(v *tree.Value) {
	t, from, ok := types.Of(idOf(v)), len(c.Dst), false
	c.Put(`{"type":"` + t.Name + `","args":[`)
	if c.Dst, ok = appendNumbers(c.Dst, c.w.View(v.Body, v.Tail-v.Body-1), t, numeric.StyleJSON, ","); !ok {
		c.Dst = c.Dst[:from]
		c.damaged(textual.NoValue)
		return
	}
	c.Put("]}")
}

// appendNumbers appends the numbers of a value of a type, or of an element of a packed array. ok is false
// if one of them is not a number.
func appendNumbers(dst, text []byte, t *types.Type, style numeric.Style, between string) (_ []byte, ok bool) {
	isFloat := t.Comp == types.Float32 || t.Comp == types.Float64
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
		if n, err := strconv.ParseInt(string(word), 10, 8*int(types.Width(t.Comp))); err == nil && !isFloat {
			dst = strconv.AppendInt(dst, n, 10)
			continue
		}
		x, err := strconv.ParseFloat(string(word), 8*int(types.Width(t.Comp))|32)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange), !isFloat && t.Shape == types.ShapeFixed:
			return dst, false
		case isFloat:
			dst = numeric.AppendFloat(dst, x, 8*int(types.Width(t.Comp)), style)
		default:
			dst = strconv.AppendInt(dst, int64(x), 10)
		}
	}
	return dst, true
}

// atomJSON writes a value without children.
func (c *composer) atomJSON(v *tree.Value, s *tree.Scalar) {
	l, text := literal.Literal{Kind: idOf(v), Parts: &literal.Parts{}}, ""
	var err error
	switch {
	case s.Kind == tree.Null, s.Kind == tree.Bool:
		c.Dst = s.AppendNumber(c.Dst)
		return
	case s.Kind == tree.Int && l.Kind == types.Int:
		c.Put(`"i:`)
		c.Dst = strconv.AppendInt(c.Dst, int64(s.Bits), 10)
		c.Put(`"`)
		return
	case s.Kind == tree.Float64:
		c.Put(`"f:`)
		c.Dst = numeric.AppendFloat(c.Dst, math.Float64frombits(s.Bits), 64, numeric.StyleTagged)
		c.Put(`"`)
		return
	case s.Kind == tree.Text && (l.Kind == types.String || l.Kind >= types.Raw):
		c.Put(`"s:`)
		if s.Own != nil {
			c.Dst = tree.AppendEscaped(c.Dst, s.Own, '"')
		} else {
			c.Escaped(c.w, s.Span.Offset, s.Span.Length)
		}
		c.Put(`"`)
		return
	case s.Kind == tree.Text:
		l.Text = []byte(c.textOf(c.w, v))
	default:
		if l, text, err = parse(c.token(v), v); err != nil {
			c.damaged(textual.NoValue)
			return
		}
		if l.Kind == types.Legacy {
			name, inside, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
			c.Put(`{"type":"` + strings.TrimSpace(name) + `","text":`)
			c.Dst = append(tree.AppendQuoted(c.Dst, []byte(strings.TrimSpace(inside))), '}')
			return
		}
		if types.Of(l.Kind).Shape == types.ShapeReference {
			name := `","id":`
			if l.Kind == types.Resource {
				name = `","path":`
			}
			c.Put(`{"type":"` + types.Of(l.Kind).Name + name)
			c.Dst = append(tree.AppendQuoted(c.Dst, l.Text), '}')
			return
		}
	}
	r, n, err := store(&l, text)
	var b bytes.Buffer
	if err == nil {
		err = json.Forms{Format: anyFormat}.WriteJSON(c.ctx, &b, r, &n.Value)
	}
	if err != nil {
		c.damaged(textual.NoValue)
		return
	}
	c.Dst = append(c.Dst, bytes.TrimSpace(b.Bytes())...)
}

func (c *composer) quote(s *tree.Scalar) {
	if s.Own != nil {
		c.Dst = tree.AppendQuoted(c.Dst, s.Own)
		return
	}
	c.Quoted(c.w, s.Span.Offset, s.Span.Length)
}

func (c *composer) token(v *tree.Value) []byte {
	return bytes.Clone(c.w.View(v.Head, v.Tail-v.Head))
}

// damaged writes the placeholder for a value that cannot be read.
func (c *composer) damaged(code string) {
	if c.json {
		c.Put(`{"type":"Damaged","problem":"` + code + `"}`)
		return
	}
	c.Put("<" + code + ">")
}
