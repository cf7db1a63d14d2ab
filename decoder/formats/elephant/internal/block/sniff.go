package block

import (
	"encoding/binary"
	"math/bits"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/elephant/internal/datatype"
)

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
