package resource

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"varview/decoder/format"
	"varview/decoder/godot/internal/convert"
	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/tree"
)

var (
	_ format.Converter = family{}
	_ convert.Filer    = (*reading)(nil)
)

// File implements convert.Filer.
func (r *reading) File(n *tree.Reader) (*convert.File, error) {
	f := &convert.File{Target: convert.Target{Engine: types.Text3, Binary: true}, UID: -1, Wide: r.head.wide}
	if r.dialect == types.Resource4 {
		f.Engine = types.Text4
	}
	n.Window().SetBigEndian(r.head.big)
	x := texts{reader: n}
	f.Class, f.Script = x.at("$.type"), x.at("$.script_class")
	if uid, err := n.Resolve("$.uid"); err == nil && r.head.flags&flagUIDs != 0 {
		f.UID = int64(n.Window().U64(uid.Start))
	}
	for i := range r.head.files {
		path := fmt.Sprintf("$.external[%d]", i)
		e := convert.External{ID: strconv.FormatInt(i, 10), Class: x.at(path + ".type"), Path: x.at(path + ".path"), UID: -1}
		if uid, err := n.Resolve(path + ".uid"); err == nil {
			e.UID = int64(n.Window().U64(uid.Start))
		}
		f.External = append(f.External, e)
	}
	for i := range r.head.table {
		path := fmt.Sprintf("$.resources[%d]", i)
		f.Resources = append(f.Resources, convert.Resource{ID: r.head.table[i].id, Class: x.at(path + ".type"), Path: path + ".properties",
			Properties: func(yield func(string, string) bool) { r.eachProperty(n, path+".properties", yield) }})
	}
	return f, errors.Join(x.err, n.Window().Err())
}

// texts reads strings of a file.
type texts struct {
	reader *tree.Reader
	err    error
}

// at returns the string at a path; "" if there is none.
func (x *texts) at(path string) string {
	n, err := x.reader.Resolve(path)
	if err != nil {
		return ""
	}
	l, err := literal.Parse(types.TextAny, string(x.reader.AppendLiteral(nil, &n.Value, math.MaxInt32)))
	if err != nil || l.Kind != types.String {
		x.err = errors.Join(x.err, fmt.Errorf("%s cannot be read", path))
		return ""
	}
	return string(l.Text)
}

// eachProperty calls f with the names and the literals of properties.
func (r *reading) eachProperty(n *tree.Reader, path string, f func(name, text string) bool) {
	list, err := n.Resolve(path)
	if err != nil {
		return
	}
	for v, err := n.Child(list, 0); err == nil; v, err = n.Next(v) {
		name, _, _ := r.values.NameAt(n.Window(), n.Key(v).Start)
		text := string(n.Window().View(name.Offset, name.Length))
		if !f(text, convert.LiteralOf(r, n, &v.Value)) {
			return
		}
	}
}

// Convert implements format.Converter.
func (family) Convert(ctx context.Context, r *tree.Reader, q *format.ConvertRequest, out io.Writer) error {
	to := convert.Target{Engine: types.Text3, Binary: true}
	if q.Dialect == types.Resource4.Name {
		to.Engine = types.Text4
	}
	return convert.Files(ctx, r, q, to, func(c *convert.FileConverter) error {
		_, err := writeFile(c, to.Engine == types.Text4, out)
		return err
	})
}

// writeFile writes a file as an engine does: the oldest that has the types of its values.
func writeFile(c *convert.FileConverter, four bool, out io.Writer) (int, error) {
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
	var data []byte
	for i := range c.Resources {
		h.table[i].offset = int64(len(data))
		var err error
		if data, err = e.resource(c, &c.Resources[i], data); err != nil {
			return 0, err
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
	return fmt.Fprintf(out, "%s%s%s%s", start, table, data, magic)
}

// resource appends the data of a resource.
func (e *editing) resource(c *convert.FileConverter, r *convert.Resource, data []byte) ([]byte, error) {
	x := &encode.Encoder{Format: e.values, Out: data}
	x.PutString([]byte(r.Class))
	count, n := len(x.Out), uint64(0)
	x.U32(0)
	err := c.Properties(r, func(p *convert.Property) error {
		x.PutPart([]byte(p.Name))
		x.Text = p.Text
		n++
		return x.Value(&p.Value)
	})
	copy(x.Out[count:], e.values.AppendBinary(nil, types.Int32, n))
	return x.Out, err
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
