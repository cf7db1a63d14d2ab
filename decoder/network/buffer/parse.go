// Package buffer defines the buffer in which a document shows the messages of a capture: a record for each
// message, with what is known about it and its payload. Only the payload is as it was sent.
package buffer

import (
	"bytes"
	"encoding/binary"
	"fmt"
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
	known := p.bytes[recordSize:]
	names := max(0, min(p.head.names, int64(len(known))))
	parts := max(0, min(p.head.parts*partSize, int64(len(known))-names))
	p.payload = at + recordSize + names + parts
	m := p.head.message(known[names+parts:])
	m.Payload.SetParts(parseParts(known[names:][:parts]))
	multiplayer.Parse(&p.cursor, m, p.head.protocol, &p.values, multiplayer.Hint{IsYourID: p.head.kind == message.YourID, Shape: p.head.shape})
	from, to := m.From, m.To
	if m.From, m.To = p.head.from, p.head.to; from.Known {
		m.From, m.To = from, to // these are in the payload
	}
	m.Parsed = len(p.cursor.Problems)
	m.Parts, m.Problems = p.cursor.Parts, append(p.cursor.Problems, setNames(m, string(known[:names]))...)
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

// signature begins the buffer; the number of messages follows in 8 bytes. All numbers are little-endian.
const signature = "varview messages"

// HeaderSize is the size of the signature and the number.
const HeaderSize = int64(len(signature) + 8)

// AppendHeader appends the header of a buffer of n messages.
func AppendHeader(dst []byte, n int64) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, signature...), uint64(n))
}

const (
	recordSize = 68 // bytes of a record before names, parts and payload
	partSize   = 28 // bytes of a part
)

// Bits of the known peers, and of the mode.
const (
	fromKnown = 1 << iota
	toKnown

	hasChecksum = 1 << 6
	isPartial   = 1 << 7
)

// A record is the header of a record.
type record struct {
	length    int64 // length of the record after its first field
	number    uint32
	frame     uint32
	time      int64 // nanoseconds since 1970; 0 if unknown
	since     time.Duration
	trip      time.Duration // in microseconds
	unacked   uint32
	wire      uint32
	flow      uint32
	transport payload.Transport
	protocol  message.Protocol
	channel   uint8
	mode      payload.Mode
	from, to  message.Peer
	kind      message.Kind
	shape     message.Shape
	names     int64 // number of bytes
	parts     int64
}

// parseRecord reads a header, which has at least recordSize bytes.
func parseRecord(b []byte) (r record) {
	le := binary.LittleEndian
	r = record{length: int64(le.Uint32(b)), number: le.Uint32(b[4:]), frame: le.Uint32(b[8:]), time: int64(le.Uint64(b[12:])),
		since: time.Duration(le.Uint64(b[20:])), trip: time.Duration(le.Uint32(b[28:])) * time.Microsecond, unacked: le.Uint32(b[32:]), wire: le.Uint32(b[36:])}
	b = b[40:]
	r.flow, r.transport, r.protocol, r.channel, r.mode = le.Uint32(b), payload.Transport(b[4]), message.Protocol(b[5]), b[6], payload.Mode(b[7])
	r.from = message.Peer{ID: int32(le.Uint32(b[8:])), Known: b[16]&fromKnown != 0}
	r.to = message.Peer{ID: int32(le.Uint32(b[12:])), Known: b[16]&toKnown != 0}
	r.kind, r.shape = message.Kind(b[17]), message.Shape{Header: b[18], Vars: b[19] != 0}
	r.names, r.parts = int64(le.Uint32(b[20:])), int64(le.Uint32(b[24:]))
	if !r.protocol.Exists() {
		r.protocol = message.OnlyBytes
	}
	return r
}

// Append appends the record of a message.
func Append(dst []byte, m *message.Message) []byte {
	p, names := m.Payload, namesOf(m)
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, uint32(recordSize-4+len(names)+partSize*len(p.Parts)+len(p.Bytes)))
	dst = le.AppendUint32(dst, uint32(m.Number))
	dst = le.AppendUint32(dst, uint32(p.Frame()))
	nanos := int64(0)
	if !p.Time.IsZero() {
		nanos = p.Time.UnixNano()
	}
	dst = le.AppendUint64(dst, uint64(nanos))
	dst = le.AppendUint64(dst, uint64(p.Since))
	dst = le.AppendUint32(dst, uint32(p.Trip/time.Microsecond))
	dst = le.AppendUint32(dst, uint32(p.Unacked))
	dst = le.AppendUint32(dst, uint32(p.Wire))
	dst = le.AppendUint32(dst, uint32(p.Flow.Number))
	dst = append(dst, byte(p.Flow.Transport), byte(m.Protocol), p.Channel, byte(p.Mode)|flag(p.Partial, isPartial)|flag(p.Flow.Checksum, hasChecksum))
	dst = le.AppendUint32(dst, uint32(m.From.ID))
	dst = le.AppendUint32(dst, uint32(m.To.ID))
	dst = append(dst, flag(m.From.Known, fromKnown)|flag(m.To.Known, toKnown), byte(m.Kind), m.Shape.Header, flag(m.Shape.Vars, 1))
	dst = le.AppendUint32(dst, uint32(len(names)))
	dst = le.AppendUint32(dst, uint32(len(p.Parts)))
	dst = append(dst, names...)
	for i := range p.Parts {
		x := &p.Parts[i]
		dst = le.AppendUint64(dst, uint64(x.At.Offset))
		dst = le.AppendUint32(dst, uint32(x.At.Length))
		dst = le.AppendUint32(dst, uint32(x.Frame))
		dst = le.AppendUint32(dst, uint32(x.Length))
		dst = le.AppendUint32(dst, uint32(x.Form))
		dst = append(dst, x.Mask[:]...)
	}
	return append(dst, p.Bytes...)
}

// A Sent is a message as it was sent.
type Sent struct {
	Number            int
	At                int64 // offset of its bytes in the buffer
	Parts             []payload.Part
	Transport         payload.Transport
	Partial, Checksum bool // bytes are missing; its datagram has a checksum of ENet
}

// Find returns the message whose record is at an offset, and where the next one begins; 0 if that is not a record.
func Find(w *source.Window, at int64) (s Sent, next int64) {
	b := w.View(at, recordSize)
	if len(b) < recordSize {
		return s, 0
	}
	r := parseRecord(b)
	parts := at + recordSize + r.names
	s = Sent{Number: int(r.number), At: parts + r.parts*partSize, Transport: r.transport, Partial: r.mode&isPartial != 0, Checksum: r.mode&hasChecksum != 0}
	for i := range r.parts {
		s.Parts = append(s.Parts, parseParts(w.View(parts+i*partSize, partSize))...)
	}
	return s, at + 4 + r.length
}

// flag returns a flag that is set or not.
func flag(is bool, bit byte) byte {
	if is {
		return bit
	}
	return 0
}

// parseParts reads the parts of a payload.
func parseParts(b []byte) []payload.Part {
	le := binary.LittleEndian
	parts := make([]payload.Part, 0, len(b)/partSize)
	for ; len(b) >= partSize; b = b[partSize:] {
		parts = append(parts, payload.Part{At: span.Span{Offset: int64(le.Uint64(b)), Length: int64(le.Uint32(b[8:]))}, Frame: int(le.Uint32(b[12:])),
			Length: int64(le.Uint32(b[16:])), Form: payload.Form(b[20]), Mask: [4]byte(b[24:])})
	}
	return parts
}

// namesOf returns texts about a message, each with a NUL: the names that its ids stand for, in order, the addresses, and
// the problems that do not show in the payload.
func namesOf(m *message.Message) string {
	var names strings.Builder
	put := func(text string) { names.WriteString(strings.ReplaceAll(text, "\x00", "") + "\x00") }
	eachName(&m.Body, func(p *message.Path, name *string) {
		if p != nil {
			put(p.Text)
		} else {
			put(*name)
		}
	})
	put(m.Payload.Src.String())
	put(m.Payload.Dst.String())
	for _, x := range m.Problems[min(m.Parsed, len(m.Problems)):] {
		put(x.Code)
		put(x.Message)
		put(fmt.Sprint(uint8(x.Severity), x.Offset, x.Length))
	}
	return names.String()
}

// setNames sets what namesOf has written of a message, and returns the problems.
func setNames(m *message.Message, names string) (problems []span.Problem) {
	next := func() (text string) {
		text, names, _ = strings.Cut(names, "\x00")
		return text
	}
	eachName(&m.Body, func(p *message.Path, name *string) {
		if text := next(); p != nil {
			p.Text, p.Known = text, text != ""
		} else {
			*name = text
		}
	})
	m.Payload.Src, _ = netip.ParseAddrPort(next())
	m.Payload.Dst, _ = netip.ParseAddrPort(next())
	for names != "" {
		x := span.Problem{Code: next(), Message: next()}
		_, _ = fmt.Sscan(next(), (*uint8)(&x.Severity), &x.Offset, &x.Length)
		problems = append(problems, x)
	}
	return problems
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
		Channel: r.channel, Mode: r.mode &^ (isPartial | hasChecksum), Partial: r.mode&isPartial != 0, Since: r.since, Trip: r.trip, Unacked: int(r.unacked), Wire: int(r.wire)}
	if r.time != 0 {
		p.Time = time.Unix(0, r.time).UTC()
	}
	return &message.Message{Number: int(r.number), Payload: p, From: r.from, To: r.to}
}
