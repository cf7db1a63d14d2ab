package buffer

import (
	"slices"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/network/message"
	"varview/decoder/network/variants"
)

// Inspect implements tree.Inspector. Problems of a Variant are reported at the Variant.
func (r *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	switch {
	case isVariant(v):
		f, own := r.godotOf(v)
		around := &own
		if parent != nil && isVariant(parent) {
			_, outer := r.godotOf(parent)
			around = &outer
		} else {
			list := godot.Values(v.Start, v.Limit, 1)
			around = &list
		}
		f.Inspect(w, around, slot, &own, report)
	case v.Type == typeMessage && v.Damage == nil:
		p, done := r.parse(w, v.Foot)
		defer done()
		if p.message.Payload.Partial { // that bytes are missing is said of the packet
			return
		}
		for _, x := range p.message.Problems {
			if isOwn := slices.ContainsFunc(message.Codes, func(c span.Code) bool { return c.Code == x.Code }); isOwn || !p.isInVariant(x.Span) {
				x.Offset += p.payload
				report(x)
			}
		}
	}
}

// isInVariant reports whether a span is in a Variant that could be read.
func (p *parsed) isInVariant(s span.Span) bool {
	for i := range p.nodes {
		if n := &p.nodes[i]; n.Role == message.Value && n.Form == variants.Plain && n.Span.Contains(s.Offset) {
			return true
		}
	}
	return false
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	l := span.Lister{Fields: fields, At: v.Start, Tail: v.End}
	switch {
	case isVariant(v):
		f, own := r.godotOf(v)
		outer := godot.Values(v.Start, v.Limit, 1)
		if parent != nil && isVariant(parent) {
			_, outer = r.godotOf(parent)
		}
		return f.Fields(w, &outer, &own, fields)
	case v.Type == typeBuffer && v.Body > v.Start:
		l.Tail = v.Body
		l.Put(v.Body-v.Start, span.Gap, "gap")
	case v.Type == typeHeader && v.Damage == nil:
		l.Put(int64(len(signature)), span.Magic, "signature")
		l.Put(8, span.Length, "message count")
	case v.Type == typeMessage && v.Damage == nil && v.Body > v.Start:
		l.Tail = v.Body
		l.Put(v.Body-v.Start, span.Data, "about the message")
	case v.Type == typeMessage && v.Damage != nil && v.Tail > v.Start:
		l.Tail = v.Tail
		l.Put(4, span.Length, "length")
	case v.Type == typeField || v.Type == typeShort:
		p, done := r.parse(w, v.Foot)
		defer done()
		if n := p.node(v); n != nil {
			kind, label := n.Kind, n.Label
			if v.Type == typeShort {
				kind, label = span.Value, "value"
				if n.Form == variants.Unmarked {
					kind, label = span.Data, "data"
				}
			}
			l.Put(v.End-v.Start, kind, label)
		}
	}
	return l.Fields
}

// node returns the node of a part of a message.
func (p *parsed) node(v *tree.Value) *node {
	if int(v.Sub) >= len(p.nodes) {
		return nil
	}
	return &p.nodes[v.Sub]
}

// TypeName implements tree.Reading.
func (r *reading) TypeName(v *tree.Value) string {
	if isVariant(v) {
		f, own := r.godotOf(v)
		return f.TypeName(&own)
	}
	switch v.Type {
	case typeBuffer:
		return "capture"
	case typeHeader:
		return "header"
	case typeMessages:
		return "messages"
	case typeMessage:
		return "message"
	case typeList:
		return "list"
	}
	return "field"
}

// AppendType implements tree.TypeWriter.
func (r *reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	switch {
	case isVariant(v):
		f, own := r.godotOf(v)
		return f.AppendType(dst, w, &own)
	case v.Type == typeMessage && v.Damage == nil:
		p, done := r.parse(w, v.Foot)
		defer done()
		return append(dst, p.message.Kind.String()...)
	case v.Type == typeShort:
		p, done := r.parse(w, v.Foot)
		defer done()
		if n := p.node(v); n != nil {
			return append(dst, shortTypes[n.Form]...)
		}
	}
	return append(dst, r.TypeName(v)...)
}

// shortTypes are the types of Variants in short forms.
var shortTypes = map[variants.Form]string{variants.Bool: "bool", variants.Int: "int", variants.Unmarked: "PackedByteArray"}

// Script implements format.Auditor.
func (r *reading) Script(t *tree.Reader, n *tree.Node, at span.Span) format.Script {
	f, _ := r.godotOf(&n.Value)
	return f.Script(t, n, at)
}
