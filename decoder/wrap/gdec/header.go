package gdec

import (
	"encoding/binary"
	"fmt"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

const (
	Magic      = "GDEC"
	cipherSize = 16 // bytes of a cipher block, of the MD5 and of the start value

	// Sizes of the headers of the two generations: magic, mode, MD5, size; and magic, MD5, size, start
	// value.
	header3Size = 32
	header4Size = 44
)

// A header is what precedes the cipher text.
type header struct {
	Generation int              // 3: Godot 3 and Pandemonium, AES-256-ECB; 4: Godot 4, AES-256-CFB
	Mode       uint32           // cipher mode, in generation 3; engines know only 1
	MD5        [cipherSize]byte // of the plain bytes
	Size       uint64           // of the plain bytes
	IV         [cipherSize]byte // of generation 4
	hasKey     bool

	start int64 // start of the cipher text
	end   int64 // end of the cipher text that exists
}

// readHeader reads the header of one generation; whole is false if it is cut off.
func readHeader(src source.Source, region span.Span, generation int) (h header, whole bool, err error) {
	b := make([]byte, header3Size)
	if generation == 4 {
		b = make([]byte, header4Size)
	}
	if region.Length < int64(len(b)) {
		return h, false, nil
	}
	if err := layer.ReadAt(src, b, region.Offset); err != nil {
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
	h.bound(region)
	return h, true, nil
}

// bound finds the end of the cipher text for the plain size.
func (h *header) bound(region span.Span) {
	h.end = region.End()
	if h.Size <= math.MaxInt64-2*cipherSize {
		h.end = min(h.end, h.start+padded(int64(h.Size)))
	}
}

// padded rounds n up to whole cipher blocks.
func padded(n int64) int64 { return (n + cipherSize - 1) &^ (cipherSize - 1) }

// fits reports whether the region has the size that the header says.
func (h *header) fits(region span.Span) bool {
	return h.end == region.End() && uint64(h.end-h.start) == (h.Size+cipherSize-1)&^(cipherSize-1)
}

// plain returns the number of plain bytes in the cipher text that is present. ECB needs whole cipher
// blocks.
func (h *header) plain() int64 {
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
func (h *header) isWhole() bool { return uint64(h.plain()) == h.Size }

// title names the generation.
func (h *header) title() string {
	if h.Generation == 3 {
		return "GDEC of Godot 3"
	}
	return "GDEC of Godot 4"
}

const corrupt = "loading fails (ERR_FILE_CORRUPT)"

// parts describes the header, the cipher text, and what follows it.
func (f *reading) parts() []part.Part {
	h, l := f.header, f.layer
	end := l.Region.End()
	head := part.At("header", l.Region.Offset)
	head.Put(4, end, span.Magic, "magic")
	if f.magic != Magic {
		message, repair, splice := part.IsNot(f.magic, Magic, head.Offset)
		head.Fail(splice.Span, layer.BadMagic, message, "loading fails (ERR_FILE_UNRECOGNIZED)").RepairBy(repair, splice)
	}
	if h.Generation == 3 {
		head.Put(4, end, span.Flags, "mode")
		if h.Mode != 1 {
			at := head.Fields[1].Span
			head.Fail(at, layer.UnknownMode, fmt.Sprintf("cipher mode %d does not exist; it is read as mode 1, AES-256", h.Mode), corrupt).
				RepairBy("set the mode to 1, AES-256", part.Put32(at.Offset, 1))
		}
	}
	head.Put(cipherSize, end, span.Hash, "MD5")
	head.Put(8, end, span.Length, "plain size")
	size := head.Fields[len(head.Fields)-1].Span
	if h.Generation == 4 {
		head.Put(cipherSize, end, span.IV, "start value")
	}
	head.Text = fmt.Sprintf("plain %s, MD5 %x", plainBytes(h.Size), h.MD5)
	h.sizeProblem(l, &head, size)
	body := part.At("cipher text", h.start)
	body.Put(h.end-h.start, end, span.Data, "cipher text")
	body.Text = span.Bytes(body.Length)
	parts := []part.Part{head, body}
	if spare, any := part.Spare(h.end, l.Region); any {
		if l.Checksum() != layer.Matches { // these may be plain bytes, and the size wrong
			spare.Problems[0].Repair = ""
		}
		parts = append(parts, spare)
	}
	return parts
}

// mostPlain is larger than any save: a greater size is damaged.
const mostPlain = 1 << 40

// sizeProblem reports a wrong plain size, or a cipher text that is cut off.
func (h *header) sizeProblem(l *layer.Layer, head *part.Part, size span.Span) {
	there := h.end - h.start
	if h.isWhole() && there >= padded(h.plain()) {
		return
	}
	message := fmt.Sprintf("cut: only %s are there for %s in whole cipher blocks of 16", span.Bytes(there), plainBytes(h.Size))
	if h.Size > mostPlain {
		message = fmt.Sprintf("the plain size is damaged: it says %s, and %s are there", plainBytes(h.Size), span.Bytes(there))
		head.Fail(size, layer.WrongSize, message, corrupt)
		return
	}
	switch {
	case there == 0:
		head.Fail(size, span.Truncated, message, corrupt)
		return
	case there%cipherSize == 0 && !h.hasKey:
		head.Fail(size, layer.WrongSize, "wrong size, or "+message, corrupt)
		return
	}
	at := span.Between(h.start+(there-1)&^(cipherSize-1), h.end)
	problem := head.Fail(at, span.Truncated, message, corrupt)
	if p, ok := l.Payload.(*payload); ok && l.Checksum() == layer.Matches {
		p.repairCutPadding(problem)
	} else if h.hasKey {
		problem.Message += fmt.Sprintf("; %s can be read if the key is right", span.Bytes(h.plain()))
	}
}

// plainBytes is span.Bytes for a number that may be nonsense.
func plainBytes(n uint64) string {
	if n > math.MaxInt64 {
		return fmt.Sprintf("%d bytes", n)
	}
	return span.Bytes(int64(n))
}

// repairCutPadding adds the cipher text of the zeros after the plain bytes.
func (p *payload) repairCutPadding(problem *part.Problem) {
	there := p.header.end - p.header.start
	cut := there % cipherSize
	if p.header.Generation != 4 || cut == 0 {
		return
	}
	before := p.header.IV
	if there > cipherSize && layer.ReadAt(p.src, before[:], p.header.end-cut-cipherSize) != nil {
		return
	}
	p.block.Encrypt(before[:], before[:])
	missing := cipherSize - cut
	problem.Message += "; only filler is missing"
	problem.RepairBy(fmt.Sprintf("add %s to fill up the last cipher block", span.Bytes(missing)), source.Put(p.header.end, 0, before[cut:]))
}
