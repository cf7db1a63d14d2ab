package elephant

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"unicode"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Problem codes that only Elephant has.
const (
	WrongHeader   = "wrong-header"       // the first four bytes are not the version's
	WrongVersion  = "wrong-version"      // the version says other than the content, or nothing known
	WrongFooter   = "wrong-footer"       // four other bytes where the footer should stand
	MissingFooter = "missing-footer"     // the file ends before its footer
	ForeignTag    = "foreign-tag"        // a tag of other versions
	Dangling      = "dangling-reference" // a reference to what does not come before it
	RefKind       = "reference-kind"     // a reference to an array as struct, or the reverse
	WrongSkip     = "wrong-skip"         // a skipped member that the schema does not have, or twice
	CtorName      = "constructor-name"   // a constructor's name that is no identifier
	OddVerbose    = "unexpected-verbose" // stored with names, though the schema does not say so
)

// IsOfHeader reports whether a problem is that the header or a tag is another
// version's. Such do not speak against reading the content by the rules of a
// version.
func IsOfHeader(code string) bool {
	return code == WrongHeader || code == WrongVersion || code == ForeignTag
}

// kinds remembers of the numbered values that have been inspected whether they
// are arrays or structs, as far as references can name them.
type kinds [markRef + 1]atomic.Uint32 // typeID, 0 for unknown

// An inspector reports what is unusual about one value.
type inspector struct {
	f      *Format
	w      *source.Window
	parent *tree.Value
	v      *tree.Value
	report func(span.Problem)
}

// Inspect implements tree.Format.
func (f *Format) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	in := inspector{f, w, parent, v, report}
	switch {
	case v.Type == tFile:
		in.header()
		return
	case v.Type == tSkipped, v.Type == tUnknown:
		return
	case v.Flags&isTagged != 0:
		in.tags()
	}
	if v.Damage != nil && v.Damage.Code != span.MissingSchema {
		return
	}
	switch {
	case v.Type == tBool:
		if b := w.Byte(v.Body); b > 1 {
			in.problem(v.Body, 1, span.Warning, span.BoolValue, fmt.Sprintf("a bool of %d", b), "read as true")
		}
	case v.Type == tName:
		in.text(v.Start)
		if f.trial {
			in.doubt()
		}
	case isText(v.Type):
		in.text(v.Body)
	case v.Refers:
		in.reference()
	case v.Type == tArray:
		in.array()
	case v.Type == tStruct && v.Flags&isCtor != 0:
		in.constructed()
	}
	if v.Layout == tree.Pairs && v.Overcounted() {
		in.problem(v.Body-2, 2, span.Error, span.LengthOverrun, fmt.Sprintf("a struct of %d members, but %s left", v.Count, span.AreLeft(v.Limit-v.Body)), readPastEnd)
	}
	if v.Numbered && v.Serial <= markRef && f.kinds != nil {
		f.kinds[v.Serial].Store(uint32(v.Type))
	}
}

func (in *inspector) problem(at, length int64, s span.Severity, code, message, engine string) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: s, Code: code, Message: message, Engine: engine})
}

// header looks at magic and version.
func (in *inspector) header() {
	h, r := &in.f.Header, in.f.Rules
	at := in.v.Head
	if in.v.Body-at < headerSize {
		in.problem(at, in.v.Body-at, span.Error, span.Truncated, "a block begins with 8 bytes of header and version", readPastEnd)
		return
	}
	declared, known := ByVersion(h.Version)
	const engine = "error: Header mismatch"
	switch want := declared.magic(); {
	case h.Magic == want || h.Magic == magicHeader && declared.Name == "1.1.0": // a build between 1.1.0 and 1.2.0
	case h.Magic == "ELEP" || h.Magic == "CMTA":
		in.problem(at, 4, span.Error, WrongHeader, fmt.Sprintf("the header %q is the wrong way round: it is %q", h.Magic, want), engine)
	default:
		shown := string(tree.AppendQuoted(nil, []byte(h.Magic)))
		in.problem(at, 4, span.Error, WrongHeader, fmt.Sprintf("the header is %s, a block of Elephant %s begins with %q", shown, declared.Name, want), engine)
	}
	at += 4
	text := versionText(h.Version)
	switch {
	case !known:
		in.problem(at, 4, span.Error, WrongVersion, fmt.Sprintf("there is no Elephant %s; read as %s", text, r.Name),
			fmt.Sprintf("error: Buffer is for unsupported version %s, it may be a newer version", text))
	case declared != r:
		in.problem(at, 4, span.Error, WrongVersion, fmt.Sprintf("the version says %s, but the content is that of Elephant %s", text, r.Name), "misread")
	case !r.current:
		in.problem(at, 4, span.Note, span.EngineReadBack, fmt.Sprintf("Elephant 1.5.1 itself can no longer read files of %s", text), engine)
	}
}

func (f *Format) inspectFoot(w *source.Window, off, end, limit int64, report func(span.Problem)) {
	foot := string(w.View(off, end-off))
	p := span.Problem{Span: span.Between(off, end), Severity: span.Error, Code: WrongFooter, Engine: "error: Footer mismatch"}
	switch {
	case foot == magicFooter:
		return
	case off+int64(len(foot)) == limit && len(foot) < len(magicFooter) && foot == magicFooter[:len(foot)]:
		p.Code, p.Engine = MissingFooter, readPastEnd
		p.Message = fmt.Sprintf("the footer %q is missing", magicFooter)
		if foot != "" {
			p.Message = fmt.Sprintf("of the footer %q only %s there", magicFooter, span.AreLeft(end-off))
		}
	case foot == "HANT":
		p.Message = fmt.Sprintf("the footer %q is the wrong way round: it is %q", foot, magicFooter)
	default:
		p.Span = span.Between(off, min(off+4, limit))
		p.Message = fmt.Sprintf("no footer %q behind the value: the footer is damaged, or something before it has another length than it should", magicFooter)
	}
	report(p)
}

// tags looks at the tags that the value begins with.
func (in *inspector) tags() {
	if v := in.v; in.f.trial && !isWritten(in.f.Rules.typeOf(in.w.Byte(v.Head))) {
		in.problem(v.Head, 1, span.Warning, ForeignTag, "a tag that the library reads but does not write", "")
	}
	for at := in.v.Head; at < in.v.Body; at++ {
		tag := in.w.Byte(at)
		in.foreign(at, tag)
		if in.f.Rules.typeOf(tag) != tAny {
			return
		}
	}
}

// isWritten reports whether the library chooses a datatype for a value by itself,
// and writes its tag (section 2); others stand in schemas only.
func isWritten(t typeID) bool {
	switch t {
	case tS32, tF64, tBool, tString, tU64, tArray, tStruct, tUndefined:
		return true
	}
	return t&ctorElement != 0
}

func (in *inspector) foreign(at int64, tag byte) {
	if in.f.Rules.isForeign(tag) {
		in.problem(at, 1, span.Error, ForeignTag, fmt.Sprintf("tag %d means %s in other versions than %s", tag, typeName(in.f.Rules.typeOf(tag)), in.f.Rules.Name),
			fmt.Sprintf("error: illegal buffer type %d", tag))
	}
}

// text looks at the string at off.
func (in *inspector) text(off int64) {
	if b := in.w.View(off, in.v.Tail-1-off); int64(len(b)) == in.v.Tail-1-off && tree.IsPlain(b) {
		return
	}
	if bad, _ := tree.ScanText(in.w, off, in.v.Tail-1-off, tree.RuneSize); bad != tree.Unknown {
		in.problem(bad, 1, span.Warning, span.InvalidUTF8, fmt.Sprintf("byte %#02x is no valid UTF-8", in.w.Byte(bad)), "read as U+FFFD")
	}
}

// doubt reports a name that hardly any game uses, in a reading that may be one of
// bytes that are something else.
func (in *inspector) doubt() {
	name := in.w.View(in.v.Start, in.v.Tail-1-in.v.Start)
	if len(name) == 0 || bytes.IndexFunc(name, unicode.IsControl) >= 0 {
		in.problem(in.v.Start, in.v.Tail-in.v.Start, span.Warning, CtorName, "an unlikely name", "")
	}
}

// reference looks at where a reference leads.
func (in *inspector) reference() {
	v := in.v
	at := v.Body - 2
	switch to := v.Sub; {
	case v.Serial == tree.NoSerial:
	case to >= v.Serial:
		in.problem(at, 2, span.Error, Dangling, fmt.Sprintf("a reference to number %d, of which only %d come before it", to, v.Serial), "read as undefined")
	default:
		if kind := typeID(in.f.kinds[to].Load()); kind != 0 && kind != v.Type {
			in.problem(v.Start, v.Body-v.Start, span.Warning, RefKind, fmt.Sprintf("number %d, to which this refers as %s, is a %s", to, typeName(v.Type), typeName(kind)), "read all the same")
		}
	}
}

// array looks at the element tag.
func (in *inspector) array() {
	v := in.v
	if v.Sub != 0 {
		in.foreign(v.Body-1, in.w.Byte(v.Body-1))
	}
	if v.Layout >= tree.Sequence && v.Overcounted() {
		in.problem(v.Body-3, 2, span.Error, span.LengthOverrun, fmt.Sprintf("an array of %d, but %s left", v.Count, span.AreLeft(v.Limit-v.Body)), readPastEnd)
	}
	if v.Layout == tree.Fixed && typeID(v.Sub) == tBool {
		in.bools()
	}
}

// bools looks at the elements of an array of bools; the first odd one is told.
func (in *inspector) bools() {
	v := in.v
	for at := v.Body; at < v.Tail; {
		b := in.w.View(at, v.Tail-at)
		for i, c := range b {
			if c > 1 {
				in.problem(at+int64(i), 1, span.Warning, span.BoolValue, fmt.Sprintf("a bool of %d", c), "read as true")
				return
			}
		}
		if len(b) == 0 {
			return
		}
		at += int64(len(b))
	}
}

// fewUnnamed is how many constructors a trial reading takes to be named in bytes
// that cannot be read.
const fewUnnamed = 16

// constructed looks at what a constructed struct says of its constructor.
func (in *inspector) constructed() {
	f, v := in.f, in.v
	if f.trial && v.Flags&isNamed != 0 && int(f.ctorIndex(v)) > f.names.nextIndex(f.Rules, f.ctorIndex(v))+fewUnnamed {
		in.problem(v.Start, v.Body-v.Start, span.Warning, CtorName, "an unlikely index for a new constructor", "")
	}
	if v.Flags&isNamed != 0 {
		at := f.nameAt(in.w, v)
		if name := in.w.View(at, f.versionAt(in.w, v)-1-at); !tree.IsIdentifier(name) {
			in.problem(at, int64(len(name))+1, span.Error, CtorName, "the name of a constructor must be an identifier", "error: Could not resolve constructor function")
		}
	}
	at := f.versionAt(in.w, v)
	version, verbose := f.Rules.schemaVersion(in.w.Byte(at))
	if v.Flags&isSchema != 0 {
		if v.Damage == nil && f.Rules.skips {
			in.skips(at + 1)
		}
		return
	}
	if verbose && version > 0 && f.names.hasSchemas() {
		name := f.ctorName(v)
		if schema, err := f.names.lookUpSchema(name, version); err == nil && !schema.Verbose {
			in.problem(at, 1, span.Warning, OddVerbose, fmt.Sprintf("stored with the names of its members, though version %d of the schema of %s does not say so", version, name), "")
		}
	}
}

// skips looks at the list of skipped members at off.
func (in *inspector) skips(off int64) {
	v := in.v
	last := uint16(0)
	for at := off; at < v.Body-2; at += 2 {
		skip := in.w.U16(at)
		switch {
		case int64(skip) > v.Count+1:
			in.problem(at, 2, span.Error, WrongSkip, fmt.Sprintf("member %d is skipped, but the schema has %d", skip, v.Count), "error: illegal buffer type undefined")
		case int64(skip) == v.Count+1:
			in.problem(at, 2, span.Warning, WrongSkip, fmt.Sprintf("member %d is skipped, but the schema has %d", skip, v.Count), "ignored")
		case skip == last:
			in.problem(at, 2, span.Warning, WrongSkip, fmt.Sprintf("member %d is skipped twice", skip), "ignored")
		}
		last = skip
	}
}

// RepeatedKey implements tree.Keyed.
func (f *Format) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey,
		Message: "another member of the same name stands before this", Engine: "the last one wins"}
}
