// Package block reads a block of Elephant: header and footer, values with their fields, and
// the constructors and schemas that it meets on the way.
package block

import (
	"fmt"

	"varview/decoder/elephant/gml"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Reading reads one block. What the block means depends on which constructors have been
// named earlier in it. A Reading learns that while it reads.
type Reading struct {
	Rules  *Rules
	Header Header
	names  *names
	kinds  *kinds // nil in a trial reading
	trial  bool   // it only decides whether these bytes could be read like this at all
}

// A Header is how a block begins and ends.
type Header struct {
	Magic   string // its first four bytes, or fewer
	Version uint32 // as it is in the file
	Footed  bool   // a footer belongs to it
	AtEnd   bool   // the region ends with one
	LowTags bool   // the tag of the root is one of 14 to 17
	Slips   []Slip // the smallest changes that make the beginning a header, if it is not one
}

var (
	_ tree.Reading     = (*Reading)(nil)
	_ tree.Inspector   = (*Reading)(nil)
	_ tree.Meaner      = (*Reading)(nil)
	_ tree.Stepper     = (*Reading)(nil)
	_ tree.TypeWriter  = (*Reading)(nil)
	_ tree.EngineModel = (*Reading)(nil)
	_ tree.Footer      = (*Reading)(nil)
	_ tree.Keyed       = (*Reading)(nil)
	_ tree.Remedier    = (*Reading)(nil)
	_ tree.Learner     = (*Reading)(nil)
	_ tree.Resyncer    = (*Reading)(nil)
)

// Open begins a reading of the block in a region by the rules of a version.
func Open(r *Rules, s Schemas, src source.Source, region span.Span) *Reading {
	h, _ := Sniff(src, region)
	return &Reading{Rules: r, Header: h, names: newNames(s), kinds: new(kinds)}
}

// Flags of a value.
const (
	Tagged      uint16 = 1 << iota // it begins with its own tag
	Constructed                    // a struct made by a constructor
	Named                          // the constructor's name follows its index
	BySchema                       // the body is laid out by a schema
	OldTag                         // 1.0.0: the tag is the constructor
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

// Nesting implements tree.EngineModel. The library knows no limit.
func (f *Reading) Nesting() (int, string) { return 0, "" }

// Shortage implements tree.EngineModel.
func (f *Reading) Shortage() string { return readPastEnd }

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
		f.readAs(w, v, datatype.ID(parent.Sub))
	default:
		f.readAny(w, v)
	}
}

// readMember reads a member of a struct with a schema, or nothing if the struct leaves it
// out.
func (f *Reading) readMember(w *source.Window, parent *tree.Value, i int64, v *tree.Value) {
	schema := f.SchemaOf(parent)
	if schema == nil || i >= int64(len(schema.Members)) || f.IsSkipped(w, parent, i) {
		v.Type = datatype.Skipped
		v.Close(v.Start)
		return
	}
	f.readAs(w, v, datatype.ID(schema.Members[i].Type))
}

// MaxAny is the number of tags any that may precede a value's own.
const MaxAny = 16

// readAny reads a tag and what it announces. The tag any announces another tag.
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
			p.Message = fmt.Sprintf("more than %d tags any precede a value", MaxAny)
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

// layoutOf returns the layout of a struct with a schema, nil for all others.
func (f *Reading) layoutOf(v *tree.Value) *layout {
	if v.Flags&BySchema == 0 || v.Layout != tree.Sequence {
		return nil
	}
	return f.names.shared.at(v.Sub)
}

// SchemaOf returns the schema of a struct, nil if it has none.
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

// CtorName returns the name of a struct's constructor as far as it is kept, "" if it is not
// known.
func (f *Reading) CtorName(v *tree.Value) string {
	if l := f.layoutOf(v); l != nil {
		return l.name
	}
	return f.names.name(uint16(v.Sub))
}

// Of returns the Reading that a tree's reading is or embeds; ok is false if it is one of
// another format.
func Of(r tree.Reading) (f *Reading, ok bool) {
	b, ok := r.(interface{ block() *Reading })
	if !ok {
		return nil, false
	}
	return b.block(), true
}

func (f *Reading) block() *Reading { return f }
