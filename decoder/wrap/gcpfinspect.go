package wrap

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Inspect implements tree.Format. Each block is unpacked.
func (f *gcpfFormat) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	switch v.Type {
	case tPart:
		f.format.Inspect(w, parent, slot, v, report)
	case tBlock:
		f.inspectBlock(v, report)
	}
}

func (f *gcpfFormat) inspectBlock(v *tree.Value, report func(span.Problem)) {
	i := int64(v.Sub)
	length := span.Span{Offset: f.table + 4*i, Length: 4}
	if f.cut && i == f.here-1 {
		at, _, err := f.packed(i)
		if err != nil {
			return // the scanner's own window meets the same error
		}
		length.Length = 4 * (f.Blocks - i)
		message := fmt.Sprintf("block %d is longer than the %s left", i, byteCount(at.Length))
		if rest := f.Blocks - f.here; rest > 0 {
			message += "; " + span.Counted(rest, "block") + " behind it are missing"
		}
		report(span.Problem{Span: length, Severity: span.Error, Code: span.LengthOverrun, Message: message, Engine: gcpfReading})
		return
	}
	u := f.unpacked(i)
	if u == nil || f.plain(i) > maxBlock {
		return
	}
	at := v.Span()
	if at.Length == 0 {
		at = length
	}
	if p := u.problem(); p.Message != "" {
		p.Span = at
		report(p)
	}
}

// problem is what is wrong with a block; without a message it is nothing.
func (u *unpacked) problem() span.Problem {
	p := span.Problem{Severity: span.Error, Code: BadBlock, Engine: gcpfReading}
	if u.index == 0 { // engines unpack it when they open the file
		p.Engine = gcpfCorrupt
	}
	switch {
	case u.err != nil && u.data == nil:
		p.Message = fmt.Sprintf("block %d does not unpack: %v", u.index, u.err)
		return p
	case u.err != nil:
		p.Message = fmt.Sprintf("block %d unpacks, but %v", u.index, u.err)
	case u.over > 0:
		p.Severity, p.Code, p.Engine = span.Warning, WrongSize, "ignored"
		p.Message = fmt.Sprintf("block %d holds %s more than it should", u.index, byteCount(u.over))
	}
	switch u.err {
	case errChecksum:
		p.Code = Checksum
	case errTooMuch:
		p.Code = WrongSize
	}
	return p
}
