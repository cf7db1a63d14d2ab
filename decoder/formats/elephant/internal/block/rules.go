package block

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/elephant/internal/datatype"
)

// Magic numbers as they are in the file.
const (
	magicOld    = "ATMC" // 1.0.0 and 1.1.0
	MagicHeader = "PELE"
	MagicFooter = "TNAH"
)

// HeaderSize is the size of magic and version in bytes.
const HeaderSize = 8

// Rules say what one version of the library writes and reads.
type Rules struct {
	Name    string // "1.5.1"
	Version uint32 // number in the header: major<<16 | minor<<8 | patch

	old      bool // header ATMC, no footer
	LowTags  bool // any, array, struct and undefined are 14 to 17
	HighTags bool // they are 204 to 207
	CtorTags bool // a tag from 32 on is a constructor, and there are no references
	Bit7     bool // bit 7 of the version byte means verbose; in other versions 0 in the whole byte does
	Skips    bool // a schema body begins with a list of skipped members
	current  bool // Elephant 1.5.1 itself can read it
}

// rules are the versions that the library's readers know, the newest first.
var rules = [...]Rules{
	{Name: "1.5.1", Version: 0x10501, HighTags: true, Bit7: true, Skips: true, current: true},
	{Name: "1.5.0", Version: 0x10500, HighTags: true, Bit7: true, Skips: true, current: true},
	{Name: "1.4.0", Version: 0x10400, LowTags: true, HighTags: true, Bit7: true, current: true},
	{Name: "1.3.0", Version: 0x10300, LowTags: true, Bit7: true},
	{Name: "1.2.1", Version: 0x10201, LowTags: true},
	{Name: "1.2.0", Version: 0x10200, LowTags: true},
	{Name: "1.1.0", Version: 0x10100, LowTags: true, old: true},
	{Name: "1.0.0", Version: 0x10000, LowTags: true, old: true, CtorTags: true},
}

// Versions lists the rules of all versions, the newest first.
func Versions() []Rules { return rules[:] }

// ByVersion returns the rules for the version number in a header; ok is false for a version that was never
// released. The rules are then those of the newest version, which a later one resembles most.
func ByVersion(v uint32) (r *Rules, ok bool) {
	for i := range rules {
		if rules[i].Version == v {
			return &rules[i], true
		}
	}
	return &rules[0], false
}

// ByName returns the rules of a version like "1.4.0".
func ByName(name string) (r *Rules, ok bool) {
	for i := range rules {
		if rules[i].Name == name {
			return &rules[i], true
		}
	}
	return nil, false
}

// Dialect returns the name of the dialect: elephant-1.5.1.
func (r *Rules) Dialect() string { return "elephant-" + r.Name }

// IsCurrent reports whether Elephant 1.5.1 itself reads files of the version.
func (r *Rules) IsCurrent() bool { return r.current }

// Magic returns the first word of the header.
func (r *Rules) Magic() string {
	if r.old {
		return magicOld
	}
	return MagicHeader
}

// VersionText writes a header's version number in the usual notation.
func VersionText(v uint32) string { return fmt.Sprintf("%d.%d.%d", v>>16, v>>8&0xff, v&0xff) }

// Title returns the version's full name: Elephant 1.5.1.
func (r *Rules) Title() string { return "Elephant " + r.Name }

// About says in a few words what distinguishes the version.
func (r *Rules) About() string {
	switch r.Name {
	case "1.0.0":
		return "header ATMC, constructors as tags, no references, no footer"
	case "1.1.0":
		return "header ATMC, no footer"
	case "1.2.0", "1.2.1":
		return "header PELE and a footer"
	case "1.3.0":
		return "schema versions up to 127, stored with names by a bit"
	case "1.4.0":
		return "tags 204 to 207; its development builds kept 14 to 17"
	}
	return "lists of skipped members"
}

// Types returns the names of the datatypes by their tag in this version.
func (r *Rules) Types() []string {
	last := 17
	if r.HighTags {
		last = int(datatype.Undefined)
	}
	types := make([]string, last+1)
	for tag := range types {
		if t := r.TypeOf(byte(tag)); t != datatype.Unknown && !r.IsForeign(byte(tag)) && t&datatype.CtorElement == 0 {
			types[tag] = datatype.Name(t)
		}
	}
	return types
}

// Room returns the largest number of children of an array or a struct (sections 3 and 4 of the
// specification); larger counts are marks, which 1.0.0 does not have.
func (r *Rules) Room(t datatype.ID) int {
	switch {
	case r.CtorTags:
		return math.MaxUint16
	case t == datatype.Struct:
		return MarkCtor - 1
	}
	return MarkCtor
}

// CtorRange returns the least and the greatest index of a constructor.
func (r *Rules) CtorRange() (least, most int) {
	if r.CtorTags {
		return 32, math.MaxUint8
	}
	return 0, math.MaxUint16
}

// MaxVersion returns the highest schema version that can be stored.
func (r *Rules) MaxVersion() int {
	if r.Bit7 {
		return 127
	}
	return 255
}

// SchemaVersion decodes a version byte.
func (r *Rules) SchemaVersion(b byte) (version int, verbose bool) {
	if r.Bit7 {
		return int(b & 0x7f), b&0x80 != 0
	}
	return int(b), b == 0
}

// VersionByte returns the version byte of a constructed struct, the inverse of
// SchemaVersion.
func (r *Rules) VersionByte(version int, verbose bool) byte {
	switch {
	case verbose && r.Bit7:
		return byte(version) | 0x80
	case verbose:
		return 0
	}
	return byte(version)
}

// TagShift is the difference between the later tags and those of 1.0.0 to 1.3.0.
const TagShift = datatype.Any - 14

// TypeOf returns the datatype of a tag, or Unknown. Every version accepts both sets of tags, as they do not
// overlap; Inspect reports those that the version's own reader refuses. In 1.0.0 tags from 32 on are
// constructors.
func (r *Rules) TypeOf(tag byte) datatype.ID {
	switch t := datatype.ID(tag); {
	case t >= 1 && t <= datatype.Text:
		return t
	case t >= 14 && t <= 17:
		return t + TagShift
	case r.CtorTags && t >= 32:
		return datatype.CtorElement | t
	case t >= datatype.Any && t <= datatype.Undefined:
		return t
	}
	return datatype.Unknown
}

// IsForeign reports whether a tag belongs to versions other than this.
func (r *Rules) IsForeign(tag byte) bool {
	return tag >= 14 && tag <= 17 && !r.LowTags || datatype.ID(tag) >= datatype.Any && datatype.ID(tag) <= datatype.Undefined && !r.HighTags && !r.CtorTags
}

// NativeTag returns this version's tag for the datatype of a foreign tag.
func (r *Rules) NativeTag(tag byte) byte {
	if r.HighTags && !r.LowTags {
		return tag + byte(TagShift)
	}
	return tag - byte(TagShift)
}

// Sniff reports whether the beginning and end of region are those of a block, which may be damaged: its
// magic may be reversed or partly wrong. The header is useful even if they are not.
func Sniff(src source.Source, region span.Span) (h Header, ok bool) {
	w := source.NewWindow(src)
	head := w.View(region.Offset, min(region.Length, HeaderSize))
	h.Magic = string(head[:min(len(head), 4)])
	h.Version = versionAt(head)
	tag := w.Byte(region.Offset + HeaderSize)
	h.LowTags = region.Length > HeaderSize && tag >= 14 && tag <= 17
	r, known := ByVersion(h.Version)
	tail := string(w.View(region.End()-int64(len(MagicFooter)), int64(len(MagicFooter))))
	ends := tail == MagicFooter && region.Length >= HeaderSize+int64(len(MagicFooter))
	h.Footed = hasFooter(h.Magic, r, known, ends)
	h.AtEnd = ends && h.Footed
	signed := h.Magic == MagicHeader || h.Magic == magicOld || h.Magic == "ELEP" || h.Magic == "CMTA"
	if known && (signed || h.AtEnd || likeness(h.Magic) >= 2) {
		return h, true
	}
	lost := sureLost
	if signed || ends {
		lost = maxLost
	}
	h.Slips = slips(w.View(region.Offset, min(region.Length, HeaderSize+maxExtra+1)), lost)
	return h, signed || len(h.Slips) > 0
}

// The number of bytes that may be added to a header or lost from it. A header that has lost more than
// sureLost is recognised only if something else indicates a block.
const (
	maxExtra  = 8
	maxBefore = 2 // if more bytes precede a block, they are a wrapper
	maxLost   = 4 // if something else does
	sureLost  = 3
)

// A Slip is a change that makes the beginning of a block a header with a value after it: it deletes the
// bytes of its span, or inserts others.
type Slip struct {
	span.Span // from the beginning of the block
	New       []byte
	rules     *Rules // rules of the version in the header after the change
}

// slips lists the changes after which head begins with a header; they insert at most lost bytes. A complete
// header comes before one that has lost several bytes.
func slips(head []byte, lost int) (all []Slip) {
	for n := 1; n <= maxExtra; n++ {
		all = slipsOf(all, head, n, true, n == 1)
	}
	for n := 2; n <= lost; n++ {
		all = slipsOf(all, head, n, false, true)
	}
	return all
}

// slipsOf adds the changes that delete n bytes, if extra is set, and those that insert n,
// if lost is set.
func slipsOf(all []Slip, head []byte, n int, extra, lost bool) []Slip {
	for i := range rules {
		r := &rules[i]
		want := headers[i]
		same := 0 // bytes that need no change
		for same < min(HeaderSize-1, len(head)) && head[same] == want[same] {
			same++
		}
		for at := range same + 1 {
			if extra && (at > 0 || n <= maxBefore) && r.matches(head, want[:at], n, want[at:]) {
				all = append(all, Slip{span.Span{Offset: int64(at), Length: int64(n)}, nil, r})
			}
			if lost && at+n <= HeaderSize && r.matches(head, want[:at], 0, want[at+n:]) {
				all = append(all, Slip{span.Span{Offset: int64(at)}, []byte(want[at:][:n]), r})
			}
		}
	}
	return all
}

// matches reports whether b consists of one text, any n bytes, another text and the tag of a value.
func (r *Rules) matches(b []byte, before string, n int, after string) bool {
	at := len(before) + n
	end := at + len(after)
	return len(b) > end && string(b[:len(before)]) == before && string(b[at:end]) == after && r.TypeOf(b[end]) != datatype.Unknown && !r.IsForeign(b[end])
}

// headers are those of all versions.
var headers = func() (all [len(rules)]string) {
	for i := range rules {
		all[i] = rules[i].Header()
	}
	return all
}()

// Header returns the header of a block of the version.
func (r *Rules) Header() string {
	return string(binary.LittleEndian.AppendUint32([]byte(r.Magic()), r.Version))
}

// hasFooter reports whether a block has a footer. It has none if its version has none. It also has none if
// its magic is that of the versions without one, and its version is either unknown or differs from those
// only in the magic and footer. If the magic is damaged, ends decides: whether the block ends with a
// footer.
func hasFooter(magic string, r *Rules, known, ends bool) bool {
	old, _ := ByName("1.1.0")
	switch {
	case magic == magicOld && known && r.old:
		return false
	case magic == MagicHeader, ends:
		return true
	}
	return !(known && r.old || magic == magicOld && (!known || sameContent(r, old)))
}

// Rules returns the rules by which a block with the header is most likely read: those of
// its version, if known, otherwise those that the reversed version, the header and the tag
// of the root indicate.
func (h *Header) Rules() (r *Rules, known bool) {
	if r, known = ByVersion(h.Version); known {
		return r, true
	}
	if slip := h.slip(); slip != nil {
		return slip.rules, false
	}
	if near := h.nearest(); near != nil {
		return near, false
	}
	if back, ok := ByVersion(bits.ReverseBytes32(h.Version)); ok {
		return back, false
	}
	name := "1.5.1"
	switch {
	case h.Magic == magicOld && !h.Footed:
		name = "1.1.0"
	case h.LowTags:
		name = "1.3.0"
	}
	r, _ = ByName(name)
	return r, false
}

// slip returns the smallest change that makes the beginning a header; nil if all of them touch something
// else, or if another version number is as likely.
func (h *Header) slip() *Slip {
	for i := range h.Slips {
		if s := &h.Slips[i]; s.Offset+int64(len(s.New)) <= HeaderSize && (len(s.New) <= 1 || h.nearest() == nil) {
			return s
		}
	}
	return nil
}

// Contradicts reports whether the header has the magic of other versions.
func (h *Header) Contradicts(r *Rules) bool {
	return h.Magic != h.RightMagic(r) && (h.Magic == MagicHeader || h.Magic == magicOld)
}

// nearest returns the rules of the newest version whose number differs in one byte from that in the header,
// and whose blocks have its magic; nil if there is none.
func (h *Header) nearest() *Rules {
	if mayBeNewer(h.Version) {
		return nil
	}
	for i := range rules {
		r := &rules[i]
		if differing(r.Version, h.Version) == 1 && (r.Magic() == h.Magic || likeness(h.Magic) < 4) {
			return r
		}
	}
	return nil
}

// Differing returns the number of bytes in which the header differs from that of a version.
func (h *Header) Differing(r *Rules) int {
	n := differing(r.Version, h.Version)
	for i, c := range []byte(h.RightMagic(r)) {
		if i < len(h.Magic) && h.Magic[i] != c {
			n++
		}
	}
	return n
}

// differing counts the bytes in which two numbers differ.
func differing(a, b uint32) (n int) {
	for x := a ^ b; x != 0; x >>= 8 {
		if x&0xff != 0 {
			n++
		}
	}
	return n
}

// versionAt returns the version number in a header, 0 if the header is cut off.
func versionAt(head []byte) uint32 {
	if len(head) < HeaderSize {
		return 0
	}
	return uint32(head[4]) | uint32(head[5])<<8 | uint32(head[6])<<16 | uint32(head[7])<<24
}

// likeness returns how many of the first four bytes equal those of a magic, in upper or lower case.
func likeness(magic string) int {
	best := 0
	for _, want := range []string{MagicHeader, magicOld} {
		n := 0
		for i := range min(len(magic), len(want)) {
			if strings.EqualFold(magic[i:i+1], want[i:i+1]) {
				n++
			}
		}
		best = max(best, n)
	}
	return best
}

// Declares returns the span of magic and version, which select the rules. After an edit of
// these bytes the region must be opened again.
func (f *Reading) Declares(region span.Span) span.Span {
	return span.Between(region.Offset, min(region.Offset+HeaderSize, region.End()))
}
