package message

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// An object is a JSON object.
type object []member

// A member has an object, a list, a text, a bool, a number, digits, a Path or JSON that is ready (json.RawMessage).
type member struct {
	name  string
	value any
}

func (o *object) add(name string, value any) { *o = append(*o, member{name, value}) }

// addIf adds a member if there is one.
func (o *object) addIf(isThere bool, name string, value any) {
	if isThere {
		o.add(name, value)
	}
}

type (
	list   []any
	digits []byte // written as hexadecimal digits
)

// listOf returns a list with the values for others.
func listOf[T any](all []T, value func(T) any) list {
	l := make(list, len(all))
	for i, x := range all {
		l[i] = value(x)
	}
	return l
}

func itself[T any](x T) any { return x }

// appendJSON appends a value of a member. A path that is not known is null.
func appendJSON(dst []byte, value any) []byte {
	comma := func(i int) {
		if i > 0 {
			dst = append(dst, ',')
		}
	}
	switch v := value.(type) {
	case object:
		dst = append(dst, '{')
		for i, m := range v {
			comma(i)
			dst = appendJSON(append(append(append(dst, '"'), m.name...), `":`...), m.value)
		}
		return append(dst, '}')
	case list:
		dst = append(dst, '[')
		for i, x := range v {
			comma(i)
			dst = appendJSON(dst, x)
		}
		return append(dst, ']')
	case string:
		return tree.AppendQuoted(dst, []byte(v))
	case digits:
		return append(hex.AppendEncode(append(dst, '"'), v), '"')
	case Path:
		if v.Known {
			return tree.AppendQuoted(dst, []byte(v.Text))
		}
		return append(dst, "null"...)
	case json.RawMessage:
		return append(dst, v...)
	}
	return fmt.Append(dst, value)
}

// AppendJSON appends a message as an object.
func (m *Message) AppendJSON(dst []byte) []byte {
	p := m.Payload
	o := object{{"message", m.Number}, {"frame", p.Frame()}, {"frames", listOf(p.Frames, itself)}}
	if !p.Time.IsZero() {
		o.add(map[bool]string{false: "time", true: "packet_time"}[m.Kind == Sync], p.Time.UTC().Format(time.RFC3339Nano))
	}
	o = append(o, object{{"flow", p.Flow.Number}, {"transport", p.Flow.Transport.String()}, {"src", p.Src.String()}, {"dst", p.Dst.String()}}...)
	o.addIf(p.Flow.Transport == payload.ENet, "channel", p.Channel)
	o.add("reliable", p.Mode == payload.Reliable)
	o.addIf(m.From.Known, "from", m.From.ID)
	o.addIf(m.To.Known, "to", m.To.ID)
	o = append(o, m.content(&m.Body)...)
	if values := m.exported(m.Innermost()); values != nil {
		o.add("values", values)
	}
	if l := m.Looked(&m.Body); l.Kind != look.Unknown {
		text, _ := l.AppendTitle(nil, math.MaxInt)
		o.add("holds", string(text))
	}
	o = append(o, object{{"size", len(p.Bytes)}, {"wire", p.Wire}}...)
	o.addIf(p.Trip > 0, "rtt", json.RawMessage(milliseconds(p.Trip)))
	problems := m.Problems
	if p.Partial {
		problems = nil // the layer below reports what is missing
	}
	o.add("problems", listOf(problems, m.problem))
	var comments list
	p.Comments(func(_ int, comment string) { comments = append(comments, comment) })
	o.addIf(len(comments) > 0, "comments", comments)
	return appendJSON(dst, o)
}

// content returns what a body says.
func (m *Message) content(b *Body) object {
	o := object{{"kind", b.Kind.String()}}
	switch b.Kind {
	case Call, Set:
		o.add("path", b.Path)
		o.addIf(b.Kind == Set || b.Named || b.Name != "", "name", b.Name)
		o.addIf(b.Kind == Call && !b.Named, "method_id", b.Method)
		o.add("args", m.sent(b.Args))
	case SimplifyPath:
		o = append(o, object{{"id", b.ID}, {"path", b.Path}}...)
		o.addIf(b.Digest != "", "md5", b.Digest)
	case ConfirmPath:
		o.addIf(b.Path.ByID, "id", b.ID)
		o.add("path", b.Path)
		o.addIf(b.Valid != Unsaid, "valid", b.Valid == Same)
	case Var:
		o.add("data", m.bytesOf(b.Args...)) // none of a damaged value
	case Bytes, Raw, Auth:
		o.add("data", digits(b.Data))
	case YourID, AddPeer, DelPeer:
		o.add("peer", b.Peer)
	case Spawn:
		o = append(o, object{{"scene", b.Scene}, {"spawner", b.Path}, {"net_id", b.NetID}, {"sync_ids", listOf(b.SyncIDs, itself)}, {"name", b.Name}, {"state", m.sent(b.State)}}...)
		o.addIf(len(b.Custom) > 0, "data", m.bytesOf(b.Custom...))
	case Despawn:
		o.add("net_id", b.NetID)
		o.addIf(b.Name != "", "name", b.Name)
	case Sync:
		o = append(o, object{{"time", b.Time}, {"entries", listOf(b.Entries, m.entry)}}...)
	case Delta:
		o.add("entries", listOf(b.Entries, m.entry))
	case Relay:
		o = append(o, object{{"peer", b.Peer}, {"inner", m.content(b.Inner)}}...)
	}
	return o
}

// bytesOf returns the bytes of the first of some values; none if there is none.
func (m *Message) bytesOf(values ...variants.Value) digits {
	if len(values) == 0 {
		return nil
	}
	return m.Payload.Bytes[values[0].Offset:values[0].End()]
}

// sent returns values as they were sent.
func (m *Message) sent(values []variants.Value) list {
	return listOf(values, func(v variants.Value) any { return m.bytesOf(v) })
}

func (m *Message) entry(e Entry) any {
	o := object{{"id", e.ID}}
	o.addIf(e.Path.ByID, "path", e.Path)
	o.addIf(m.Innermost().Kind == Delta, "mask", e.Mask)
	o.add("values", m.sent(e.Values))
	return o
}

// exported returns the Variants of a body in the form of export: a list of them, or for entries a list of lists.
func (m *Message) exported(b *Body) list {
	export := func(values []variants.Value) list {
		return listOf(values, func(v variants.Value) any { return json.RawMessage(m.Values.AppendJSON(nil, m.Payload.Bytes, v)) })
	}
	switch b.Kind {
	case Call, Set, Var, Spawn:
		return export(slices.Concat(b.Args, b.Custom, b.State))
	case Sync, Delta:
		return listOf(b.Entries, func(e Entry) any { return export(e.Values) })
	}
	return nil
}

func (m *Message) problem(p span.Problem) any {
	at := m.Located(p)
	return object{{"severity", at.Severity.String()}, {"code", at.Code}, {"frame", at.Frame}, {"offset", at.Offset}, {"length", at.Length}, {"message", at.Message}}
}
