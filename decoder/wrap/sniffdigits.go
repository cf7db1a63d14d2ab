package wrap

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/span"
)

// What a text with wrong characters has to be to count as digits all the same.
const (
	damagedLeast = 16 // fewest digits and wrong characters
	damagedRatio = 50 // so many of them have one wrong character
	damagedStart = 64 // so many characters at the start have two wrong ones at most: else a text begins there
	longWord     = 16 // base64: fewest digits between two blanks, on average, that are no prose
	fewUpper     = 5  // base64: so many digits have one in A to Z; usual are 2 of 5
)

// fewWrong reports whether a text of so many characters, wrong ones among them,
// is nearly all digits.
func fewWrong(wrong, all int) bool {
	return all >= damagedLeast && wrong <= max(1, all/damagedRatio)
}

// hasControls reports whether bytes are among head that text does not have.
func hasControls(head []byte) bool {
	return bytes.ContainsFunc(head, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
	})
}

// base64Count counts the characters of a text by what they are in base64.
type base64Count struct {
	digits int
	upper  int // digits A to Z that do not begin a word
	wrong  int
	words  int // with blanks between
	pad    int
	inside bool // padding that digits follow
}

func countBase64(head []byte) (c base64Count) {
	blank := true
	for _, b := range head {
		was := blank
		blank = base64Chars[b] == charBlank
		switch {
		case blank:
			continue
		case b == '=' && c.digits > 0 && c.pad < 2:
			c.pad++
			continue
		case base64Chars[b] == charDigit:
			c.digits++
			if b >= 'A' && b <= 'Z' && !was {
				c.upper++
			}
		default:
			c.wrong++
		}
		if was {
			c.words++
		}
		c.inside = c.inside || c.pad > 0
	}
	return c
}

// sniffBase64 reports whether a text, or its beginning, is base64 of at least
// two bytes, damaged or not.
func sniffBase64(head []byte, whole bool) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	if whole {
		head = bytes.TrimSuffix(trimStrays(head), []byte("==="))
	}
	c := countBase64(head)
	if c.digits < 3 || c.inside || base64Chars[head[0]] != charDigit {
		return false
	}
	long, mixed := c.words == 1 || c.words*longWord <= c.digits, c.upper*fewUpper >= c.digits
	full := !whole && c.pad == 0 || c.digits%4 != 1 && (c.pad == 0 || (c.digits+c.pad)%4 == 0)
	if c.wrong == 0 && full {
		return long || mixed
	}
	if c.wrong == 0 && long && mixed && c.digits > 3 { // cut, or with a digit too many
		return true
	}
	start := countBase64(head[:min(len(head), damagedStart)])
	return long && mixed && start.wrong <= 2 && fewWrong(c.wrong, c.digits+c.wrong) && !hasControls(head)
}

// mostStrays is how many bytes that are no text may follow a base64 text.
const mostStrays = 4

// trimStrays is a text without what a program may have left behind its end: a few
// bytes that are no text.
func trimStrays(text []byte) []byte {
	from := len(text)
	for from > 0 && len(text)-from < mostStrays {
		c := text[from-1]
		if c != 0 && c < 0x80 {
			break
		}
		from--
	}
	return text[:from]
}

// sniffHex reports whether a text, or its beginning, is hexadecimal digits of at
// least two bytes, damaged or not.
func sniffHex(head []byte, whole bool) bool {
	x := newLexer(source.NewWindow(source.Bytes(head)), Hex, span.Between(0, int64(len(head))))
	if !whole {
		head = head[:x.lastWhole(head)]
	}
	digits, wrong := 0, 0
	rest := head
	for off := int64(0); len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		runs := x.lex(nil, rest[:n], off)
		digits += countDigits(runs)
		if wrong += countWrong(runs); wrong > max(1, len(head)/damagedRatio) {
			return false
		}
		rest = rest[n:]
		off += int64(n)
	}
	if wrong == 0 {
		return digits >= 4
	}
	return fewWrong(wrong, digits+wrong) && !hasControls(head) && (x.form != formPlain || x.looksHex(head))
}

// looksHex reports whether a text with wrong characters begins with digits, and
// is more than decimal numbers.
func (x *lexer) looksHex(head []byte) bool {
	start := x.lex(nil, head[:min(len(head), damagedStart)], 0)
	return countWrong(start) <= 2 && bytes.ContainsAny(head, "abcdefABCDEF")
}

// countWrong is how many characters are neither digits nor text.
func countWrong(runs []run) (n int) {
	for _, r := range runs {
		if classKinds[r.class] == span.Gap {
			n += r.n
		}
	}
	return n
}
