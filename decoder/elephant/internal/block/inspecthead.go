package block

import (
	"fmt"
	"math/bits"

	"varview/decoder/span"
	"varview/decoder/tree"
)

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

// mayBeNewer reports whether a version number could be that of a library newer than all
// known ones: it is higher, and each of its parts is small enough for a version.
func mayBeNewer(version uint32) bool {
	const mostMajor, most = 2, 31
	return version > rules[0].Version && version>>16 <= mostMajor && version>>8&0xff <= most && version&0xff <= most
}

// unsupported is what the library reports about the header's version.
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

// RightVersion returns the version that the header should have: the one as which the
// content is read, unless the header indicates another one with the same content.
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

// RightMagic returns the magic with which a block of a version begins. A build between
// 1.1.0 and 1.2.0 had the later magic and a footer.
func (h *Header) RightMagic(r *Rules) string {
	if r.Name == "1.1.0" && h.Footed {
		return MagicHeader
	}
	return r.Magic()
}
