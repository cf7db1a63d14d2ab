package wrap

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Repair implements edit.Repairer.
func (f *textFormat) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if n.Type == tPiece && p.Repair != "" {
		if found := f.inspectDigits(r.Window(), &n.Value); found != nil && found.is(p) {
			return found.asRepair(), nil
		}
	}
	for _, found := range f.notesFrom(p.Offset) {
		if found.Offset > p.Offset {
			break
		}
		if found.is(p) && found.Repair != "" {
			return found.asRepair(), nil
		}
	}
	return edit.Repair{}, errNoRepair
}

// A badRun is a run of wrong characters.
type badRun struct {
	span.Span
	class class
}

// badRuns are the wrong characters of a piece. Those in the offset of a row are
// told by themselves.
func (f *textFormat) badRuns(b []byte, start int64) (bad []badRun) {
	var few [64]run
	at, from := start, start+f.offsetIn(b, start)
	for _, r := range f.lex(few[:0], b, start) {
		if classKinds[r.class] == span.Gap && at >= from {
			bad = append(bad, badRun{span.Span{Offset: at, Length: int64(r.n)}, r.class})
		}
		at += int64(r.n)
	}
	return bad
}

// offsetIn is how many bytes of a line the offset of its row takes, 0 if there is
// none.
func (f *textFormat) offsetIn(b []byte, start int64) int64 {
	if f.form < formXXD {
		return 0
	}
	mark := f.markIn(b, start)
	_, r := f.lexRow(nil, b[mark:])
	if r.digits == 0 {
		return 0
	}
	return int64(mark + r.digits)
}

// markIn is how many bytes of a piece the byte order mark takes.
func (x *lexer) markIn(b []byte, start int64) int {
	if x.bom && start == x.region.Offset {
		return min(len(byteOrderMark), len(b))
	}
	return 0
}

// inspectDigits tells of the first wrong characters of a piece, nil if there are
// none.
func (f *textFormat) inspectDigits(w *source.Window, v *tree.Value) *finding {
	b := bytes.Clone(w.View(v.Start, v.End-v.Start))
	bad := f.badRuns(b, v.Start)
	if len(bad) == 0 {
		return nil
	}
	wrong := int64(0)
	for _, r := range bad {
		wrong += r.Length
	}
	first := bad[0]
	text := quoted(b[first.Offset-v.Start:][:first.Length])
	found := &finding{Problem: span.Problem{Span: first.Span, Severity: span.Error, Code: BadDigit}}
	switch {
	case wrong > first.Length:
		found.Message = fmt.Sprintf("%s of this line are no %s digits, the first %s", span.Counted(wrong, "character"), f.digitName(), text)
	case first.class == isOdd && !f.stray:
		found.Message = fmt.Sprintf("the digit %s stands alone: a byte takes two", text)
	default:
		found.Message = fmt.Sprintf("%s is no %s digit", text, f.digitName())
	}
	f.cureDigits(found, bad, b, v.Start)
	return found
}

// cureDigits takes out characters that stand in no digit's place, if that puts the
// whole piece right.
func (f *textFormat) cureDigits(found *finding, bad []badRun, b []byte, start int64) {
	if f.form >= formXXD {
		return
	}
	var splices []source.Splice
	for _, r := range bad {
		if !f.stray && (r.class != isWrong || f.form == formBase64) {
			return
		}
		splices = append(splices, takeOut(r.Span))
	}
	found.cure(fmt.Sprintf("take out %s", quoted(b[bad[0].Offset-start:][:bad[0].Length])), splices...)
	if len(bad) > 1 {
		found.Repair = "take out all characters of this line that are no digits"
	}
	if f.breaksPairs(b, splices, start) {
		found.Repair, found.splices = "", nil
	}
}

// breaksPairs reports whether other characters of a hexadecimal line would be
// wrong without those taken out.
func (f *textFormat) breaksPairs(b []byte, splices []source.Splice, start int64) bool {
	if f.form != formPlain || f.stray {
		return false
	}
	rest := bytes.Clone(b)
	for _, s := range slices.Backward(splices) {
		rest = slices.Delete(rest, int(s.Offset-start), int(s.End()-start))
	}
	return !fine(f.lex(nil, rest, start))
}
