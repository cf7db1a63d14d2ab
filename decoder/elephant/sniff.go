package elephant

import (
	"strings"

	"varview/decoder/source"
	"varview/decoder/span"
)

// Sniff looks at the beginning and end of region. It reports whether they are
// those of a block, which may be damaged: its magic the wrong way round or partly
// wrong. The header is of use also where they are not.
func Sniff(src source.Source, region span.Span) (h Header, ok bool) {
	w := source.NewWindow(src)
	head := w.View(region.Offset, min(region.Length, headerSize))
	h.Magic = string(head[:min(len(head), 4)])
	version := versionAt(head)
	r, known := ByVersion(version)
	h.Version = version
	isOld := h.Magic == magicOld && r.old
	tail := string(w.View(region.End()-int64(len(magicFooter)), int64(len(magicFooter))))
	h.AtEnd = tail == magicFooter && region.Length >= headerSize+int64(len(magicFooter)) && !isOld
	h.Footed = !isOld
	switch h.Magic {
	case magicHeader, magicOld, "ELEP", "CMTA":
		return h, true
	}
	return h, known && (h.AtEnd || likeness(h.Magic) >= 3)
}

// versionAt is the version number in a header, 0 where it is cut.
func versionAt(head []byte) uint32 {
	if len(head) < headerSize {
		return 0
	}
	return uint32(head[4]) | uint32(head[5])<<8 | uint32(head[6])<<16 | uint32(head[7])<<24
}

// likeness is how many of the first four bytes are those of a header, whatever
// their case.
func likeness(magic string) int {
	best := 0
	for _, want := range []string{magicHeader, magicOld} {
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
