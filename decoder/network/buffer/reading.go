package buffer

import (
	"fmt"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/network/message"
	"varview/decoder/network/variants"
)

// Types of values. Below these are the types of Variants, in a range for each dialect.
const (
	typeBuffer uint16 = 0xf000 + iota
	typeHeader
	typeMessages
	typeMessage
	typeList  // a list in a message; Sub is its node, Foot the start of its record
	typeField // a field of a message, as a list
	typeShort // a Variant in a short form, as a list

	perDialect = 0x1000 // types of Variants of one dialect
)

// A reading reads the buffer. It keeps parsed records, and learns nothing.
type reading struct {
	parser
	formats []*godot.Format // by dialect
}

var (
	_ tree.Reading       = (*reading)(nil)
	_ tree.Inspector     = (*reading)(nil)
	_ tree.Passer        = (*reading)(nil)
	_ tree.Stepper       = (*reading)(nil)
	_ tree.LiteralWriter = (*reading)(nil)
	_ tree.JSONWriter    = (*reading)(nil)
	_ tree.TypeWriter    = (*reading)(nil)
	_ tree.Titler        = (*reading)(nil)
	_ format.Lister      = (*reading)(nil)
	_ format.Auditor     = (*reading)(nil)
)

// HasTitle implements tree.Titler: messages have titles.
func (r *reading) HasTitle(v *tree.Value) bool { return v.Type == typeMessage && v.Damage == nil }

// Root implements tree.Reading.
func (r *reading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: typeBuffer, Fenced: true}
	least := uint16(0) // there may be no messages
	if region.Length < HeaderSize {
		least = 1
	}
	v.Contain(tree.Sequence, 2, least)
	v.End = size
	return v
}

// isVariant reports whether a value is a Variant or a part of one.
func isVariant(v *tree.Value) bool { return v.Type < typeBuffer }

// godotOf returns the format of a Variant, and the Variant as that format represents it.
func (r *reading) godotOf(v *tree.Value) (*godot.Format, tree.Value) {
	own := *v
	own.Type %= perDialect
	return r.formats[v.Type/perDialect], own
}

// Read implements tree.Reading.
func (r *reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	if isVariant(parent) {
		f, own := r.godotOf(parent)
		f.Read(w, &own, slot, off, v)
		v.Type += parent.Type / perDialect * perDialect
		return
	}
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	switch parent.Type {
	case typeBuffer:
		readTop(w, slot, v)
	case typeMessages:
		r.readMessage(w, v)
	default:
		r.readPart(w, parent, slot, v)
	}
}

// readTop reads the header or the list of messages.
func readTop(w *source.Window, slot tree.Slot, v *tree.Value) {
	if slot.Index == 0 {
		v.Type = typeHeader
		if v.Limit-v.Start < HeaderSize {
			v.Break(v.Start, cut(v, "the header"))
			return
		}
		v.Close(v.Start + HeaderSize)
		return
	}
	v.Type, v.Fenced = typeMessages, true
	v.Contain(tree.Sequence, int64(min(w.U64(v.Start-8), 1<<62)), recordSize)
	v.End = v.Limit
}

func cut(v *tree.Value, what string) *span.Problem {
	return &span.Problem{Span: span.Between(v.Start, v.Limit), Severity: span.Error, Code: span.Truncated,
		Message: fmt.Sprintf("%s is cut: %s left", what, span.BytesAre(v.Limit-v.Start))}
}

// readMessage reads a record.
func (r *reading) readMessage(w *source.Window, v *tree.Value) {
	v.Type = typeMessage
	if v.Limit-v.Start < recordSize {
		v.Break(v.Start, cut(v, "a message"))
		return
	}
	length := int64(w.U32(v.Start)) + 4
	if length < recordSize || length > v.Limit-v.Start {
		v.Break(v.Start+4, &span.Problem{Span: span.Span{Offset: v.Start, Length: 4}, Severity: span.Error, Code: span.LengthOverrun,
			Message: fmt.Sprintf("a message of %s, but %s left", span.Bytes(length), span.BytesAre(v.Limit-v.Start))})
		return
	}
	p, done := r.parse(w, v.Start)
	defer done()
	v.Limit, v.Fenced, v.Foot = v.Start+length, true, v.Start
	v.Body = min(p.payload, v.Limit)
	if v.Body == v.Limit {
		v.Close(v.Limit)
		return
	}
	v.Contain(tree.Sequence, int64(len(p.nodes[root].children)), 1)
	v.End = v.Limit
}

// nodeAt returns the child of a message or of a list in it.
func (r *reading) nodeAt(w *source.Window, parent *tree.Value, i int64) (p *parsed, number int, done func()) {
	p, done = r.parse(w, parent.Foot)
	if of := int(parent.Sub); of < len(p.nodes) && i < int64(len(p.nodes[of].children)) {
		return p, p.nodes[of].children[i], done
	}
	return p, root, done
}

// readPart reads a part of a message.
func (r *reading) readPart(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) {
	p, number, done := r.nodeAt(w, parent, slot.Index)
	defer done()
	n := &p.nodes[number]
	v.Limit, v.Foot, v.Sub = p.span(n).End(), parent.Foot, uint32(number)
	if number == root || p.payload+n.Offset != v.Start { // the bytes are not those that the list was read from
		v.Limit = parent.Limit
		v.Break(v.Start, cut(v, "a part"))
		return
	}
	switch {
	case n.Role == message.Open:
		v.Type, v.Fenced = typeList, true
		v.Contain(tree.Sequence, int64(len(n.children)), 1)
		v.End = v.Limit
	case n.Role == message.Value && n.Form == variants.Plain:
		r.readVariant(w, p, v)
	case n.Role == message.Value:
		v.Type = typeShort
		v.Close(v.Limit)
	default:
		v.Type = typeField
		v.Close(v.Limit)
	}
}

// readVariant reads an ordinary Variant.
func (r *reading) readVariant(w *source.Window, p *parsed, v *tree.Value) {
	d := r.dialectOf(p)
	list := godot.Values(v.Start, v.Limit, 1)
	r.formats[d].Read(w, &list, tree.Slot{}, v.Start, v)
	v.Type += uint16(d) * perDialect
}

// dialectOf returns the number of the dialect of a record.
func (r *reading) dialectOf(p *parsed) int {
	for i, f := range r.formats {
		if f.Dialect.Name == p.head.protocol.Dialect() {
			return i
		}
	}
	return 0
}

// Pass implements tree.Passer: if only sizes matter, it passes a message without looking inside.
func (r *reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if isVariant(parent) {
		f, own := r.godotOf(parent)
		f.Pass(w, &own, s)
		return
	}
	if parent.Type != typeMessages || !s.SizesOnly || s.Tally != nil {
		return
	}
	for s.Next.Index < parent.Count && s.Pos < s.Enough && s.Until-s.Pos >= recordSize {
		length := int64(w.U32(s.Pos)) + 4
		if length < recordSize || length > s.Until-s.Pos {
			return
		}
		s.Pos += length
		s.Next.Index++
	}
}

// AppendStep implements tree.Stepper.
func (r *reading) AppendStep(dst []byte, t *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	switch {
	case isVariant(parent):
		f, own := r.godotOf(parent)
		if key != nil {
			_, k := r.godotOf(key)
			key = &k
		}
		return f.AppendStep(dst, r.within(t, f), &own, slot, key)
	case parent.Type == typeBuffer:
		return append(append(dst, '.'), [...]string{"header", "messages"}[min(slot.Index, 1)]...)
	case parent.Type == typeMessages:
		return tree.AppendIndexStep(dst, slot.Index)
	}
	p, number, done := r.nodeAt(t.Window(), parent, slot.Index)
	defer done()
	if n := &p.nodes[number]; n.Label != "" {
		return tree.AppendTextStep(dst, []byte(n.Name()))
	}
	return tree.AppendIndexStep(dst, slot.Index)
}

// within returns a reader of the same bytes in a format of Variants.
func (r *reading) within(t *tree.Reader, f *godot.Format) *tree.Reader {
	return t.Of(tree.New(t.Tree.Source, f, t.Tree.Region))
}

// Listing implements format.Lister.
func (r *reading) Listing() format.Listing {
	return format.Listing{Name: "message", Path: "$.messages", Columns: message.Columns, TextNames: message.TextNames}
}

// Record implements format.Lister.
func (r *reading) Record(w *source.Window, v *tree.Value) (format.Record, func()) {
	if v.Type != typeMessage || v.Damage != nil {
		return nil, func() {}
	}
	p, done := r.parse(w, v.Foot)
	return p.message, done
}

// Family is the buffer with the messages of a capture.
var Family format.Family = family{}

type family struct{}

var dialect = &format.Dialect{Name: "messages", Format: "capture", Title: "messages of a capture",
	About: "Godot's networking in a capture (pcap, pcapng)", Types: []string{"message"}}

// Name implements format.Family.
func (family) Name() string { return "capture" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return []*format.Dialect{dialect} }

// Sniff implements format.Family.
func (family) Sniff(src source.Source, region span.Span) format.Claim {
	if string(source.NewWindow(src).View(region.Offset, min(region.Length, int64(len(signature))))) == signature {
		return format.Signature
	}
	return format.None
}

// Formats implements format.Family.
func (family) Formats(r *format.Request, _ source.Source, _ span.Span) []format.Format {
	if r.Dialect != "" && r.Dialect != dialect.Name || r.Framing != "" && r.Framing != "raw" {
		return nil
	}
	return []format.Format{formatOf{r.Double}}
}

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{Title: "Messages", Literal: `a literal: 42, 1.5, "text", true, [1, 2], { "k": 1 }, Vector2(1, 2)`, Empty: "null",
		Commands: "w   goto $.messages[12]   quit"}
}

// formatOf is the only format; double says that components of Variants have 64 bits.
type formatOf struct{ double bool }

// Info implements format.Format.
func (f formatOf) Info() format.Info {
	return format.Info{Dialect: dialect, Framing: "raw", Declared: true}
}

// Open implements format.Format.
func (f formatOf) Open(source.Source, span.Span) tree.Reading { return f.open() }

func (f formatOf) open() *reading {
	r := &reading{parser: parser{double: f.double}}
	for _, p := range []message.Protocol{message.Variants4, message.Variants3} {
		d, _ := godot.ByName(p.Dialect())
		r.formats = append(r.formats, godot.New(godot.Settings{Dialect: d, Double: f.double && d.HasDouble()}))
	}
	return r
}
