// Package text opens base64 text.
package text

import (
	"bytes"
	"context"
	"encoding/base64"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

// Kind is this kind of wrapper.
var Kind layer.Kind = kind{layer.Info{Name: "base64", About: "base64 text, as Marshalls.variant_to_base64 writes it", Text: true}}

type kind struct{ layer.Info }

// Open implements layer.Kind.
func (k kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	w := source.NewWindow(src)
	n := &notation{padFrom: padding(w, l.Region)}
	t := &digits.Text{Notation: n, Title: k.Name, Digit: k.Name, Region: l.Region, BOM: digits.HasBOM(w, l.Region)}
	return digits.Open(ctx, l, t, src, o)
}

// padding returns where the padding at the end of a text begins.
func padding(w *source.Window, region span.Span) int64 {
	n := min(region.Length, source.MaxView)
	tail := w.View(region.End()-n, n)
	return region.End() - n + int64(len(bytes.TrimRight(tail, "= \t\r\n")))
}

// notation says how base64 represents bytes.
type notation struct {
	padFrom int64 // only padding follows from here on
}

// Lex implements digits.Notation.
func (n *notation) Lex(t *digits.Text, runs []digits.Run, b []byte, off int64) []digits.Run {
	for i := 0; i < len(b); {
		start, c := i, digits.Base64Chars[b[i]]
		for i++; i < len(b) && digits.Base64Chars[b[i]] == c; i++ {
		}
		switch c {
		case digits.CharDigit:
			runs = digits.Add(runs, i-start, digits.IsDigits)
		case digits.CharBlank:
			runs = digits.Add(runs, i-start, digits.IsText)
		default:
			for j := start; j < i; j++ {
				runs = digits.Add(runs, 1, n.mark(t, b[j], off+int64(j)))
			}
		}
	}
	return runs
}

// mark returns the class of a character that is neither digit nor blank.
func (n *notation) mark(t *digits.Text, c byte, off int64) digits.Class {
	switch {
	case c == '=' && off >= n.padFrom:
		return digits.IsText
	case t.Stray:
		return digits.IsOdd
	case c != '=':
		return digits.IsLost
	}
	return digits.IsWrong
}

// Cut implements digits.Notation.
func (*notation) Cut(t *digits.Text, b []byte) int { return len(b) }

// Skip implements digits.Notation.
func (*notation) Skip(b []byte) int { return 0 }

// CanTakeOut implements digits.Notation.
func (*notation) CanTakeOut(t *digits.Text, c digits.Class) bool { return t.Stray }

// Decode implements digits.Notation.
func (n *notation) Decode(d *digits.Decoder) digits.Decoding {
	return &decoding{Decoder: d, padFrom: n.padFrom}
}

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
