package block

import (
	"fmt"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/datatype"
)

// Counts with a special meaning (1.1.0 and later).
const (
	MarkRef  = 0xffff // an index follows: the value is elsewhere
	MarkCtor = 0xfffe // a constructed struct
)

// readText ends v after a string at off and its NUL.
func (f *Reading) readText(w *source.Window, v *tree.Value, off int64) {
	end := f.names.textEnd(w, off, v.Limit)
	if end == tree.Unknown {
		p := truncated(off, v.Limit, "a string without the NUL that ends it")
		p.Engine = stringPastEnd
		v.Break(off, p)
		return
	}
	v.Close(end + 1)
}

// readCount reads a u16 at Body and moves Body past it.
func (f *Reading) readCount(w *source.Window, v *tree.Value, what string) (uint16, bool) {
	if v.Limit-v.Body < 2 {
		v.Break(v.Body, truncated(v.Body, v.Limit, what+" needs 2 bytes"))
		return 0, false
	}
	n := w.U16(v.Body)
	v.Body += 2
	return n, true
}

// readRef reads a reference: the number of another value.
func (f *Reading) readRef(w *source.Window, v *tree.Value) {
	if n, ok := f.readCount(w, v, "a reference"); ok {
		v.Refers, v.Sub = true, uint32(n)
		v.Close(v.Body)
	}
}

// readArray reads the length and element tag of an array (section 3).
func (f *Reading) readArray(w *source.Window, v *tree.Value) {
	n, ok := f.readCount(w, v, "the length of an array")
	switch {
	case !ok:
		return
	case n == MarkRef && !f.Rules.CtorTags:
		f.readRef(w, v)
		return
	}
	v.Numbered = !f.Rules.CtorTags
	if n == 0 {
		v.Close(v.Body)
		return
	}
	if v.Body >= v.Limit {
		v.Break(v.Body, truncated(v.Body, v.Limit, "the element tag is missing"))
		return
	}
	tag := w.Byte(v.Body)
	element := f.Rules.TypeOf(tag)
	if element == datatype.Unknown {
		v.Break(v.Body, unknownTag(v.Body, tag, "element tag"))
		return
	}
	v.Body++
	v.Sub = uint32(element)
	f.contain(v, element, int64(n))
}

// contain makes v an array of n elements.
func (f *Reading) contain(v *tree.Value, element datatype.ID, n int64) {
	stride := datatype.Width(element)
	switch {
	case stride > 0 || element == datatype.Undefined:
		v.Layout, v.Count, v.Stride = tree.Fixed, n, uint16(stride)
		if left := v.Limit - v.Body; n*stride > left {
			v.Damage = &span.Problem{Span: span.Between(v.Body-3, v.Body-1), Severity: span.Error, Code: span.LengthOverrun,
				Message: fmt.Sprintf("an array of %s %s, but %s left", span.Grouped(int64(n)), datatype.Name(element), span.BytesAre(left)), Engine: readPastEnd, Repair: repairCut}
			v.Count = left / stride
			v.Tail, v.End = v.Body+v.Count*stride, v.Limit
		} else {
			v.Close(v.Body + n*stride)
		}
		if v.Count == 0 {
			v.Layout = tree.Leaf
		}
	case element == datatype.Array || element == datatype.Struct:
		v.Contain(tree.Sequence, n, 2)
	default:
		v.Contain(tree.Sequence, n, 1)
	}
}

// readStruct reads what precedes the members of a struct (sections 4, 5).
func (f *Reading) readStruct(w *source.Window, v *tree.Value) {
	n, ok := f.readCount(w, v, "the member count of a struct")
	switch {
	case !ok:
	case f.Rules.CtorTags:
		v.Contain(tree.Pairs, int64(n), 1)
	case n == MarkRef:
		f.readRef(w, v)
	case n == MarkCtor:
		v.Numbered = true
		index, ok := f.readCount(w, v, "the index of a constructor")
		if ok && f.readCtorName(w, v, index) {
			f.readVersion(w, v, index)
		}
	default:
		v.Numbered = true
		v.Contain(tree.Pairs, int64(n), 1)
	}
}

// readOldCtor reads what precedes the members of a constructed struct in
// 1.0.0, where the tag is the constructor.
func (f *Reading) readOldCtor(w *source.Window, v *tree.Value, tag byte) {
	v.Type = datatype.Struct
	v.Flags |= OldTag
	if f.readCtorName(w, v, uint16(tag)) {
		f.readVersion(w, v, uint16(tag))
	}
}

// readCtorName reads a constructor's name where it is used for the first time.
func (f *Reading) readCtorName(w *source.Window, v *tree.Value, index uint16) bool {
	v.Flags |= Constructed
	named, err := f.names.use(w, index, v.Start, v.Body, v.Limit)
	if err != nil {
		v.Break(v.Body, err)
		return false
	}
	if named {
		v.Flags |= Named
		v.Body = f.names.textEnd(w, v.Body, v.Limit) + 1
	}
	return true
}

// readVersion reads the version byte and what is between it and the members.
func (f *Reading) readVersion(w *source.Window, v *tree.Value, index uint16) {
	v.Sub = uint32(index)
	if v.Body >= v.Limit {
		v.Break(v.Body, truncated(v.Body, v.Limit, "the schema version is missing"))
		return
	}
	b := w.Byte(v.Body)
	v.Body++
	version, verbose := f.Rules.SchemaVersion(b)
	if verbose {
		if n, ok := f.readCount(w, v, "the member count of a struct"); ok {
			v.Contain(tree.Pairs, int64(n), 1)
		}
		return
	}
	f.readSchemaBody(w, v, index, version)
}

// readSchemaBody reads the list of skipped members and lays out the others. A struct whose schema is
// missing ends where reading can resume.
func (f *Reading) readSchemaBody(w *source.Window, v *tree.Value, index uint16, version int) {
	at := v.Body - 1
	if f.Rules.Skips {
		end := f.skipListEnd(w, v.Body, v.Limit)
		if end == tree.Unknown {
			v.Break(v.Body, truncated(v.Body, v.Limit, "the list of skipped members has no end"))
			return
		}
		v.Body = end
	}
	v.Flags |= BySchema
	layout, problem := f.names.layout(index, version)
	if problem != nil {
		problem.Span = span.Between(at, at+1)
		if f.Rules.Bit7 && version > 0 && f.names.schemas.Highest(f.names.name(index), math.MaxUint8) == version+128 {
			problem.Message += fmt.Sprintf("; the library stores version %d as %d, and then cannot read it: 127 is the highest", version+128, version)
		}
		v.Break(v.Body, problem)
		return
	}
	v.Sub = layout
	v.Contain(tree.Sequence, int64(len(f.names.shared.at(layout).schema.Members)), 0)
}

// Limits of a list of skipped members. A member's position is a u16. A trial reading accepts no list that
// is longer than any game's.
const (
	maxSkips      = 1<<16 - 1
	maxTrialSkips = 1024
)

// skipListEnd returns the offset after the zero that ends the list at off.
func (f *Reading) skipListEnd(w *source.Window, off, limit int64) int64 {
	most := int64(maxSkips)
	if f.trial {
		most = maxTrialSkips
	}
	limit = min(limit, off+2*(most+1))
	const few = 32 // most lists have fewer, so no more is read ahead for them
	for range few {
		if limit-off < 2 {
			return tree.Unknown
		}
		skip := w.U16(off)
		if off += 2; skip == 0 {
			return off
		}
	}
	for limit-off >= 2 {
		b := w.View(off, limit-off)
		for i := 0; i+1 < len(b); i += 2 {
			if b[i] == 0 && b[i+1] == 0 {
				return off + int64(i) + 2
			}
		}
		if len(b) < 2 {
			break
		}
		off += int64(len(b) &^ 1)
	}
	return tree.Unknown
}

// IsSkipped reports whether the list of skipped members before parent's Body names member i.
func (f *Reading) IsSkipped(w *source.Window, parent *tree.Value, i int64) bool {
	if !f.Rules.Skips {
		return false
	}
	for at := f.VersionAt(w, parent) + 1; at < parent.Body; at += 2 {
		if int64(w.U16(at)) == i+1 {
			return true
		}
	}
	return false
}

// TagsEnd returns the offset after the tags of v.
func (f *Reading) TagsEnd(w *source.Window, v *tree.Value) int64 {
	at := v.Head
	if v.Flags&Tagged != 0 {
		for f.Rules.TypeOf(w.Byte(at)) == datatype.Any {
			at++
		}
		at++
	}
	return at
}

// NameAt returns the offset after the index of a constructor, where its name is if it has
// one.
func (f *Reading) NameAt(w *source.Window, v *tree.Value) int64 {
	if v.Flags&OldTag != 0 {
		return f.TagsEnd(w, v)
	}
	return f.TagsEnd(w, v) + 4
}

// VersionAt returns the offset of a constructed struct's version byte.
func (f *Reading) VersionAt(w *source.Window, v *tree.Value) int64 {
	at := f.NameAt(w, v)
	if v.Flags&Named != 0 {
		at = f.names.textEnd(w, at, v.Limit) + 1
	}
	return at
}

// The library's errors if bytes are missing.
const (
	readPastEnd   = "error: attempting to read past the end of the buffer"
	stringPastEnd = "error: string runs past the end of the buffer"
)

func truncated(at, limit int64, message string) *span.Problem {
	return &span.Problem{Span: span.Between(at, limit), Severity: span.Error, Code: span.Truncated, Message: message, Engine: readPastEnd, Repair: repairCut}
}

func unknownTag(at int64, tag byte, what string) *span.Problem {
	return &span.Problem{Span: span.Between(at, at+1), Severity: span.Error, Code: span.UnknownType,
		Message: fmt.Sprintf("%s %d is not a datatype", what, tag), Engine: fmt.Sprintf("error: illegal buffer type %d", tag)}
}

// FirstTag returns the tag of the datatype any in the set of tags that a block uses.
func (f *Reading) FirstTag(w *source.Window, root *tree.Value) int {
	const low, high = 14, 204
	tag := w.Byte(root.Head)
	if tag >= low && tag <= low+3 || !f.Rules.HighTags {
		return low
	}
	return high
}
