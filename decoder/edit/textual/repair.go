package textual

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Remedy implements tree.Remedier.
func (d Editor) Remedy(_, v *tree.Value, p *span.Problem) string {
	switch {
	case p.Settled:
		return ""
	case p.Code == NoValue:
		return "complete the word, put quotes around it, or delete it"
	case p.Code == span.TrailingBytes:
		return "delete what follows the value"
	case p.Code == span.MissingValue:
		return "insert null"
	case p.Code == span.Truncated:
		return "close what is open"
	}
	return ""
}

// repairs make the splices that put problems right, by their codes: they insert what is missing, and delete what is
// surplus.
var repairs = map[string]repair{
	ExtraMark:          (*editing).remove,
	span.TrailingBytes: (*editing).remove,
	span.ByteOrderMark: (*editing).remove,
	Comment:            (*editing).remove,
	OddKey:             (*editing).quoteKey,
	NoValue:            (*editing).completeWord,
	span.MissingValue:  (*editing).addNull,
	span.Truncated:     (*editing).close,
	span.Loose:         (*editing).tighten,
	span.NulInText:     (*editing).removeZeros,
	ZeroedBlock:        (*editing).removeZeros,
	span.EngineRefuses: (*editing).accepted,
	WrongBracket:       replaced(func(_ *editing, n *tree.Node, _ string) string { return string(rune(n.Sub)) }),
	BadEscape:          (*editing).escape,
	WrongMark:          replaced(func(e *editing, n *tree.Node, _ string) string { return e.mark(n) }),
	OpenText:           (*editing).closeText,
	MissingMark:        (*editing).insertMark,
	OpenBracket: func(e *editing, n *tree.Node, _ *span.Problem) {
		done := e.Finish(n)
		e.put(done.Tail, done.Tail, string(rune(n.Sub)))
	},
	span.InvalidUTF8: func(e *editing, n *tree.Node, _ *span.Problem) {
		s := textSpan(&n.Value)
		e.put(s.Offset, s.End(), string(bytes.ToValidUTF8(e.Window.All(s), []byte(string(utf8.RuneError)))))
	},
}

// A repair makes the splices that put a problem of a value right.
type repair func(e *editing, n *tree.Node, p *span.Problem)

// replaced is a repair that replaces the bytes of a problem.
func replaced(by func(e *editing, n *tree.Node, token string) string) repair {
	return func(e *editing, n *tree.Node, p *span.Problem) { e.put(p.Offset, p.End(), by(e, n, e.token(p))) }
}

// closeText closes a text: it inserts the quote, or doubles the backslash before it.
func (e *editing) closeText(n *tree.Node, p *span.Problem) {
	if p.Repair == doubleIt {
		at := span.Between(n.Body, n.Tail-2)
		e.put(at.Offset, at.End(), escaped(string(e.Window.All(at)))+`\`)
	} else {
		e.put(n.Tail, n.Tail, `"`)
	}
}

// token returns the text of a problem.
func (e *editing) token(p *span.Problem) string { return string(e.Window.All(p.Span)) }

// mark returns what separates a value from what is before it.
func (e *editing) mark(n *tree.Node) string {
	switch {
	case n.KeyAt != tree.Unknown:
		return strings.TrimSpace(e.colon(n))
	case n.Parent.Parent == nil:
		return "\n"
	}
	return ","
}

// insertMark inserts the separator before a value.
func (e *editing) insertMark(n *tree.Node, _ *span.Problem) {
	if c := e.Window.Byte(n.Head); n.Slot.Key && c >= '0' && c <= '9' {
		e.Keep(errInNumber)
	}
	e.put(n.Start, n.Start, e.mark(n))
}

func (e *editing) remove(_ *tree.Node, p *span.Problem) { e.put(p.Offset, p.End()) }

// removeZeros removes the zeros from a text.
func (e *editing) removeZeros(n *tree.Node, _ *span.Problem) {
	for at := n.Body; at < n.Tail; at++ {
		if e.Window.Byte(at) == 0 {
			end := skip(e.Window, at, n.Tail, isZero)
			e.put(at, end)
			at = end
		}
	}
}

// tighten writes a value so that all readers accept it, or removes a comma that some do not.
func (e *editing) tighten(n *tree.Node, p *span.Problem) {
	is := ""
	if n.Layout < tree.Sequence {
		if is = e.Respell(e.token(p)); is == "" {
			e.Keep(errors.New("there is no other way to write it"))
		}
	}
	e.put(p.Offset, p.End(), is)
}

func (e *editing) completeWord(n *tree.Node, p *span.Problem) {
	token := e.token(p)
	switch {
	case strings.Trim(token, ",;:={}[]()") == "":
		e.does = "delete it"
		e.remove(n, p)
	case e.JSON && strings.HasPrefix(token, "#") && !strings.Contains(token, `"`): // a comment, a color or a text
		e.Keep(errMeant)
	case n.Damage == nil && call().MatchString(token), n.Slot.Key && e.onOwnLine(n) && !e.beginsLine(p.Offset):
		e.Keep(errMeant)
	case n.Slot.Key && e.onOwnLine(n):
		e.divideLine(n, p.Span, token)
	default:
		is := e.complete(token)
		if word, cut := cutWords[token]; cut && p.End() == e.Window.Size() {
			is = word
		}
		if e.does = "write " + is; is == "" {
			e.does = "delete it"
		}
		e.put(p.Offset, p.End(), is)
	}
}

// otherMeaning returns the number or bool that characters are in another language; "" if they are none.
func otherMeaning(s string) string {
	switch s = strings.ToLower(s); s {
	case "yes", "on":
		return "true"
	case "no", "off":
		return "false"
	}
	digits := strings.NewReplacer("_", "", "'", "").Replace(s)
	if thousands().MatchString(s) {
		digits = strings.ReplaceAll(s, ".", "")
	}
	if isNumber(digits) {
		return digits
	}
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	if n := strings.TrimRight(digits, "dflu"); isNumber(n) {
		return n
	}
	return ""
}

// thousands matches a number with points between its thousands.
var thousands = lazy.Regexp(`^\d{1,3}(\.\d{3}){2,}$`)

func isNumber(s string) bool {
	n, _, _ := NumberLength([]byte(s))
	return n > 0 && n == len(s)
}

var errMeant = errors.New("which value is meant is not known")

// onOwnLine reports whether a value or key has its own line.
func (e *editing) onOwnLine(n *tree.Node) bool { return n.Parent != nil && e.isLines(&n.Parent.Value) }

// beginsLine reports whether there are only blanks before an offset on its line.
func (e *editing) beginsLine(off int64) bool {
	before := strings.TrimRight(e.between(max(0, off-guessed), off), " \t\r")
	return before == "" || strings.HasSuffix(before, "\n")
}

// escape puts a backslash before what needs one in a text: each quote in it, each backslash of a path of Windows, or the one
// that begins no escape.
func (e *editing) escape(n *tree.Node, p *span.Problem) {
	if p.Repair == replaceHalf {
		e.put(p.Offset, p.End(), `\ufffd`)
		return
	}
	s := textSpan(&n.Value)
	text := string(e.Window.All(s))
	if is := escaped(text); is != text {
		e.put(s.Offset, s.End(), is)
	} else {
		e.put(p.Offset, p.Offset, `\`)
	}
}

// accepted writes what an engine refuses so that it is read.
func (e *editing) accepted(n *tree.Node, p *span.Problem) {
	if token := e.token(p); strings.HasPrefix(token, `\`) {
		e.escape(n, p)
	} else {
		e.put(p.Offset, p.End(), e.Respell(token))
	}
}

var (
	escapes    = lazy.Regexp(`(?s)\\.|"`) // or a quote that should be one
	beginsPath = lazy.Regexp(`^[A-Za-z]:\\`)
)

// escaped puts a backslash before each quote within a text that has none, and doubles those of a path of Windows.
func escaped(text string) string {
	isPath := beginsPath().MatchString(text)
	return escapes().ReplaceAllStringFunc(text, func(s string) string {
		if s == `"` || isPath && s != `\\` && s != `\"` {
			return `\` + s
		}
		return s
	})
}

func (e *editing) quoteKey(n *tree.Node, _ *span.Problem) {
	n, err := e.Reader.Finish(n)
	switch {
	case err != nil || n.Layout >= tree.Sequence:
		e.Keep(errors.New("this container cannot become a key"))
	case fraction().MatchString(e.between(max(0, n.Head-2), n.Head+1)):
		e.Keep(errInNumber)
	default:
		e.put(n.Head, n.Tail, e.quote(string(e.Window.All(span.Between(n.Head, n.Tail)))))
	}
}

var errInNumber = errors.New("it may belong to the number before it, as in 1,5 or 1 000, and which is meant is not known")

// fraction matches what a number with a comma or a blank has.
var fraction = lazy.Regexp(`^\d[, ]\d$`)

// addNull puts null after a key without a value.
func (e *editing) addNull(n *tree.Node, p *span.Problem) {
	if n.Parent == nil { // the text ends there
		n = e.lastIn(n)
	}
	if e.isUnmarked(n, p.Offset) {
		e.Keep(errUnmarked)
	}
	text := e.colon(n) + "null"
	before := strings.TrimRight(e.between(max(0, p.Offset-64), p.Offset), blanks)
	switch last := before[max(0, len(before)-1):]; {
	case strings.HasSuffix(before, strings.TrimSpace(e.colon(n))):
		text = "null"
	case last >= "0" && last <= "9": // {"a": 47,84} may have a point in place of the comma
		e.Keep(errInNumber)
	}
	e.put(p.Offset, p.Offset, text)
}

// Repair implements edit.Repairer.
func (d Editor) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	e, repair := d.begin(ctx, r, edit.Options{}), repairs[p.Code]
	if repair == nil {
		return edit.Repair{}, errors.New("there is no repair for this")
	}
	repair(e, n, p)
	if e.Err != nil {
		return edit.Repair{}, e.Err
	}
	splices, err := e.Sorted()
	made := edit.Repair{Splices: splices, Remains: p.Code == span.TrailingBytes && e.isRemains(p.Span), Intended: p.Code == Comment, Does: e.does}
	if p.Code == span.TrailingBytes && !made.Remains && bytes.ContainsAny(e.Window.All(p.Span), `0123456789"`) {
		made.Loss = span.Bytes(p.Length) + " with values behind the first"
	}
	made.NameLoss(e.Window)
	return made, err
}

// divideLine puts the separator that is missing after the name into a line.
func (e *editing) divideLine(n *tree.Node, line span.Span, text string) {
	for _, mark := range []string{"//", "#", "--"} {
		if e.Comment != 0 && strings.HasPrefix(text, mark) {
			e.does = "begin the comment with " + string(rune(e.Comment))
			e.put(line.Offset, line.Offset+int64(len(mark)), string(rune(e.Comment)))
			return
		}
	}
	e.does = "insert the separator"
	at := line.Offset + int64(len(strings.TrimRight(text[:nameLen(text)], ":")))
	end := skip(e.Window, at, line.End(), beforeLineValue)
	e.put(at, end, e.colon(n))
	if end == line.End() {
		e.put(end, end, "null")
	}
}

// beforeLineValue has what people write between a name and a value on its line besides the separator.
var beforeLineValue = ClassOf(" \t:")

// isRemains reports whether bytes behind the value are the end of an older, longer text that it was written over: they
// close brackets that they do not open, and are fewer than half of it. More of them may be what a bracket too many has cut off.
func (e *editing) isRemains(s span.Span) bool {
	if e.Refused == "" || s.Length > source.MaxView || 2*s.Length > s.Offset-e.Reader.Tree.Region.Offset {
		return false
	}
	open, inText := 0, false
	b := e.Window.View(s.Offset, s.Length)
	if b[0] == ',' { // a list goes on
		return false
	}
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\\':
			i++
		case b[i] == '"':
			inText = !inText
		case inText:
		case isClosing(b[i]):
			open--
		case b[i] == '{' || b[i] == '[':
			open++
		}
	}
	return open < 0 || inText // its first quote was written over
}

// quote returns the token of a text.
func (e *editing) quote(s string) string {
	return string(e.Encode(Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: []byte(s)}, nil))
}

// complete returns what characters that are not a value were meant to be: a word that is cut, a text
// without one or both of its quotes, or nothing.
func (e *editing) complete(s string) string {
	if s = strings.ReplaceAll(s, "\x00", ""); s == "" {
		return ""
	}
	if other := otherMeaning(s); other != "" {
		e.Keep(fmt.Errorf("it may be %s or the text %s, and which is meant is not known", other, e.quote(s)))
		return ""
	}
	if word := nearestWord(s); word != "" && e.JSON || strings.HasPrefix(word, strings.ToLower(s)) {
		return word
	}
	if n := strings.TrimRight(s, "+-.eE"); n != "" && n != s && isDecimal([]byte(n)) {
		return n
	}
	if strings.Trim(s, ",:[]{}") == "" {
		return ""
	}
	switch isCall := call().MatchString(s); {
	case isCall && !e.JSON && !strings.HasSuffix(s, ")"):
		return s + ")"
	case isCall:
		e.Keep(errMeant)
		return ""
	case slices.Contains([]string{"none", "nil", "undefined"}, strings.ToLower(s)): // in other languages
		return "null"
	}
	return e.quote(unquoted(s))
}

// call matches the beginning of a value that is written as a call.
var call = lazy.Regexp(`^\w+\(`)

// words are the values that are words.
var words = []string{"true", "false", "null"}

// cutWords are what becomes of the first letters of values that the end of a file has left: of a number, nothing is known.
var cutWords = map[string]string{"t": "true", "f": "false", "n": "null", "-": "null"}

// nearestWord returns the word that a damaged one was, of which up to two characters are wrong, missing or surplus; "" if it
// is none of them, or may be two.
func nearestWord(s string) (nearest string) {
	const most, long = 2, 8
	if s = strings.ToLower(s); len(s) < 2 || len(s) > long {
		return ""
	}
	least := most + 1
	for _, word := range words {
		if strings.HasPrefix(word, s) {
			return word
		}
		switch n := distance(s, word); {
		case n < least:
			nearest, least = word, n
		case n == least:
			nearest = ""
		}
	}
	return nearest
}

// distance returns how many characters have to be replaced, inserted or deleted to make one text the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			here := before
			if a[i] != b[j] {
				here = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], here
		}
	}
	return row[len(b)]
}

// unquoted returns a text without its quotes, of which one may have become another character.
func unquoted(s string) string {
	isQuote := func(c rune) bool { return strings.ContainsRune(`"'“”„‘’`, c) }
	isDamaged := func(c rune) bool { return c < ' ' || c == utf8.RuneError || strings.ContainsRune("#&*", c) }
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	begins, ends := isQuote(first), isQuote(last)
	s = strings.TrimFunc(s, isQuote)
	if ends && !begins {
		s = strings.TrimLeftFunc(s, isDamaged)
	} else if begins && !ends {
		s = strings.TrimRightFunc(s, isDamaged)
	}
	return s
}

// colon returns what is between the key and the value of a child.
func (e *editing) colon(n *tree.Node) string {
	if n.Parent != nil {
		if s := e.separators(&n.Parent.Value); s != nil && s.Layout.Colon != "" {
			return s.Layout.Colon
		}
	}
	return ": "
}

var errUnmarked = errors.New("the separator is missing, which has to be inserted first")

// isUnmarked reports whether a value has its own line, where the separator before offset at is missing.
func (e *editing) isUnmarked(n *tree.Node, at int64) bool {
	if !e.onOwnLine(n) {
		return false
	}
	start := n.KeyAt
	if n.Slot.Key {
		start = n.Start
	}
	before := strings.TrimRight(e.between(max(0, at-guessed, start), at), blanks)
	return !strings.Contains(before[strings.LastIndexByte(before, '\n')+1:], strings.TrimSpace(e.colon(n)))
}

// nameLen returns the length of the name at the start of a line, after which the separator is missing.
func nameLen(line string) int {
	if n := strings.IndexAny(line, " \t\"[{"); n > 0 {
		return n
	}
	return len(line)
}

// openText matches a text without its closing quote.
var openText = lazy.Regexp(`(?s)^"(\\.|[^"\\])*\\?$`)

// brackets returns what closes a container in which the text ends, and all around it.
func brackets(c *tree.Node) string {
	var b strings.Builder
	for ; c.Parent != nil; c = c.Parent {
		if c.Layout >= tree.Sequence && c.Sub != 0 {
			b.WriteByte(byte(c.Sub))
		}
	}
	return b.String()
}

// close closes everything that is open where the text ends, from the innermost value outwards.
func (e *editing) close(n *tree.Node, _ *span.Problem) {
	last := e.lastIn(n)
	done, text := e.Finish(last), ""
	at := done.End
	switch {
	case done.Layout >= tree.Sequence:
		at = done.Body
	case done.Damage != nil && done.Damage.Code == span.Truncated:
		if e.isUnmarked(last, at) {
			e.Keep(errUnmarked)
		}
		text = "null"
	}
	text, at, isOpen := e.closing(last, text, at)
	if strings.Contains(text, "null") {
		e.does = "close what is open, with null as the value that is missing"
	}
	if isOpen || done.Flags&Unclosed != 0 {
		e.Keep(errors.New("the quote is missing, which has to be inserted first"))
	} else if text == "" {
		e.Keep(errors.New("nothing is open here"))
	}
	e.put(at, e.endOfMarks(at), text)
}

// lastIn returns the value that is last in n, or n itself.
func (e *editing) lastIn(n *tree.Node) *tree.Node {
	for n.Layout >= tree.Sequence {
		c, err := e.Reader.LastChild(n)
		if errors.Is(err, tree.ErrNoChild) || !e.Keep(err) {
			break
		}
		n = c
	}
	return n
}

// closing returns text with the brackets that are missing after a value, which ends at an offset, and where they are
// missing; or that a quote is missing there.
func (e *editing) closing(last *tree.Node, text string, at int64) (_ string, end int64, isOpen bool) {
	for c := last; c.Parent != nil; c = c.Parent {
		v := e.Finish(c)
		from := max(at, v.Body)
		at = max(at, v.Tail)
		if v.Layout < tree.Sequence || !v.Open {
			continue
		}
		if c.Layout == tree.Pairs && text == "" {
			key := strings.TrimLeft(e.between(from, at), blanks+",")
			if isOpen = openText().MatchString(key); key != "" {
				text = ": null" // the text ends after a key
			}
		}
		return text + brackets(c), at, isOpen
	}
	return text, at, false
}

var marksBetween = ClassOf(blanks + ",:")

// endOfMarks returns the end of the separator at the end of the text, which has nothing after it.
func (e *editing) endOfMarks(at int64) int64 {
	limit := e.Reader.Tree.Region.End()
	end := e.skip(e.Window, at, limit, marksBetween)
	if end < limit && !isEnd(e.Window, end, limit) {
		end = at
	}
	for end > at && isBlank[e.Window.Byte(end-1)] {
		end--
	}
	return end
}
