package elephant

import (
	"bytes"
	"fmt"
	"strings"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// inspectFoot looks at what stands behind the value.
func (f *Reading) inspectFoot(w *source.Window, off, end, limit int64, report func(span.Problem)) {
	foot := string(w.View(off, min(4, limit-off)))
	if foot == magicFooter {
		inspectBehind(w, span.Between(end, limit), report)
		return
	}
	p := span.Problem{Span: span.Between(off, off+int64(len(foot))), Severity: span.Error, Code: WrongFooter, Engine: "error: Footer mismatch"}
	p.Repair = fmt.Sprintf("write the footer %q over these bytes", magicFooter)
	switch {
	case len(foot) < 4 && strings.HasPrefix(magicFooter, foot):
		p.Code, p.Engine = MissingFooter, readPastEnd
		p.Message = fmt.Sprintf("the footer %q is missing", magicFooter)
		if foot != "" {
			p.Message = fmt.Sprintf("of the footer %q only %s there", magicFooter, span.AreLeft(end-off))
		}
		p.Repair = fmt.Sprintf("add the footer %q", magicFooter)
	case foot == backFooter:
		p.Message = fmt.Sprintf("the footer %q is the wrong way round: it is %q", foot, magicFooter)
	case isFooterLike(foot, limit-off):
		p.Message = footerIs(foot)
	default:
		p.Message = fmt.Sprintf("no footer %q behind the value: the footer is damaged, or something before it has another length than it should", magicFooter)
		p.Repair = fmt.Sprintf("put the footer %q behind the value", magicFooter)
	}
	report(p)
}

// backFooter is the footer the wrong way round.
const backFooter = "HANT"

// isFooterLike reports whether the bytes behind a value are its footer, though
// damaged: most of them are right, or no others follow. left is how many there are.
func isFooterLike(foot string, left int64) bool {
	right := 0
	for i := range len(foot) {
		if foot[i] == magicFooter[i] {
			right++
		}
	}
	return foot == backFooter || right >= 3 || left <= 4
}

// footerIs is what is wrong with a footer that is damaged.
func footerIs(foot string) string {
	return fmt.Sprintf(`"%s" stands where the footer %q should`, tree.Told([]byte(foot)), magicFooter)
}

// inspectBehind reports bytes behind the footer. What ends with one is whole.
func inspectBehind(w *source.Window, rest span.Span, report func(span.Problem)) {
	if rest.Length == 0 {
		return
	}
	p := span.Problem{Span: rest, Severity: span.Warning, Code: span.TrailingBytes, Engine: "ignored", Repair: repairBehind, Settled: true}
	p.Message = fmt.Sprintf("%s behind the footer, which nothing claims", span.Bytes(rest.Length))
	if isBlock(w.View(rest.Offset, min(rest.Length, headerSize))) {
		p.Message = fmt.Sprintf("%s behind the footer: another block begins there", span.Bytes(rest.Length))
	}
	report(p)
}

// isBlock reports whether bytes begin as a block of a version does that is known.
func isBlock(head []byte) bool {
	r, known := ByVersion(versionAt(head))
	return known && (string(head[:4]) == magicHeader || string(head[:4]) == r.magic())
}

// inspectLostFoot looks for the footer of a block of which nobody can tell where the
// value ends: in its last bytes.
func inspectLostFoot(w *source.Window, s span.Span, report func(span.Problem)) {
	b := w.View(max(s.Offset, s.End()-source.MaxView), min(s.Length, source.MaxView))
	if i := bytes.LastIndex(b, []byte(magicFooter)); i >= 0 {
		inspectBehind(w, span.Between(s.End()-int64(len(b)-i-len(magicFooter)), s.End()), report)
		return
	}
	p := span.Problem{Span: span.Span{Offset: s.End()}, Severity: span.Error, Code: MissingFooter, Engine: readPastEnd, Settled: true}
	p.Message = fmt.Sprintf("the footer %q is missing: the end of the file is cut off, or damaged", magicFooter)
	foot := string(b[max(0, len(b)-len(magicFooter)):])
	switch zeros, part := w.ZerosBefore(s.Offset, s.End()), startOfFooter(foot); {
	case zeros >= manyZeros:
		p.Code, p.Engine = WrongFooter, ""
		p.Span = span.Between(s.End()-zeros, s.End())
		p.Message = fmt.Sprintf("the file ends in %d zero bytes in place of the footer %q", zeros, magicFooter)
	case len(foot) == len(magicFooter) && isFooterLike(foot, source.MaxView):
		p.Code, p.Engine = WrongFooter, "error: Footer mismatch"
		p.Span = span.Between(s.End()-int64(len(foot)), s.End())
		p.Message, p.Repair = footerIs(foot), fmt.Sprintf("write the footer %q over these bytes", magicFooter)
	case part > 1: // one byte may be a letter of a text
		p.Span = span.Between(s.End()-int64(part), s.End())
		p.Message = fmt.Sprintf("of the footer %q only %s there", magicFooter, span.AreLeft(int64(part)))
		p.Repair = fmt.Sprintf("add the footer %q", magicFooter)
	}
	report(p)
}

// manyZeros is how many zeros at the end are no values that happen to be zero.
const manyZeros = 16

// startOfFooter is how many bytes of the footer's beginning are the last of b.
func startOfFooter(b string) int {
	for n := len(magicFooter) - 1; n > 0; n-- {
		if strings.HasSuffix(b, magicFooter[:n]) {
			return n
		}
	}
	return 0
}
