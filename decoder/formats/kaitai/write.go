package kaitai

import (
	"context"
	"encoding/hex"
	"io"
	"math"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// WriteJSON implements tree.JSONWriter.
func (r *reading) WriteJSON(ctx context.Context, out io.Writer, in *tree.Reader, v *tree.Value) error {
	return r.writeWhole(ctx, out, in, v, true)
}

// WriteText implements tree.LiteralWriter.
func (r *reading) WriteText(ctx context.Context, out io.Writer, in *tree.Reader, v *tree.Value) error {
	return r.writeWhole(ctx, out, in, v, false)
}

func (r *reading) writeWhole(ctx context.Context, out io.Writer, in *tree.Reader, v *tree.Value, isJSON bool) error {
	w := writer{Writer: tree.NewWriter(ctx, out), r: r, isJSON: isJSON}
	if !w.part(in.Window(), v) {
		defer r.lock()()
		w.node(r.nodeOf(v))
	}
	if isJSON {
		w.Put("\n")
	}
	return w.Flush()
}

// AppendLiteral implements tree.LiteralWriter.
func (r *reading) AppendLiteral(dst []byte, in *tree.Reader, v *tree.Value, limit int) []byte {
	if w := (writer{Writer: tree.NewLiteral(dst, limit), r: r}); w.part(in.Window(), v) {
		return w.Literal()
	}
	defer r.lock()()
	return r.appendLiteral(dst, r.nodeOf(v), limit)
}

func (r *reading) appendLiteral(dst []byte, n *node, limit int) []byte {
	if n.inner != nil {
		return n.embedded.read.AppendLiteral(dst, &n.inner.Value, limit)
	}
	w := writer{Writer: tree.NewLiteral(dst, limit), r: r}
	if text := titleOf(n); text != nil {
		w.title(n.object(), text)
		return w.Literal()
	}
	w.node(n)
	return w.Literal()
}

// A writer writes values as JSON or as literals.
type writer struct {
	tree.Writer
	r       *reading
	isJSON  bool
	open    map[place]int // structs around what is being written; nil before the first
	placed  int           // values written in instances
	aliases int           // number of references around what is being written
	depth   int
}

const (
	maxAliases = 1
	maxLevels  = 1000
	maxWritten = 4 << 20 // structs in instances: each may lead to the same ones
	cutLevels  = 16
)

func (w *writer) node(n *node) {
	if n.inner != nil {
		w.embedded(n.embedded, n.inner)
		return
	}
	if n.kind == whole && n.object() == nil {
		w.object(w.r.doc.Root)
		return
	}
	if n.cell.Bad != nil {
		w.damaged(n.cell.Bad)
		return
	}
	if p := w.r.failure(n); p != nil && n.object() == nil && n.array() == nil {
		w.damaged(p)
		return
	}
	if (n.kind == instance && n.attr.Value != nil || n.kind == param) && n.cell.State != read.OnDemand {
		w.alias(n.cell.Val)
		return
	}
	if s := n.object(); s != nil && n.kind == instance {
		if w.placed++; w.open[placeOf(s)] > 0 || w.placed > maxWritten {
			w.elsewhere(n.cell.Val)
			return
		}
	}
	w.cell(n.cell, n.attr)
}

// cell writes the value of an attribute.
func (w *writer) cell(c *read.Cell, a *spec.Attr) {
	if c.Bad != nil {
		w.damaged(c.Bad)
		return
	}
	if c.State != read.OnDemand {
		w.value(c.Val)
		return
	}
	if c.Type.String() == "bytes" && c.Tail-c.Body > source.MaxView && c.Buf.IsFile() {
		w.longData(c)
		return
	}
	v, err := c.Value(a)
	if err != nil {
		w.damaged(&read.Problem{Code: read.Unevaluated, Text: err.Error(), At: span.Between(c.Start, c.End)})
		return
	}
	w.value(v)
}

// longData writes bytes that are not held in memory.
func (w *writer) longData(c *read.Cell) {
	defer w.beginBytes()()
	for at := c.Body; at < c.Tail && !w.Full(); at += source.MaxView {
		w.Dst = hex.AppendEncode(w.Dst, c.Buf.Append(nil, at, min(at+source.MaxView, c.Tail)))
	}
}

// beginBytes writes what precedes the digits of bytes, and returns what writes the rest.
func (w *writer) beginBytes() (end func()) {
	if w.isJSON {
		w.Put(`{"type":"bytes","hex":"`)
		return func() { w.Put(`"}`) }
	}
	w.Put("bytes(")
	return func() { w.Put(")") }
}

func (w *writer) damaged(p *read.Problem) {
	if !w.isJSON {
		w.Put("<" + p.Code + ">")
		return
	}
	w.Put(`{"type":"Damaged","problem":"` + p.Code + `","offset":` + strconv.FormatInt(p.At.Offset, 10) + "}")
}

// isText reports whether bytes are text for people, as those that mark a format often are.
func isText(b []byte) bool { return len(b) >= 3 && isPrintable(b) }

// alias writes a value that is also elsewhere.
func (w *writer) alias(v expr.Value) {
	if v.Kind != expr.Struct && v.Kind != expr.List {
		w.value(v)
		return
	}
	if w.aliases >= maxAliases {
		w.elsewhere(v)
		return
	}
	w.aliases++
	w.value(v)
	w.aliases--
}

// elsewhere stands for a value that is written elsewhere.
func (w *writer) elsewhere(v expr.Value) {
	name := "array"
	switch x := v.Ref.(type) {
	case *read.Struct:
		name = x.Type.Name
	case *embedded:
		name = x.name
	}
	if w.isJSON {
		w.Put(`{"type":"reference","to":`)
		w.Dst = tree.AppendQuoted(w.Dst, []byte(name))
		w.Put("}")
		return
	}
	w.Put("<" + name + ">")
}

func (w *writer) value(v expr.Value) {
	switch v.Kind {
	case expr.Null:
		w.Put("null")
	case expr.Bool:
		w.Put(strconv.FormatBool(v.N != 0))
	case expr.Int:
		w.integer(v)
	case expr.Float:
		w.float(v.Float())
	case expr.Str:
		w.text(v.Text())
	case expr.Bytes:
		b := v.Data()
		if !w.isJSON && isText(b) {
			w.Dst = tree.AppendQuoted(w.Dst, b)
			return
		}
		end := w.beginBytes()
		for len(b) > 0 && !w.Full() {
			n := min(len(b), source.MaxView)
			w.Dst, b = hex.AppendEncode(w.Dst, b[:n]), b[n:]
		}
		end()
	case expr.List:
		w.list(v.Ref.(expr.Array))
	case expr.Struct:
		if e, ok := v.Ref.(*embedded); ok {
			w.embedded(e, e.top)
			return
		}
		w.object(v.Ref.(*read.Struct))
	case expr.Stream:
		w.Put(`{"type":"stream","size":` + strconv.FormatInt(v.Ref.(expr.IO).Size(), 10) + "}")
	}
}

func (w *writer) text(s string) { w.Dst = tree.AppendQuoted(w.Dst, []byte(s)) }

func (w *writer) float(f float64) {
	s := tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(f)}
	if w.isJSON && (math.IsNaN(f) || math.IsInf(f, 0)) {
		w.Dst = tree.AppendQuoted(w.Dst, s.AppendNumber(nil))
		return
	}
	w.Dst = s.AppendNumber(w.Dst)
}

func (w *writer) integer(v expr.Value) {
	e, is := v.Ref.(*expr.Enum)
	name, ok := v.Label()
	switch {
	case !is || !w.isJSON && !ok:
		w.Put(v.Digits())
	case !w.isJSON:
		w.Put(name)
	default:
		w.Put(`{"type":"enum","value":` + v.Digits() + `,"name":`)
		if ok {
			w.Dst = tree.AppendQuoted(w.Dst, []byte(shortName(e.Name)+"::"+name))
		} else {
			w.Put("null")
		}
		w.Put("}")
	}
}

// shortName returns the name of an enum without the outermost type: "animal".
func shortName(name string) string {
	if _, rest, ok := strings.Cut(name, "::"); ok {
		return rest
	}
	return name
}

func (w *writer) isTooDeep() bool {
	return w.depth > maxLevels || w.Limited() && w.depth > cutLevels || w.Full()
}

func (w *writer) list(a expr.Array) {
	x, isRead := a.(*read.Array)
	if !isRead {
		w.placed++ // it may be in others many times
	}
	if w.isTooDeep() || w.placed > maxWritten {
		w.Cut = true
		w.elsewhere(expr.OfArray(a))
		return
	}
	w.depth++
	w.Put("[")
	for i := int64(0); !w.Full() && (isRead && x.Has(i) || !isRead && i < a.Len()); i++ {
		if i > 0 {
			w.comma()
		}
		if isRead {
			c := x.Cell(i)
			w.cell(&c, x.Attr)
		} else if v, err := a.At(i); err != nil {
			w.damaged(&read.Problem{Code: read.Unevaluated, Text: err.Error()})
		} else {
			w.value(v)
		}
	}
	w.Put("]")
	w.depth--
}

func (w *writer) comma() {
	if w.isJSON {
		w.Put(",")
	} else {
		w.Put(", ")
	}
}

// object writes the attributes of a struct, and then its instances.
func (w *writer) object(s *read.Struct) {
	if w.aliases > 0 && w.open[placeOf(s)] > 0 || w.isTooDeep() {
		w.elsewhere(expr.Value{Kind: expr.Struct, Ref: s})
		return
	}
	if w.open == nil {
		w.open = map[place]int{}
	}
	w.open[placeOf(s)]++
	w.depth++
	s.Ensure()
	w.Put("{")
	for i := 0; i < len(s.Cells) && !w.Full(); i++ {
		w.attribute(&node{attr: s.Type.Seq[i], owner: s, index: -1, cell: &s.Cells[i]}, i == 0)
	}
	for i := 0; i < len(s.Type.Instances) && !w.Full(); i++ {
		w.attribute(&node{attr: s.Type.Instances[i], owner: s, index: -1, kind: instance, cell: s.Instance(i)}, i+len(s.Cells) == 0)
	}
	w.Put("}")
	w.depth--
	if w.open[placeOf(s)]--; w.open[placeOf(s)] == 0 {
		delete(w.open, placeOf(s))
	}
}

// attribute writes an attribute or an instance of an object with its name.
func (w *writer) attribute(n *node, isFirst bool) {
	if !isFirst {
		w.comma()
	}
	if w.isJSON {
		w.Dst = tree.AppendQuoted(w.Dst, []byte(n.attr.ID))
		w.Put(":")
	} else {
		w.Put(n.attr.ID + ": ")
	}
	w.node(n)
}

// scalarKinds are how the tree knows values that are not in the bytes as they are.
var scalarKinds = map[expr.Kind]tree.ScalarKind{expr.Null: tree.Null, expr.Bool: tree.Bool, expr.Int: tree.Int, expr.Float: tree.Float64}

// Describe implements tree.Describer.
func (r *reading) Describe(w *source.Window, v *tree.Value) tree.Scalar {
	if p := partOf(v); p.isLeaf() {
		return p.describe(w, v)
	}
	defer r.lock()()
	n := r.nodeOf(v)
	if n.inner != nil {
		return n.embedded.describe(n)
	}
	c := n.cell
	body := span.Between(c.Body, c.Tail)
	switch x := c.Val; {
	case c.State == read.OnDemand && n.inFile && c.Type.String() != "bytes" && charset.IsPlain(n.attr.Encoding):
		return tree.Scalar{Kind: tree.Text, Span: body}
	case c.State == read.OnDemand && n.inFile && c.Type.Kind != spec.Str:
		return tree.Scalar{Kind: tree.Bytes, Span: body, Note: r.note(n)}
	case x.Kind == expr.Int && (x.Wide || c.Type != nil && int64(x.N) >= 0):
		return tree.Scalar{Kind: tree.Uint, Bits: x.N}
	}
	if kind, ok := scalarKinds[c.Val.Kind]; ok && c.State != read.OnDemand {
		return tree.Scalar{Kind: kind, Bits: c.Val.N}
	}
	if text, err := c.Value(n.attr); err == nil && text.Kind == expr.Str {
		return tree.Scalar{Kind: tree.Text, Span: span.Span{Offset: v.Head}, Own: []byte(text.Text())}
	}
	return tree.Scalar{Kind: tree.Bytes, Span: span.Span{Offset: v.Head}, Note: r.note(n)}
}

// note returns a value in words.
func (r *reading) note(n *node) string {
	if n.cell.State == read.OnDemand && n.cell.Type.String() == "bytes" {
		return ""
	}
	return string(r.appendLiteral(nil, n, 1<<10))
}
