package resource

import (
	"context"
	"io"
	"strconv"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/convert"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/formats/godot/internal/write"
)

// AppendLiteral implements tree.LiteralWriter.
func (r *reading) AppendLiteral(dst []byte, n *tree.Reader, v *tree.Value, limit int) []byte {
	n.Window().SetBigEndian(r.head.big)
	if !isPart(v) && v.Type != types.Raw {
		return write.Forms{Format: r.values}.AppendLiteral(dst, n, v, limit)
	}
	c := r.compose(n, write.Literal(r.values, tree.NewLiteral(dst, limit), n))
	tree.Visit(n, v, c)
	return c.Text().Literal()
}

// WriteText implements tree.LiteralWriter.
func (r *reading) WriteText(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := r.compose(n, write.Literal(r.values, tree.NewWriter(ctx, out), n))
	tree.Visit(n, v, c)
	return c.Text().Flush()
}

// WriteJSON implements tree.JSONWriter.
func (r *reading) WriteJSON(ctx context.Context, out io.Writer, n *tree.Reader, v *tree.Value) error {
	c := r.compose(n, write.JSON(r.values, tree.NewWriter(ctx, out), n))
	c.colon, c.exports = ":", v.Type == types.Raw || v.Type == types.Record && v.Sub == recordFile
	tree.Visit(n, v, c)
	c.Text().Put("\n")
	return c.Text().Flush()
}

// A composer writes the names of the parts of a file, around the values that another visitor writes.
type composer struct {
	*write.Writer
	*reading
	w       *source.Window
	colon   string
	exports bool         // some parts are left out, ids are added
	open    []tree.Value // values whose children are being written
	slot    tree.Slot    // of the next child
}

func (r *reading) compose(n *tree.Reader, x *write.Writer) *composer {
	n.Window().SetBigEndian(r.head.big)
	return &composer{Writer: x, reading: r, w: n.Window(), colon: ": "}
}

// Before implements tree.Visitor.
func (c *composer) Before(slot tree.Slot) { c.slot = slot }

// begin writes what precedes a value. It returns false if export leaves the value out.
func (c *composer) begin(v *tree.Value) bool {
	if len(c.open) == 0 {
		return true
	}
	p := c.partOf(&c.open[len(c.open)-1], c.slot)
	if p != nil && c.exports && c.isHidden(p, v) {
		return false
	}
	c.Writer.Before(c.slot)
	if p != nil {
		c.Text().Put(`"` + p.name + `"` + c.colon)
	}
	return true
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

func (c *composer) uid(v *tree.Value) int64 { return int64(c.w.U64(v.Start)) }

// Open implements tree.Visitor.
func (c *composer) Open(v *tree.Value) bool {
	if !c.begin(v) || !c.Writer.Open(v) {
		return false
	}
	if c.open = append(c.open, *v); c.exports && v.Type == types.Record {
		c.Top().Some = c.identify(v.Sub)
	}
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
		t.PutQuoted(`"id":`, []byte(c.head.table[index].id))
	default:
		return false
	}
	return true
}

// Close implements tree.Visitor.
func (c *composer) Close() {
	c.Writer.Close()
	c.open = c.open[:len(c.open)-1]
}

// Atom implements tree.Visitor.
func (c *composer) Atom(v *tree.Value) {
	if !c.begin(v) {
		return
	}
	isName := v.Type == types.Property && len(c.open) > 0 && c.open[len(c.open)-1].Type == types.Properties
	switch t := c.Text(); {
	case isName && v.Damage != nil: // a key of JSON is always text
		t.Put(`"<` + v.Damage.Code + `>"`)
		c.Writer.Before(tree.Slot{Index: c.slot.Index}) // no value follows
		c.Writer.Atom(v)
	case isName:
		text, _, _ := c.values.NameAt(c.w, v.Start)
		t.Quoted(c.w, text.Offset, text.Length)
	case c.exports && v.Type == types.Int64 && v.Damage == nil:
		t.Put(`"` + strconv.FormatInt(c.uid(v), 10) + `"`)
	default:
		c.Writer.Atom(v)
	}
}

// File implements convert.Filer. The ids of resources are not in their records.
func (r *reading) File(n *tree.Reader) (*convert.File, error) {
	is := convert.Target{Engine: types.Text3, Binary: true}
	if r.dialect == types.Resource4 {
		is.Engine = types.Text4
	}
	f, err := convert.ReadFile(n, is)
	if err != nil {
		return nil, err
	}
	if f.Wide = r.head.wide; r.head.flags&flagUIDs == 0 {
		f.UID = -1
	}
	for i := range f.External {
		f.External[i].ID = strconv.Itoa(i)
	}
	for i := range f.Resources {
		f.Resources[i].ID = r.head.table[i].id
	}
	return f, nil
}

// Convert implements format.Converter.
func (family) Convert(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, out io.Writer) error {
	to := convert.Target{Engine: types.Text3, Binary: true}
	if q.Dialect == types.Resource4.Name {
		to.Engine = types.Text4
	}
	return convert.Files(ctx, r, q, to, func(c *convert.FileConverter) error {
		return writeFile(c, to.Engine == types.Text4, out)
	})
}

// writeFile writes a file as an engine does: the oldest that has the types of its values.
func writeFile(c *convert.FileConverter, four bool, out io.Writer) error {
	h := &head{major: 3, minor: 2, version: 3, wide: c.Wide, files: int64(len(c.External))}
	dialect := types.Resource3
	if four {
		dialect = types.Resource4
		h.major, h.minor, h.version, h.flags = 4, 0, 5, flagNamed|flagUIDs
		if c.Script != "" {
			h.flags |= flagScript
		}
		if h.wide {
			h.flags |= flagWide
		}
	}
	for i := range c.Resources {
		h.table = append(h.table, entry{id: c.Resources[i].ID})
	}
	e := &editing{tables: &tables{head: h}}
	e.values = &variant.Format{Dialect: dialect, Double: h.wide, Tables: e.tables}
	data := convert.NewData(e.values, out)
	defer data.End()
	for i := range c.Resources {
		h.table[i].offset = data.Size()
		if err := data.Resource(c, &c.Resources[i]); err != nil {
			return err
		}
	}
	if c.Seen[types.Newest(types.PoolVector4Array)] {
		h.minor, h.version = 3, 6
	}
	start := e.start(c, four)
	table := []byte(nil)
	size := len(start)
	for _, x := range h.table {
		size += len(e.entry([]byte(local+x.id), 0))
	}
	for _, x := range h.table {
		table = append(table, e.entry([]byte(local+x.id), x.offset+int64(size))...)
	}
	if _, err := out.Write(append(start, table...)); err != nil {
		return err
	}
	data.Out = append(data.Out, magic...)
	return data.Keep()
}

// start returns a file up to the table of resources.
func (e *editing) start(c *convert.FileConverter, four bool) []byte {
	h := e.tables.head
	real64 := int64(0)
	if h.wide && !four {
		real64 = 1
	}
	b := []byte(magic)
	for _, n := range []int64{0, real64, int64(h.major), int64(h.minor), int64(h.version)} {
		b = append(b, e.number(types.Int32, n)...)
	}
	b = append(e.text(b, []byte(c.Class)), e.number(types.Int64, 0)...)
	if four {
		b = append(append(b, e.number(types.Int32, int64(h.flags))...), e.number(types.Int64, c.UID)...)
		if c.Script != "" {
			b = e.text(b, []byte(c.Script))
		}
	}
	b = append(b, make([]byte, h.reserved())...)
	b = append(b, e.number(types.Int32, int64(len(e.tables.added)))...)
	for _, text := range e.tables.added {
		b = e.text(b, text)
	}
	b = append(b, e.number(types.Int32, h.files)...)
	for _, x := range c.External {
		b = e.text(e.text(b, []byte(x.Class)), []byte(x.Path))
		if four {
			b = append(b, e.number(types.Int64, x.UID)...)
		}
	}
	return append(b, e.number(types.Int32, int64(len(h.table)))...)
}
