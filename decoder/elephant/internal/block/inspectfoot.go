package block

import (
	"bytes"
	"fmt"
	"strings"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

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

// IsFooterLike reports whether the bytes after a value are its damaged footer: most of them
// are right, or no others follow. left is the number of bytes to the end.
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

// manyZeros is the number of zeros at the end from which they cannot be values by chance.
const manyZeros = 16

// startOfFooter returns how many bytes of the start of the footer b ends with.
func startOfFooter(b string) int {
	for n := len(MagicFooter) - 1; n > 0; n-- {
		if strings.HasSuffix(b, MagicFooter[:n]) {
			return n
		}
	}
	return 0
}
