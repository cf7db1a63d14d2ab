package digits

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/gcpf"
	"varview/decoder/wrap/gdec"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/zlib"
)

// Base64 and Hex are the kinds of wrappers.
var (
	Base64 layer.Wrapper = kind{layer.Info{Name: "base64", About: "base64 text, as Marshalls.variant_to_base64 writes it", Text: true}, true, base64Chars, base64Values}
	Hex    layer.Wrapper = kind{layer.Info{Name: "hex", About: "hexadecimal text, also as xxd and hexdump -C print it", Text: true}, false, hexChars, hexValues}
)

type kind struct {
	layer.Info
	base64 bool
	chars  *[256]uint8
	values *[256]byte
}

// Limits of texts that count as digits.
const (
	damagedLeast = 16 // fewest digits and wrong characters of a text with wrong ones
	damagedRatio = 50 // digits for each wrong character
	damagedStart = 64 // number of characters at the start with at most two wrong ones; with more, another text begins there
	leastStart   = 40 // fewest digits at the start of a text that goes on with something else
	longWord     = 16 // base64: fewest digits between two blanks, on average, that are not prose
	fewUpper     = 5  // base64: most digits for each one in A to Z; usually there are 2.5
	mostStrays   = 4  // largest number of bytes that are not text and may follow a text
)

// Sniff implements layer.Wrapper.
func (k kind) Sniff(s *layer.Sample) bool {
	if k.base64 {
		isHex := s.Whole && len(s.Head) >= damagedLeast && bytes.ContainsAny(s.Head, "0123456789") && areHex(bytes.TrimRight(s.Head, "\r\n\x00"))
		return !isHex && (k.isBase64(s.Head, s.Whole) || k.starts(s.Head))
	}
	return k.isHex(s.Head, s.Whole) || k.starts(s.Head)
}

// isHex reports whether a text, or its beginning, is hexadecimal digits of at least two bytes, damaged or
// not.
func (k kind) isHex(head []byte, whole bool) bool {
	if whole && isCutPair(bytes.TrimRight(head, "\r\n\x00")) {
		return true
	}
	t := newText(k, source.NewWindow(source.Bytes(head)), span.Between(0, int64(len(head))))
	if i := bytes.LastIndexByte(head, '\n'); !whole && (i >= 0 || t.rows != nil) {
		head = head[:i+1]
	} else if !whole {
		_, safe := t.lexPairs(nil, head)
		head = head[:safe]
	}
	right, wrong := 0, 0
	off := int64(0)
	for line := range bytes.SplitAfterSeq(head, []byte("\n")) {
		runs := t.runs(nil, line, off)
		right += count(runs, span.Data)
		if wrong += count(runs, span.Gap); wrong > max(1, len(head)/damagedRatio) {
			return false
		}
		off += int64(len(line))
	}
	if wrong == 0 {
		return right >= 4 && (right >= damagedLeast || hasLetters(head) || !bytes.HasSuffix(head, []byte{0}))
	}
	return areFew(wrong, right+wrong) && !hasControls(head) && (t.rows != nil || hasLetters(head) &&
		count(t.runs(nil, head[:min(len(head), damagedStart)], 0), span.Gap) <= 2)
}

// isCutPair reports whether a text is hexadecimal digits that end within a pair, and not a number or a word.
func isCutPair(text []byte) bool {
	const least, leastNumber = 9, 23
	return len(text)%2 == 1 && len(text) >= least && (len(text) >= leastNumber || hasLetters(text)) && areHex(text)
}

// areHex reports whether a text is hexadecimal digits and nothing else.
func areHex(text []byte) bool {
	return !bytes.ContainsFunc(text, func(c rune) bool { return c >= 0x80 || hexChars[c] != charDigit })
}

// areFew reports whether so few characters are wrong that nearly all are digits.
func areFew(wrong, all int) bool { return all >= damagedLeast && wrong <= max(1, all/damagedRatio) }

// hasLetters reports whether hexadecimal digits are more than decimal numbers.
func hasLetters(text []byte) bool { return bytes.ContainsAny(text, "abcdefABCDEF") }

// hasControls reports whether head contains bytes that do not occur in text.
func hasControls(head []byte) bool {
	return bytes.ContainsFunc(head, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
	})
}

// tally counts the characters of a text by their meaning in base64.
type tally struct {
	digits int
	upper  int // digits A to Z that do not begin a word
	wrong  int
	words  int // with blanks between
	pad    int
	inside bool // there is padding before digits
}

func tallyOf(head []byte) (c tally) {
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

func (c *tally) isLong() bool  { return c.words == 1 || c.words*longWord <= c.digits }
func (c *tally) isMixed() bool { return c.upper*fewUpper >= c.digits }

// isBase64 reports whether a text, or its beginning, is base64 of at least two bytes,
// damaged or not.
func (k kind) isBase64(head []byte, whole bool) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	least := 3                                                                       // digits
	if zeros := len(head) - len(bytes.TrimRight(head, "\x00")); zeros > mostStrays { // they fill up the file
		head, whole, least = head[:len(head)-zeros], true, 8
	}
	if whole {
		for n := 0; n < mostStrays && len(head) > 0 && (head[len(head)-1] == 0 || head[len(head)-1] >= 0x80); n++ {
			head = head[:len(head)-1]
		}
		head = bytes.TrimSuffix(head, []byte("==="))
	}
	c := tallyOf(head)
	if c.digits < least || c.inside || base64Chars[head[0]] != charDigit {
		return false
	}
	full := !whole && c.pad == 0 || c.digits%4 != 1 && (c.pad == 0 || (c.digits+c.pad)%4 == 0)
	if c.wrong == 0 && full {
		return c.isLong() || c.isMixed()
	}
	if c.wrong == 0 && c.isLong() && c.isMixed() && c.digits > 3 { // cut off, or with a surplus digit
		return true
	}
	start := tallyOf(head[:min(len(head), damagedStart)])
	return c.isLong() && c.isMixed() && start.wrong <= 2 && areFew(c.wrong, c.digits+c.wrong) && !hasControls(head)
}

// starts reports whether head begins with digits that hold a save, or that are nearly all of head; anything
// may follow them.
func (k kind) starts(head []byte) bool {
	n := bytes.IndexFunc(head, func(r rune) bool { return r >= 0x80 || k.chars[r] == charWrong && !(k.base64 && r == '=') })
	if n < 0 {
		n = len(head)
	}
	first, _, _ := bytes.Cut(head[:n], []byte("="))
	text := bytes.Join(bytes.Fields(first), nil)
	if len(text) < leastStart {
		return false
	}
	held, isDense := make([]byte, len(text)), hasLetters(text)
	got, _ := hex.Decode(held, text[:len(text)&^1])
	if k.base64 {
		c := tallyOf(first)
		if c.words*longWord > c.digits {
			return false
		}
		got, _ = base64.RawStdEncoding.Decode(held, text)
		isDense = c.isMixed()
	}
	return looksSaved(held[:got]) || n >= len(head)/10*9 && isDense
}

// looksSaved reports whether bytes may be the beginning of a save: they have its magic, are packed, or
// begin with a type or a length. Two of 65,536 random beginnings do.
func looksSaved(b []byte) bool {
	return len(b) >= 8 && (bytes.HasPrefix(b, []byte(gcpf.Magic)) || bytes.HasPrefix(b, []byte(gdec.Magic)) || zlib.Unpacks(b, false) || b[2] <= 1 && b[3] == 0)
}

// Open implements layer.Wrapper.
func (k kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	return open(ctx, l, newText(k, source.NewWindow(src), l.Region), src, o)
}
