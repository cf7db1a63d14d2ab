package digits

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sort"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// A reading describes a text of digits, line by line; a long line is several pieces.
type reading struct {
	part.Reading
	text  *text
	notes []part.Problem // problems in the order of their offsets
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
	v.Close(off + max(1, int64(len(f.text.piece(w, off)))))
}

// Inspect implements tree.Inspector.
func (f *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if v.Type != pieceType {
		return
	}
	for _, p := range f.problems(w, v) {
		report(p.Problem)
	}
}

// problems returns the problems of a piece: of its characters, and those noted when the text was decoded.
func (f *reading) problems(w *source.Window, v *tree.Value) (all []part.Problem) {
	b := bytes.Clone(w.View(v.Start, v.End-v.Start))
	var few [64]run
	runs := f.text.runs(few[:0], b, v.Start)
	if problem := f.text.badDigits(runs, b, v.Start); problem != nil {
		all = append(all, *problem)
	}
	if problem := f.text.blanks(runs, v.Start); problem != nil {
		all = append(all, *problem)
	}
	i := sort.Search(len(f.notes), func(i int) bool { return f.notes[i].Offset >= v.Start })
	for ; i < len(f.notes) && f.notes[i].Offset < v.End; i++ {
		all = append(all, f.notes[i])
	}
	return all
}

// Fields implements tree.Reading.
func (f *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == part.Base {
		return part.LeadingGap(fields, v)
	}
	at, mine := v.Start, len(fields)
	put := func(n int64, kind span.Kind) {
		if last := len(fields) - 1; last >= mine && fields[last].Kind == kind {
			fields[last].Length += n
		} else if n > 0 {
			fields = append(fields, span.Field{Span: span.Span{Offset: at, Length: n}, Kind: kind, Label: fieldLabels[kind]})
		}
		at += n
	}
	var few [64]run
	for _, r := range f.text.runs(few[:0], w.View(v.Start, v.End-v.Start), v.Start) {
		put(int64(r.n), r.kind())
	}
	put(v.End-at, span.Gap) // bytes that could not be read
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
		return f.text.title()
	}
	return "digits"
}

// Repair implements edit.Repairer.
func (f *reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if n.Type == pieceType {
		for _, problem := range f.problems(r.Window(), &n.Value) {
			if problem.CanRepair(p) {
				return problem.AsRepair(), nil
			}
		}
	}
	return edit.Repair{}, part.ErrNoRepair
}

// badDigits returns the problem of the wrong characters of a piece; nil if there are none. Wrong characters
// in the offset of a row are noted when the text is decoded.
func (t *text) badDigits(runs []run, b []byte, start int64) *part.Problem {
	skip := 0
	if mark := max(0, t.begin-start); t.rows != nil && mark < int64(len(b)) {
		_, r := t.rows.lex(nil, b[mark:])
		skip = int(mark) + r.digits
	}
	var bad []source.Splice
	wrong, canDelete, isAlone, at := int64(0), t.rows == nil, false, 0
	for _, r := range runs {
		if r.kind() == span.Gap && at >= skip {
			isAlone = isAlone || len(bad) == 0 && r.class == isOdd && !t.stray
			canDelete = canDelete && (t.stray || r.class == isWrong)
			bad = append(bad, part.TakeOut(span.Span{Offset: start + int64(at), Length: int64(r.n)}))
			wrong += int64(r.n)
		}
		at += r.n
	}
	if len(bad) == 0 {
		return nil
	}
	first := bad[0].Span
	quoted := part.Quoted(b[first.Offset-start:][:first.Length])
	name := "hexadecimal"
	if t.base64 {
		name = t.Name
	}
	problem := &part.Problem{Problem: span.Problem{Span: first, Severity: span.Error, Code: layer.BadDigit}}
	switch {
	case wrong > first.Length:
		problem.Message = fmt.Sprintf("%s of this line are not %s digits, the first %s", span.Counted(wrong, "character"), name, quoted)
	case isAlone:
		problem.Message = fmt.Sprintf("the digit %s is alone: a byte needs two", quoted)
	default:
		problem.Message = fmt.Sprintf("%s is not a %s digit", quoted, name)
	}
	if !canDelete || !t.stray && !t.isRightWithout(b, bad, start) {
		return problem
	}
	if len(bad) > 1 {
		return problem.RepairBy("delete all characters of this line that are not digits", bad...)
	}
	return problem.RepairBy("delete "+quoted, bad...)
}

// isRightWithout reports whether a piece has no wrong characters after splices that delete.
func (t *text) isRightWithout(b []byte, splices []source.Splice, start int64) bool {
	rest := bytes.Clone(b)
	for _, s := range slices.Backward(splices) {
		rest = slices.Delete(rest, int(s.Offset-start), int(s.End()-start))
	}
	return count(t.runs(nil, rest, start), span.Gap) == 0
}

// blanks returns the problem of blanks between the base64 digits of a line; nil if there are none.
func (t *text) blanks(runs []run, start int64) *part.Problem {
	var splices []source.Splice
	at := 0
	for i, r := range runs {
		if t.base64 && r.class == isText && i > 0 && i+1 < len(runs) && runs[i-1].class == isDigits && runs[i+1].class == isDigits {
			splices = append(splices, part.TakeOut(span.Span{Offset: start + int64(at), Length: int64(r.n)}))
		}
		at += r.n
	}
	if len(splices) == 0 {
		return nil
	}
	problem := &part.Problem{Problem: span.Problem{Span: splices[0].Span, Severity: span.Warning, Code: layer.BadDigit,
		Message: "a blank between digits of a line", Engine: "Godot decodes nothing of the text"}}
	if len(splices) > 1 {
		problem.Message = fmt.Sprintf("blanks between digits of a line, in %s", span.Counted(int64(len(splices)), "place"))
	}
	return problem.RepairBy("delete the blanks between digits", splices...)
}
