// Package simple makes a family with one format from a function that reads one value and, if it can be
// edited, two that write one. See docs/adding-a-format.md.
package simple

import (
	"context"
	"io"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// A Description defines a format of self-describing values: the meaning of a value depends only on its own
// bytes and its Place, and a file holds one value.
type Description struct {
	Name  string   // name of the family and of its dialect: "msgpack"
	Title string   // for people: "MessagePack"
	About string   // programs that write it, for people
	Types []string // names of types for Cursor.Type

	LittleEndian bool // numbers have their lowest byte first
	Offsets      bool // Value calls Cursor.Offset, so that edits have to look for all offsets
	Floats       bool // a number without a type is a float: Encode is not called with an Int
	CESU8        bool // text may hold each half of a surrogate pair as three bytes
	// Ignored reports whether child i of the value that begins at the cursor is ignored by the program that
	// reads the file. It may be nil.
	Ignored func(c *Cursor, i int64) bool

	// Bounds returns which children of a container are in use, as far as that is more than how many there are; nil if all
	// are. No literal carries it. It may be nil.
	Bounds func(w *source.Window, v *tree.Value) []byte

	Common bool   // programs other than games write it too
	Within string // name of the wrapper that its files have; "" for none
	Unused bool   // zeros may follow the value in a file

	Lines bool // keys begin lines, and values end them
	Bare  bool // programs write several values one after another

	Terminator string            // end of new containers of Cursor.ItemsUntil and PairsUntil
	Numbers    []string          // types of numbers whose literals name them: int64(5)
	Engine     map[string]string // reactions of the programs that read the format to problems, by code; "" for missing values

	// Sniff returns the claim on a file of size bytes by its first bytes, at most 4,096.
	Sniff func(start []byte, size int64) format.Claim

	// Value reads one value. It is called to find the end of the value, to list its fields and to describe
	// them, and must call the same methods of the cursor each time. The methods do nothing and return 0
	// after the end of the bytes or a call of Fail. Value must read at least one byte, and no children: it
	// is called again for each of them.
	Value func(c *Cursor)

	// Glance tells by the first bytes of a value, or of a key with what precedes it, how many it takes, so that many can be passed
	// quickly: reading it would find nothing odd. It may be nil.
	Glance func(at Place, b []byte) Glance

	// HasChild reports whether a child of a container of ItemsUntil or PairsUntil begins at the cursor. Its
	// Place is that of the child. It may read what precedes a key: it is called before each Value of a key.
	HasChild func(c *Cursor) bool

	// Foot reads what follows the last child of such a container. Its Place is that of a child.
	Foot func(c *Cursor)

	// Spell returns a number or bool as text, in the form of the text that it replaces. If it is set, all
	// values are text.
	Spell func(s tree.Scalar, old []byte) []byte

	// Encode returns the shortest bytes of a value without children; nil if the format has no such value.
	// Without Encode and Header the format can only be read.
	Encode func(d Datum) []byte

	// Header returns the bytes before n children, which take size bytes; nil if there cannot be so many. It
	// is called only if the number does not fit the existing header.
	Header func(at Place, l tree.Layout, n, size int64) []byte

	// Members returns the members of the JSON object that a container is exported as, between its type and
	// its children: `"id":403,`. Containers for which it returns "" are JSON arrays and objects; so are all
	// if it is nil.
	Members func(w *source.Window, v *tree.Value) string

	// Structure is the inverse: it returns the bytes before the children of a container with a type and
	// members, and the children in the order of their bytes.
	Structure func(typeName string, members map[string]*notation.Value) (head []byte, children []*notation.Value, err error)
}

// A Datum is a value without children that is to be written.
type Datum struct {
	Place
	tree.Scalar        // an integer is an Int, or a Uint from 1<<63 on, a float is a Float64; Span is not set
	Data        []byte // content of Text and Bytes; nil if only their Note is known
	Like        []byte // the value that it replaces, or one beside it; nil if there is none
	LineEnd     string // "\n" or "\r\n"
}

// A Glance is what the first bytes of a value say of it. Without a Type they do not suffice.
type Glance struct {
	Type   string      // one of Description.Types
	Layout tree.Layout // Leaf, or that of its children
	Kind   span.Kind   // of the content of a value without children: Text, Data or another one
	Before int         // bytes before the value itself
	Head   int         // bytes before the content or the children
	Size   uint64      // bytes of the content, or number of children
	Tail   int         // bytes after the content
	Inside uint32      // as for Cursor.Inside; 0 if it is not called
	Until  bool        // the children are followed by a Glance that Ends them, and have no number
	Ends   bool        // no other child follows
}

// New returns the family that a description defines.
func New(d Description) format.Family {
	f := &family{Description: d, framing: "raw"}
	f.dialect = format.Dialect{Name: d.Name, Format: d.Name, Title: d.Title, About: d.About, Types: d.Types, Common: d.Common, Bare: d.Bare, Within: d.Within}
	if d.Bare {
		f.sequence = &family{Description: d, dialect: f.dialect, framing: format.Sequence}
	}
	if f.isWritten() {
		return importer{f}
	}
	return f
}

// isWritten reports whether values of the format can be encoded.
func (f *family) isWritten() bool { return f.Encode != nil && f.Header != nil }

// A family is also its only format.
type family struct {
	Description
	dialect  format.Dialect
	sequence *family // format of several values one after another; nil if there is none, or this is it
	framing  string
}

// Name implements format.Family.
func (f *family) Name() string { return f.Description.Name }

// Dialects implements format.Family.
func (f *family) Dialects() []*format.Dialect { return []*format.Dialect{&f.dialect} }

// Hints implements format.Family.
func (f *family) Hints() format.Hints {
	h := format.Hints{Title: f.Title, Text: f.Lines, Commands: "goto 0x1f4 or $.path   quit"}
	if f.isWritten() {
		h.Literal, h.Commands = `a literal: 42, 1.5, "text", true, [1, 2], { "k": 1 }`, "w   set 100   "+h.Commands
		h.Empty = (&editing{reading: newReading(f)}).sample("", Place{})
	}
	return h
}

// sniffed is how many bytes a claim is made by: enough for the comments before the first section of an INI file.
const sniffed = 4096

// Sniff implements format.Family.
func (f *family) Sniff(src source.Source, region span.Span) format.Claim {
	return f.Description.Sniff(source.NewWindow(src).View(region.Offset, min(region.Length, sniffed)), region.Length)
}

// Formats implements format.Family.
func (f *family) Formats(r *format.Request, _ source.Source, _ span.Span) []format.Format {
	switch {
	case r.Dialect != "" && r.Dialect != f.Description.Name || r.Double:
		return nil
	case r.Framing == format.Sequence && f.sequence != nil:
		return []format.Format{f.sequence}
	case r.Framing != "" && r.Framing != "raw":
		return nil
	}
	return []format.Format{f}
}

// An importer is a family whose values can be written.
type importer struct{ *family }

// DeclaredIn implements format.Importer: the JSON form does not name its format.
func (importer) DeclaredIn([]byte) string { return "" }

// Import implements format.Importer. It holds the text and the bytes in memory.
func (f importer) Import(ctx context.Context, in io.Reader, out io.Writer, r *format.ImportRequest) error {
	text, err := io.ReadAll(io.LimitReader(in, notation.MaxText+1))
	if err != nil {
		return err
	}
	v, err := notation.Parse(string(text))
	if err == nil && r.Form == format.Exported {
		err = f.fromExport(&v)
	}
	if err != nil {
		return err
	}
	e := &editing{reading: newReading(f.family), Editing: edit.Editing{Ctx: ctx}}
	values := []notation.Value{v}
	if r.Framing == format.Sequence && v.Kind == notation.List {
		values = v.Items
	}
	for i := range values {
		if b := e.structure(&values[i], r.Form); e.Err == nil {
			_, err = out.Write(b)
			e.Keep(err)
		}
	}
	return e.Err
}

// structure returns the bytes of the value of a buffer.
func (e *editing) structure(v *notation.Value, form format.Form) []byte {
	name, members := "", map[string]*notation.Value(nil)
	if e.Structure != nil && form == format.Exported && v.Kind == notation.Pairs {
		name, members = e.typed(v)
	}
	if name == "" {
		return e.value(v, Place{}, nil)
	}
	b, children, err := e.Structure(name, members)
	if err != nil {
		e.Keep(v.Errorf("%v", err))
	}
	in, _, _ := e.lookIn(source.Bytes(b), Place{})
	for _, c := range children {
		b = append(b, e.value(c, inside(&in, false), nil)...)
	}
	return b
}

// fromExport turns exported JSON into the values that it represents: texts into floats that JSON does not
// have, and objects with a type into data, or into pairs with keys that an object cannot have.
func (r *family) fromExport(v *notation.Value) error {
	switch v.Kind {
	case notation.Text:
		switch string(v.Text) {
		case "nan", "inf", "-inf":
			v.Kind = notation.Number
		}
		return nil
	case notation.Pairs:
		if name, rest := r.typed(v); name != "" {
			return r.fromTyped(v, name, rest)
		}
	}
	for i := range v.Items {
		if v.Kind == notation.Pairs && i%2 == 0 {
			continue // a key is text
		}
		if err := r.fromExport(&v.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// typed returns the type of an object whose first member is "type", and its other members; "" for other
// values.
func (r *family) typed(v *notation.Value) (name string, rest map[string]*notation.Value) {
	if len(v.Items) < 4 || string(v.Items[0].Text) != "type" || v.Items[1].Kind != notation.Text {
		return "", nil
	}
	rest = map[string]*notation.Value{}
	for i := 2; i < len(v.Items); i += 2 {
		rest[string(v.Items[i].Text)] = &v.Items[i+1]
	}
	if name = string(v.Items[1].Text); rest["value"] != nil && slices.Contains(r.Types, name) && (r.Structure != nil || slices.Contains(r.Numbers, name)) {
		return name, rest
	}
	if rest["args"] == nil && rest["hex"] == nil && rest["problem"] == nil {
		return "", nil
	}
	return name, rest
}

// fromTyped turns an object with a type into the value that it represents.
func (r *family) fromTyped(v *notation.Value, name string, rest map[string]*notation.Value) error {
	args, digits, code := rest["args"], rest["hex"], rest["code"]
	switch {
	case rest["value"] != nil && slices.Contains(r.Numbers, name):
		v.Kind, v.Name, v.Text = notation.Call, name, rest["value"].Text
		return nil
	case rest["value"] != nil:
		return r.fromExport(rest["value"])
	case args != nil && args.Kind == notation.List && len(args.Items)%2 == 0:
		v.Items = args.Items
		for i := range v.Items {
			if err := r.fromExport(&v.Items[i]); err != nil {
				return err
			}
		}
		return nil
	case digits != nil && digits.Kind == notation.Text:
		v.Kind, v.Name, v.Text = notation.Call, name, digits.Text
		if code != nil {
			v.Text = []byte(string(code.Text) + ", " + string(digits.Text))
		}
		return nil
	}
	return v.Errorf("%s cannot be imported", name)
}
