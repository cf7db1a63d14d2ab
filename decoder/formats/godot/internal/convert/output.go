package convert

import (
	"io"

	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// A Data is the data of the resources of a binary file, in memory or in a temporary file. It implements Output.
type Data struct {
	sink
	open []counted
}

// A counted is a container that is being written, or the properties of a resource, whose names and values alternate.
type counted struct {
	at   int64 // of its count
	n    uint32
	kind types.ID
}

// NewData returns data in a format, which Keep writes to out.
func NewData(f *variant.Format, out io.Writer) *Data {
	return &Data{sink: sink{Encoder: encode.Encoder{Format: f}, out: out, holds: true}}
}

// Resource writes a resource: its class and its properties.
func (d *Data) Resource(c *FileConverter, r *Resource) error {
	d.PutString([]byte(r.Class))
	d.begin(types.Dictionary)
	if err := c.Properties(r, d); err != nil {
		return err
	}
	return d.Close()
}

// begin writes the count of a container, which Close sets.
func (d *Data) begin(kind types.ID) {
	d.open = append(d.open, counted{at: d.Size(), kind: kind})
	d.U32(0)
}

func (d *Data) counts() { d.open[len(d.open)-1].n++ }

// Name implements Output.
func (d *Data) Name(name string) bool {
	d.counts()
	d.PutPart([]byte(name))
	return true
}

// Value implements Output.
func (d *Data) Value(l *literal.Literal, text string) error {
	d.counts()
	d.Text = text
	if types.Of(d.open[len(d.open)-1].kind).Shape == types.ShapeStrings { // whose elements have no headers
		d.PutString(l.Text)
	} else if err := d.Encoder.Value(l); err != nil {
		return err
	}
	return d.room()
}

// Open implements Output.
func (d *Data) Open(kind types.ID) {
	d.counts()
	d.ContainerHeader(&literal.Literal{Kind: kind, Parts: &literal.Parts{}})
	d.begin(kind)
}

// Close implements Output.
func (d *Data) Close() error {
	c := d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
	if c.kind == types.Dictionary {
		c.n /= 2
	}
	return d.put32(c.at, c.n)
}
