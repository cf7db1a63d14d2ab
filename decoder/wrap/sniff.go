package wrap

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"

	"varview/decoder/source"
	"varview/decoder/span"
)

// sniffed is how many bytes Sniff looks at.
const sniffed = source.MaxView

// Sniff lists the wrappers that the bytes of region can be, the likeliest first.
// It reads at most 64 KiB. input is what the user says of them: "" for nothing,
// "binary" for no text, "hex" or "base64" for that, whatever they are.
func Sniff(src source.Source, region span.Span, input string) []Kind {
	switch input {
	case "hex":
		return []Kind{Hex}
	case "base64":
		return []Kind{Base64}
	}
	head := source.NewWindow(src).View(region.Offset, min(region.Length, sniffed))
	whole := int64(len(head)) == region.Length
	switch {
	case bytes.HasPrefix(head, []byte(gcpfMagic)):
		return []Kind{GCPF}
	case bytes.HasPrefix(head, []byte(gdecMagic)):
		return []Kind{GDEC}
	case isNear(head, gcpfMagic) && looksGCPF(source.NewWindow(src), region):
		return []Kind{GCPF}
	case isNear(head, gdecMagic) && looksGDEC(source.NewWindow(src), region):
		return []Kind{GDEC}
	}
	if k, ok := isCutMagic(head); ok && whole {
		return []Kind{k}
	}
	switch {
	case len(head) > zlibHeader && isZlib(head[0], head[1]) && inflates(head[zlibHeader:], whole):
		return []Kind{Zlib}
	case input == "binary":
		return nil
	}
	var all []Kind
	if sniffHex(head, whole) || startsHex(head) {
		all = append(all, Hex)
	}
	if sniffBase64(head, whole) || startsBase64(head) {
		all = append(all, Base64)
	}
	return all
}

// inflates reports whether the beginning of a deflate stream unpacks; whole says
// that all of it is given. A stream that is cut counts, if it gives anything, and
// a damaged one, if it gives some bytes before.
func inflates(packed []byte, whole bool) bool {
	n, err := io.CopyN(io.Discard, flate.NewReader(bytes.NewReader(packed)), sniffed)
	switch err {
	case nil:
		return true
	case io.EOF:
		return !whole || n > 0 || len(packed) <= 8 // an empty stream takes 2 or 5 bytes, and 4 for its checksum
	case io.ErrUnexpectedEOF:
		return n > 0
	}
	return n >= 64 // fewer than one in a hundred random streams come as far
}

// lastWhole is where the last line ends that is not cut; of one long line it is
// the last byte.
func (x *lexer) lastWhole(head []byte) int {
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 || x.form != formPlain {
		return i + 1
	}
	_, safe := x.lexPlain(nil, head)
	return safe
}
