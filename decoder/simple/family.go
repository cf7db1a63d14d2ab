// Package simple makes a family of formats, which can be read and not edited, out of
// one function that reads a value. See docs/adding-a-format.md.
package simple

import (
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
)

// A Description says all that there is to a format whose values describe themselves:
// what a value is depends on its own bytes only, and a file holds one value.
type Description struct {
	Name  string   // of the family and of its dialect: "msgpack"
	Title string   // for people: "MessagePack"
	About string   // what writes it, for people
	Types []string // the names that Cursor.Type is called with

	LittleEndian bool // numbers have their lowest byte first

	// Sniff says what a file of size bytes looks like by its first bytes, 64 at most.
	Sniff func(start []byte, size int64) format.Claim

	// Value reads one value. It is run to find where the value ends, to list its
	// fields and to say what these mean, and has to call the same methods of the
	// cursor each time. The calls do nothing once the bytes have ended or Fail was
	// called; numbers are 0 then. It must take at least one byte and must not read
	// children, which are values that it is called for later.
	Value func(c *Cursor)
}

// New makes the family.
func New(d Description) format.Family {
	f := &family{Description: d}
	f.dialect = format.Dialect{Name: d.Name, Format: d.Name, Title: d.Title, About: d.About, Types: d.Types}
	return f
}

// A family is also the only format that it has.
type family struct {
	Description
	dialect format.Dialect
}

// Name implements format.Family.
func (f *family) Name() string { return f.Description.Name }

// Dialects implements format.Family.
func (f *family) Dialects() []*format.Dialect { return []*format.Dialect{&f.dialect} }

// Hints implements format.Family.
func (f *family) Hints() format.Hints {
	return format.Hints{Title: f.Title, Commands: "goto 0x1f4 or $.path   quit"}
}

// Sniff implements format.Family.
func (f *family) Sniff(src source.Source, region span.Span) format.Claim {
	return f.Description.Sniff(source.NewWindow(src).View(region.Offset, min(region.Length, 64)), region.Length)
}

// Formats implements format.Family.
func (f *family) Formats(r *format.Request, _ source.Source, _ span.Span) []format.Format {
	if r.Dialect != "" && r.Dialect != f.Description.Name || r.Framing != "" && r.Framing != "raw" || r.Double {
		return nil
	}
	return []format.Format{f}
}
