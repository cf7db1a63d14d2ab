package block

import (
	"bytes"
	"fmt"
	"math/bits"
	"strings"
	"unicode"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/datatype"
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
		in.bools()
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

// unlikelyName reports a name that hardly any game uses, in a trial reading of bytes that may be something
// else.
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

// bools inspects a bool or the elements of an array of bools; only the first that is neither 0 nor 1 is reported.
func (in *inspector) bools() {
	v := in.v
	for at, b := range in.w.Pieces(span.Between(v.Body, v.Tail)) {
		for i, c := range b {
			if c > 1 {
				in.repairable(at+int64(i), 1, span.Warning, span.BoolValue, fmt.Sprintf("a bool of %d instead of 0 or 1", c), "read as true; as false in a browser", repairBool)
				return
			}
		}
	}
}

// KeyIdentity implements tree.Keyed.
func (f *Reading) KeyIdentity(_ *tree.Value, b []byte) []byte { return b }

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

const headerMismatch = "error: Header mismatch"

// header inspects the magic and the version.
func (in *inspector) header() {
	at := in.v.Head
	if in.v.Body-at < HeaderSize {
		in.problem(at, in.v.Body-at, span.Error, span.Truncated, "a block begins with 8 bytes of header and version", readPastEnd)
		return
	}
	f, r := in.f, in.f.Rules
	right := f.RightVersion()
	if h := &f.Header; h.Magic != h.RightMagic(right) {
		in.wrongMagic(h.RightMagic(right), right)
	}
	at += 4
	declared, known := ByVersion(f.Header.Version)
	text := VersionText(f.Header.Version)
	repair := "set the version to " + right.Name
	switch tag := in.w.Byte(in.v.Body); {
	case !known && right.Version == bits.ReverseBytes32(f.Header.Version):
		in.repairable(at, 4, span.Error, WrongVersion, fmt.Sprintf("the version is byte-swapped: it reads %s instead of %s", text, right.Name), f.unsupported(), repair)
	case !known && mayBeNewer(f.Header.Version):
		in.report(span.Problem{Span: span.Span{Offset: at, Length: 4}, Severity: span.Error, Code: WrongVersion, Engine: f.unsupported(),
			Message: fmt.Sprintf("Elephant %s is not known; read as %s", text, r.Name), Repair: repair + ", if no newer library wrote it", Guess: true})
	case !known:
		in.repairable(at, 4, span.Error, WrongVersion, fmt.Sprintf("there is no Elephant %s; read as %s", text, r.Name), f.unsupported(), repair)
	case declared != right && right != r:
		in.repairable(at, 4, span.Error, WrongVersion, fmt.Sprintf("the version says %s, but header and footer are those of Elephant %s", text, right.Name), headerMismatch, repair)
	case declared != right:
		in.repairable(at, 4, span.Error, WrongVersion, fmt.Sprintf("the version says %s, but the content is that of Elephant %s", text, r.Name), "misread", repair)
	case r.old:
		in.problem(at, 4, span.Note, span.EngineReadBack, fmt.Sprintf("Elephant 1.5.1 itself can no longer read files of %s", text), headerMismatch)
	case tag >= 14 && tag <= 17 && !r.IsForeign(tag):
		in.problem(at, 4, span.Note, span.EngineReadBack, fmt.Sprintf("Elephant 1.5.1 itself can no longer read files of %s with the tags 14 to 17", text), fmt.Sprintf("error: illegal buffer type %d", tag))
	}
}

// mayBeNewer reports whether a version number could belong to a newer library than all known ones: it is
// higher, and each of its parts is small enough for a version.
func mayBeNewer(version uint32) bool {
	const mostMajor, most = 2, 31
	return version > rules[0].Version && version>>16 <= mostMajor && version>>8&0xff <= most && version&0xff <= most
}

// unsupported is the library's error about the header's version.
func (f *Reading) unsupported() string {
	return fmt.Sprintf("error: Buffer is for unsupported version %s, it may be a newer version", VersionText(f.Header.Version))
}

// wrongMagic reports a header other than the right one.
func (in *inspector) wrongMagic(want string, r *Rules) {
	magic := in.f.Header.Magic
	message := fmt.Sprintf(`the header is "%s", a block of Elephant %s begins with %q`, tree.Prose([]byte(magic)), r.Name, want)
	if magic == "ELEP" || magic == "CMTA" {
		message = fmt.Sprintf("the header %q is byte-swapped: it should be %q", magic, want)
	}
	in.repairable(in.v.Head, 4, span.Error, WrongHeader, message, headerMismatch, fmt.Sprintf("set the header to %q", want))
}

// RightVersion returns the version that the header should have: the one by which the content is read,
// unless the header indicates another one with the same content.
func (f *Reading) RightVersion() *Rules {
	h, r := &f.Header, f.Rules
	old, _ := ByName("1.1.0")
	if h.Magic == magicOld && !h.Footed && !r.old && sameContent(r, old) {
		return old
	}
	return r
}

// sameContent reports whether two versions store values in the same way.
func sameContent(a, b *Rules) bool {
	return a.LowTags == b.LowTags && a.HighTags == b.HighTags && a.CtorTags == b.CtorTags && a.Bit7 == b.Bit7 && a.Skips == b.Skips
}

// RightMagic returns the magic of a version's blocks. A build between 1.1.0 and 1.2.0 had the later magic
// and a footer.
func (h *Header) RightMagic(r *Rules) string {
	if r.Name == "1.1.0" && h.Footed {
		return MagicHeader
	}
	return r.Magic()
}

// fewUnnamed is the number of constructors for which a trial reading accepts that they were named in
// unreadable bytes.
const fewUnnamed = 16

// manyCtors is more than the number of constructors in any game.
const manyCtors = 255

// IsUnlikelyIndex reports whether the index of a new constructor may be damaged. After edits it may skip
// some numbers, but not many.
func IsUnlikelyIndex(index uint16, next int) bool { return int(index) > next+manyCtors }

// constructed inspects the constructor of a constructed struct.
func (in *inspector) constructed() {
	f, v := in.f, in.v
	if v.Flags&Named != 0 {
		in.named()
	}
	at := f.VersionAt(in.w, v)
	version, verbose := f.Rules.SchemaVersion(in.w.Byte(at))
	if v.Flags&BySchema != 0 {
		if v.Damage == nil && f.Rules.Skips {
			in.skips(at + 1)
		}
		return
	}
	if name := f.CtorName(v); verbose && f.names.isOdd(name, version) {
		in.problem(at, 1, span.Warning, OddVerbose, fmt.Sprintf("stored with the names of its members, though version %d of the schema of %s does not say so", version, name), "")
	}
}

// named inspects a constructor that is used for the first time.
func (in *inspector) named() {
	f, v := in.f, in.v
	at, index := f.NameAt(in.w, v), f.CtorIndex(v)
	switch {
	case f.trial && int(index) > f.names.nextIndex(f.Rules, index)+fewUnnamed:
		in.problem(v.Start, v.Body-v.Start, span.Warning, CtorName, "an unlikely index for a new constructor", "")
	case !f.trial && !f.Rules.CtorTags:
		if next, ok := f.names.usedBefore(v.Start); ok && next != int(index) {
			severity, repair := span.Note, ""
			if IsUnlikelyIndex(index, next) {
				severity, repair = span.Warning, fmt.Sprintf("set it to %d", next)
			}
			in.repairable(at-2, 2, severity, CtorIndex, fmt.Sprintf("a new constructor with the index %d, where the library writes %d", index, next), "accepted", repair)
		}
	}
	size := f.VersionAt(in.w, v) - 1 - at
	name := in.w.View(at, size)
	if int64(len(name)) == size && tree.IsIdentifier(name) {
		if near := f.NearCtor(string(name)); near != "" && v.Damage == nil && !f.trial {
			in.problem(at, size+1, span.Error, CtorName, fmt.Sprintf("no GML file declares the constructor %q; is it %q, damaged by one byte?", name, near),
				fmt.Sprintf(`error: Could not resolve constructor function "%s"`, name))
		}
		return
	}
	message := "the name of a constructor must be an identifier"
	engine := fmt.Sprintf(`error: Could not resolve constructor function "%s"`, tree.Prose(name[:min(len(name), 64)]))
	if f.Rules.CtorTags {
		message += "; 1.0.0 leaves a name out where an earlier ElephantWrite of the same game wrote it"
		engine = "read as a struct without a constructor"
	}
	in.problem(at, size+1, span.Error, CtorName, message, engine)
}

// skips inspects the list of skipped members at off. Their order does not matter.
func (in *inspector) skips(off int64) {
	v := in.v
	var seen *[1 << 16 / 64]uint64 // used once the list is out of order
	last := uint16(0)
	for at := off; at < v.Body-2; at += 2 {
		skip := in.w.U16(at)
		if skip < last && seen == nil {
			seen = new([1 << 16 / 64]uint64)
			for before := off; before < at; before += 2 {
				n := in.w.U16(before)
				seen[n/64] |= 1 << (n % 64)
			}
		}
		switch {
		case int64(skip) > v.Count+1:
			in.skip(at, span.Error, fmt.Sprintf("member %d is skipped, but the schema has %d", skip, v.Count), "error: illegal buffer type undefined")
		case int64(skip) == v.Count+1:
			in.skip(at, span.Warning, fmt.Sprintf("member %d is skipped, but the schema has %d", skip, v.Count), "ignored")
		case skip == last, seen != nil && seen[skip/64]>>(skip%64)&1 != 0:
			in.skip(at, span.Warning, fmt.Sprintf("member %d is skipped twice", skip), "ignored")
		}
		if last = skip; seen != nil {
			seen[skip/64] |= 1 << (skip % 64)
		}
	}
}

func (in *inspector) skip(at int64, s span.Severity, message, engine string) {
	in.repairable(at, 2, s, WrongSkip, message, engine, repairSkip)
}

// inspectFoot inspects what follows the value.
func (f *Reading) inspectFoot(w *source.Window, off, end, limit int64, report func(span.Problem)) {
	foot := string(w.View(off, min(4, limit-off)))
	if foot == MagicFooter {
		inspectAfterFoot(w, span.Between(end, limit), report)
		return
	}
	p := span.Problem{Span: span.Between(off, off+int64(len(foot))), Severity: span.Error, Code: WrongFooter, Engine: "error: Footer mismatch"}
	p.Repair = fmt.Sprintf("write the footer %q over these bytes", MagicFooter)
	switch {
	case len(foot) < 4 && strings.HasPrefix(MagicFooter, foot):
		p.Code, p.Engine = MissingFooter, readPastEnd
		p.Message = fmt.Sprintf("the footer %q is missing", MagicFooter)
		if foot != "" {
			p.Message = fmt.Sprintf("the footer %q is cut: only %s there", MagicFooter, span.BytesAre(end-off))
		}
		p.Repair = fmt.Sprintf("add the footer %q", MagicFooter)
	case foot == backFooter:
		p.Message = fmt.Sprintf("the footer %q is byte-swapped: it should be %q", foot, MagicFooter)
	case IsFooterLike(foot, limit-off):
		p.Message = footerIs(foot)
	default:
		p.Message = fmt.Sprintf("no footer %q after the value: the footer is damaged, or something before it has the wrong length", MagicFooter)
		p.Repair = fmt.Sprintf("insert the footer %q after the value", MagicFooter)
	}
	report(p)
}

// backFooter is the footer with its bytes reversed.
const backFooter = "HANT"

// IsFooterLike reports whether the bytes after a value are its damaged footer: most of them are right, or
// no others follow. left is the number of bytes to the end.
func IsFooterLike(foot string, left int64) bool {
	right := 0
	for i := range len(foot) {
		if foot[i] == MagicFooter[i] {
			right++
		}
	}
	return foot == backFooter || right >= 3 || left <= 4
}

// footerIs returns the message about a damaged footer.
func footerIs(foot string) string {
	return fmt.Sprintf(`"%s" is where the footer %q should be`, tree.Prose([]byte(foot)), MagicFooter)
}

// inspectAfterFoot reports bytes after the footer. Nothing before the footer can be their
// cause: a block that ends with one is whole.
func inspectAfterFoot(w *source.Window, rest span.Span, report func(span.Problem)) {
	if rest.Length == 0 {
		return
	}
	p := span.Problem{Span: rest, Severity: span.Warning, Code: span.TrailingBytes, Engine: "ignored", Repair: repairTrailing, Settled: true}
	p.Message = fmt.Sprintf("%s left over after the footer", span.Bytes(rest.Length))
	if IsBlock(w.View(rest.Offset, min(rest.Length, HeaderSize))) {
		p.Message = fmt.Sprintf("%s after the footer: another block begins there", span.Bytes(rest.Length))
	}
	report(p)
}

// IsBlock reports whether bytes begin like a block of a known version.
func IsBlock(head []byte) bool {
	r, known := ByVersion(versionAt(head))
	return known && (string(head[:4]) == MagicHeader || string(head[:4]) == r.Magic())
}

// inspectLostFoot looks for the footer in the last bytes of a block, if nothing shows where
// the value ends.
func inspectLostFoot(w *source.Window, s span.Span, report func(span.Problem)) {
	b := w.View(max(s.Offset, s.End()-source.MaxView), min(s.Length, source.MaxView))
	if i := bytes.LastIndex(b, []byte(MagicFooter)); i >= 0 {
		inspectAfterFoot(w, span.Between(s.End()-int64(len(b)-i-len(MagicFooter)), s.End()), report)
		return
	}
	p := span.Problem{Span: span.Span{Offset: s.End()}, Severity: span.Error, Code: MissingFooter, Engine: readPastEnd, Settled: true}
	p.Message = fmt.Sprintf("the footer %q is missing: the end of the file is cut off, or damaged", MagicFooter)
	foot := string(b[max(0, len(b)-len(MagicFooter)):])
	switch zeros, part := w.ZerosBefore(s.Offset, s.End()), startOfFooter(foot); {
	case zeros >= manyZeros:
		p.Code, p.Engine = WrongFooter, ""
		p.Span = span.Between(s.End()-zeros, s.End())
		p.Message = fmt.Sprintf("the file ends in %d zero bytes instead of the footer %q", zeros, MagicFooter)
	case len(foot) == len(MagicFooter) && IsFooterLike(foot, source.MaxView):
		p.Code, p.Engine = WrongFooter, "error: Footer mismatch"
		p.Span = span.Between(s.End()-int64(len(foot)), s.End())
		p.Message, p.Repair = footerIs(foot), fmt.Sprintf("write the footer %q over these bytes", MagicFooter)
	case part > 1: // a single byte may be a letter of a text
		p.Span = span.Between(s.End()-int64(part), s.End())
		p.Message = fmt.Sprintf("the footer %q is cut: only %s there", MagicFooter, span.BytesAre(int64(part)))
		p.Repair = fmt.Sprintf("add the footer %q", MagicFooter)
	}
	report(p)
}

// manyZeros is the number of zeros at the end that cannot be values by chance.
const manyZeros = 16

// startOfFooter returns the number of bytes at the end of b that begin a footer.
func startOfFooter(b string) int {
	for n := len(MagicFooter) - 1; n > 0; n-- {
		if strings.HasSuffix(b, MagicFooter[:n]) {
			return n
		}
	}
	return 0
}

// reference inspects the target of a reference.
func (in *inspector) reference() {
	v := in.v
	at := v.Body - 2
	switch to := v.Sub; {
	case v.Serial == tree.NoSerial:
	case to >= v.Serial:
		in.repairable(at, 2, span.Error, Dangling, fmt.Sprintf("a reference to number %d, counted from 0, but %s before it", to, begin(v.Serial)), "read as undefined", in.f.DanglingRepair(in.parent, v))
	case v.Serial > MarkRef+1:
		in.problem(at, 2, span.Warning, WrappedRef, fmt.Sprintf("a reference to number %d after %d arrays and structs: the library cuts numbers to 16 bits, so it may mean another", to, v.Serial), "read as number "+fmt.Sprint(to))
	default:
		in.kind(datatype.ID(in.f.Kind(to)))
	}
}

// begin counts arrays and structs in words.
func begin(n uint32) string {
	switch n {
	case 0:
		return "no array or struct begins"
	case 1:
		return "1 array or struct begins"
	}
	return fmt.Sprintf("%d arrays and structs begin", n)
}

// kind compares the tag of a reference with the type of its target. If the reference has a tag of its own,
// that is the wrong field.
func (in *inspector) kind(is datatype.ID) {
	v := in.v
	if is == 0 || is == v.Type {
		return
	}
	at, n := v.Body-4, int64(4)
	if v.Flags&Tagged != 0 {
		at, n = v.Body-5, 1
	}
	in.repairable(at, n, span.Warning, RefKind, fmt.Sprintf("number %d, to which this refers as %s, is of type %s", v.Sub, datatype.Name(v.Type), datatype.Name(is)), "accepted", in.f.RefTagRepair(in.parent, v))
}

// DanglingRepair returns the repair of a reference without a target.
func (f *Reading) DanglingRepair(parent, v *tree.Value) string {
	switch {
	case v.Flags&Tagged != 0, parent.Type == datatype.Array:
		return repairNoRef
	case f.Rules.Skips:
		return repairDefault
	}
	return ""
}

// RefTagRepair returns the repair of a reference with the tag of another kind.
func (f *Reading) RefTagRepair(parent, v *tree.Value) string {
	if v.Flags&Tagged != 0 || parent.Type == datatype.Array {
		return repairRefTag
	}
	return ""
}
