// Package block reads a block of Elephant: header and footer, values with their fields, and the
// constructors and schemas in it.
package block

import (
	"bytes"
	"fmt"
	"math"
	"sync/atomic"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
	"varview/decoder/formats/elephant/internal/datatype"
)

// A Reading reads one block. Bytes depend on the constructors named before them; a Reading learns these
// while it reads.
type Reading struct {
	Rules  *Rules
	Header Header
	names  *names
	kinds  *kinds // nil in a trial reading
	trial  bool   // only decides whether these bytes could be read like this at all
}

// A Header is how a block begins and ends.
type Header struct {
	Magic   string // its first four bytes, or fewer
	Version uint32 // version as stored in the file
	Footed  bool   // it has a footer
	AtEnd   bool   // the region ends with a footer
	LowTags bool   // the tag of the root is one of 14 to 17
	Slips   []Slip // smallest changes that make the beginning a header, if it is not one
}

// Open begins a reading of the block in a region by the rules of a version.
func Open(r *Rules, s Schemas, src source.Source, region span.Span) *Reading {
	h, _ := Sniff(src, region)
	return &Reading{Rules: r, Header: h, names: newNames(s), kinds: new(kinds)}
}

// Flags of a value.
const (
	Tagged      uint16 = 1 << iota // begins with its own tag
	Constructed                    // a struct made by a constructor
	Named                          // the constructor's name follows its index
	BySchema                       // the body is laid out by a schema
	OldTag                         // 1.0.0: the tag is the constructor
	Element                        // an element of the common type of its array
)

// Root implements tree.Reading: magic, version, one value, footer.
func (f *Reading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Head: region.Offset, Body: min(region.Offset+HeaderSize, region.End()), Limit: region.End(), Type: datatype.File, Fenced: true, Footed: true}
	if f.Header.AtEnd && v.Limit-v.Body >= int64(len(MagicFooter)) {
		v.Limit -= int64(len(MagicFooter))
	}
	v.Contain(tree.Sequence, 1, 1)
	v.End = size
	return v
}

// TypeName implements tree.Reading.
func (f *Reading) TypeName(v *tree.Value) string {
	if v.Type == datatype.Unknown {
		return "unknown"
	}
	return datatype.Name(v.Type)
}

// Traits implements tree.Traited. The library knows no limit of nesting.
func (f *Reading) Traits() tree.Traits { return tree.Traits{Shortage: readPastEnd} }

// Read implements tree.Reading.
func (f *Reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	switch {
	case slot.Key:
		v.Type = datatype.MemberName
		f.readText(w, v, off)
	case parent.Flags&BySchema != 0:
		f.readMember(w, parent, slot.Index, v)
	case parent.Type == datatype.Array && parent.Sub != uint32(datatype.Any):
		v.Flags = Element
		f.readAs(w, v, datatype.ID(parent.Sub))
	default:
		f.readAny(w, v)
	}
}

// readMember reads a member of a struct with a schema, or nothing if the member is skipped.
func (f *Reading) readMember(w *source.Window, parent *tree.Value, i int64, v *tree.Value) {
	schema := f.SchemaOf(parent)
	if schema == nil || i >= int64(len(schema.Members)) || f.IsSkipped(w, parent, i) {
		v.Type = datatype.Skipped
		v.Close(v.Start)
		return
	}
	f.readAs(w, v, schema.Members[i].Type)
}

// MaxAny is the number of tags "any" that may precede a value's own tag.
const MaxAny = 16

// readAny reads a tag and the value after it. The tag "any" announces another tag.
func (f *Reading) readAny(w *source.Window, v *tree.Value) {
	v.Flags = Tagged
	for n := 0; ; n++ {
		if v.Body >= v.Limit {
			v.Type = datatype.Unknown
			v.Break(v.Start, truncated(v.Body, v.Limit, "the bytes end where a value is expected"))
			return
		}
		tag := w.Byte(v.Body)
		v.Body++
		switch t := f.Rules.TypeOf(tag); {
		case t == datatype.Any && n < MaxAny:
			continue
		case t == datatype.Any:
			v.Type = datatype.Unknown
			p := unknownTag(v.Body-1, tag, "tag")
			p.Message = fmt.Sprintf("more than %d tags \"any\" precede a value", MaxAny)
			v.Break(v.Body-1, p)
		case t == datatype.Unknown:
			v.Type = datatype.Unknown
			v.Break(v.Body-1, unknownTag(v.Body-1, tag, "tag"))
		default:
			f.readAs(w, v, t)
		}
		return
	}
}

// readAs reads a value of type t, whose content begins at Body.
func (f *Reading) readAs(w *source.Window, v *tree.Value, t datatype.ID) {
	v.Type = t
	switch {
	case datatype.Width(t) > 0:
		if v.Limit-v.Body < datatype.Width(t) {
			v.Break(v.Body, truncated(v.Body, v.Limit, datatype.Name(t)+" is cut"))
			return
		}
		v.Close(v.Body + datatype.Width(t))
	case datatype.IsText(t):
		f.readText(w, v, v.Body)
	case t == datatype.Undefined:
		v.Close(v.Body)
	case t == datatype.Array:
		f.readArray(w, v)
	case t == datatype.Struct:
		f.readStruct(w, v)
	case t == datatype.Any:
		f.readAny(w, v)
	default: // 1.0.0: a constructor's tag
		f.readOldCtor(w, v, byte(t))
	}
}

// layoutOf returns the layout of a struct with a schema; nil for all others.
func (f *Reading) layoutOf(v *tree.Value) *layout {
	if v.Flags&BySchema == 0 || v.Layout != tree.Sequence {
		return nil
	}
	return f.names.shared.at(v.Sub)
}

// SchemaOf returns the schema of a struct; nil if it has none.
func (f *Reading) SchemaOf(v *tree.Value) *gml.Schema {
	if l := f.layoutOf(v); l != nil {
		return l.schema
	}
	return nil
}

// CtorIndex returns the index of a struct's constructor; in 1.0.0 this is its tag.
func (f *Reading) CtorIndex(v *tree.Value) uint16 {
	if l := f.layoutOf(v); l != nil {
		return l.index
	}
	return uint16(v.Sub)
}

// CtorName returns the name of a struct's constructor, cut at MaxName; "" if it is not known.
func (f *Reading) CtorName(v *tree.Value) string {
	if l := f.layoutOf(v); l != nil {
		return l.name
	}
	return f.names.name(uint16(v.Sub))
}

// Of returns the Reading that a tree's reading is or embeds; ok is false if it belongs to another format.
func Of(r tree.Reading) (f *Reading, ok bool) {
	b, ok := r.(interface{ block() *Reading })
	if !ok {
		return nil, false
	}
	return b.block(), true
}

func (f *Reading) block() *Reading { return f }

// Look implements tree.Looker.
func (f *Reading) Look(w *source.Window, v *tree.Value) tree.Look {
	width := datatype.Width(v.Type)
	switch {
	case v.Refers:
		return tree.Look{}
	case v.Type == datatype.Array:
		return tree.Look{Form: tree.FormList}
	case width == 0 || v.Layout != tree.Leaf || v.Tail-width < v.Start:
		return tree.Look{}
	}
	at := span.Span{Offset: v.Tail - width, Length: width}
	d := datatype.NumberAt(w, v.Type, at.Offset)
	n := tree.Number{Kind: tree.Uint, Bits: d.Bits, At: at}
	switch v.Type {
	case datatype.Bool:
		n.Kind = tree.Bool
	case datatype.S8:
		n.Kind, n.Bits = tree.Int, uint64(int64(int8(d.Bits)))
	case datatype.S16:
		n.Kind, n.Bits = tree.Int, uint64(int64(int16(d.Bits)))
	case datatype.S32:
		n.Kind, n.Bits = tree.Int, uint64(int64(int32(d.Bits)))
	case datatype.F16, datatype.F32, datatype.F64:
		n.Kind, n.Bits = tree.Float64, math.Float64bits(d.Float())
	}
	return tree.Look{Form: tree.FormNumber, Number: n}
}

// Fork implements tree.Resyncer.
func (f *Reading) Fork(before int64, strict bool) tree.Reading {
	return &Reading{Rules: f.Rules, Header: f.Header, names: f.names.fork(before), trial: strict}
}

// AcceptsAmbiguous implements tree.Resyncer. In 1.0.0 nearly every character could be the tag of a
// constructor, so the first possible place means little.
func (f *Reading) AcceptsAmbiguous() bool { return !f.Rules.CtorTags }

// Resynced implements tree.Resyncer.
func (f *Reading) Resynced(lost, end int64) {
	if end > lost {
		f.names.noteGap(lost)
	}
}

// IsPlausibleStart implements tree.Resyncer.
func (f *Reading) IsPlausibleStart(w *source.Window, parent *tree.Value, slot tree.Slot, off, lost int64) bool {
	if off >= parent.Limit {
		return false
	}
	element := datatype.Any
	switch schema := f.SchemaOf(parent); {
	case slot.Key:
		return f.MayBeName(w, off, lost)
	case schema != nil:
		element = schema.Members[slot.Index].Type
	case parent.Type == datatype.Array:
		element = datatype.ID(parent.Sub)
	}
	switch {
	case element == datatype.Any:
		return datatype.IsWritten(f.Rules.TypeOf(w.Byte(off)))
	case datatype.IsText(element):
		return off == lost || w.Byte(off-1) < ' '
	case element == datatype.Struct:
		return f.mayBeStruct(w, off, lost)
	case element == datatype.Array:
		return f.Rules.TypeOf(w.Byte(off+2)) != datatype.Unknown
	}
	return true
}

// mayBeStruct reports whether a struct without a tag could begin at off. An empty struct does not count, as
// it could begin nearly everywhere, nor does one with a tag before it, in the unreadable bytes.
func (f *Reading) mayBeStruct(w *source.Window, off, lost int64) bool {
	if off > lost && f.Rules.TypeOf(w.Byte(off-1)) == datatype.Struct {
		return false
	}
	switch n := w.U16(off); {
	case n == 0:
		return false
	case n == MarkRef && !f.Rules.CtorTags:
		return true
	case n == MarkCtor && !f.Rules.CtorTags:
		index := w.U16(off + 2)
		_, known := f.names.lookUp(index, off)
		return known || tree.IsIdentifier([]byte{w.Byte(off + 4)})
	}
	return f.MayBeName(w, off+2, off+2)
}

// MayBeName reports whether a member's name could begin at off: a whole
// identifier, not the end of one, with a tag after it.
func (f *Reading) MayBeName(w *source.Window, off, lost int64) bool {
	const longest = 128
	if off > lost && tree.IsIdentifier([]byte{'_', w.Byte(off - 1)}) {
		return false
	}
	name := w.View(off, longest)
	end := bytes.IndexByte(name, 0)
	return end > 0 && tree.IsIdentifier(name[:end]) && datatype.IsWritten(f.Rules.TypeOf(w.Byte(off+int64(end)+1)))
}

// Edited implements tree.Learner. The rules stay the same, whatever the header is now.
func (f *Reading) Edited(src source.Source, region span.Span) tree.Learner {
	e := Open(f.Rules, f.names.schemas, src, region)
	e.names.shared = f.names.shared.clone()
	return e
}

// Adopt implements tree.Learner.
func (f *Reading) Adopt(was tree.Reading, part span.Span, by int64, from, to uint32) {
	old, _ := Of(was)
	f.names.adopt(old.names, part, by)
	for n := from; n < to && n <= MarkRef; n++ {
		f.kinds.set(n, old.kinds.of(n))
	}
}

// adopt takes over what old has learnt about a part of its bytes, which has moved.
func (n *names) adopt(old *names, part span.Span, by int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	old.mu.RLock()
	defer old.mu.RUnlock()
	for index, u := range old.ctors {
		if part.Contains(u.at) {
			u.at += by
			n.note(index, u)
		}
	}
	for at, end := range old.texts {
		if part.Contains(at) && end != tree.Unknown && end < part.End() {
			n.noteText(at+by, end+by)
		}
	}
}

// Agrees implements tree.Learner: the same constructors have been named before.
func (f *Reading) Agrees(was tree.Reading, wasAt, at int64) bool {
	other, _ := Of(was)
	n, old := f.names, other.names
	n.mu.RLock()
	defer n.mu.RUnlock()
	old.mu.RLock()
	defer old.mu.RUnlock()
	count := 0
	for index, u := range old.ctors {
		if u.at >= wasAt {
			continue
		}
		count++
		if v, ok := n.ctors[index]; !ok || v.at >= at || v.name != u.name || v.bare != u.bare {
			return false
		}
	}
	for _, v := range n.ctors {
		if v.at < at {
			count--
		}
	}
	return count == 0
}

// Alike implements tree.Learner: the contents of slots depend on the schema and the list of skipped
// members, and the footer on the header of the block.
func (f *Reading) Alike(was, is *tree.Value) bool {
	return was.Flags&BySchema == 0 && was.Type != datatype.File
}

// Note implements tree.Learner. A damaged value may be of another kind.
func (f *Reading) Note(v *tree.Value) {
	if v.Damage == nil || v.Damage.Code == span.MissingSchema {
		f.kinds.set(v.Serial, v.Type)
	}
}

// Kind implements tree.Learner: the datatype.
func (f *Reading) Kind(serial uint32) uint32 { return uint32(f.kinds.of(serial)) }

// kindsPage is the number of values in a page of kinds.
const kindsPage = 256

// kinds remembers which numbered values are arrays and which are structs, as far as references can name
// them. A nil kinds, in a trial reading, remembers nothing.
type kinds [(MarkRef + 1) / kindsPage]atomic.Pointer[[kindsPage]atomic.Uint32]

// of returns the datatype of a numbered value; 0 if it is not known.
func (k *kinds) of(serial uint32) datatype.ID {
	if k == nil || serial > MarkRef {
		return 0
	}
	page := k[serial/kindsPage].Load()
	if page == nil {
		return 0
	}
	return datatype.ID(page[serial%kindsPage].Load())
}

func (k *kinds) set(serial uint32, t datatype.ID) {
	if k == nil || serial > MarkRef {
		return
	}
	page := k[serial/kindsPage].Load()
	for page == nil {
		k[serial/kindsPage].CompareAndSwap(nil, new([kindsPage]atomic.Uint32))
		page = k[serial/kindsPage].Load()
	}
	page[serial%kindsPage].Store(uint32(t))
}
