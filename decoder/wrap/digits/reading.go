package digits

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// A reading describes a text of digits, line by line; a long line is several pieces.
type reading struct {
	part.Reading
	text  *Text
	notes []part.Problem // in the order of their offsets
}

// pieceType is the type of a line of text, or of a piece of one.
const pieceType = part.First

var (
	_ tree.Reading  = (*reading)(nil)
	_ edit.Repairer = (*reading)(nil)
)

// Root implements tree.Reading.
func (f *reading) Root(size int64, region span.Span) tree.Value {
	return part.Root(size, region, tree.Unknown, 1)
}

// Read implements tree.Reading.
func (f *reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Type: pieceType}
	v.Close(off + max(1, int64(len(f.text.Piece(w, off)))))
}

// Inspect implements tree.Inspector.
func (f *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if v.Type != pieceType {
		return
	}
	if problem := f.inspectDigits(w, v); problem != nil {
		report(problem.Problem)
	}
	for _, p := range f.notesFrom(v.Start) {
		if p.Offset >= v.End {
			break
		}
		report(p.Problem)
	}
}

// notesFrom returns the notes from off on.
func (f *reading) notesFrom(off int64) []part.Problem {
	low, high := 0, len(f.notes)
	for low < high {
		if mid := (low + high) / 2; f.notes[mid].Offset < off {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return f.notes[low:]
}

// Fields implements tree.Reading.
func (f *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == part.Base {
		return part.LeadingGap(fields, v)
	}
	at, mine := v.Start, len(fields)
	var few [64]Run
	for _, r := range f.text.Runs(few[:0], w.View(v.Start, v.End-v.Start), v.Start) {
		kind := r.Kind()
		if last := len(fields) - 1; last >= mine && fields[last].Kind == kind {
			fields[last].Length += int64(r.N)
		} else {
			fields = append(fields, span.Field{Span: span.Span{Offset: at, Length: int64(r.N)}, Kind: kind, Label: fieldLabels[kind]})
		}
		at += int64(r.N)
	}
	if at < v.End { // bytes that could not be read
		fields = append(fields, span.Field{Span: span.Between(at, v.End), Kind: span.Gap, Label: fieldLabels[span.Gap]})
	}
	return fields
}

var fieldLabels = map[span.Kind]string{span.Text: "text", span.Data: "digits", span.Gap: "gap"}

// AppendLiteral implements tree.LiteralWriter.
func (f *reading) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Type == part.Base {
		return f.Reading.AppendLiteral(dst, r, v, limit)
	}
	line := bytes.TrimRight(r.Window().View(v.Start, v.End-v.Start), "\r\n")
	return part.AppendCut(dst, string(tree.AppendEscaped(nil, line[:min(len(line), limit+1)], 0)), limit)
}

// TypeName implements tree.Reading.
func (f *reading) TypeName(v *tree.Value) string {
	if v.Type == part.Base {
		return f.text.Title
	}
	return "digits"
}

// Repair implements edit.Repairer.
func (f *reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if n.Type == pieceType {
		if problem := f.inspectDigits(r.Window(), &n.Value); problem != nil && problem.CanRepair(p) {
			return problem.AsRepair(), nil
		}
	}
	for _, problem := range f.notesFrom(p.Offset) {
		if problem.Offset > p.Offset {
			break
		}
		if problem.CanRepair(p) {
			return problem.AsRepair(), nil
		}
	}
	return edit.Repair{}, part.ErrNoRepair
}

// A badRun is a run of wrong characters.
type badRun struct {
	span.Span
	class Class
}

// badRuns returns the wrong characters of a piece. Those in the offset of a row are
// reported by their Decoding.
func (f *reading) badRuns(b []byte, start int64) (bad []badRun) {
	var few [64]Run
	mark := f.text.MarkIn(b, start)
	at, from := start, start+int64(mark+f.text.Skip(b[mark:]))
	for _, r := range f.text.Runs(few[:0], b, start) {
		if r.Kind() == span.Gap && at >= from {
			bad = append(bad, badRun{span.Span{Offset: at, Length: int64(r.N)}, r.Class})
		}
		at += int64(r.N)
	}
	return bad
}

// inspectDigits returns the problem of the first wrong characters of a piece, nil if there
// are none.
func (f *reading) inspectDigits(w *source.Window, v *tree.Value) *part.Problem {
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
	text := part.Quoted(b[first.Offset-v.Start:][:first.Length])
	problem := &part.Problem{Problem: span.Problem{Span: first.Span, Severity: span.Error, Code: layer.BadDigit}}
	switch {
	case wrong > first.Length:
		problem.Message = fmt.Sprintf("%s of this line are not %s digits, the first %s", span.Counted(wrong, "character"), f.text.Digit, text)
	case first.class == IsOdd && !f.text.Stray:
		problem.Message = fmt.Sprintf("the digit %s is alone: a byte needs two", text)
	default:
		problem.Message = fmt.Sprintf("%s is not a %s digit", text, f.text.Digit)
	}
	f.repairDigits(problem, bad, b, v.Start)
	return problem
}

// repairDigits adds the repair that deletes the surplus characters of a piece, if that
// repairs the whole piece.
func (f *reading) repairDigits(problem *part.Problem, bad []badRun, b []byte, start int64) {
	var splices []source.Splice
	for _, r := range bad {
		if !f.text.CanTakeOut(f.text, r.class) {
			return
		}
		splices = append(splices, part.TakeOut(r.Span))
	}
	problem.RepairBy(fmt.Sprintf("delete %s", part.Quoted(b[bad[0].Offset-start:][:bad[0].Length])), splices...)
	if len(bad) > 1 {
		problem.Repair = "delete all characters of this line that are not digits"
	}
	if !f.text.Stray && f.breaksPairs(b, splices, start) {
		problem.Repair, problem.Splices = "", nil
	}
}

// breaksPairs reports whether deleting characters would make other characters of a
// hexadecimal line wrong.
func (f *reading) breaksPairs(b []byte, splices []source.Splice, start int64) bool {
	rest := bytes.Clone(b)
	for _, s := range slices.Backward(splices) {
		rest = slices.Delete(rest, int(s.Offset-start), int(s.End()-start))
	}
	return !AreRight(f.text.Runs(nil, rest, start))
}
