// Package simple makes a read-only family with one format from a function that reads one
// value. See docs/adding-a-format.md.
package simple

import (
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
)

// A Description defines a format of self-describing values: the meaning of a value
// depends only on its own bytes, and a file holds one value.
type Description struct {
	Name  string   // of the family and of its dialect: "msgpack"
	Title string   // for people: "MessagePack"
	About string   // what writes it, for people
	Types []string // the names that Cursor.Type is called with

	LittleEndian bool // numbers have their lowest byte first

	// Sniff returns the claim on a file of size bytes by its first bytes, at most 64.
	Sniff func(start []byte, size int64) format.Claim

	// Value reads one value. It is called to find the end of the value, to list its
	// fields and to describe them, and must call the same methods of the cursor each
	// time. The methods do nothing and return 0 after the end of the bytes or a call of
	// Fail. Value must read at least one byte, and no children: it is called again for
	// each of them.
	Value func(c *Cursor)
}

// New returns the family of a description.
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
