// Package buffer defines the buffer in which a document shows the messages of a capture: a record for each
// message, with what is known about it and its payload. Only the payload is as it was sent.
package buffer

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"strings"
	"sync"
	"time"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// A parsed is a parsed record.
type parsed struct {
	at      int64 // offset of the record, or key of its place
	bytes   []byte
	head    record
	payload int64 // offset of the payload in the buffer
	message *message.Message
	cursor  message.Cursor
	nodes   []node
	values  variants.Readers

	records *source.Window // window from which a Placed reads records
}

// A node is a part of a message that is a value of the tree: a field, a Variant, or a list.
type node struct {
	message.Part
	end      int64 // in the payload
	children []int // numbers of the nodes in a list
}

// root is the number of the node that holds the top-level ones.
const root = 0

// A parser parses records. It keeps the last few, since each part is asked for separately.
type parser struct {
	pool   sync.Pool
	double bool
	placed *Placed // nil if the buffer has the records itself
}

// maxRecord is the size of the largest record that is parsed. The payload of a larger one is data.
const maxRecord = 64 << 20

// parse returns the record at an offset, whose header must be complete, or that of the place with a key;
// done gives it back.
func (x *parser) parse(w *source.Window, at int64) (p *parsed, done func()) {
	p, _ = x.pool.Get().(*parsed)
	if p == nil {
		p = &parsed{values: variants.Readers{Double: x.double}}
	}
	if x.placed != nil {
		x.placed.parse(p, at)
		return p, func() { x.pool.Put(p) }
	}
	head := parseRecord(w.View(at, recordSize))
	end := min(at+4+head.length, w.Size())
	if end-at > maxRecord {
		end = at + maxRecord
	}
	if b := w.View(at, end-at); p.at != at || p.message == nil || int64(len(b)) != end-at || !bytes.Equal(b, p.bytes) {
		p.read(w, at, end)
	}
	return p, func() { x.pool.Put(p) }
}

// read reads a record and parses it.
func (p *parsed) read(w *source.Window, at, end int64) {
	p.at, p.bytes = at, p.bytes[:0]
	for off := at; off < end; off += source.MaxView {
		p.bytes = append(p.bytes, w.View(off, min(source.MaxView, end-off))...)
	}
	p.head = parseRecord(p.bytes)
	names := max(0, min(p.head.names, int64(len(p.bytes))-recordSize))
	p.payload = at + recordSize + names
	m := p.head.message(p.bytes[recordSize+names:])
	multiplayer.Parse(&p.cursor, m, p.head.protocol, &p.values, multiplayer.Hint{IsYourID: p.head.kind == message.YourID, Shape: p.head.shape})
	from, to := m.From, m.To
	if m.From, m.To = p.head.from, p.head.to; from.Known {
		m.From, m.To = from, to // these are in the payload
	}
	setNames(m, string(p.bytes[recordSize:recordSize+names]))
	p.cursor.Problems = appendNameless(p.cursor.Problems, m, p.cursor.Parts)
	m.Parts, m.Problems = p.cursor.Parts, p.cursor.Problems
	p.message = m
	p.build()
}

// build makes nodes of the parts.
func (p *parsed) build() {
	p.nodes = append(p.nodes[:0], node{end: int64(len(p.message.Payload.Bytes))})
	open := []int{root}
	for _, part := range p.message.Parts {
		if part.Role == message.Close {
			p.nodes[open[len(open)-1]].end = part.Offset
			open = open[:len(open)-1]
			continue
		}
		n := len(p.nodes)
		p.nodes = append(p.nodes, node{Part: part, end: part.End()})
		p.nodes[open[len(open)-1]].children = append(p.nodes[open[len(open)-1]].children, n)
		if part.Role == message.Open {
			open = append(open, n)
		}
	}
	p.dropEmpty(root)
}

// dropEmpty removes lists without bytes: a value must have at least one byte.
func (p *parsed) dropEmpty(of int) {
	kept := p.nodes[of].children[:0]
	for _, c := range p.nodes[of].children {
		if n := &p.nodes[c]; n.end > n.Offset {
			p.dropEmpty(c)
			kept = append(kept, c)
		}
	}
	p.nodes[of].children = kept
}

// span returns the span of a node in the buffer.
func (p *parsed) span(n *node) span.Span {
	return span.Between(p.payload+n.Offset, p.payload+n.end)
}

// variant returns a node as a Variant of the payload.
func (n *node) variant() variants.Value { return variants.Value{Span: n.Span, Form: n.Form} }

// Signature begins the buffer; the number of messages follows in 8 bytes. All numbers are little-endian.
const Signature = "varview messages"

// HeaderSize is the size of the signature and the number.
const HeaderSize = int64(len(Signature) + 8)

// AppendHeader appends the header of a buffer of n messages.
func AppendHeader(dst []byte, n int64) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, Signature...), uint64(n))
}

// recordSize is the size of a record without names and payload.
const recordSize = 40

// recordFields are the fields at the start of a record, in order. A separate length gives the end of the
// names.
var recordFields = []struct {
	size  int64
	kind  span.Kind
	label string
}{
	{4, span.Length, "length"}, {4, span.ID, "frame"}, {8, span.Value, "time"}, {4, span.ID, "flow"},
	{1, span.Type, "transport"}, {1, span.Type, "protocol"}, {1, span.ID, "channel"}, {1, span.Flags, "mode"},
	{4, span.ID, "from"}, {4, span.ID, "to"}, {1, span.Flags, "known peers"}, {1, span.Type, "kind"}, {1, span.Length, "header"}, {1, span.Flags, "values"},
	{4, span.Length, "length of names"},
}

// Bits of the field "known peers".
const (
	fromKnown = 1 << iota
	toKnown
)

// A record is the header of a record.
type record struct {
	length    int64 // length of the record after its first field
	frame     uint32
	time      int64 // nanoseconds since 1970; 0 if unknown
	flow      uint32
	transport payload.Transport
	protocol  message.Protocol
	channel   uint8
	mode      payload.Mode
	from, to  message.Peer
	kind      message.Kind
	shape     message.Shape
	names     int64 // number of bytes
}

// parseRecord reads a header, which has at least recordSize bytes.
func parseRecord(b []byte) (r record) {
	le := binary.LittleEndian
	r = record{length: int64(le.Uint32(b)), frame: le.Uint32(b[4:]), time: int64(le.Uint64(b[8:])), flow: le.Uint32(b[16:]),
		transport: payload.Transport(b[20]), protocol: message.Protocol(b[21]), channel: b[22], mode: payload.Mode(b[23]),
		from: message.Peer{ID: int32(le.Uint32(b[24:])), Known: b[32]&fromKnown != 0},
		to:   message.Peer{ID: int32(le.Uint32(b[28:])), Known: b[32]&toKnown != 0},
		kind: message.Kind(b[33]), shape: message.Shape{Header: b[34], Vars: b[35] != 0}, names: int64(le.Uint32(b[36:]))}
	if !r.protocol.Exists() {
		r.protocol = message.OnlyBytes
	}
	return r
}

// Append appends the record of a message.
func Append(dst []byte, m *message.Message) []byte {
	p, names := m.Payload, namesOf(m)
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, uint32(recordSize-4+len(names)+len(p.Bytes)))
	dst = le.AppendUint32(dst, uint32(p.Frame()))
	nanos := int64(0)
	if !p.Time.IsZero() {
		nanos = p.Time.UnixNano()
	}
	dst = le.AppendUint64(dst, uint64(nanos))
	dst = le.AppendUint32(dst, uint32(p.Flow.Number))
	dst = append(dst, byte(p.Flow.Transport), byte(m.Protocol), p.Channel, byte(p.Mode))
	dst = le.AppendUint32(dst, uint32(m.From.ID))
	dst = le.AppendUint32(dst, uint32(m.To.ID))
	known := byte(0)
	if m.From.Known {
		known |= fromKnown
	}
	if m.To.Known {
		known |= toKnown
	}
	vars := byte(0)
	if m.Shape.Vars {
		vars = 1
	}
	dst = append(dst, known, byte(m.Kind), m.Shape.Header, vars)
	dst = le.AppendUint32(dst, uint32(len(names)))
	return append(append(dst, names...), p.Bytes...)
}

// namesOf returns the names that the ids in a message stand for, in order, each with a NUL, and after them
// the addresses if not both peers are known.
func namesOf(m *message.Message) string {
	var names strings.Builder
	eachName(&m.Body, func(p *message.Path, name *string) {
		if p != nil {
			names.WriteString(p.Text)
		} else {
			names.WriteString(*name)
		}
		names.WriteByte(0)
	})
	if !m.From.Known || !m.To.Known {
		names.WriteString(m.Payload.Src.String() + "\x00" + m.Payload.Dst.String() + "\x00")
	}
	return names.String()
}

// setNames sets the names that the ids in a message stand for, and the addresses.
func setNames(m *message.Message, names string) {
	eachName(&m.Body, func(p *message.Path, name *string) {
		var text string
		text, names, _ = strings.Cut(names, "\x00")
		if p != nil {
			p.Text, p.Known = text, text != ""
		} else {
			*name = text
		}
	})
	if src, dst, ok := strings.Cut(names, "\x00"); ok {
		m.Payload.Src, _ = netip.ParseAddrPort(src)
		m.Payload.Dst, _ = netip.ParseAddrPort(strings.TrimSuffix(dst, "\x00"))
	}
}

// eachName calls each for every id with the path or the name that it stands for.
func eachName(b *message.Body, each func(*message.Path, *string)) {
	if b.Path.ByID {
		each(&b.Path, nil)
	}
	if b.Kind == message.Despawn || b.Kind == message.Call && !b.Named {
		each(nil, &b.Name)
	}
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Path.ByID {
			each(&e.Path, nil)
		} else {
			each(nil, &e.Node)
		}
	}
	if b.Inner != nil {
		eachName(b.Inner, each)
	}
}

// message returns the message of a record without its body.
func (r *record) message(data []byte) *message.Message {
	p := &payload.Payload{Bytes: data, Frames: []int{int(r.frame)}, Flow: &payload.Flow{Number: int(r.flow), Transport: r.transport},
		Channel: r.channel, Mode: r.mode}
	if r.time != 0 {
		p.Time = time.Unix(0, r.time).UTC()
	}
	return &message.Message{Payload: p, From: r.from, To: r.to}
}
