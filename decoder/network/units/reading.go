package units

import (
	"encoding/binary"
	"math"
	"net/netip"
	"strconv"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/network/message"
	"varview/decoder/network/pcap"
	"varview/decoder/network/variants"
)

// A groupKind is a type of values of the tree, by its number.
type groupKind uint16

// The types of values.
const (
	bufferGroup groupKind = iota
	headerGroup           // the start of the buffer
	listGroup
	packetGroup
	blockGroup
	layerGroup
	fieldType
	messageGroup
)

const (
	// firstType is the lowest Type of the values that are not Variants. Below it are the types of Variants, in a range for each
	// dialect.
	firstType  = 0xf000
	perDialect = 0x1000

	// ofMessage is in the Flags of a message and of the values in it that are not Variants.
	ofMessage = 1
)

func kindOf(v *tree.Value) groupKind { return groupKind(v.Type - firstType) }

// isVariant reports whether a value is a Variant or a part of one.
func isVariant(v *tree.Value) bool { return v.Type < firstType }

// isInMessage reports whether a value is a message or in one.
func isInMessage(v *tree.Value) bool { return isVariant(v) || v.Flags == ofMessage }

// isMessage reports whether a value is a message that can be read.
func isMessage(v *tree.Value) bool {
	return !isVariant(v) && kindOf(v) == messageGroup && v.Damage == nil
}

// isUnitList reports whether a value is the list of packets, blocks or messages.
func isUnitList(v *tree.Value) bool { return !isVariant(v) && kindOf(v) == listGroup && v.Sub == 0 }

// typeNames are the names of the types of values.
var typeNames = []string{"capture", "header", "list", "packet", "block", "layer", "field", "message"}

// A reading is what the readings of both buffers have in common. It keeps units that were read, and learns nothing.
//
// A Value's Type is its groupKind above firstType, its Foot the key of its unit, its Sub the number of its node there.
type reading struct {
	own     buffer
	formats []*godot.Format // of Variants, by dialect
	double  bool            // components of Variants have 64 bits
	packets sync.Pool       // of *unit
	parsed  sync.Pool       // the same for messages
}

// A buffer has the units of one buffer.
type buffer interface {
	listName() string

	// readUnit makes v the unit of a list, or the header, that begins where v does.
	readUnit(w *source.Window, v *tree.Value, isHeader bool)

	// list makes v the list of units.
	list(w *source.Window, v *tree.Value)

	// packet reads the packet or block with a key.
	packet(w *source.Window, u *unit, key int64)

	// record reads the message with a key.
	record(w *source.Window, u *unit, key int64)
}

// use sets whose units are read.
func (r *reading) use(own buffer, double bool) {
	r.own, r.double = own, double
	for _, p := range []message.Protocol{message.Variants4, message.Variants3} {
		d, _ := godot.ByName(p.Dialect())
		r.formats = append(r.formats, godot.New(godot.Settings{Dialect: d, Double: double && d.HasDouble()}))
	}
}

// godotOf returns the format of a Variant, and the Variant as that format represents it; nil for another value.
func (r *reading) godotOf(v *tree.Value) (f *godot.Format, is tree.Value) {
	if is = *v; isVariant(v) {
		is.Type %= perDialect
		f = r.formats[v.Type/perDialect]
	}
	return f, is
}

// around returns the value around a Variant as the format of the Variant represents it.
func (r *reading) around(parent, v *tree.Value) tree.Value {
	if parent == nil || !isVariant(parent) {
		return godot.Values(v.Start, v.Limit, 1)
	}
	_, is := r.godotOf(parent)
	return is
}

// unit returns the unit of a value, which is no Variant, list of units or buffer. It must be put back.
func (r *reading) unit(w *source.Window, v *tree.Value) *unit {
	if v.Flags == ofMessage {
		return r.messageAt(w, v.Foot)
	}
	u, _ := r.packets.Get().(*unit)
	if u == nil {
		u = new(unit)
	}
	r.own.packet(w, u, v.Foot)
	return u
}

// messageAt returns the message with a key.
func (r *reading) messageAt(w *source.Window, key int64) *unit {
	u, _ := r.parsed.Get().(*unit)
	if u == nil {
		u = &unit{values: variants.Readers{Double: r.double}}
	}
	r.own.record(w, u, key)
	return u
}

// put takes a unit back.
func (r *reading) put(u *unit) {
	if u.message != nil {
		r.parsed.Put(u)
	} else {
		r.packets.Put(u)
	}
}

// node returns the node of a value in its unit; nil if the unit has changed.
func (u *unit) node(v *tree.Value) *node {
	if int(v.Sub) >= len(u.nodes) {
		return nil
	}
	return &u.nodes[v.Sub]
}

// child returns the number of the i-th child of a value; 0 if there is none.
func (u *unit) child(v *tree.Value, i int64) uint32 {
	if n := u.node(v); n != nil && i < int64(len(n.children)) {
		return n.children[i]
	}
	return 0
}

// Read implements tree.Reading.
func (r *reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	if f, is := r.godotOf(parent); f != nil {
		f.Read(w, &is, slot, off, v)
		v.Type += parent.Type / perDialect * perDialect
		return
	}
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	switch {
	case kindOf(parent) == bufferGroup && slot.Index == 1:
		v.Type, v.Fenced = firstType+uint16(listGroup), true
		r.own.list(w, v)
		v.End = v.Limit
	case kindOf(parent) == bufferGroup || isUnitList(parent):
		r.own.readUnit(w, v, kindOf(parent) == bufferGroup)
	default:
		u := r.unit(w, parent)
		defer r.put(u)
		if number := u.child(parent, slot.Index); number == 0 || u.span(&u.nodes[number]).Offset != off { // the bytes have changed
			v.Type = firstType + uint16(fieldType)
			v.Break(off, cut(v, "a part"))
		} else {
			r.fill(w, v, u, number)
		}
	}
}

// fill makes v a node of a unit.
func (r *reading) fill(w *source.Window, v *tree.Value, u *unit, number uint32) {
	n := &u.nodes[number]
	at := u.span(n)
	v.Start, v.Head, v.Body, v.Limit = at.Offset, at.Offset, at.Offset, at.End()
	v.Type, v.Foot, v.Sub = firstType+uint16(n.group), u.key, number
	if u.message != nil {
		v.Flags = ofMessage
	}
	switch {
	case n.Role == message.Value && !n.isShort():
		r.readVariant(w, u, v)
	case n.group == fieldType:
		v.Close(v.Limit)
	case n.group == messageGroup: // in a packet; it is parsed only when its children are read
		v.Fenced, v.Foot, v.Sub, v.Flags = true, u.places[n.Place-1].Record, 0, ofMessage
		v.Contain(tree.Sequence, tree.Unknown, 1)
		v.End = v.Limit
	default:
		v.Fenced = true
		v.Contain(tree.Sequence, int64(len(n.children)), 1)
		v.End = v.Limit
	}
}

// readVariant reads an ordinary Variant.
func (r *reading) readVariant(w *source.Window, u *unit, v *tree.Value) {
	d := 0
	for i, f := range r.formats {
		if f.Dialect.Name == u.head.Protocol.Dialect() {
			d = i
		}
	}
	start, list := v.Start, godot.Values(v.Start, v.Limit, 1)
	*v = tree.Value{Start: start, Head: start, Body: start, Limit: v.Limit}
	r.formats[d].Read(w, &list, tree.Slot{}, start, v)
	v.Type += uint16(d) * perDialect
}

// maxUnit is the size of the largest unit whose fields are shown. A larger one is one field.
const maxUnit = pcap.MaxPacket + 64<<10

// appendView appends the bytes up to an end, at most maxUnit.
func appendView(dst []byte, w *source.Window, at, end int64) []byte {
	for _, b := range w.Pieces(span.Between(at, min(end, at+maxUnit))) {
		dst = append(dst, b...)
	}
	return dst
}

// Fields implements tree.Reading.
func (r *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	l := span.Lister{Fields: fields, At: v.Start, Tail: v.End}
	switch f, is := r.godotOf(v); {
	case f != nil:
		around := r.around(parent, v)
		return f.Fields(w, &around, &is, fields)
	case kindOf(v) == bufferGroup && v.Body > 0:
		return append(fields, span.Field{Span: span.Between(0, v.Body), Kind: span.Gap, Label: "gap"})
	case kindOf(v) == fieldType && v.Damage == nil:
		u := r.unit(w, v)
		defer r.put(u)
		if n := u.node(v); n != nil {
			label := n.Label
			if n.isShort() {
				label = n.Kind.String()
			}
			l.Put(v.End-v.Start, n.Kind, label)
		}
	}
	return l.Fields
}

// TypeName implements tree.Reading.
func (r *reading) TypeName(v *tree.Value) string {
	if f, is := r.godotOf(v); f != nil {
		return f.TypeName(&is)
	}
	if isUnitList(v) {
		return r.own.listName()
	}
	return typeNames[kindOf(v)]
}

// AppendType implements tree.TypeWriter: the type of a part of a packet is its name.
func (r *reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	switch f, is := r.godotOf(v); {
	case f != nil:
		return f.AppendType(dst, w, &is)
	case isUnitList(v) || kindOf(v) == bufferGroup || kindOf(v) == headerGroup || v.Damage != nil:
		return append(dst, r.TypeName(v)...)
	}
	u := r.unit(w, v)
	defer r.put(u)
	switch n := u.node(v); {
	case isMessage(v):
		return append(dst, u.message.Kind.String()...)
	case n != nil && n.isShort():
		return append(dst, shortTypes[n.Form]...)
	case n == nil || u.message != nil || n.Label == "" && v.Sub == 0:
		return append(dst, r.TypeName(v)...)
	case n.Label != "":
		return append(dst, n.Label...)
	}
	return append(dst, u.commandName(v.Sub)...)
}

// Look implements tree.Looker: what a Variant looks like, and what bytes of the game may hold.
func (r *reading) Look(w *source.Window, v *tree.Value) tree.Look {
	if f, is := r.godotOf(v); f != nil {
		return f.Look(w, &is)
	}
	if !r.isData(w, v) {
		return tree.Look{}
	}
	at := span.Between(v.Start, v.End)
	if look := tree.LookAtText(w, at); look.Form == tree.FormHeld {
		return look
	}
	return tree.Look{Form: tree.FormData, Data: at}
}

// isData reports whether a value is bytes that mean nothing here, such as those of the game in a message.
func (r *reading) isData(w *source.Window, v *tree.Value) bool {
	if isVariant(v) || kindOf(v) != fieldType || v.Damage != nil || v.End == v.Start {
		return false
	}
	u := r.unit(w, v)
	defer r.put(u)
	n := u.node(v)
	return n != nil && n.Role == message.Field && n.Kind == span.Data
}

// shortTypes are the types of Variants in short forms.
var shortTypes = map[variants.Form]string{variants.Bool: "bool", variants.Int: "int", variants.Unmarked: "PackedByteArray"}

// passVariant passes the children of a Variant. It returns false for other values.
func (r *reading) passVariant(w *source.Window, parent *tree.Value, s *tree.Stretch) bool {
	if f, is := r.godotOf(parent); f != nil {
		f.Pass(w, &is, s)
		return true
	}
	return false
}

// AppendStep implements tree.Stepper.
func (r *reading) AppendStep(dst []byte, t *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	switch f, is := r.godotOf(parent); {
	case f != nil:
		if key != nil {
			_, k := r.godotOf(key)
			key = &k
		}
		return f.AppendStep(dst, r.within(t, f), &is, slot, key)
	case kindOf(parent) == bufferGroup && parent.Count == 1: // the path of a single value is $
		return dst
	case kindOf(parent) == bufferGroup && slot.Index == 0:
		return append(dst, ".header"...)
	case kindOf(parent) == bufferGroup:
		return append(append(dst, '.'), r.own.listName()...)
	case isUnitList(parent):
		return tree.AppendIndexStep(dst, slot.Index)
	}
	u := r.unit(t.Window(), parent)
	defer r.put(u)
	if number := u.child(parent, slot.Index); number > 0 {
		return u.appendStep(dst, number, slot.Index)
	}
	return tree.AppendIndexStep(dst, slot.Index)
}

// within returns a reader of the same bytes in a format of Variants.
func (r *reading) within(t *tree.Reader, f *godot.Format) *tree.Reader {
	return t.Of(tree.New(t.Tree.Source, f, t.Tree.Region))
}

// AppendField implements tree.Reading.
func (r *reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	if g, is := r.godotOf(v); g != nil {
		return g.AppendField(dst, w, &is, f)
	}
	n, b := &node{Part: message.Part{Field: f}}, []byte(nil)
	if kindOf(v) == fieldType && v.Damage == nil {
		u := r.unit(w, v)
		defer r.put(u)
		if is := u.node(v); is != nil {
			n, b = is, u.bytesOf(is)
		}
		if n.isShort() && n.Form != variants.Unmarked {
			return u.message.Values.AppendLiteral(dst, u.message.Payload.Bytes, n.variant(), math.MaxInt)
		}
	}
	switch as := n.Reads(); {
	case n.Means != "":
		return append(dst, n.Means...)
	case as == text:
		return tree.AppendText(dst, w, f.Span)
	case as == data, f.Length > 8: // no number
		return tree.AppendData(dst, w, f.Span)
	case b == nil:
		b = w.View(f.Offset, f.Length)
	}
	return append(dst, n.text(b)...)
}

// text returns the number or the address in the bytes of a field.
func (n *node) text(b []byte) string {
	switch n.Reads() {
	case address:
		a, _ := netip.AddrFromSlice(b)
		return a.String()
	case bitmask:
		return "0x" + strconv.FormatUint(n.value(b), 16)
	}
	return strconv.FormatUint(n.value(b), 10)
}

// value returns the number in the bytes of a field.
func (n *node) value(b []byte) (x uint64) {
	if n.BigEndian {
		for _, c := range b {
			x = x<<8 | uint64(c)
		}
		return x
	}
	var all [8]byte
	copy(all[:], b)
	return binary.LittleEndian.Uint64(all[:])
}

// HasTitle implements tree.Titler: messages have titles.
func (r *reading) HasTitle(v *tree.Value) bool { return isMessage(v) }

// messageOf returns the message that contains a value; nil for values around messages.
func messageOf(n *tree.Node) (m *tree.Node) {
	for ; n != nil && isInMessage(&n.Value); n = n.Parent {
		m = n
	}
	return m
}
