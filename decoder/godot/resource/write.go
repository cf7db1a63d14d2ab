package resource

import (
	"context"
	"io"
	"strconv"

	"varview/decoder/godot/internal/json"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/types"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var (
	_ tree.LiteralWriter = (*reading)(nil)
	_ tree.JSONWriter    = (*reading)(nil)
)

// AppendLiteral implements tree.LiteralWriter.
func (r *reading) AppendLiteral(dst []byte, n *tree.Reader, v *tree.Value, limit int) []byte {
	n.Window().SetBigEndian(r.head.big)
	if !isPart(v) && v.Type != types.Raw {
		return literal.Literals{Format: r.values}.AppendLiteral(dst, n, v, limit)
	}
	c := r.compose(n, literal.Visitor(r.values, tree.NewLiteral(dst, limit), n))
	tree.Visit(n, v, c)
	return c.Text().Literal()
}

// WriteText implements tree.LiteralWriter.
func (r *reading) WriteText(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := r.compose(n, literal.Visitor(r.values, tree.NewWriter(ctx, out), n))
	tree.Visit(n, v, c)
	return c.Text().Flush()
}

// WriteJSON implements tree.JSONWriter.
func (r *reading) WriteJSON(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := r.compose(n, json.Visitor(r.values, tree.NewWriter(ctx, out), n))
	c.comma, c.colon, c.space = ",", ":", ""
	c.exports = v.Type == types.Raw || v.Type == types.Record && v.Sub == recordFile
	tree.Visit(n, v, c)
	c.Text().Put("\n")
	return c.Text().Flush()
}

// A composer writes the records of a file around the values that another visitor writes.
type composer struct {
	tree.TextVisitor
	*reading
	reader       *tree.Reader
	comma, colon string
	space        string // inside braces
	exports      bool   // what export writes: some parts are left out, ids are added

	nest  []openRecord
	inner int       // open values that the other visitor writes
	slot  tree.Slot // slot of the next child
}

// An openRecord is a record, a list or properties whose children are being written.
type openRecord struct {
	v    tree.Value
	some bool // a child has been written
	key  bool // the last child was a name, whose value follows
}

func (r *reading) compose(n *tree.Reader, x tree.TextVisitor) *composer {
	n.Window().SetBigEndian(r.head.big)
	return &composer{TextVisitor: x, reading: r, reader: n, comma: ", ", colon: ": ", space: " "}
}

// Before implements tree.Visitor.
func (c *composer) Before(slot tree.Slot) {
	c.slot = slot
	if c.inner > 0 {
		c.TextVisitor.Before(slot)
	}
}

// begin writes what precedes a child. It returns false if export leaves the child out.
func (c *composer) begin(v *tree.Value) bool {
	if len(c.nest) == 0 {
		return true
	}
	o, t := &c.nest[len(c.nest)-1], c.Text()
	p := c.partOf(&o.v, c.slot)
	if p != nil && c.exports && c.isHidden(p, v) {
		return false
	}
	switch {
	case o.v.Type == types.Properties && !c.slot.Key:
		t.Put(c.colon)
	case o.some:
		t.Put(c.comma)
	case o.v.Type != types.List && o.v.Type != types.Raw:
		t.Put(c.space)
	}
	o.some, o.key = true, c.slot.Key
	if p != nil {
		t.Put(`"` + p.name + `"` + c.colon)
	}
	return true
}

// lost writes the placeholder for a value that cannot be read.
func (c *composer) lost(code string) {
	c.Text().Put(c.colon)
	if c.space == "" { // JSON
		c.Text().Put(`{"type":"Damaged","problem":"` + code + `"}`)
		return
	}
	c.Text().Put("<" + code + ">")
}

// isHidden reports whether export leaves out a part of a record.
func (c *composer) isHidden(p *part, v *tree.Value) bool {
	switch p {
	case partType, partScript, partExternal, partResources, partPath, partProperties:
		return false
	case partUID:
		return c.head.flags&flagUIDs == 0 || c.uid(v) == -1
	}
	return true
}

func (c *composer) uid(v *tree.Value) int64 { return int64(c.reader.Window().U64(v.Start)) }

// Open implements tree.Visitor.
func (c *composer) Open(v *tree.Value) bool {
	switch {
	case c.inner == 0 && !c.begin(v):
		return false
	case c.inner > 0 || !isPart(v) && v.Type != types.Raw:
		if !c.TextVisitor.Open(v) {
			return false
		}
		c.inner++
		return true
	}
	o := openRecord{v: *v}
	if v.Type == types.List {
		c.Text().Put("[")
	} else if v.Type != types.Raw {
		c.Text().Put("{")
	}
	if c.exports && v.Type == types.Record {
		o.some = c.identify(v.Sub)
	}
	c.nest = append(c.nest, o)
	return true
}

// identify writes what export says of a record besides its parts.
func (c *composer) identify(record uint32) bool {
	t, index := c.Text(), c.slot.Index
	switch {
	case record == recordFile:
		t.Put(`"engine":"` + strconv.Itoa(int(c.head.major)) + "." + strconv.Itoa(int(c.head.minor)) + `","format":` + strconv.Itoa(int(c.head.version)))
	case record == recordExternal:
		t.Put(`"id":"` + strconv.FormatInt(index, 10) + `"`)
	case index < int64(len(c.head.table)):
		t.Put(`"id":`)
		t.Dst = tree.AppendQuoted(t.Dst, []byte(c.head.table[index].id))
	default:
		return false
	}
	return true
}

// Close implements tree.Visitor.
func (c *composer) Close() {
	if c.inner > 0 {
		c.TextVisitor.Close()
		c.inner--
		return
	}
	o := c.nest[len(c.nest)-1]
	c.nest = c.nest[:len(c.nest)-1]
	if o.v.Type == types.Raw && !o.some && c.exports { // the buffer has no bytes
		c.Text().Put(`{"type":"Damaged","problem":"` + span.Truncated + `","offset":0}`)
	}
	if o.v.Type == types.List {
		c.Text().Put("]")
	} else if o.v.Type != types.Raw {
		if o.key {
			c.lost(span.MissingValue)
		}
		if o.some {
			c.Text().Put(c.space)
		}
		c.Text().Put("}")
	}
}

// Atom implements tree.Visitor.
func (c *composer) Atom(v *tree.Value) {
	if c.inner == 0 && !c.begin(v) {
		return
	}
	t := c.Text()
	switch {
	case c.inner == 0 && v.Type == types.Property && v.Damage != nil && len(c.nest) > 0: // no value follows
		t.Put(`"<` + v.Damage.Code + `>"`)
		c.lost(v.Damage.Code)
		c.nest[len(c.nest)-1].key = false
	case c.inner == 0 && v.Type == types.Property && v.Damage == nil: // a key of JSON is always text
		text, _, _ := c.values.NameAt(c.reader.Window(), v.Start)
		t.Dst = tree.AppendQuoted(t.Dst, c.reader.Window().View(text.Offset, text.Length))
	case c.exports && c.inner == 0 && v.Type == types.Int64 && v.Damage == nil:
		t.Put(`"` + strconv.FormatInt(c.uid(v), 10) + `"`)
	default:
		c.TextVisitor.Atom(v)
	}
}
