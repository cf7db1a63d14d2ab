package textual

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// quoted returns the end of a text whose opening quote ends at v.Body, and sets its flags.
func (r *Reading) quoted(w *source.Window, in *tree.Value, slot tree.Slot, v *tree.Value) int64 {
	v.Flags = Quoted
	end, zeros, ok := r.closing(w, v)
	if ok && (in.Type == buffer || r.fits(w, in, slot, end, v.Limit) && (zeros < 0 || r.fitsExactly(w, in, slot, end, v.Limit))) {
		return end
	}
	if inner := r.innerEnd(w, in, slot, v); inner > 0 {
		v.Flags |= Inner | flagsOf(w.View(v.Body, inner-v.Body))
		return inner
	}
	if zeros >= 0 { // its end was overwritten
		v.Flags = Quoted | Unclosed | flagsOf(w.View(v.Body, zeros-v.Body))
		return zeros
	}
	s := r.separators(in)
	if near := r.guess(w, v.Body, end, slot, s != nil && s.Layout.Lines); near < end || !ok {
		isZeroed := near == end && v.Flags&Zeroed != 0
		v.Flags = Quoted | Unclosed | flagsOf(w.View(v.Body, near-v.Body))
		if isZeroed {
			v.Flags |= Zeroed
		}
		return near
	}
	return end
}

// maxInner is the number of bytes in which the end of a text with quotes in it is searched for.
const maxInner = 1 << 10

// innerEnd returns the end of a text in which pairs of quotes stand around words, as people forget to escape them:
// "say "hi" now". It is 0 if there are none on the line.
func (r *Reading) innerEnd(w *source.Window, in *tree.Value, slot tree.Slot, v *tree.Value) int64 {
	b, _, _ := bytes.Cut(w.View(v.Body, min(maxInner, v.Limit-v.Body)), []byte("\n"))
	pairs, isOpen := 0, false
	for i := 0; i < len(b); i++ {
		switch before := beforeWord(b, i); {
		case b[i] == '\\':
			i++
		case b[i] != '"':
		case isOpen && before:
			return 0
		case isOpen:
			pairs, isOpen = pairs+1, false
		case before && beginsWord(b[i+1:]):
			isOpen = true
		case pairs > 0 && r.fits(w, in, slot, v.Body+int64(i)+1, v.Limit) && r.fitsExactly(w, in, slot, v.Body+int64(i)+1, v.Limit):
			return v.Body + int64(i) + 1
		default:
			return 0
		}
	}
	return 0
}

// beforeWord reports whether a word may begin at a byte, and beginsWord whether one does.
func beforeWord(b []byte, i int) bool { return i == 0 || isBlank[b[i-1]] || b[i-1] == '(' }
func beginsWord(b []byte) bool        { return len(b) > 0 && (isWordByte(b[0]) || b[0] >= utf8.RuneSelf) }

// closing returns the end of a text at its closing quote. ok is false if there is none. zeros is the offset of the first
// zero in it that is not one of those that end the buffer; -1 for none.
func (r *Reading) closing(w *source.Window, v *tree.Value) (end, zeros int64, ok bool) {
	zeros = -1
	size := int64(256)
	for at := v.Body; at < v.Limit; size = source.MaxView {
		b := w.View(at, min(size, v.Limit-at))
		if len(b) == 0 {
			break
		}
		i := 0
		for i < len(b) {
			c := b[i]
			switch {
			case isPlain[c]:
				i++
				continue
			case c == '"':
				return at + int64(i) + 1, zeros, true
			case c == '\\':
				i++
			case c == 0:
				if isEnd(w, at+int64(i), v.Limit) {
					v.Flags |= Zeroed
					return at + int64(i), -1, false
				}
				if v.Flags |= Control; zeros < 0 {
					zeros = at + int64(i)
				}
				at, i = skip(w, at+int64(i), v.Limit, isUnused), 0 // so that no zero is read twice
				b = w.View(at, min(size, v.Limit-at))
				continue
			}
			v.Flags |= flagOf(c)
			i++
		}
		at += int64(i)
	}
	return v.Limit, zeros, false
}

// isPlain has the bytes of a text without a flag.
var isPlain = func() *Class {
	c := new(Class)
	for b := ' '; b < utf8.RuneSelf; b++ {
		c[b] = b != '"' && b != '\\'
	}
	return c
}()

// flagsOf returns the flags for the bytes of a text.
func flagsOf(b []byte) (flags uint16) {
	for _, c := range b {
		flags |= flagOf(c)
	}
	return flags
}

// flagOf returns the flag for a byte of a text.
func flagOf(c byte) uint16 {
	switch {
	case c == '\\':
		return Escaped
	case c >= utf8.RuneSelf:
		return Foreign
	case c < ' ':
		return Control
	}
	return 0
}

// fits reports whether what follows a text may follow a value.
func (r *Reading) fits(w *source.Window, in *tree.Value, slot tree.Slot, end, limit int64) bool {
	if r.Fits != nil {
		rest := w.View(end, min(limit-end, 64))
		if len(bytes.TrimSpace(rest)) == 0 { // what matters comes later
			rest = w.View(end, min(limit-end, source.MaxView))
		}
		return r.Fits(in, slot, rest)
	}
	at := r.skip(w, end, limit, isBlank)
	if at >= limit {
		return true
	}
	c := w.Byte(at)
	return c == ',' || c == ':' || c == ';' || c == 0 || isClosing(c)
}

// fitsExactly reports whether what follows a text in brackets may follow a key, or a value, after which no colon may.
func (r *Reading) fitsExactly(w *source.Window, in *tree.Value, slot tree.Slot, end, limit int64) bool {
	at := r.skip(w, end, limit, isBlank)
	return r.separators(in) != nil || at >= limit || slot.Key == (w.Byte(at) == ':')
}

// guessed is the number of bytes that are searched for the place of a missing quote.
const guessed = 64 << 10

// guess returns where the closing quote of a text is probably missing: before the first place that reads
// like what follows a value, or at the end of the line, which alone ends the value of a line of its own.
func (r *Reading) guess(w *source.Window, from, end int64, slot tree.Slot, ownLine bool) int64 {
	b := w.View(from, min(end-from, guessed))
	for i, c := range b {
		rest := bytes.TrimLeft(b[i+1:], " \t")
		next := byte(0)
		if len(rest) > 0 {
			next = rest[0]
		}
		switch {
		case c == '\n':
			line := bytes.TrimRight(b[:i], blanks)
			line = bytes.TrimRight(bytes.TrimSuffix(line, []byte(",")), blanks)
			return from + int64(len(line))
		case c == ':' && slot.Key, !slot.Key && !ownLine && mayFollow(c, next, len(rest) == 0):
			return from + int64(len(bytes.TrimRight(b[:i], blanks)))
		}
	}
	if int64(len(b)) == end-from {
		return from + int64(len(bytes.TrimRight(b, blanks)))
	}
	return end
}

// mayFollow reports whether a mark and what is next, or the end, read like what follows a value.
func mayFollow(mark, next byte, ends bool) bool {
	if mark == ',' {
		return next == '"'
	}
	return (mark == '}' || mark == ']') && (next == ',' || isClosing(next) || next == '\n' || next == '\r' || ends)
}

// Place implements diagnose.Text: " at line 3, column 5". Columns count characters.
func (r *Reading) Place(w *source.Window, off int64) string {
	line, start := int64(1), int64(0)
	if r.placed.Add(off) > maxPlaced {
		return fmt.Sprintf(" at %#x", off)
	}
	for at, b := range w.Pieces(span.Between(0, off)) {
		if n := bytes.Count(b, []byte{'\n'}); n > 0 {
			line, start = line+int64(n), at+int64(bytes.LastIndexByte(b, '\n'))+1
		}
	}
	column := off - start + 1
	if column <= guessed {
		column = int64(utf8.RuneCount(w.View(start, off-start))) + 1
	}
	return fmt.Sprintf(" at line %d, column %d", line, column)
}

// maxPlaced is the number of bytes in which lines are counted, for all messages together: in a text with
// very many problems, the later ones are placed by offset.
const maxPlaced = 4 << 30

// Inspect implements tree.Inspector.
func (r *Reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent == nil {
		if r.InspectAll != nil {
			r.InspectAll(w, v, r.engine, report)
		}
		return
	}
	r.inspectSecond(w, parent, slot, v, report)
	r.inspectMarks(w, parent, slot, v, report)
	switch {
	case slot.Key && v.Flags&Quoted == 0 && !r.AnyKey && v.Damage == nil:
		report(span.Problem{Span: span.Between(v.Head, max(v.Body, v.Tail)), Severity: span.Error, Code: OddKey, Message: "a key is a text in quotes" + r.Place(w, v.Head), Repair: "put quotes around it"})
		return
	case v.Damage != nil || v.Layout >= tree.Sequence:
		return
	case v.Flags&Quoted != 0:
		r.inspectText(w, v, report)
	}
	if r.Grammar.Inspect != nil {
		r.Grammar.Inspect(v, w.View(v.Head, min(v.Tail-v.Head, source.MaxView)), report)
	}
}

// isOnly reports whether b has exactly one mark (none if mark is 0) and otherwise only blanks.
func isOnly(b []byte, mark byte) bool {
	seen := mark == 0
	for _, c := range b {
		switch {
		case isBlank[c]:
		case c == mark && !seen:
			seen = true
		default:
			return false
		}
	}
	return seen
}

// inspectSecond reports a value that follows another one on its line.
func (r *Reading) inspectSecond(w *source.Window, in *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	isOne := r.Format.Bare || r.Refused == "" || in.Type != buffer || slot.Index == 0 || v.Damage != nil
	if isOne || bytes.IndexByte(w.View(v.Start, v.Head-v.Start), '\n') >= 0 {
		return
	}
	report(span.Problem{Span: span.Between(v.Head, max(v.Body, v.Tail)), Severity: span.Error, Code: MissingMark, Engine: r.Refused, Settled: true,
		Message: "a line end is missing" + r.Place(w, v.Head) + " before another value", Repair: "insert it"})
}

// inspectMarks reports missing or surplus separators before a value.
func (r *Reading) inspectMarks(w *source.Window, in *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	is := r.mark(in, slot, v)
	if isOnly(w.View(v.Start, v.Head-v.Start), is) {
		return
	}
	r.inspectComments(w, v.Start, v.Head, report)
	if in.Type == buffer {
		return
	}
	r.inspectZeros(w, v.Start, v.Head, report)
	want, name := min(1, int(is)), markNames[is]
	for _, f := range r.marks(w, v.Start, v.Head, nil) {
		if f.Kind != span.Terminator || f.Label == "bracket" {
			continue
		}
		want--
		switch {
		case want == 0 && f.Label != name:
			report(span.Problem{Span: f.Span, Severity: span.Error, Code: WrongMark, Message: span.Article(f.Label) + r.Place(w, f.Offset) + " stands in place of the " + name, Repair: "replace it"})
		case want < 0:
			report(span.Problem{Span: f.Span, Severity: span.Error, Code: ExtraMark, Message: span.Article(f.Label) + " too many" + r.Place(w, f.Offset), Repair: "delete it"})
		}
	}
	if want > 0 && !(v.Damage != nil && v.Damage.Code != NoValue) {
		report(span.Problem{Span: span.Between(v.Head, v.Head+1), Severity: span.Error, Code: MissingMark, Message: span.Article(name) + " is missing" + r.Place(w, v.Head), Repair: "insert it"})
	}
}

// inspectComments reports the comments of a text of JSON between the values from one offset to another.
func (r *Reading) inspectComments(w *source.Window, from, to int64, report func(span.Problem)) {
	if !r.JSON || isOnly(w.View(from, to-from), 0) {
		return
	}
	for _, f := range r.marks(w, from, to, nil) {
		if f.Label == "comment" {
			what, isMark := "a comment", IsConflictMark(w.View(f.Offset, f.Length))
			if isMark {
				what = "a mark that git has left of a merge"
			}
			report(span.Problem{Span: f.Span, Severity: span.Error, Code: Comment, Message: what + r.Place(w, f.Offset) + ": JSON has none", Repair: "delete it", Settled: !isMark})
		}
	}
}

// inspectZeros reports the zeros between the values from one offset to another, and whether there are any.
func (r *Reading) inspectZeros(w *source.Window, from, to int64, report func(span.Problem)) (found bool) {
	for at := from; at < to; at++ {
		if w.Byte(at) != 0 {
			continue
		}
		end := skip(w, at, to, isZero)
		report(span.Problem{Span: span.Between(at, end), Severity: span.Error, Code: NoValue, Message: "zeros are not a value" + r.Place(w, at), Repair: "delete them"})
		found, at = true, end
	}
	return found
}

// mark returns the separator that must precede a value; 0 if there is none.
func (r *Reading) mark(in *tree.Value, slot tree.Slot, v *tree.Value) byte {
	s := r.separators(in)
	switch {
	case s != nil && !slot.Key && s.Layout.Colon != "" && (v.Layout < tree.Sequence || v.Sub != 0):
		return strings.TrimSpace(s.Layout.Colon)[0]
	case s != nil:
		return 0
	case in.Layout == tree.Pairs && !slot.Key:
		return ':'
	case slot.Index == 0:
		return 0
	}
	return ','
}

// inspectText reports the faults of a quoted text.
func (r *Reading) inspectText(w *source.Window, v *tree.Value, report func(span.Problem)) {
	at := textSpan(v)
	if v.Flags&Unclosed != 0 {
		p := span.Problem{Span: span.Between(v.Head, v.Body), Severity: span.Error, Code: OpenText, Repair: "insert the quote",
			Message: "the closing quote of this text is missing" + r.Place(w, v.Tail)}
		if v.Flags&Zeroed != 0 {
			p.Message = "the text stops" + r.Place(w, v.Tail) + ": the rest of the file is zeros"
		} else if isSlashed(w.All(at)) {
			p.Message, p.Repair = "the backslash before the closing quote of this text makes it a part of it"+r.Place(w, at.End()-2), doubleIt
		} else if v.Tail == v.Limit {
			p.Message = "the text ends" + r.Place(w, v.Tail) + " within quotes"
		}
		report(p)
	}
	if v.Flags&Inner != 0 {
		off := at.Offset + int64(bytes.IndexByte(w.View(at.Offset, at.Length), '"'))
		report(span.Problem{Span: span.Span{Offset: off, Length: 1}, Severity: span.Error, Code: BadEscape, Message: "a quote within this text has no backslash before it" + r.Place(w, off), Repair: "put a backslash before it"})
		return
	}
	if v.Flags&Foreign != 0 {
		if bad, _ := tree.ScanText(w, at.Offset, at.Length, tree.RuneSize); bad != tree.Unknown {
			report(span.Problem{Span: span.Span{Offset: bad, Length: 1}, Severity: span.Warning, Code: span.InvalidUTF8, Repair: "replace each invalid byte with U+FFFD",
				Message: fmt.Sprintf("byte %#02x%s is not valid UTF-8", w.Byte(bad), r.Place(w, bad))})
		}
	}
	if v.Flags&Escaped != 0 && at.Length <= source.MaxView {
		if _, bad := r.Unescape(nil, bytes.Clone(w.View(at.Offset, at.Length))); bad >= 0 {
			off := at.Offset + int64(bad)
			if unit := int64(len(`\ud83d`)); isHalf(w.View(off, min(unit, at.End()-off))) {
				report(span.Problem{Span: span.Span{Offset: off, Length: unit}, Severity: span.Error, Code: BadEscape, Message: "half of a character, without its other half" + r.Place(w, off),
					Engine: "Godot 4 does not read the text: unpaired surrogate", Repair: replaceHalf})
				return
			}
			report(span.Problem{Span: span.Between(off, min(off+2, at.End())), Severity: span.Error, Code: BadEscape, Message: "this backslash does not begin an escape" + r.Place(w, off), Repair: doubleIt})
		}
	}
}

const doubleIt = "double the backslash"

// isSlashed reports whether a text without a closing quote ends with one behind a backslash, as a path of Windows does. An even
// number of them are those of a quotation in it.
func isSlashed(text []byte) bool {
	quotes := 0
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if i++; text[i] == '"' {
			quotes++
		}
	}
	return quotes%2 == 1 && bytes.HasSuffix(text, []byte(`\"`))
}

const replaceHalf = "write U+FFFD in its place"

// isHalf reports whether an escape is one of the two that a character beyond U+FFFF needs.
func isHalf(b []byte) bool {
	return len(b) == len(`\ud83d`) && b[1] == 'u' && (b[2] == 'd' || b[2] == 'D') && b[3] >= '8'
}
