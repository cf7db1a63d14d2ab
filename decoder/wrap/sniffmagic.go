package wrap

import (
	"varview/decoder/source"
	"varview/decoder/span"
)

// isNear reports whether bytes begin with a signature, or with one of which one
// byte differs.
func isNear(head []byte, magic string) bool {
	if len(head) < len(magic) {
		return false
	}
	wrong := 0
	for i := range len(magic) {
		if head[i] != magic[i] {
			wrong++
		}
	}
	return wrong <= 1
}

// looksGCPF reports whether the bytes of a region are a GCPF, whatever its magic:
// the header makes sense, and the magic stands at the end of the blocks.
func looksGCPF(w *source.Window, region span.Span) bool {
	const most = 1 << 20 // plain bytes of a block that a damaged magic is overlooked for
	at := region.Offset
	if region.Length < gcpfHeader || Mode(w.U32(at+4)) >= modes {
		return false
	}
	size, plain := int64(w.U32(at+8)), int64(w.U32(at+12))
	if size == 0 || size > most {
		return false
	}
	blocks := plain/size + 1
	end := at + gcpfHeader + 4*blocks
	if end > region.End() {
		return false
	}
	if 4*blocks > sniffed {
		return string(w.View(region.End()-4, 4)) == gcpfMagic
	}
	for i := range blocks {
		end += int64(w.U32(at + gcpfHeader + 4*i))
	}
	return end == region.End() || end+4 <= region.End() && string(w.View(end, 4)) == gcpfMagic
}

// looksGDEC reports whether the bytes of a region have the size that a header of
// GDEC says, whatever the magic.
func looksGDEC(w *source.Window, region span.Span) bool {
	three := GDECHeader{start: region.Offset + gdec3Header}
	four := GDECHeader{start: region.Offset + gdec4Header}
	fits := func(h *GDECHeader, sizeAt int64) bool {
		h.Size = w.U64(region.Offset + sizeAt)
		h.end = region.End()
		return h.start <= h.end && h.fits(region)
	}
	return fits(&three, 24) && w.U32(region.Offset+4) == 1 || fits(&four, 20)
}

// isCutMagic tells the wrapper whose magic the bytes end in.
func isCutMagic(head []byte) (k Kind, ok bool) {
	switch string(head) {
	case "G", "GC", "GCP":
		return GCPF, true
	case "GD", "GDE":
		return GDEC, true
	}
	return 0, false
}
