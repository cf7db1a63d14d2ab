package wrap

import (
	"context"
	"fmt"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// gdecFormat adds what the MD5 says to the description of a GDEC.
type gdecFormat struct {
	format
}

// Inspect implements tree.Reading.
func (f *gdecFormat) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	f.format.Inspect(w, parent, slot, v, report)
	if v.Type == tPart && v.Sub == 0 {
		if found := f.mismatch(); found != nil {
			report(found.Problem)
		}
	}
}

// Repair implements edit.Repairer.
func (f *gdecFormat) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if found := f.mismatch(); found != nil && found.Repair != "" && found.is(p) {
		return found.asRepair(), nil
	}
	return f.format.Repair(ctx, r, n, p)
}

// mismatch tells what an MD5 that differs means, nil if it does not.
func (f *gdecFormat) mismatch() *finding {
	l := f.layer
	if l.Checksum() != Differs {
		return nil
	}
	at := f.hashSpan()
	found := &finding{Problem: span.Problem{Span: at, Severity: span.Error, Code: Checksum, Engine: gdecCorrupt}}
	p := l.Payload.(*gdecPayload)
	padding := p.padding()
	if padding != paddingWrong {
		if l.readsWell.Load() {
			found.Message = fmt.Sprintf("wrong MD5: the plain bytes read well, and theirs is %x; the key is right", l.sum)
			return found.cure("write the MD5 that the plain bytes have", source.Put(at.Offset, cipherSize, l.sum[:]))
		}
	}
	switch padding {
	case paddingWrong:
		found.Code, found.Message = WrongKey, "wrong key or password, or a damaged end: the MD5 differs and the padding is not zero"
	case paddingRight:
		found.Message = fmt.Sprintf("damaged bytes: the MD5 differs, but the padding is zero, so the key is right; %s", p.spread())
	default:
		found.Message = "wrong key or password, or damaged bytes: the MD5 of the plain bytes differs"
	}
	if there := l.Region.End() - p.header.start; padding != paddingRight && there%cipherSize == 0 && there <= verifyAtOnce {
		found.Message += "; no other length makes it match"
	}
	return found
}

// hashSpan is where the MD5 stands.
func (f *gdecFormat) hashSpan() (at span.Span) {
	for _, field := range f.parts[0].fields {
		if field.Kind == span.Hash {
			at = field.Span
		}
	}
	return at
}

// spread says how much of the plain bytes a damaged byte takes along.
func (p *gdecPayload) spread() string {
	if p.header.Generation == 3 {
		return "each damaged cipher block takes 16 plain bytes along"
	}
	return "each damaged cipher block takes up to 32 plain bytes along"
}

// AppendField implements tree.Reading.
func (f *gdecFormat) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	switch field.Kind {
	case span.Flags:
		if w.U32(field.Offset) == 1 {
			return append(dst, "AES-256"...)
		}
		return fmt.Appendf(dst, "mode %d", w.U32(field.Offset))
	case span.Length:
		return strconv.AppendUint(dst, w.U64(field.Offset), 10)
	}
	return f.format.AppendField(dst, w, v, field)
}
