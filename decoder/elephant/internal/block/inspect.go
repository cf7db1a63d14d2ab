package block

import (
	"bytes"
	"fmt"
	"unicode"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// An inspector reports what is unusual about one value.
type inspector struct {
	f      *Reading
	w      *source.Window
	parent *tree.Value
	v      *tree.Value
	report func(span.Problem)
}

// Inspect implements tree.Inspector.
func (f *Reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	in := inspector{f, w, parent, v, report}
	switch {
	case v.Type == datatype.File:
		in.header()
		return
	case v.Type == datatype.Skipped, v.Type == datatype.Unknown:
		return
	case v.Flags&Tagged != 0:
		in.tags()
	}
	if v.Damage != nil && v.Damage.Code != span.MissingSchema {
		return
	}
	switch {
	case v.Type == datatype.Bool:
		if b := w.Byte(v.Body); b > 1 {
			in.boolean(v.Body, b)
		}
	case v.Type == datatype.MemberName:
		in.name()
	case datatype.IsText(v.Type):
		in.text(v.Body)
	case v.Refers:
		in.reference()
	case v.Type == datatype.Array:
		in.array()
	case v.Type == datatype.Struct && v.Flags&Constructed != 0:
		in.constructed()
	}
	if v.Layout == tree.Pairs && v.Overcounted() {
		in.repairable(v.Body-2, 2, span.Error, span.LengthOverrun, fmt.Sprintf("a struct of %s members, but %s left", span.Grouped(v.Count), span.BytesAre(v.Limit-v.Body)), readPastEnd, repairCut)
	}
}

func (in *inspector) problem(at, length int64, s span.Severity, code, message, engine string) {
	in.repairable(at, length, s, code, message, engine, "")
}

// repairable reports a problem with its repair.
func (in *inspector) repairable(at, length int64, s span.Severity, code, message, engine, repair string) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: s, Code: code, Message: message, Engine: engine, Repair: repair})
}

// tags inspects the tags with which the value begins.
func (in *inspector) tags() {
	if v := in.v; in.f.trial && !datatype.IsWritten(in.f.Rules.TypeOf(in.w.Byte(v.Head))) {
		in.problem(v.Head, 1, span.Warning, ForeignTag, "a tag that the library reads but does not write", "")
	}
	for at := in.v.Head; at < in.v.Body; at++ {
		tag := in.w.Byte(at)
		in.foreign(at, tag)
		if in.f.Rules.TypeOf(tag) != datatype.Any {
			return
		}
	}
}

func (in *inspector) foreign(at int64, tag byte) {
	if in.f.Rules.IsForeign(tag) {
		is := in.f.Rules.NativeTag(tag)
		in.repairable(at, 1, span.Error, ForeignTag, fmt.Sprintf("tag %d means %s in other versions than %s, in which it is %d", tag, datatype.Name(in.f.Rules.TypeOf(tag)), in.f.Rules.Name, is),
			fmt.Sprintf("error: illegal buffer type %d", tag), fmt.Sprintf("set the tag to %d", is))
	}
}

// text inspects the string at off.
func (in *inspector) text(off int64) {
	size := in.v.Tail - 1 - off
	b := in.w.View(off, size)
	if int64(len(b)) == size && tree.IsPlain(b) {
		return
	}
	if len(b) >= 3 && string(b[:3]) == "\ufeff" {
		in.problem(off, 3, span.Note, span.ByteOrderMark, "the text begins with a byte order mark, which is invisible", "")
	}
	if bad, _ := tree.ScanText(in.w, off, size, tree.RuneSize); bad != tree.Unknown {
		in.repairable(bad, 1, span.Warning, span.InvalidUTF8, fmt.Sprintf("byte %#02x is not valid UTF-8", in.w.Byte(bad)), "read as U+FFFD", repairText)
	}
}

// name inspects the name of a member.
func (in *inspector) name() {
	in.text(in.v.Start)
	if in.f.trial {
		in.unlikelyName()
	} else if in.v.Tail-in.v.Start == 1 {
		in.problem(in.v.Start, 1, span.Note, EmptyName, "a member with an empty name, which code can reach only with [$ \"\"]", "")
	}
}

// unlikelyName reports a name that hardly any game uses, for a reading of bytes that may be
// something else.
func (in *inspector) unlikelyName() {
	name := in.w.View(in.v.Start, in.v.Tail-1-in.v.Start)
	if len(name) == 0 || bytes.IndexFunc(name, unicode.IsControl) >= 0 {
		in.problem(in.v.Start, in.v.Tail-in.v.Start, span.Warning, CtorName, "an unlikely name", "")
	}
}

// array inspects the element tag.
func (in *inspector) array() {
	v := in.v
	if v.Sub != 0 {
		in.foreign(v.Body-1, in.w.Byte(v.Body-1))
	}
	if v.Layout >= tree.Sequence && v.Overcounted() {
		in.repairable(v.Body-3, 2, span.Error, span.LengthOverrun, fmt.Sprintf("an array of %s, but %s left", span.Grouped(v.Count), span.BytesAre(v.Limit-v.Body)), readPastEnd, repairCut)
	}
	if v.Layout == tree.Fixed && datatype.ID(v.Sub) == datatype.Bool {
		in.bools()
	}
}

// bools inspects the elements of an array of bools; only the first odd one is reported.
func (in *inspector) bools() {
	v := in.v
	for at := v.Body; at < v.Tail; {
		b := in.w.View(at, v.Tail-at)
		for i, c := range b {
			if c > 1 {
				in.boolean(at+int64(i), c)
				return
			}
		}
		if len(b) == 0 {
			return
		}
		at += int64(len(b))
	}
}

// boolean reports a bool that is neither 0 nor 1.
func (in *inspector) boolean(at int64, b byte) {
	in.repairable(at, 1, span.Warning, span.BoolValue, fmt.Sprintf("a bool of %d instead of 0 or 1", b), "read as true; as false in a browser", repairBool)
}

// RepeatedKey implements tree.Keyed.
func (f *Reading) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey,
		Message: "an earlier member has the same name", Engine: "the last one wins", Repair: repairRepeat}
}

// Remedy implements tree.Remedier.
func (f *Reading) Remedy(_, v *tree.Value, p *span.Problem) string {
	switch p.Code {
	case span.Truncated, span.MissingValue:
		if v.Type != datatype.File {
			return repairCut
		}
		if v.Body-v.Head == HeaderSize {
			return "make the value undefined and end the block"
		}
	case span.TrailingBytes:
		if f.Header.Footed && !f.Header.AtEnd && v.Tail == v.Foot {
			return fmt.Sprintf("replace them with the footer %q", MagicFooter)
		}
		return repairTrailing
	}
	return ""
}
