package hidden

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"unicode"
	"unicode/utf8"

	"varview/decoder/engine/lazy"
)

// The fewest characters that can hold anything useful.
const (
	leastBase64 = 16
	leastHex    = 24
	LeastText   = 12
)

// usualWord is the number of digits between blanks above which a text may be lines of base64. Lines of
// equal length may be shorter.
const usualWord = 12

// bytesCall matches bytes in the notation of var_to_str, as base64 digits.
var bytesCall = lazy.Regexp(`ByteArray\s*\(\s*"([A-Za-z0-9+/=\s]{16,})`)

// Lists calls each with the bytes that a text holds as a list of numbers, or as an array of bytes in the
// notation of var_to_str.
func Lists(b []byte, each func(Content)) {
	if bytes.Contains(b, []byte("ByteArray")) {
		for _, m := range bytesCall().FindAllSubmatch(b, -1) {
			inBase64(m[1], each)
		}
	}
	inNumbers(b, each)
}

// numberAt returns the end of the digits at a place, and their number, which is at most 65536.
func numberAt(b []byte, at int) (end, n int) {
	for end = at; end < len(b) && b[end] >= '0' && b[end] <= '9'; end++ {
		n = min(n*10+int(b[end]-'0'), 1<<16)
	}
	return end, n
}

// inNumbers decodes runs of numbers of one byte, with commas or blanks between them.
func inNumbers(b []byte, each func(Content)) {
	var out []byte
	flush := func() {
		if len(out) >= LeastText {
			each(Content{"list of bytes", out, nil})
			out = nil
		}
		out = out[:0]
	}
	for at := 0; at < len(b); {
		switch c := b[at]; {
		case c >= '0' && c <= '9':
			from := at
			var n int
			at, n = numberAt(b, at)
			if n > 0xff || at < len(b) && b[at] == '.' || from > 0 && (b[from-1] == '.' || b[from-1] == '-') {
				flush()
				continue
			}
			out = append(out, byte(n))
		case isBlank(c) || c == ',':
			at++
		default:
			flush()
			at++
		}
	}
	flush()
}

// Digits calls each with the bytes that a text holds as digits: base64, hexadecimal, or a list of bytes
// in the notation of var_to_str.
func Digits(b []byte, each func(Content)) {
	inBase64(b, each)
	inHex(b, each)
	inNumbers(b, each)
}

// inBase64 decodes words of base64 digits, and all words together if they are long, or of one length
// except the last.
func inBase64(b []byte, each func(Content)) {
	from, words, digits := 0, 0, 0 // of words that may belong together
	longest, last := 0, 0
	for at := 0; at <= len(b); {
		n := 0
		for at+n < len(b) && isBase64(b[at+n]) {
			n++
		}
		if n > 0 {
			words, digits = words+1, digits+n
			longest, last = max(longest, n), n
		}
		if n >= leastBase64 {
			inWord(b[at:at+n], each)
		}
		if at += n; at == len(b) || !isBlank(b[at]) && b[at] != '=' {
			isRegular := digits == longest*(words-1)+last && longest >= 4
			if words > 1 && digits >= leastBase64 && (isRegular || digits >= words*usualWord) {
				inWord(bytes.Join(bytes.FieldsFunc(b[from:at], func(r rune) bool { return r > 0x7f || !isBase64(byte(r)) }), nil), each)
			}
			from, words, digits, longest = at+1, 0, 0, 0
		}
		at++
	}
}

// inWord decodes a word of base64 digits. A word with the digits for URLs that has letters of only one
// case is a name made of several words and not bytes.
func inWord(word []byte, each func(Content)) {
	isForURL := func(r rune) bool { return r == '-' || r == '_' }
	switch {
	case !bytes.ContainsFunc(word, isForURL):
		base64Of(word, each)
	case bytes.ContainsFunc(word, unicode.IsUpper) && bytes.ContainsFunc(word, unicode.IsLower):
		base64Of(bytes.ReplaceAll(bytes.ReplaceAll(word, []byte("-"), []byte("+")), []byte("_"), []byte("/")), each)
	default:
		for _, part := range bytes.FieldsFunc(word, isForURL) {
			if len(part) >= leastBase64 {
				base64Of(part, each)
			}
		}
	}
}

// base64Of decodes a word of base64 digits. If it begins with other letters, such as the name of a key,
// its first group begins later.
func base64Of(word []byte, each func(Content)) {
	for skip := range min(4, len(word)) {
		digits := word[skip:]
		if len(digits)%4 == 1 {
			digits = digits[:len(digits)-1]
		}
		out := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
		if n, err := base64.RawStdEncoding.Decode(out, digits); err == nil {
			each(Content{"base64", out[:n], nil})
		}
	}
}

// inHex decodes runs of hexadecimal digits, with the separators used in lists and dumps.
func inHex(b []byte, each func(Content)) {
	from, n := 0, 0
	flush := func(upTo int) {
		if n >= leastHex {
			digits := make([]byte, 0, n)
			hexDigits(b[from:upTo], func(c byte) { digits = append(digits, c) })
			for skip := range 2 {
				d := digits[skip:]
				out := make([]byte, len(d)/2)
				hex.Decode(out, d[:len(d)&^1])
				each(Content{"hex", out, nil})
			}
		}
		from, n = upTo+1, 0
	}
	for from < len(b) {
		flush(from + hexDigits(b[from:], func(byte) { n++ }))
	}
}

// hexDigits calls each with the hexadecimal digits at the beginning of b, and returns where they and
// their separators end.
func hexDigits(b []byte, each func(byte)) int {
	for at := 0; at < len(b); at++ {
		switch c := b[at]; {
		case (c == '0' || c == '\\') && at+1 < len(b) && (b[at+1]|0x20) == 'x':
			at++
		case isHex(c):
			each(c)
		case isBlank(c), c == ',', c == ':', c == ';', c == '-':
		default:
			return at
		}
	}
	return len(b)
}

func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}
func isHex(c byte) bool   { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// Unescaped returns a text with its JSON or GDScript escapes replaced by the characters; nil if it has
// none.
func Unescaped(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return nil
	}
	plain := [256]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'a': '\a', 'v': '\v'}
	digits := [256]int{'u': 4, 'U': 6, 'x': 2}
	out := make([]byte, 0, len(b))
	for at := 0; at < len(b); at++ {
		c := b[at]
		if c != '\\' || at+1 == len(b) {
			out = append(out, c)
			continue
		}
		at++
		c = b[at]
		if n := digits[c]; n > 0 {
			if code, err := strconv.ParseUint(string(b[at+1:min(at+1+n, len(b))]), 16, 32); err == nil {
				out = utf8.AppendRune(out, rune(code))
				at += n
				continue
			}
		}
		out = append(out, cmp.Or(plain[c], c))
	}
	return out
}

// IsText reports whether all of b is text.
func IsText(b []byte) bool {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return utf8.Valid(b[i:]) && !bytes.ContainsFunc(b[i:], isControl)
		}
		if isControl(rune(c)) {
			return false
		}
	}
	return true
}

func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' }

// Texts calls each with the runs of text in bytes that are long enough to be useful.
func Texts(b []byte, each func([]byte)) {
	begin := 0
	for at := 0; at <= len(b); at++ {
		if at < len(b) && !isControl(rune(b[at])) && b[at] < 0x7f {
			continue
		}
		if at-begin >= LeastText {
			each(b[begin:at])
		}
		begin = at + 1
	}
}

// Wide calls each with the runs of text in bytes with two or four bytes for each character, in either
// byte order. Characters beyond ASCII become '?'.
func Wide(b []byte, each func([]byte)) {
	var text []byte
	for _, size := range []int{2, 4} {
		for from := range min(size, len(b)-size*(LeastText-1)) { // the last character may lack bytes
			ascii := 0
			text = text[:0]
			for at := from; at < len(b)+size; at += size {
				c := character(b[min(at, len(b)):], size)
				switch {
				case ascii == 0 && (c >= utf8.RuneSelf || isControl(c)):
					continue
				case c < utf8.RuneSelf && !isControl(c):
					text = append(text, byte(c))
					ascii++
					continue
				case utf8.ValidRune(c) && !isControl(c):
					text = append(text, '?')
					continue
				}
				if ascii >= LeastText {
					each(text)
				}
				text, ascii = text[:0], 0
			}
		}
	}
}

// character returns the character at the start of bytes with some for each; those that are missing count as zeros.
func character(b []byte, size int) (c rune) {
	switch {
	case size == 2 && len(b) >= 2:
		return rune(binary.LittleEndian.Uint16(b))
	case size == 4 && len(b) >= 4:
		return rune(binary.LittleEndian.Uint32(b))
	}
	for i, x := range b[:min(size, len(b))] {
		c |= rune(x) << (8 * i)
	}
	return c
}
