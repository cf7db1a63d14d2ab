package buffer

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/places"
)

// A Placed reads messages at their places in the capture file. It treats their values as the reading of the
// buffer treats those in its records.
type Placed struct {
	*reading
	records source.Source
	index   *places.Index
}

// NewPlaced returns a Placed of the messages in records at the places of an index. double says that
// components of Variants have 64 bits.
func NewPlaced(records source.Source, index *places.Index, double bool) *Placed {
	p := &Placed{reading: formatOf{double}.open(), records: records, index: index}
	p.placed = p
	return p
}

// parse reads the record of the message at a place.
func (x *Placed) parse(p *parsed, key int64) {
	if p.at == key && p.message != nil {
		return
	}
	if p.records == nil {
		p.records = source.NewWindow(x.records)
	}
	at := x.index.At(key)
	head := parseRecord(p.records.View(at.Record, recordSize))
	p.read(p.records, at.Record, at.Record+max(recordSize, min(4+head.length, maxRecord)))
	p.at, p.payload = key, at.Offset
}

// Each calls do for the places in a span of the capture, in order.
func (x *Placed) Each(in span.Span, do func(*places.Place)) { x.index.Each(in, do) }

// Message makes v the whole message in a span, whose place has the key. The message is parsed only when its
// children are read.
func (x *Placed) Message(v *tree.Value, in span.Span, key int64) {
	*v = tree.Value{Start: in.Offset, Head: in.Offset, Body: in.Offset, Limit: in.End(), Foot: key, Type: typeMessage, Fenced: true}
	v.Contain(tree.Sequence, tree.Unknown, 1)
	v.End = v.Limit
}

// At returns the place with a key.
func (x *Placed) At(key int64) places.Place { return x.index.At(key) }

// After returns the key of the first place at or after an offset of the capture; 0 if there is none.
func (x *Placed) After(offset int64) int64 { return x.index.After(offset) }

// Last returns the last place of a message; ok is false if it has none.
func (x *Placed) Last(message int64) (places.Place, bool) { return x.index.Last(message) }

// About returns in about limit bytes which message, or which part of one, is at the place with a key.
func (x *Placed) About(key int64, limit int) string {
	at := x.index.At(key)
	p, done := x.reading.parse(nil, key)
	defer done()
	about := p.message.Kind.String() + " "
	if !at.IsWhole() {
		about = at.String() + ": " + about
	}
	return string(appendTitle([]byte(about), p.message, limit))
}

// Pass implements tree.Passer: problems of messages are reported in their own buffer, not here.
func (x *Placed) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Type != typeMessage {
		x.reading.Pass(w, parent, s)
	} else if !s.SizesOnly && s.Tally == nil && s.LeastContent == 0 && parent.Limit <= s.Until {
		s.Pos = parent.Limit
	}
}

// OfMessage reports whether a value is a message or in one.
func OfMessage(v *tree.Value) bool { return v.Type <= typeShort }
