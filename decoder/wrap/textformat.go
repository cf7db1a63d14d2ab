package wrap

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// textFormat describes a text of digits: a line, or a piece of a long one, after
// the other.
type textFormat struct {
	format
	lexer
	notes []finding // in the order of their offsets
}

var _ tree.Reading = (*textFormat)(nil)

// Root implements tree.Reading.
func (f *textFormat) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Fenced: true}
	v.Contain(tree.Sequence, tree.Unknown, 1)
	v.End = size
	return v
}

// Read implements tree.Reading.
func (f *textFormat) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Type: tPiece}
	v.Close(off + max(1, int64(len(f.piece(w, off)))))
}

// Inspect implements tree.Reading.
func (f *textFormat) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if v.Type != tPiece {
		return
	}
	if found := f.inspectDigits(w, v); found != nil {
		report(found.Problem)
	}
	for _, p := range f.notesFrom(v.Start) {
		if p.Offset >= v.End {
			break
		}
		report(p.Problem)
	}
}

// notesFrom are the notes at off and behind it.
func (f *textFormat) notesFrom(off int64) []finding {
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

func (f *textFormat) digitName() string {
	if f.form == formBase64 {
		return "base64"
	}
	return "hexadecimal"
}

// quoted writes some characters of a text in quotes.
func quoted(text []byte) string {
	const most = 16
	if len(text) > most {
		return string(tree.AppendQuoted(nil, text[:most])) + "…"
	}
	return string(tree.AppendQuoted(nil, text))
}

// Fields implements tree.Reading.
func (f *textFormat) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == tBase {
		return leadingGap(fields, v)
	}
	at, mine := v.Start, len(fields)
	var few [64]run
	for _, r := range f.lex(few[:0], w.View(v.Start, v.End-v.Start), v.Start) {
		kind := classKinds[r.class]
		if last := len(fields) - 1; last >= mine && fields[last].Kind == kind {
			fields[last].Length += int64(r.n)
		} else {
			fields = append(fields, span.Field{Span: span.Span{Offset: at, Length: int64(r.n)}, Kind: kind, Label: fieldLabels[kind]})
		}
		at += int64(r.n)
	}
	if at < v.End { // bytes that could not be read
		fields = append(fields, span.Field{Span: span.Between(at, v.End), Kind: span.Gap, Label: fieldLabels[span.Gap]})
	}
	return fields
}

var fieldLabels = map[span.Kind]string{span.Text: "text", span.Data: "digits", span.Gap: "gap"}

// AppendLiteral implements tree.Reading.
func (f *textFormat) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Type == tBase {
		return f.format.AppendLiteral(dst, r, v, limit)
	}
	line := bytes.TrimRight(r.Window().View(v.Start, v.End-v.Start), "\r\n")
	return appendCut(dst, string(tree.AppendEscaped(nil, line[:min(len(line), limit+1)], 0)), limit)
}

// TypeName implements tree.Reading.
func (f *textFormat) TypeName(v *tree.Value) string {
	if v.Type == tBase {
		return formNames[f.form]
	}
	return "digits"
}

// AppendType implements tree.Reading.
func (f *textFormat) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	return append(dst, f.TypeName(v)...)
}
