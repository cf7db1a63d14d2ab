package digits

import (
	"bytes"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
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
