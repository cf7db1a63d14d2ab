package text

import (
	"bytes"
	"encoding/base64"

	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

const (
	longWord   = 16 // fewest digits between two blanks, on average, that are not prose
	fewUpper   = 5  // digits for each one in A to Z; usually these are 2 of 5
	mostStrays = 4  // bytes that are not text and may follow a text
)

// Sniff implements layer.Kind.
func (kind) Sniff(s *layer.Sample) bool { return isBase64(s.Head, s.Whole) || startsBase64(s.Head) }

// count counts the characters of a text by their meaning in base64.
type count struct {
	digits int
	upper  int // digits A to Z that do not begin a word
	wrong  int
	words  int // with blanks between
	pad    int
	inside bool // padding that digits follow
}

func countChars(head []byte) (c count) {
	blank := true
	for _, b := range head {
		was := blank
		blank = digits.Base64Chars[b] == digits.CharBlank
		switch {
		case blank:
			continue
		case b == '=' && c.digits > 0 && c.pad < 2:
			c.pad++
			continue
		case digits.Base64Chars[b] == digits.CharDigit:
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

// isBase64 reports whether a text, or its beginning, is base64 of at least
// two bytes, damaged or not.
func isBase64(head []byte, whole bool) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(digits.ByteOrderMark)), " \t\r\n")
	if whole {
		head = bytes.TrimSuffix(trimStrays(head), []byte("==="))
	}
	c := countChars(head)
	if c.digits < 3 || c.inside || digits.Base64Chars[head[0]] != digits.CharDigit {
		return false
	}
	long, mixed := c.words == 1 || c.words*longWord <= c.digits, c.upper*fewUpper >= c.digits
	full := !whole && c.pad == 0 || c.digits%4 != 1 && (c.pad == 0 || (c.digits+c.pad)%4 == 0)
	if c.wrong == 0 && full {
		return long || mixed
	}
	if c.wrong == 0 && long && mixed && c.digits > 3 { // cut off, or with a surplus digit
		return true
	}
	start := countChars(head[:min(len(head), digits.DamagedStart)])
	return long && mixed && start.wrong <= 2 && digits.AreFew(c.wrong, c.digits+c.wrong) && !digits.HasControls(head)
}

// trimStrays returns a text without what a program may have left after its end: a few bytes
// that are not text.
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

// startsBase64 reports whether head begins with base64 digits that hold a save, or that are
// nearly all of head; what follows them may be anything.
func startsBase64(head []byte) bool {
	n := bytes.IndexFunc(head, func(r rune) bool {
		return r >= 0x80 || r != '=' && digits.Base64Chars[r] != digits.CharDigit && digits.Base64Chars[r] != digits.CharBlank
	})
	if n < 0 {
		n = len(head)
	}
	first, _, _ := bytes.Cut(head[:n], []byte("="))
	c := countChars(first)
	if c.digits < digits.LeastStart || c.words*longWord > c.digits {
		return false
	}
	held := make([]byte, len(first))
	got, _ := base64.RawStdEncoding.Decode(held, bytes.Join(bytes.Fields(first), nil))
	return digits.LooksSaved(held[:got]) || n >= len(head)/10*9 && c.upper*fewUpper >= c.digits
}
