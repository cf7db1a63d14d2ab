package textual

import (
	"bytes"
	"math/bits"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// Slips implements diagnose.Text: brackets and quotes that may be missing beside existing ones, brackets, quotes, separators
// and what is no part of a value that may be surplus, and marks of which one bit was changed.
func (r *Reading) Slips(w *source.Window, from, to int64, most int, try func(source.Splice) bool) {
	opening, closing, marks := `[{"`, `]}"`, ",:[]{}"
	if !r.JSON {
		opening, closing, marks = `[{("`, `]})"`, ",:[]{}()="
	}
	to = min(skip(w, to, w.Size(), betweenAll)+1, w.Size())
	b := r.beforeRecord(w, from, bytes.Clone(w.View(from, to-from)))
	text := tokens{b, ClassOf(marks), inTexts(b)}
	more := true
	put := func(at, length int, s string) {
		more = more && try(source.Put(from+int64(at), int64(length), []byte(s)))
	}
	for i := len(b) - 1; i >= 0 && more; i-- {
		if most > 1 {
			text.surplus(i, most, put)
			continue
		}
		if b[i] == '"' && i > 0 && b[i-1] == '\\' {
			put(i, 0, `\`)
		}
		isSeparator := b[i] == ',' || b[i] == ':' || isBlank[b[i]]
		for j := range closing {
			if !isSeparator && text.ends(i) && (closing[j] != '"' || b[i] != '"') {
				put(i+1, 0, closing[j:j+1])
			}
		}
		text.change(i, marks+`"`, put)
		isQuote := w.Byte(max(0, from+int64(i)-1)) == '"'
		for j := range opening {
			if !isSeparator && text.mayOpen(i, opening[j], closing[j]) && (opening[j] != '"' || !isQuote) {
				put(i, 0, opening[j:j+1])
			}
		}
	}
}

// beforeRecord returns the bytes at an offset up to a line that is a value by itself, which no change makes a part of another one.
func (r *Reading) beforeRecord(w *source.Window, from int64, b []byte) []byte {
	for i, c := range b {
		if c == '\n' && i+1 < len(b) && r.beginsRecord(w, &tree.Value{Limit: w.Size()}, from+int64(i)+1) {
			return b[:i]
		}
	}
	return b
}

// mayOpen reports whether a bracket or quote may be missing before a byte.
func (t *tokens) mayOpen(i int, opening, closing byte) bool {
	return t.begins(i) && (!isClosing(t.b[i]) || t.b[i] == closing) && (opening != '[' || t.mayBeHeader(i))
}

// surplus puts nothing in place of two or more bytes from one on that may be surplus.
func (t *tokens) surplus(i, most int, put func(at, length int, s string)) {
	for n := 2; n <= most && i+n <= len(t.b); n++ {
		isText := t.b[i] == '"' && t.b[i+n-1] == '"'
		isPart := i+n < len(t.b) && isWordByte(t.b[i+n-1]) && isWordByte(t.b[i+n]) // of a word
		if t.isOdd(i, n) && !isPart && !isText && !t.joins(i, n) && bytes.IndexByte(t.b[i:i+n], '\n') < 0 {
			put(i, n, "")
		}
	}
}

// change puts in place of a byte nothing, if it may be surplus, and each mark of which it may be a changed one.
func (t *tokens) change(i int, marks string, put func(at, length int, s string)) {
	c := t.b[i]
	if c == ',' && t.joins(i, 1) {
		put(i, 1, ".")
	}
	if c == '"' || !t.isInText[i] && !isBlank[c] && (t.isMark[c] || !isWordByte(c)) {
		put(i, 1, "")
	}
	if t.divides(i) || !t.isEdge(i-1) && !t.isEdge(i+1) {
		return
	}
	for _, m := range []byte(marks) {
		if bits.OnesCount8(m^c) == 1 && (m != '=' || t.isEdge(i-1) == t.isEdge(i+1)) {
			put(i, 1, string(rune(m)))
		}
	}
}

// mayBeHeader reports whether what begins at a byte may be a section without its opening bracket, if it begins a line.
func (t *tokens) mayBeHeader(i int) bool {
	line, _, _ := bytes.Cut(t.b[i:], []byte("\n"))
	isStart := i > 0 && t.b[i-1] == '\n'
	return !isStart || bytes.IndexByte(line, '[') < 0 && bytes.HasSuffix(bytes.TrimRight(line, " \t\r"), []byte("]"))
}

// joins reports whether n bytes stand between two digits.
func (t *tokens) joins(i, n int) bool {
	isDigit := func(i int) bool { return i >= 0 && i < len(t.b) && t.b[i] >= '0' && t.b[i] <= '9' }
	return isDigit(i-1) && isDigit(i+n)
}

// tokens say where a token may begin or end in a text, which has marks beside blank space.
type tokens struct {
	b        []byte
	isMark   *Class
	isInText []bool
}

// isOdd reports whether n bytes may be surplus: there is a mark, a quote or a byte among them that no word has.
func (t *tokens) isOdd(i, n int) bool {
	return slices.ContainsFunc(t.b[i:i+n], func(c byte) bool { return !isWordByte(c) && !isBlank[c] })
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c == '-' || c == '+' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func (t *tokens) begins(i int) bool { return !t.isInText[i] && (t.divides(i) || t.isEdge(i-1)) }

func (t *tokens) ends(i int) bool { return !t.isInText[i+1] && (t.divides(i) || t.isEdge(i+1)) }

// divides reports whether a byte is a token of its own, or a quote.
func (t *tokens) divides(i int) bool { return t.b[i] == '"' || t.isMark[t.b[i]] }

// isEdge reports whether a token beside the byte cannot go on there.
func (t *tokens) isEdge(i int) bool {
	return i < 0 || i == len(t.b) || isBlank[t.b[i]] || t.isMark[t.b[i]]
}

// inTexts returns which bytes, and whether what follows them, are in quotes.
func inTexts(b []byte) []bool {
	is, inText := make([]bool, len(b)+1), false
	for i := 0; i < len(b); i++ {
		is[i] = inText
		switch {
		case b[i] == '\\' && inText && i+1 < len(b):
			i++
			is[i] = true
		case b[i] == '"':
			inText = !inText
		}
	}
	return is
}
