package textual

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// LooksLikeText reports whether the beginning of a file could be text, perhaps damaged: hardly any of its
// bytes are control characters, and most others are UTF-8. Zeros at the end do not count, nor do blocks of them. TOML is another language.
func LooksLikeText(b []byte) bool {
	b = bytes.TrimRight(b, "\x00")
	if IsTOML(b) {
		return false
	}
	const most = 16 // one in this many
	odd := 0
	for i := 0; i < len(b) && odd*most <= len(b)+most; {
		if b[i] >= ' ' && b[i] < utf8.RuneSelf {
			i++
			continue
		}
		if zeros := len(b) - i - len(bytes.TrimLeft(b[i:], "\x00")); zeros >= source.LeastZeroed {
			i += zeros
			continue
		}
		c, size := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && size == 1 || c < ' ' && !isBlank[byte(c)] {
			odd++
		}
		i += size
	}
	return odd*most <= len(b)+most
}

// tomlOnly matches what TOML has of all that is like INI: a table in a list, with a key below it; a text in three quotes, and keys in braces.
var tomlOnly = lazy.Regexp(`(?m)^[ \t]*(?:\[\[[\w."\- ]+\]\][ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*["\w.\-]+[ \t]*=|["\w.\-]+[ \t]*=[ \t]*(?:"""|\'\'\'|\{[ \t]*["\w.\-]+[ \t]*=[^=]))`)

// IsTOML reports whether the beginning of a text is TOML, and nothing else.
func IsTOML(b []byte) bool {
	hasSign := func(sign string) bool { return bytes.Contains(b, []byte(sign)) }
	return slices.ContainsFunc([]string{"[[", `"""`, "'''", "{"}, hasSign) && tomlOnly().Match(b)
}

// IsConflictMark reports whether a line is one of those with which git divides the sides of a merge.
func IsConflictMark(line []byte) bool {
	return len(line) >= 7 && strings.IndexByte("<|=>", line[0]) >= 0 && bytes.Count(line[:7], line[:1]) == 7 && (len(line) == 7 || isBlank[line[7]])
}

// CommentLength returns the length of the comment, as other languages have them, or of the mark of a conflict that begins b; 0 if none
// does. What has no blank after # may be a colour or begin with a damaged quote.
func CommentLength(b []byte) int {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	isLine := bytes.HasPrefix(b, []byte("//")) || bytes.HasPrefix(b, []byte("#")) && (len(line) == 1 || line[1] == '#' || isBlank[line[1]]) && bytes.Count(line, []byte{'"'})%2 == 0
	switch end := bytes.Index(b, []byte("*/")); {
	case isLine, IsConflictMark(line):
		return len(bytes.TrimRight(line, "\r"))
	case bytes.HasPrefix(b, []byte("/*")) && end >= 2:
		return end + 2
	}
	return 0
}

// inParentheses matches parentheses that are closed on their line, with others in them.
var inParentheses = lazy.Regexp(`^\(([^()"\n]|\([^()"\n]*\))*\)`)

// Junk returns the length of what is no value at the start of a text, up to a byte that may follow a value and is not in parentheses.
func Junk(b []byte, ends string) int {
	n := 0
	for n < len(b) && strings.IndexByte(ends, b[n]) < 0 {
		within := 0
		if b[n] == '(' {
			within = len(inParentheses().Find(b[n:]))
		}
		n += max(1, within)
	}
	if b[0] == 0 {
		return len(b) - len(bytes.TrimLeft(b, "\x00"))
	}
	return max(1, len(bytes.TrimRight(b[:n], " \t\r")))
}

// Unescape appends what a text with escapes means. letters are those that may follow a backslash, besides u. bad is the
// first escape that the format does not have, -1 for none: there the backslash stands for itself, or if the format is
// loose, the letter.
func Unescape(dst, text []byte, letters string, loose bool) (_ []byte, bad int) {
	bad = -1
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\\')
		if n < 0 {
			return append(dst, text[at:]...), bad
		}
		dst, at = append(dst, text[at:at+n]...), at+n
		size, ok := appendUnescaped(&dst, text[at:], letters)
		if !ok && bad < 0 && !loose {
			bad = at
		}
		if at += size; size == 1 && loose && at < len(text) {
			dst[len(dst)-1] = text[at]
			at++
		}
	}
}

// appendUnescaped appends what the escape at the start of b means, and returns its length. If the format has no such
// escape, the backslash stands for itself.
func appendUnescaped(dst *[]byte, b []byte, letters string) (size int, ok bool) {
	const longest, unit = len(`\ud83d\ude00`), len(`\ud83d`)
	if len(b) > 1 && (b[1] == 'u' || strings.IndexByte(letters, b[1]) >= 0) {
		if more, size, err := notation.Unescape(*dst, string(b[:min(longest, len(b))])); err == nil {
			*dst = more
			return size, true
		}
	}
	if len(b) >= unit && b[1] == 'u' {
		if u, err := strconv.ParseUint(string(b[2:unit]), 16, 16); err == nil { // half of a surrogate pair
			*dst = append(*dst, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0xbf, 0x80|byte(u)&0xbf)
			return unit, false
		}
	}
	*dst = append(*dst, b[0])
	return 1, false
}

// A Character is one of a text, or a byte that belongs to none.
type Character struct {
	Rune    rune // the byte, if it is Invalid
	Invalid bool
}

// Characters returns the characters of a text.
func Characters(b []byte) iter.Seq2[int, Character] {
	return func(yield func(int, Character) bool) {
		for i := 0; i < len(b); {
			c, size := utf8.DecodeRune(b[i:])
			x := Character{c, c == utf8.RuneError && size == 1}
			if x.Invalid {
				x.Rune = rune(b[i])
			}
			if !yield(i, x) {
				return
			}
			i += size
		}
	}
}

// A format of lines has no brackets, quotes or separators: each line is a value, without the line end, which is a field
// of the next one. Zeros at the end of the file belong to no line.

// lineEnd returns the length of the line end at an offset; 0 if there is none.
func lineEnd(w *source.Window, at int64) int64 {
	switch b := w.View(at, 2); {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case string(b) == "\r\n":
		return 2
	}
	return 0
}

// readLine reads the line that begins at v.Head.
func (r *Reading) readLine(w *source.Window, v *tree.Value) {
	at := v.Head
	for at < v.Limit {
		b := w.View(at, v.Limit-at)
		n := bytes.IndexByte(b, '\n')
		isLast := n >= 0 || len(b) == 0
		if n < 0 {
			n = len(b)
		}
		for _, c := range b[:n] {
			v.Flags |= flagOf(c) & Foreign
		}
		if at += int64(n); isLast {
			break
		}
	}
	if at < v.Limit {
		if at > v.Head && w.Byte(at-1) == '\r' {
			at--
		}
	} else {
		for at > v.Head && w.Byte(at-1) == 0 {
			at--
		}
	}
	isText := true
	if v.Type, isText = r.Line(w.View(v.Head, at-v.Head)); isText {
		v.Flags |= Quoted | Bare
	}
	v.Close(at)
}

// passLine passes the line end at p.At and the line behind it, which must not be the last: zeros may be all that follows.
func (r *Reading) passLine(p *Passer) int {
	rest := bytes.TrimPrefix(p.B[p.At:], []byte("\r"))
	n := bytes.IndexByte(rest[min(1, len(rest)):], '\n')
	if p.S.Next.Index == 0 || len(rest) == 0 || rest[0] != '\n' || n < 0 {
		return -1
	}
	line := bytes.TrimSuffix(rest[1:1+n], []byte("\r"))
	for _, c := range line {
		if c == 0 || c >= utf8.RuneSelf {
			return -1
		}
	}
	from := len(p.B) - len(rest) + 1
	end := from + len(line)
	p.Compare(from, end)
	if p.S.LeastContent > 0 {
		if _, isText := r.Line(line); isText {
			p.Content(from, end)
		}
	}
	return end
}

// like returns the line before a new one, or the one after it; nil if there is none.
func (e *editing) like(in *tree.Node, index int64) []byte {
	c, err := e.Reader.Child(in, max(0, index-1))
	if e.Line == nil || err != nil {
		return nil
	}
	return e.Window.All(span.Between(c.Head, c.Tail))
}
