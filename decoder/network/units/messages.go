package units

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/message"
)

// Messages is the reading of the buffer with the messages of a capture.
type Messages struct {
	reading
	marks   []int64 // where every markEvery-th record begins; nil after an edit
	remarks []format.Remark
}

// Places implements tree.Placed.
func (r *Messages) Places() (in tree.Slot, at, every int64, begin []int64) {
	return tree.Slot{Index: 1}, HeaderSize, markEvery, r.marks
}

// Root implements tree.Reading.
func (r *Messages) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: firstType + uint16(bufferGroup), Fenced: true}
	least := uint16(0) // there may be no messages
	if region.Length < HeaderSize {
		least = 1
	}
	v.Contain(tree.Sequence, 2, least)
	v.End = size
	return v
}

func (r *Messages) listName() string { return "messages" }

func (r *Messages) list(w *source.Window, v *tree.Value) {
	v.Contain(tree.Sequence, int64(min(w.U64(v.Start-8), 1<<62)), recordSize)
}

func (r *Messages) packet(*source.Window, *unit, int64) {} // there are none

// maxRecord is the size of the largest record that is parsed. The payload of a larger one is data.
const maxRecord = 64 << 20

func (r *Messages) record(w *source.Window, u *unit, key int64) {
	end := key + min(4+int64(w.U32(key)), w.Size()-key, maxRecord)
	if b := w.View(key, end-key); u.message == nil || u.key != key || int64(len(b)) != end-key || !bytes.Equal(b, u.bytes) {
		u.parse(w, key, end)
	}
}

func cut(v *tree.Value, what string) *span.Problem {
	return &span.Problem{Span: span.Between(v.Start, v.Limit), Severity: span.Error, Code: span.Truncated,
		Message: fmt.Sprintf("%s is cut: %s left", what, span.BytesAre(v.Limit-v.Start))}
}

// readUnit reads the header or a record.
func (r *Messages) readUnit(w *source.Window, v *tree.Value, isHeader bool) {
	left, size, kind, what := v.Limit-v.Start, int64(recordSize), messageGroup, "a message"
	if isHeader {
		size, kind, what = HeaderSize, headerGroup, "the header"
	}
	v.Type = firstType + uint16(kind)
	if left < size {
		v.Break(v.Start, cut(v, what))
		return
	}
	if isHeader {
		v.Close(v.Start + HeaderSize)
		return
	}
	length := int64(w.U32(v.Start)) + 4
	if length < recordSize || length > left {
		v.Break(v.Start+4, &span.Problem{Span: span.Span{Offset: v.Start, Length: 4}, Severity: span.Error, Code: span.LengthOverrun,
			Message: fmt.Sprintf("a message of %s, but %s left", span.Bytes(length), span.BytesAre(left))})
		return
	}
	v.Limit, v.Fenced, v.Foot, v.Flags = v.Start+length, true, v.Start, ofMessage
	u := r.unit(w, v)
	defer r.put(u)
	if v.Body = min(u.at, v.Limit); v.Body == v.Limit {
		v.Close(v.Limit)
		return
	}
	v.Contain(tree.Sequence, int64(len(u.nodes[0].children)), 1)
	v.End = v.Limit
}

// Pass implements tree.Passer: it passes a message without looking inside, if only sizes matter or its record says that nothing is wrong
// with it.
func (r *Messages) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if r.passVariant(w, parent, s) || !isUnitList(parent) || s.Checks() && r.marks == nil {
		return
	}
	for s.Next.Index < parent.Count && s.Pos < s.Enough && s.Until-s.Pos >= recordSize {
		length := int64(w.U32(s.Pos)) + 4
		if length < recordSize || length > s.Until-s.Pos || s.Checks() && !isPlain(w, s, length) {
			return
		}
		if s.Pos += length; s.Tally != nil {
			s.Tally.Count(firstType+uint16(messageGroup), 1)
		}
		s.Next.Index++
	}
}

// isPlain reports whether nothing in the next message, of a record of a length, is reported, or may be among the largest values or
// contents.
func isPlain(w *source.Window, s *tree.Stretch, length int64) bool {
	h := parseHead(w.View(s.Pos, recordSize))
	size := length - recordSize - int64(h.NamesSize) - partSize*int64(h.PartCount)
	return h.Known&isOrdinary != 0 && size > 0 && length <= maxRecord && (s.LeastContent == 0 || size < s.LeastContent) && (s.Tally == nil || !s.Tally.MayCompare(size))
}

// Unplaced implements tree.Placed.
func (r *Messages) Unplaced() tree.Reading {
	is := &Messages{remarks: r.remarks}
	is.use(is, r.double)
	return is
}

// Inspect implements tree.Inspector. Problems of a Variant are reported at the Variant.
func (r *Messages) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	switch f, is := r.godotOf(v); {
	case f != nil:
		around := r.around(parent, v)
		f.Inspect(w, &around, slot, &is, report)
	case isMessage(v):
		u := r.unit(w, v)
		defer r.put(u)
		if u.message.Payload.Partial { // that bytes are missing is said of the packet
			return
		}
		for _, x := range u.message.Problems {
			if isOwn := slices.ContainsFunc(message.Codes, func(c span.Code) bool { return c.Code == x.Code }); isOwn || !u.isInVariant(x.Offset) {
				x.Offset += u.at
				report(x)
			}
		}
	}
}

// isInVariant reports whether a byte is in a Variant that could be read.
func (u *unit) isInVariant(at int64) bool {
	return slices.ContainsFunc(u.nodes, func(n node) bool { return n.Role == message.Value && !n.isShort() && n.Contains(at) })
}

// Fields implements tree.Reading.
func (r *Messages) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	l := span.Lister{Fields: fields, At: v.Start, Tail: v.Body}
	switch {
	case isVariant(v):
	case kindOf(v) == headerGroup && v.Damage == nil:
		l.Tail = v.End
		l.Put(int64(len(signature)), span.Magic, "signature")
		l.Put(8, span.Length, "message count")
		return l.Fields
	case isMessage(v) && v.Body > v.Start:
		l.Put(v.Body-v.Start, span.Flags, "about the message")
		return l.Fields
	case kindOf(v) == messageGroup && v.Tail > v.Start:
		l.Tail = v.Tail
		l.Put(4, span.Length, "length")
		return l.Fields
	}
	return r.reading.Fields(w, parent, v, fields)
}

// Script implements format.Auditor.
func (r *Messages) Script(t *tree.Reader, n *tree.Node, at span.Span) format.Script {
	f, _ := r.godotOf(&n.Value)
	return f.Script(t, n, at)
}

// Listing implements format.Lister.
func (r *Messages) Listing() format.Listing {
	return format.Listing{Name: "message", Path: messagesPath, Columns: message.Columns, TextNames: message.TextNames, Remarks: r.remarks, RemarkAs: "connection line"}
}

// Record implements format.Lister.
func (r *Messages) Record(w *source.Window, v *tree.Value) (format.Record, func()) {
	if !isMessage(v) {
		return nil, func() {}
	}
	u := r.unit(w, v)
	return u.message, func() { r.put(u) }
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
func (f formatOf) Open(src source.Source, _ span.Span) tree.Reading {
	r := &Messages{}
	if x, ok := src.(*recorded); ok {
		r.marks, r.remarks = x.marks, x.remarks
	}
	r.reading.use(r, f.double)
	return r
}

// An origin is the message that assigned an id.
type origin struct {
	message int // number from 1
	says    string
}

// origin returns the origin of the id in a field; ok is false for other fields.
func (r *Messages) origin(t *tree.Reader, n *tree.Node) (is origin, ok bool) {
	if isVariant(&n.Value) || kindOf(&n.Value) != fieldType || n.Damage != nil {
		return is, false
	}
	u := r.unit(t.Window(), &n.Value)
	defer r.put(u)
	eachName(u.message.Innermost(), func(p *message.Path, name *string) {
		if p != nil && p.Origin > 0 && p.At.Length > 0 && u.at+p.At.Offset == n.Start {
			is, ok = origin{p.Origin, "the message that spawns " + *name}, true
			if p.ByID {
				is.says = fmt.Sprintf("the message that says %d is %s", p.ID, p.Text)
			}
		}
	})
	return is, ok
}

// Link implements format.Linker: an id leads to the message that assigned it.
func (r *Messages) Link(t *tree.Reader, n *tree.Node) string {
	is, _ := r.origin(t, n)
	return is.says
}

// Follow implements format.Linker.
func (r *Messages) Follow(ctx context.Context, t *tree.Reader, n *tree.Node) (found *tree.Node, err error) {
	if is, ok := r.origin(t, n); ok {
		return r.Find(ctx, t, format.Piece{Record: int64(is.message)})
	}
	return nil, nil
}

// Piece implements format.Carrier.
func (r *Messages) Piece(t *tree.Reader, n *tree.Node) (format.Piece, bool) {
	if m := messageOf(n); m != nil && m.Damage == nil {
		return format.Piece{Record: m.Slot.Index + 1, Steps: format.StepsTo(n, m)}, true
	}
	return format.Piece{}, false
}

// Find implements format.Carrier.
func (r *Messages) Find(_ context.Context, t *tree.Reader, piece format.Piece) (*tree.Node, error) {
	list, err := t.Child(t.Tree.Base, 1)
	if err != nil {
		return nil, err
	}
	found, err := t.Child(list, piece.Record-1)
	if err != nil {
		return nil, err
	}
	return piece.Descend(t, found)
}
