package buffer

import (
	"bytes"
	"sync"

	"varview/decoder/capture/message"
	"varview/decoder/capture/multiplayer"
	"varview/decoder/capture/variants"
	"varview/decoder/source"
	"varview/decoder/span"
)

// A parsed is a record that was parsed.
type parsed struct {
	at      int64 // offset of the record, or the key of its place
	bytes   []byte
	head    record
	payload int64 // offset of the payload in the buffer that is read
	message *message.Message
	cursor  message.Cursor
	nodes   []node
	values  map[string]*variants.Reader // by dialect

	records *source.Window // where a Placed reads records
}

// A node is a part of a message that is a value of the tree: a field, a Variant, or a list
// with something in it.
type node struct {
	message.Part
	end      int64 // in the payload
	children []int // of a list, by their numbers
}

// root is the number of the node that holds those at the top.
const root = 0

// A parser parses records. It keeps the last few, since each of their parts is asked for on
// its own.
type parser struct {
	pool   sync.Pool
	double bool
	placed *Placed // nil where the buffer has the records itself
}

// maxRecord is the largest record that is parsed. The payload of a larger one is data.
const maxRecord = 64 << 20

// parse returns the record at an offset of which the header is all there, or that of the place
// with a key; done gives it back.
func (x *parser) parse(w *source.Window, at int64) (p *parsed, done func()) {
	p, _ = x.pool.Get().(*parsed)
	if p == nil {
		p = &parsed{values: map[string]*variants.Reader{}}
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
		p.read(w, at, end, x.double)
	}
	return p, func() { x.pool.Put(p) }
}

// read reads a record and parses it.
func (p *parsed) read(w *source.Window, at, end int64, double bool) {
	p.at, p.bytes = at, p.bytes[:0]
	for off := at; off < end; off += source.MaxView {
		p.bytes = append(p.bytes, w.View(off, min(source.MaxView, end-off))...)
	}
	p.head = parseRecord(p.bytes)
	names := max(0, min(p.head.names, int64(len(p.bytes))-recordSize))
	p.payload = at + recordSize + names
	m := p.head.message(p.bytes[recordSize+names:])
	dialect := p.head.protocol.Dialect()
	values := p.values[dialect]
	if values == nil {
		values = variants.NewReader(dialect, double)
		p.values[dialect] = values
	}
	multiplayer.Parse(&p.cursor, m, p.head.protocol, values, multiplayer.Hint{IsYourID: p.head.kind == message.YourID, MostlyVars: p.head.kind == message.Var})
	from, to := m.From, m.To
	if m.From, m.To = p.head.from, p.head.to; from.Known {
		m.From, m.To = from, to // the payload says it
	}
	setNames(m, string(p.bytes[recordSize:recordSize+names]))
	p.cursor.Problems = appendNameless(p.cursor.Problems, m, p.cursor.Parts)
	m.Protocol, m.Parts, m.Problems = p.head.protocol, p.cursor.Parts, p.cursor.Problems
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

// dropEmpty takes out lists without bytes: a value has at least one.
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

// span returns where a node is in the buffer.
func (p *parsed) span(n *node) span.Span {
	return span.Between(p.payload+n.Offset, p.payload+n.end)
}

// variant returns a node as a Variant of the payload.
func (n *node) variant() variants.Value { return variants.Value{Span: n.Span, Form: n.Form} }
