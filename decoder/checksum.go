package decoder

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/checksum"
)

// withUnknownChecksum adds to the first warning or error that bytes beside the values look like a checksum,
// but fit none.
func withUnknownChecksum(t *tree.Tree, report func(diagnose.Diagnosis) bool) func(diagnose.Diagnosis) bool {
	said := false
	return func(f diagnose.Diagnosis) bool {
		if said || f.Severity == span.Note {
			return report(f)
		}
		said = true
		at, kind := unknownChecksum(t.Source, t.Region, &f.Problem)
		if kind == "" {
			return report(f)
		}
		return report(f) && report(diagnose.Diagnosis{Path: "$", Problem: span.Problem{Span: at, Severity: span.Note, Code: span.UnknownSum,
			Message: fmt.Sprintf("these %s look like the checksum of the save (%s), but no known way to compute it gives them; a secret of the game may be part of it", span.Bytes(at.Length), kind)}})
	}
}

// LeftSum returns the kind of what looks like a checksum at an end of values that are not read to their end, or in the first or last line of
// others; "" for none.
func (d *Document) LeftSum() string {
	if d.Missing != nil || d.IsForeign() || d.weighed == nil {
		return ""
	} else if d.weighed.IsClean(d.Tree.Region) {
		return sumInLines(d.Tree.Source, d.Tree.Region)
	}
	_, kind := unknownChecksum(d.Tree.Source, d.Tree.Region, &span.Problem{})
	return kind
}

// sumInLines returns the kind of what looks like a checksum in the first or the last line of a text, in digits; "" for none.
func sumInLines(src source.Source, region span.Span) (kind string) {
	const most, apart = 256, "|:.,;# \t"
	w, n := source.NewWindow(src), min(region.Length, most)
	first, _, _ := bytes.Cut(bytes.Clone(w.View(region.Offset, n)), []byte("\n"))
	last := bytes.TrimRight(bytes.Clone(w.View(region.End()-n, n)), "\r\n\x00")
	for _, line := range [][]byte{first, last[bytes.LastIndexByte(last, '\n')+1:]} {
		for _, part := range bytes.FieldsFunc(bytes.TrimRight(line, "\r"), func(c rune) bool { return strings.ContainsRune(apart, c) }) {
			if len(bytes.Trim(part, "0123456789abcdefABCDEF")) == 0 {
				kind = cmp.Or(kind, checksum.Resembles(part))
			}
		}
	}
	return kind
}

// unknownChecksum returns what looks like a checksum: the bytes left over after the values, or digits at an
// end of the file.
func unknownChecksum(src source.Source, region span.Span, p *span.Problem) (at span.Span, kind string) {
	const most = 256
	w := source.NewWindow(src)
	if p.Code == span.TrailingBytes && p.Length <= most {
		if kind = checksum.Resembles(w.View(p.Offset, p.Length)); kind != "" {
			return p.Span, kind
		}
	}
	for _, start := range []bool{false, true} {
		off := region.Offset
		if n := min(region.Length, most); !start {
			off = region.End() - n
		}
		b := w.View(off, min(region.Length, most))
		kind, n, tail := checksum.LooksAt(b, start, true)
		if kind == "" || n+tail == len(b) {
			continue
		}
		if at = (span.Span{Offset: off, Length: int64(n + tail)}); !start {
			at.Offset = region.End() - at.Length
		}
		return at, kind
	}
	return at, ""
}
