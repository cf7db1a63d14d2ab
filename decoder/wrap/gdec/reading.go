package gdec

import (
	"context"
	"fmt"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// A reading describes a GDEC, with the problem of its MD5.
type reading struct {
	part.Reading
	layer  *layer.Layer
	header *header
	magic  string // the magic, or what is in its place
}

// Inspect implements tree.Inspector.
func (f *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	f.Reading.Inspect(w, parent, slot, v, report)
	if v.Type == part.Own && v.Sub == 0 {
		if problem := f.mismatch(); problem != nil {
			report(problem.Problem)
		}
	}
}

// Repair implements edit.Repairer.
func (f *reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if problem := f.mismatch(); problem != nil && problem.CanRepair(p) {
		return problem.AsRepair(), nil
	}
	return f.Reading.Repair(ctx, r, n, p)
}

// mismatch returns the problem if the MD5 differs; nil if it does not.
func (f *reading) mismatch() *part.Problem {
	l := f.layer
	if l.Checksum() != layer.Differs {
		return nil
	}
	at := f.hashSpan()
	problem := &part.Problem{Problem: span.Problem{Span: at, Severity: span.Error, Code: layer.Checksum, Engine: corrupt}}
	p := l.Payload.(*payload)
	fits, padding := p.KeyFits(), p.judgePadding()
	if padding != layer.Differs && l.DoesReadWell() {
		problem.Message = fmt.Sprintf("wrong MD5: the key is right, as the plain bytes can be read, and their MD5 is %x", p.sum)
		return problem.RepairBy("write the MD5 that the plain bytes have", source.Put(at.Offset, cipherSize, p.sum[:]))
	}
	switch {
	case fits == layer.Differs && padding == layer.Differs:
		problem.Code, problem.Message = layer.WrongKey, "wrong key or password, or a damaged end: the MD5 differs and the padding is not zero"
	case fits == layer.Differs:
		problem.Code, problem.Message = layer.WrongKey, "wrong key or password: the MD5 differs, and the plain bytes look random"
	case padding == layer.Matches:
		problem.Message = fmt.Sprintf("damaged bytes: the MD5 differs, but the padding is zero, so the key is right; %s", p.spread())
	case fits == layer.Matches:
		problem.Message = fmt.Sprintf("damaged bytes: the MD5 differs, but the plain bytes do not look random, so the key is right; %s", p.spread())
	default:
		problem.Message = "wrong key or password, or damaged bytes: the MD5 of the plain bytes differs"
	}
	return problem
}

// hashSpan returns the span of the MD5.
func (f *reading) hashSpan() (at span.Span) {
	for _, field := range f.Parts[0].Fields {
		if field.Kind == span.Hash {
			at = field.Span
		}
	}
	return at
}

// spread says how many plain bytes a damaged cipher block damages.
func (p *payload) spread() string {
	if p.header.Generation == 3 {
		return "each damaged cipher block damages 16 plain bytes"
	}
	return "each damaged cipher block damages up to 32 plain bytes"
}

// AppendField implements tree.Reading.
func (f *reading) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	switch field.Kind {
	case span.Flags:
		if w.U32(field.Offset) == 1 {
			return append(dst, "AES-256"...)
		}
		return fmt.Appendf(dst, "mode %d", w.U32(field.Offset))
	case span.Length:
		return strconv.AppendUint(dst, w.U64(field.Offset), 10)
	}
	return f.Reading.AppendField(dst, w, v, field)
}
