package message

import (
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"varview/decoder/engine/tree"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// AppendJSON appends a message as an object, with the comments of its packets.
func (m *Message) AppendJSON(dst []byte, comments []string) []byte {
	j := jsonWriter{dst: dst, bytes: m.Payload.Bytes, values: m.Values}
	p := m.Payload
	j.begin()
	j.number("message", int64(m.Number))
	j.number("frame", int64(p.Frame()))
	j.key("frames")
	j.list(len(p.Frames), func(i int) { j.dst = strconv.AppendInt(j.dst, int64(p.Frames[i]), 10) })
	if !p.Time.IsZero() {
		j.text(map[bool]string{false: "time", true: "packet_time"}[m.Body.Kind == Sync], p.Time.UTC().Format(time.RFC3339Nano))
	}
	j.number("flow", int64(p.Flow.Number))
	j.text("transport", p.Flow.Transport.String())
	j.text("src", p.Src.String())
	j.text("dst", p.Dst.String())
	if p.Flow.Transport == payload.ENet {
		j.number("channel", int64(p.Channel))
	}
	j.bool("reliable", p.Mode == payload.Reliable)
	if m.From.Known {
		j.number("from", int64(m.From.ID))
	}
	if m.To.Known {
		j.number("to", int64(m.To.ID))
	}
	j.body(&m.Body)
	j.exported(&m.Body)
	if l := m.Looked(&m.Body); l.Kind != look.Unknown {
		text, _ := l.AppendTitle(nil, math.MaxInt)
		j.text("holds", string(text))
	}
	j.number("size", int64(len(p.Bytes)))
	j.number("wire", int64(p.Wire))
	if p.Trip > 0 {
		j.key("rtt")
		j.dst = append(j.dst, milliseconds(p.Trip)...)
	}
	j.problems(m)
	if len(comments) > 0 {
		j.key("comments")
		j.list(len(comments), func(i int) { j.dst = tree.AppendQuoted(j.dst, []byte(comments[i])) })
	}
	j.end()
	return j.dst
}

// A jsonWriter appends objects.
type jsonWriter struct {
	dst    []byte
	some   bool // the current object has a member
	bytes  []byte
	values *variants.Reader
}

func (j *jsonWriter) begin() { j.dst, j.some = append(j.dst, '{'), false }
func (j *jsonWriter) end()   { j.dst, j.some = append(j.dst, '}'), true }

// key begins a member.
func (j *jsonWriter) key(name string) {
	if j.some {
		j.dst = append(j.dst, ',')
	}
	j.some = true
	j.dst = append(append(append(j.dst, '"'), name...), `":`...)
}

func (j *jsonWriter) number(name string, n int64) {
	j.key(name)
	j.dst = strconv.AppendInt(j.dst, n, 10)
}

func (j *jsonWriter) bool(name string, b bool) {
	j.key(name)
	j.dst = strconv.AppendBool(j.dst, b)
}

func (j *jsonWriter) text(name, s string) {
	j.key(name)
	j.dst = tree.AppendQuoted(j.dst, []byte(s))
}

func (j *jsonWriter) list(n int, item func(i int)) {
	j.dst = append(j.dst, '[')
	for i := range n {
		if i > 0 {
			j.dst = append(j.dst, ',')
		}
		item(i)
	}
	j.dst = append(j.dst, ']')
}

// digits appends bytes as a string of hexadecimal digits.
func (j *jsonWriter) digits(b []byte) {
	j.dst = append(hex.AppendEncode(append(j.dst, '"'), b), '"')
}

func (j *jsonWriter) hex(name string, b []byte) {
	j.key(name)
	j.digits(b)
}

// valuesHex appends the bytes of each of a list of values.
func (j *jsonWriter) valuesHex(name string, values []variants.Value) {
	j.key(name)
	j.list(len(values), func(i int) { j.digits(j.bytes[values[i].Offset:values[i].End()]) })
}

// path appends the path of a node; null if it is unknown.
func (j *jsonWriter) path(name string, p Path) {
	if p.Known {
		j.text(name, p.Text)
		return
	}
	j.key(name)
	j.dst = append(j.dst, "null"...)
}

// body appends the content of a
func (j *jsonWriter) body(b *Body) {
	j.text("kind", b.Kind.String())
	switch b.Kind {
	case Call:
		j.path("path", b.Path)
		if b.Name != "" || b.Named {
			j.text("name", b.Name)
		}
		if !b.Named {
			j.number("method_id", int64(b.Method))
		}
		j.valuesHex("args", b.Args)
	case Set:
		j.path("path", b.Path)
		j.text("name", b.Name)
		j.valuesHex("args", b.Args)
	case SimplifyPath:
		j.number("id", int64(b.ID))
		j.path("path", b.Path)
		if b.Digest != "" {
			j.text("md5", b.Digest)
		}
	case ConfirmPath:
		if b.Path.ByID {
			j.number("id", int64(b.ID))
		}
		j.path("path", b.Path)
		if b.Valid != Unsaid {
			j.bool("valid", b.Valid == Same)
		}
	case Var:
		j.hex("data", j.valueBytes(b))
	case Bytes, Raw, Auth:
		j.hex("data", b.Data)
	case YourID, AddPeer, DelPeer:
		j.number("peer", int64(b.Peer))
	case Spawn:
		j.spawn(b)
	case Despawn:
		j.number("net_id", int64(b.NetID))
		if b.Name != "" {
			j.text("name", b.Name)
		}
	case Sync, Delta:
		j.entries(b)
	case Relay:
		j.number("peer", int64(b.Peer))
		j.key("inner")
		j.begin()
		j.body(b.Inner)
		j.end()
	}
}

// valueBytes returns the bytes of a payload that is one Variant; nil if that is damaged.
func (j *jsonWriter) valueBytes(b *Body) []byte {
	if len(b.Args) == 0 {
		return nil
	}
	return j.bytes[b.Args[0].Offset:b.Args[0].End()]
}

func (j *jsonWriter) spawn(b *Body) {
	j.number("scene", int64(b.Scene))
	j.path("spawner", b.Path)
	j.number("net_id", int64(b.NetID))
	j.key("sync_ids")
	j.list(len(b.SyncIDs), func(i int) { j.dst = strconv.AppendUint(j.dst, uint64(b.SyncIDs[i]), 10) })
	j.text("name", b.Name)
	j.valuesHex("state", b.State)
	if b.Custom != nil {
		j.hex("data", j.bytes[b.Custom.Offset:b.Custom.End()])
	}
}

func (j *jsonWriter) entries(b *Body) {
	if b.Kind == Sync {
		j.number("time", int64(b.Time))
	}
	j.key("entries")
	j.list(len(b.Entries), func(i int) {
		e := &b.Entries[i]
		j.begin()
		j.number("id", int64(e.ID))
		if e.Path.ByID {
			j.path("path", e.Path)
		}
		if b.Kind == Delta {
			j.key("mask")
			j.dst = strconv.AppendUint(j.dst, e.Mask, 10)
		}
		j.valuesHex("values", e.Values)
		j.end()
	})
	j.some = true
}

// exported appends the Variants of a message in the form of export: a list of them, or for entries a list
// of lists.
func (j *jsonWriter) exported(b *Body) {
	b = b.Innermost()
	export := func(values []variants.Value) {
		j.list(len(values), func(i int) { j.dst = j.values.AppendJSON(j.dst, j.bytes, values[i]) })
	}
	switch b.Kind {
	case Call, Set, Var:
		j.key("values")
		export(b.Args)
	case Spawn:
		j.key("values")
		if b.Custom != nil {
			export(append([]variants.Value{*b.Custom}, b.State...))
		} else {
			export(b.State)
		}
	case Sync, Delta:
		j.key("values")
		j.list(len(b.Entries), func(i int) { export(b.Entries[i].Values) })
	}
}

func (j *jsonWriter) problems(m *Message) {
	j.key("problems")
	problems := m.Problems
	if m.Payload.Partial {
		problems = nil // the layer below reports what is missing
	}
	j.list(len(problems), func(i int) {
		p := m.Located(problems[i])
		j.begin()
		j.text("severity", p.Severity.String())
		j.text("code", p.Code)
		j.number("frame", int64(p.Frame))
		j.number("offset", p.Offset)
		j.number("length", p.Length)
		j.text("message", p.Message)
		j.end()
	})
	j.some = true
}
