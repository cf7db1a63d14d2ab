package wrap

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math"

	"varview/decoder/source"
	"varview/decoder/span"
)

const (
	gdecMagic  = "GDEC"
	keySize    = 32
	cipherSize = 16 // bytes of a cipher block, of the MD5 and of the start value

	// gdec3Header and gdec4Header are the sizes of the headers of the two
	// generations: magic, mode, MD5, size; and magic, MD5, size, start value.
	gdec3Header = 32
	gdec4Header = 44
)

// A GDECHeader is what stands before the cipher text.
type GDECHeader struct {
	Generation int              // 3: Godot 3 and Pandemonium, AES-256-ECB; 4: Godot 4, AES-256-CFB
	Mode       uint32           // of generation 3; engines know 1 only
	MD5        [cipherSize]byte // of the plain bytes
	Size       uint64           // of the plain bytes
	IV         [cipherSize]byte // of generation 4
	Key        []byte           // that the payload is read with, nil if none was given

	said  uint64 // what the file has for Size
	start int64  // of the cipher text
	end   int64  // of the cipher text that is there
}

// readGDEC reads the header of one generation; false if it is not all there.
func readGDEC(src source.Source, region span.Span, generation int) (h GDECHeader, whole bool, err error) {
	b := make([]byte, gdec3Header)
	if generation == 4 {
		b = make([]byte, gdec4Header)
	}
	if region.Length < int64(len(b)) {
		return h, false, nil
	}
	if err := readAt(src, b, region.Offset); err != nil {
		return h, false, err
	}
	h.Generation = generation
	h.start = region.Offset + int64(len(b))
	b = b[4:]
	if generation == 3 {
		h.Mode, b = binary.LittleEndian.Uint32(b), b[4:]
	}
	copy(h.MD5[:], b)
	h.Size = binary.LittleEndian.Uint64(b[cipherSize:])
	if generation == 4 {
		copy(h.IV[:], b[cipherSize+8:])
	}
	h.said = h.Size
	if h.start == region.End() && h.MD5 == md5.Sum(nil) {
		h.Size = 0 // whatever the file says
	}
	h.bound(region)
	return h, true, nil
}

// bound finds where the cipher text of the plain bytes ends.
func (h *GDECHeader) bound(region span.Span) {
	h.end = region.End()
	if h.Size <= math.MaxInt64-2*cipherSize {
		h.end = min(h.end, h.start+padded(int64(h.Size)))
	}
}

// padded is n rounded up to whole cipher blocks.
func padded(n int64) int64 { return (n + cipherSize - 1) &^ (cipherSize - 1) }

// fits reports whether the region has the size that the header says.
func (h *GDECHeader) fits(region span.Span) bool {
	return h.end == region.End() && uint64(h.end-h.start) == (h.Size+cipherSize-1)&^(cipherSize-1)
}

// plain is how many plain bytes the cipher text that is there holds. ECB needs
// whole cipher blocks.
func (h *GDECHeader) plain() int64 {
	there := h.end - h.start
	if h.Generation == 3 {
		there &^= cipherSize - 1
	}
	if h.Size < uint64(there) {
		return int64(h.Size)
	}
	return there
}

// isWhole reports whether all plain bytes are there.
func (h *GDECHeader) isWhole() bool { return uint64(h.plain()) == h.Size }

// title names the generation.
func (h *GDECHeader) title() string {
	if h.Generation == 3 {
		return "GDEC of Godot 3"
	}
	return "GDEC of Godot 4"
}

const gdecCorrupt = "loading fails (ERR_FILE_CORRUPT)"

// parts describes the header, the cipher text, and what is behind it.
func (h *GDECHeader) parts(l *Layer) []part {
	end := l.Region.End()
	head := part{name: "header", Span: span.Span{Offset: l.Region.Offset}}
	head.put(4, end, span.Magic, "magic")
	if l.magic != gdecMagic {
		head.badMagic(l.magic, gdecMagic, head.Offset, "loading fails (ERR_FILE_UNRECOGNIZED)")
	}
	if h.Generation == 3 {
		head.put(4, end, span.Flags, "mode")
		if h.Mode != 1 {
			at := head.fields[1].Span
			head.fail(at, UnknownMode, fmt.Sprintf("cipher mode %d does not exist; it is read as mode 1, AES-256", h.Mode), gdecCorrupt).
				cure("set the mode to 1, AES-256", put32(at.Offset, 1))
		}
	}
	head.put(cipherSize, end, span.Hash, "MD5")
	head.put(8, end, span.Length, "plain size")
	size := head.fields[len(head.fields)-1].Span
	if h.Generation == 4 {
		head.put(cipherSize, end, span.IV, "start value")
	}
	head.text = fmt.Sprintf("%s, MD5 %x", plainBytes(h.Size), h.MD5)
	h.sizeProblem(l, &head, size)
	body := part{name: "cipher text", Span: span.Span{Offset: h.start}}
	body.put(h.end-h.start, end, span.Data, "cipher text")
	body.text = byteCount(body.Length)
	parts := []part{head, body}
	if spare, any := l.spare(h.end); any {
		parts = append(parts, spare)
	}
	return parts
}

// mostPlain is more bytes than any save has: a size that says so is damaged.
const mostPlain = 1 << 40

// sizeProblem tells where the plain size is wrong, or the cipher text cut.
func (h *GDECHeader) sizeProblem(l *Layer, head *part, size span.Span) {
	there := h.end - h.start
	if h.said != h.Size {
		head.fail(size, WrongSize, fmt.Sprintf("the plain size says %s, but the MD5 is that of the first %s", plainBytes(h.said), plainBytes(h.Size)), gdecCorrupt).
			cure(fmt.Sprintf("set the plain size to %d", h.Size), source.Put(size.Offset, 8, binary.LittleEndian.AppendUint64(nil, h.Size)))
		return
	}
	if h.isWhole() && there >= padded(h.plain()) {
		return
	}
	message := fmt.Sprintf("cut: only %s are there for %s in whole cipher blocks of 16", byteCount(there), plainBytes(h.Size))
	if h.Size > mostPlain {
		message = fmt.Sprintf("the plain size is damaged: it says %s, and %s are there", plainBytes(h.Size), byteCount(there))
		head.fail(size, WrongSize, message, gdecCorrupt)
		return
	}
	switch {
	case there == 0:
		head.fail(size, span.Truncated, message, gdecCorrupt)
		return
	case there%cipherSize == 0 && h.Key == nil:
		head.fail(size, WrongSize, "wrong size, or "+message, gdecCorrupt)
		return
	}
	at := span.Between(h.start+(there-1)&^(cipherSize-1), h.end)
	found := head.fail(at, span.Truncated, message, gdecCorrupt)
	if p, ok := l.Payload.(*gdecPayload); ok && l.Checksum() == Matches {
		p.cureCutPadding(found)
	} else if h.Key != nil {
		found.Message += fmt.Sprintf("; %s can be had if the key is right", byteCount(h.plain()))
	}
}

// plainBytes is byteCount of a number that may be nonsense.
func plainBytes(n uint64) string {
	if n > math.MaxInt64 {
		return fmt.Sprintf("%d bytes", n)
	}
	return byteCount(int64(n))
}

// cutGDEC describes a header that is not all there.
func (l *Layer) cutGDEC() { l.cutHeader("GDEC", int64(len(gdecMagic))) }

// cutMagic describes a file that ends in its magic.
func (l *Layer) cutMagic(what string) { l.cutHeader(what, l.Region.Length) }

// cutHeader describes a header that is not all there, but for a magic of some bytes.
func (l *Layer) cutHeader(what string, magic int64) {
	message := fmt.Sprintf("the file ends in its header after %s", byteCount(l.Region.Length))
	l.Title = what
	l.miss(span.Truncated, message)
	p := part{name: "header", Span: span.Span{Offset: l.Region.Offset}, text: "cut"}
	p.put(magic, l.Region.End(), span.Magic, "magic")
	p.put(l.Region.End()-p.End(), l.Region.End(), span.Gap, "gap")
	p.fail(span.Between(p.Offset, p.End()), span.Truncated, message, "loading fails (ERR_FILE_CORRUPT)")
	l.Format = &format{layer: l, about: l.describe(), parts: []part{p}}
}
