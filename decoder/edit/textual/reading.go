package textual

import (
	"bytes"
	"encoding/json"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Class is a set of bytes.
type Class [256]bool

// ClassOf returns the class of the bytes of s.
func ClassOf(s string) *Class {
	c := new(Class)
	for i := range len(s) {
		c[s[i]] = true
	}
	return c
}

// ClassBut returns the class of all bytes but those of s.
func ClassBut(s string) *Class {
	c := ClassOf(s)
	for i := range c {
		c[i] = !c[i]
	}
	return c
}

const blanks = " \t\n\r"

var (
	isBlank    = ClassOf(blanks)
	isZero     = ClassOf("\x00")
	isUnused   = ClassOf(blanks + "\x00")
	betweenAll = ClassOf(blanks + ",:\x00") // before a closing bracket; zeros are damage, which is reported
	between    = ClassOf(blanks + ",\x00")
	afterKey   = ClassOf(blanks + ":=\x00") // with what people write in place of a colon

	betweenLoosely = ClassOf(blanks + ",;\x00") // the same of a comma
)

const mark = "\xef\xbb\xbf" // byte order mark

// before returns the bytes that may precede the child slot of a value.
func (r *Reading) before(v *tree.Value, slot tree.Slot) *Class {
	s := r.separators(v)
	switch {
	case s != nil && slot.Key:
		return s.BeforeKey
	case s != nil:
		return s.Before
	case v.Type == buffer:
		return isBlank
	case v.Layout == tree.Pairs && !slot.Key:
		return afterKey
	case r.JSON:
		return betweenLoosely
	}
	return between
}

// skip returns the offset of the first byte from at on that does not belong to a class.
func skip(w *source.Window, at, limit int64, c *Class) int64 {
	for few := min(at+4, limit); at < few; at++ { // most often there are no more
		if !c[w.Byte(at)] {
			return at
		}
	}
	for n := int64(64); at < limit; n = source.MaxView {
		b := w.View(at, min(n, limit-at))
		for i := range b {
			if !c[b[i]] {
				return at + int64(i)
			}
		}
		if len(b) == 0 {
			break
		}
		at += int64(len(b))
	}
	return at
}

// skip is like the function of this name, but also skips comments wherever line ends are skipped.
func (r *Reading) skip(w *source.Window, at, limit int64, c *Class) int64 {
	at = skip(w, at, limit, c)
	for c['\n'] && at < limit {
		end := r.commentEnd(w, at, limit)
		if end == at {
			break
		}
		at = skip(w, end, limit, c)
	}
	return at
}

// commentEnd returns the end of the comment that begins at an offset; the offset itself if none does. JSON has no comments, but
// people write them.
func (r *Reading) commentEnd(w *source.Window, at, limit int64) int64 {
	switch c := w.Byte(at); {
	case r.JSON && strings.IndexByte("/#<|=>", c) >= 0:
		return at + int64(CommentLength(w.View(at, min(limit-at, guessed))))
	case c == r.Comment && c != 0:
		return skip(w, at, limit, inLine)
	}
	return at
}

var inLine = ClassBut("\n")

// head returns the start of the value itself, after blanks and separators.
func (r *Reading) head(w *source.Window, in *tree.Value, slot tree.Slot, off int64) int64 {
	if r.Line != nil && slot.Index > 0 {
		return off + lineEnd(w, off)
	}
	if in.Type == buffer && off == in.Body && string(w.View(off, min(3, in.Limit-off))) == mark {
		off += int64(len(mark))
	}
	if r.Line != nil {
		return off
	}
	at := r.skip(w, off, in.Limit, r.before(in, slot))
	if s := r.separators(in); s != nil && s.Later != nil && !slot.Key && at < in.Limit && isLineEnd[w.Byte(at)] {
		if later := r.skip(w, at, in.Limit, isBlank); later < in.Limit && s.Later(w.View(later, min(in.Limit-later, 1024))) {
			return later
		}
	}
	return at
}

var isLineEnd = ClassOf("\r\n")

// isEnd reports whether only unused space follows.
func isEnd(w *source.Window, at, limit int64) bool {
	if at < limit && !isUnused[w.Byte(at)] {
		return false
	}
	return skip(w, at, limit, isUnused) == limit
}

// Root implements tree.Reading.
func (r *Reading) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: buffer, Fenced: true, Footed: true}
	count := int64(1)
	if r.Lines {
		count, v.Marked = tree.Unknown, true
	}
	if r.Empty && region.Length == 0 {
		count = 0
	}
	v.Contain(tree.Sequence, count, 1)
	if r.Line != nil {
		v.MinChild = 0
	}
	v.End = size
	return v
}

// HasChild implements tree.Marker.
func (r *Reading) HasChild(w *source.Window, v *tree.Value, slot tree.Slot, off int64) bool {
	if v.Layout == tree.Pairs && !slot.Key {
		return true
	}
	at := r.head(w, v, slot, off)
	if r.Line != nil {
		return (at > off || slot.Index == 0) && w.ZerosBefore(at, v.Limit) < v.Limit-at
	}
	if at >= v.Limit {
		return false
	}
	if c := w.Byte(at); v.Type != buffer && v.Sub != 0 && isClosing(c) || c == 0 && isEnd(w, at, v.Limit) || r.beginsRecord(w, v, at) {
		return false
	}
	return r.Grammar.HasChild == nil || r.Grammar.HasChild(w, v, slot, at)
}

// beginsRecord reports whether a line that begins within a container is a value by itself: where each line holds one, it is the next,
// whatever an earlier line has left open.
func (r *Reading) beginsRecord(w *source.Window, in *tree.Value, at int64) bool {
	if !r.Lines || !r.JSON || r.Format.Bare || in.Type == buffer || at == 0 || w.Byte(at-1) != '\n' || w.Byte(at) != '{' && w.Byte(at) != '[' {
		return false
	}
	line, _, _ := bytes.Cut(w.View(at, min(in.Limit-at, source.MaxView)), []byte("\n"))
	return json.Valid(line)
}

// closes returns the bit of a closing bracket. The flags of a container have the bits of the brackets that
// close it and those around it.
func closes(c byte) uint16 {
	switch c {
	case ']':
		return 1
	case '}':
		return 2
	}
	return 4
}

// closesAny has all bits that closes returns.
const closesAny = 7

func isClosing(c byte) bool { return c == ']' || c == '}' || c == ')' }

// Read implements tree.Reading.
func (r *Reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	if parent.Layout == tree.Fixed {
		r.readPart(w, parent, slot.Index, v)
		return
	}
	at, limit := r.head(w, parent, slot, off), parent.Limit
	isCut := at < limit && r.beginsRecord(w, parent, at)
	if isCut { // the value is missing before the line end
		at = off
	}
	*v = tree.Value{Start: off, Head: at, Body: at, Tail: tree.Unknown, Limit: limit}
	if r.Line != nil {
		r.readLine(w, v)
		return
	}
	c := byte(0)
	b := w.View(at, min(limit-at, 1024))
	if len(b) > 0 {
		c = b[0]
	}
	ends := at >= limit || c == 0 && isEnd(w, at, limit)
	switch {
	case ends && (!r.Empty || parent.Type != buffer):
		v.Break(at, &span.Problem{Span: span.Between(at, at), Severity: span.Error, Code: span.Truncated, Message: "the text ends" + r.Place(w, at) + ", where a value is expected"})
		v.End = at
		return
	case isCut, parent.Type != buffer && parent.Sub != 0 && (c == ',' && !slot.Key || isClosing(c)):
		r.lacks(w, v)
		return
	}
	t := r.Lex(b, slot, parent)
	if t.Len == len(b) && len(b) < int(min(limit-at, source.MaxView)) {
		t = r.Lex(w.View(at, min(limit-at, source.MaxView)), slot, parent)
	}
	if t.Bad != "" && c == 0 {
		t.Bad = "zeros are not a value"
	}
	r.take(w, parent, slot, v, &t)
}

// take makes v, at whose head a token stands, the value that begins with it.
func (r *Reading) take(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, t *Token) {
	v.Type, v.Inner, v.Rows = t.Type, t.Role, t.Kind
	at := v.Head
	end := at + int64(t.Len)
	switch {
	case t.Lacks:
		r.lacks(w, v)
	case t.Bad != "":
		v.Break(at, &span.Problem{Span: span.Between(at, end), Severity: span.Error, Code: NoValue, Message: t.Bad + r.Place(w, at), Engine: t.Engine})
		v.End = end
	case t.Around:
		v.Body = end
		r.readAround(w, v)
	case t.Quoted && r.isLateQuote(w, at, v.Limit):
		v.Body, v.Sub, v.Flags = end, uint32(t.Len), Quoted|Unclosed
		v.Close(end)
	case t.Quoted:
		v.Body, v.Sub = end, uint32(t.Len)
		v.Close(r.quoted(w, parent, slot, v))
		if !slot.Key {
			r.divideText(w, v)
		}
	case t.Layout == tree.Leaf:
		v.Body = end
		v.Close(end)
		divide(v, t.Parts, at+int64(t.Inside))
	default:
		v.Body, v.Sub, v.Footed, v.Marked = end, uint32(t.Close), t.Close != 0, true
		if t.Close != 0 {
			v.Flags = closes(t.Close)
		}
		if t.Call {
			v.Flags |= inCall
		}
		if parent.Type != buffer {
			v.Flags |= parent.Flags & closesAny
		}
		v.Contain(t.Layout, tree.Unknown, 1)
		if end < v.Limit && t.Close != 0 && w.Byte(end) == t.Close {
			v.Count = 0
		}
	}
}

// isLateQuote reports whether a quote is the closing one of a text that zeros have overwritten: it stands behind them, and
// before a separator.
func (r *Reading) isLateQuote(w *source.Window, at, limit int64) bool {
	if !r.JSON || at == 0 {
		return false
	}
	next := skip(w, at+1, limit, isBlank)
	isBefore := next < limit && (w.Byte(next) == ':' || w.Byte(next) == ',')
	return isBefore && w.Byte(at-1) == 0 // the bytes before are seldom in view
}

// readAround finds the end of a text in quotes and parentheses, whose opening quote ends at v.Body.
func (r *Reading) readAround(w *source.Window, v *tree.Value) {
	end, _, ok := r.closing(w, &tree.Value{Body: v.Body, Limit: v.Limit})
	if at := r.skip(w, end, v.Limit, isBlank); ok && at < v.Limit && w.Byte(at) == ')' {
		v.Body = at + 1
		v.Close(at + 1)
		return
	}
	line := w.View(v.Head, v.Limit-v.Head)
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	end = v.Head + int64(len(bytes.TrimRight(line, " \t\r,]}")))
	v.Break(v.Head, &span.Problem{Span: span.Between(v.Head, end), Severity: span.Error, Code: NoValue,
		Message: "the closing parenthesis of this " + r.TypeName(v) + " is missing" + r.Place(w, v.Head)})
	v.End = end
}

// lacks ends v, a missing value.
func (r *Reading) lacks(w *source.Window, v *tree.Value) {
	v.Break(v.Head, &span.Problem{Span: span.Between(v.Head, v.Head), Severity: span.Error, Code: span.MissingValue, Message: "a value is missing" + r.Place(w, v.Head)})
	v.End = v.Head
}

// ReadFoot implements tree.Footer.
func (r *Reading) ReadFoot(w *source.Window, v *tree.Value, off int64, _ bool, report func(span.Problem)) int64 {
	if v.Type == buffer {
		return r.bufferFoot(w, v, off, report)
	}
	at := r.skip(w, off, v.Limit, betweenAll)
	if report != nil {
		r.inspectComments(w, off, at, report)
	}
	isZeroed := !isEnd(w, at, v.Limit) && report != nil && r.inspectZeros(w, off, at, report)
	if at < v.Limit && w.Byte(at) == byte(v.Sub) {
		if comma := r.skip(w, off, at, isUnused); comma < at && report != nil && !isZeroed {
			report(r.lastComma(w, v, off, comma, at))
		}
		return r.callFoot(w, v, at+1, report)
	}
	if at < v.Limit && isClosing(w.Byte(at)) && v.Flags&closes(w.Byte(at)) == 0 {
		if report != nil {
			report(span.Problem{Span: span.Between(at, at+1), Severity: span.Error, Code: WrongBracket, Repair: "replace it by " + string(rune(v.Sub)),
				Message: string(rune(w.Byte(at))) + r.Place(w, at) + " closes the " + r.TypeName(v) + " that begins" + r.Place(w, v.Head) + ", in place of " + string(rune(v.Sub))})
		}
		return at + 1
	}
	if at < v.Limit && r.beginsRecord(w, v, at) {
		at = off
	}
	if v.Open = isEnd(w, at, v.Limit); report != nil {
		report(r.openBracket(w, v, off, at))
	}
	return off
}

// bufferFoot is ReadFoot of a buffer.
func (r *Reading) bufferFoot(w *source.Window, v *tree.Value, off int64, report func(span.Problem)) int64 {
	class := isUnused
	if r.Line != nil {
		off += lineEnd(w, off)
		class = isZero
	}
	at := r.skip(w, off, v.Limit, class)
	if report != nil {
		r.inspectComments(w, off, at, report)
	}
	if at < v.Limit && report != nil {
		severity := span.Warning
		if r.Refused != "" {
			severity = span.Error
		}
		report(span.Problem{Span: span.Between(at, v.Limit), Severity: severity, Code: span.TrailingBytes, Engine: r.Refused,
			Message: span.Bytes(v.Limit-at) + " left over after the value, from" + r.Place(w, at)[3:]})
	}
	return at
}

// lastComma returns the problem of what is at comma, between the children that end at off and the closing bracket at end.
func (r *Reading) lastComma(w *source.Window, v *tree.Value, off, comma, end int64) span.Problem {
	rest := r.skip(w, comma+1, end, isBlank)
	if rest < end || w.Byte(comma) == ':' || v.Count == 0 || off == v.Body || r.Last != nil && !r.Last(v) {
		return span.Problem{Span: span.Between(comma, comma+1), Severity: span.Error, Code: ExtraMark, Message: "a separator too many" + r.Place(w, comma), Repair: "delete it"}
	}
	p := span.Problem{Span: span.Between(comma, comma+1), Severity: span.Note, Code: span.Loose, Message: "a comma before a closing bracket" + r.Place(w, comma), Engine: r.Loose}
	if r.JSON {
		p.Repair = "delete it"
	}
	return p
}

// openBracket returns the problem of a value without its closing bracket, whose children end at off. It is missing at a place.
func (r *Reading) openBracket(w *source.Window, v *tree.Value, off, at int64) span.Problem {
	if v.Open {
		within := ", in the "
		if off == v.Limit && off > v.Body && isDecimal(w.View(off-1, 1)) {
			within = ", perhaps within a number, in the "
		}
		return span.Problem{Span: span.Between(off, off), Severity: span.Error, Code: span.Truncated, Repair: "close what is open",
			Message: "the text ends" + r.Place(w, at) + within + r.TypeName(v) + " that begins" + r.Place(w, v.Head)}
	}
	return span.Problem{Span: span.Between(v.Head, v.Body), Severity: span.Error, Code: OpenBracket, Repair: "insert " + string(rune(v.Sub)),
		Message: string(rune(v.Sub)) + " is missing" + r.Place(w, at) + ": the " + r.TypeName(v) + " begins" + r.Place(w, v.Head)}
}

// callFoot returns the end of a container, whose bracket is closed, including the parenthesis that may be
// around it.
func (r *Reading) callFoot(w *source.Window, v *tree.Value, off int64, report func(span.Problem)) int64 {
	if v.Flags&inCall == 0 {
		return off
	}
	if at := r.skip(w, off, v.Limit, isBlank); at < v.Limit && w.Byte(at) == ')' {
		return at + 1
	}
	if report != nil {
		report(span.Problem{Span: span.Between(v.Head, v.Body), Severity: span.Error, Code: OpenBracket, Repair: "insert )",
			Message: ") is missing" + r.Place(w, off) + ": the " + r.TypeName(v) + " begins" + r.Place(w, v.Head)})
	}
	return off
}

// Fields implements tree.Reading.
func (r *Reading) Fields(w *source.Window, _, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == buffer {
		if v.Body > v.Start {
			fields = append(fields, span.Field{Span: span.Between(v.Start, v.Body), Kind: span.Gap, Label: "gap"})
		}
		return fields
	}
	fields = r.marks(w, v.Start, v.Head, fields)
	end, kind, label := v.Tail, span.Value, "value"
	switch {
	case v.Layout >= tree.Sequence:
		end, kind, label = v.Body, span.Type, "bracket"
	case v.Flags&Quoted != 0:
		kind, label = span.Text, "text"
	}
	trail := end
	for kind == span.Value && r.Line != nil && inlineBlank[w.Byte(end-1)] {
		end--
	}
	if end > v.Head {
		fields = append(fields, span.Field{Span: span.Between(v.Head, end), Kind: kind, Label: label})
	}
	return r.marks(w, end, trail, fields)
}

// FootFields implements tree.Footer.
func (r *Reading) FootFields(w *source.Window, v *tree.Value, fields []span.Field) []span.Field {
	return r.marks(w, v.Foot, v.Tail, fields)
}

// markNames are the names of separators.
var markNames = [256]string{',': "comma", ':': "colon", '=': "equals sign", ';': "semicolon"}

// marks appends the fields of blanks, separators and closing brackets.
func (r *Reading) marks(w *source.Window, at, end int64, fields []span.Field) []span.Field {
	for at < end {
		f := span.Field{Span: span.Span{Offset: at, Length: 1}, Kind: span.Terminator}
		switch c := w.Byte(at); {
		case r.Line != nil && (c == '\r' || c == '\n'):
			f.Length, f.Label = lineEnd(w, at), "line end"
		case r.commentEnd(w, at, end) > at:
			f.Span, f.Kind, f.Label = span.Between(at, r.commentEnd(w, at, end)), span.Text, "comment"
		case markNames[c] != "":
			f.Label = markNames[c]
		case isClosing(c):
			f.Label = "bracket"
		case c == 0:
			f.Span, f.Kind, f.Label = span.Between(at, skip(w, at, end, isZero)), span.Padding, span.Unused
		case c == mark[0]:
			f.Length, f.Kind, f.Label = int64(len(mark)), span.Magic, "byte order mark"
		default:
			f.Span, f.Kind, f.Label = span.Between(at, skip(w, at, end, isBlank)), span.Padding, "blank"
		}
		fields, at = append(fields, f), f.End()
	}
	return fields
}

// AppendField implements tree.Reading.
func (r *Reading) AppendField(dst []byte, w *source.Window, v *tree.Value, f span.Field) []byte {
	if f.Label == "text" {
		s := r.Describe(w, v)
		if s.Own != nil {
			return tree.AppendEscaped(dst, s.Own, 0)
		}
		return tree.AppendText(dst, w, s.Span)
	}
	if f.Label == span.Unused {
		return tree.AppendData(dst, w, f.Span)
	}
	if f.Kind == span.Value && r.JSON && w.Byte(f.Offset) == '"' { // a number that is spelled as a text
		s := r.Describe(w, v)
		return s.AppendNumber(dst)
	}
	return tree.AppendText(dst, w, f.Span)
}

// TypeName implements tree.Reading.
func (r *Reading) TypeName(v *tree.Value) string {
	if r.Name != nil {
		return r.Name(v)
	}
	if i := int(v.Type) - 1; i >= 0 && i < len(r.Dialect.Types) {
		return r.Dialect.Types[i]
	}
	return "value"
}

// KeyIdentity implements tree.Keyed: a text equals one with the same characters, with or without escapes and the name before its quotes.
func (r *Reading) KeyIdentity(key *tree.Value, b []byte) []byte {
	quote := bytes.IndexByte(b, '"')
	if key.Flags&Quoted == 0 || key.Flags&Bare != 0 || quote < 0 {
		return b
	}
	if b = b[quote:]; key.Flags&Escaped == 0 {
		return b
	}
	meant, _ := r.Unescape([]byte{'"'}, b[1:len(b)-1])
	return append(meant, '"')
}

// RepeatedKey implements tree.Keyed.
func (r *Reading) RepeatedKey(_ *source.Window, key *tree.Value) span.Problem {
	return span.Problem{Span: span.Between(key.Head, key.Tail), Severity: span.Warning, Code: span.RepeatedKey, Message: "an earlier entry has the same key", Engine: "the last one counts"}
}

// Describe implements tree.Describer.
func (r *Reading) Describe(w *source.Window, v *tree.Value) tree.Scalar {
	if v.Flags&Quoted == 0 {
		return r.Scalar(w.All(span.Between(v.Head, v.Tail)), v)
	}
	s := tree.Scalar{Kind: tree.Text, Span: textSpan(v)}
	if v.Flags&Escaped != 0 {
		s.Own, _ = r.Unescape(make([]byte, 0, s.Span.Length), w.All(s.Span))
	}
	return s
}

// MayBeText implements tree.Texter.
func (r *Reading) MayBeText(v *tree.Value) bool { return v.Flags&Quoted != 0 || r.Line != nil }

// textSpan returns the span between the quotes.
func textSpan(v *tree.Value) span.Span {
	if v.Flags&(Unclosed|Bare) != 0 {
		return span.Between(v.Body, v.Tail)
	}
	return span.Between(v.Body, v.Tail-1)
}

// Pass implements tree.Passer.
func (r *Reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	switch {
	case r.Line != nil:
		new(Passing).Pass(w, parent, s, r.passLine)
	case r.Grammar.Pass != nil:
		r.Grammar.Pass(w, parent, s)
	}
}
