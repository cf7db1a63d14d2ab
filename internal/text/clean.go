// Package text brings strings from untrusted files to a terminal: it makes them
// safe to print, measures them in columns and fits them into a layout.
//
// The order is Clean, then Fit (or Cut, CutLeft), then styling. Styled strings
// are not input of this package. Head does the first two for a long value.
//
// # Clusters on whose width terminals disagree
//
// A terminal that adds up the widths of code points (xterm, VTE, tmux, the Linux
// console) and one that measures grapheme clusters (kitty, Ghostty, and the
// renderer of Bubble Tea) agree on a base character with nonspacing marks, and
// disagree on nearly everything else that Unicode joins. Where they disagree,
// everything to the right moves. Clean therefore rewrites such clusters in the form
// that Unicode itself names as the fallback, one that both count alike:
//
//   - Emoji joined by ZWJ are shown side by side, two columns each; the ZWJ is dropped.
//   - U+FE0E and U+FE0F after a symbol are dropped: the symbol keeps the width of
//     its base (❤ one column, 🎮 two). Keycaps keep digit and U+20E3, one column.
//   - A skin tone follows its emoji as a swatch of two columns.
//   - Flags become circled letters, one column each: Ⓓ Ⓔ.
//   - Indic conjuncts, spacing vowel signs and halfwidth voicing marks take the
//     columns of their code points, kept apart by U+200B ZERO WIDTH SPACE. Terminals
//     that give a spacing mark no column of its own (kitty) still draw these lines
//     shorter; no readable form is the same in all of them.
//   - Thai and Lao AM are decomposed, Hangul jamo composed: the same glyphs, and
//     widths that nobody disputes.
//   - Single characters of disputed width, and those newer than Unicode 14, are
//     escaped. See the table disputed.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxMarks is the number of nonspacing marks that a base keeps; others are escaped.
// Eight suffice for every orthography, and keep a cell small.
const maxMarks = 8

const (
	dottedCircle = '\u25cc' // carries a mark that has no base
	zwsp         = '\u200b'
	zwnj         = '\u200c'
	zwj          = '\u200d'
	lrm          = '\u200e'
	keycap       = "\u20e3"
)

// Mark closes text with right-to-left characters. Clean writes it nowhere else, and where it is
// in a text it becomes an escape.
const Mark = string(lrm)

// Clean returns s in a form that is safe to print and readable.
//
// These become escapes: C0 and C1 controls and DEL (\n, \r, \t, \x1b, \u0085),
// bytes that are not valid UTF-8 (\xff), bidi controls, line and paragraph
// separators, all other format and default-ignorable characters (\u202e, \ufeff,
// \U000e0041), unassigned, private-use and noncharacter code points, variation
// selectors and joiners without function, and marks beyond the eighth on one base.
// A backslash stays single, so that an escape looks like the same text spelled out.
//
// A mark without a base gets a dotted circle. Text with right-to-left characters is
// closed by U+200E LEFT-TO-RIGHT MARK, so that a terminal with bidi support keeps
// what follows in its place; a U+200E that ends such text already is not repeated.
//
// Every grapheme cluster of the result is a base of one or two columns with marks
// of none, or a U+200B or U+200E of none, and joins with no ASCII text or … before
// or after it. Clean(Clean(s)) equals Clean(s). A line composed of clean pieces
// needs no cleaning, and would show the marks between them as escapes.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	return string(Append(make([]byte, 0, len(s)+len(s)/2), s))
}

// Append appends Clean(s) to dst.
func Append(dst []byte, s string) []byte {
	c := cleaner{out: dst, cluster: -1}
	for i := 0; i < len(s); {
		if b := s[i]; isPrintable(b) {
			c.ascii(b)
			i++
			continue
		}
		i += c.next(s[i:])
	}
	if c.rightToLeft {
		c.out = utf8.AppendRune(c.out, lrm)
	}
	return c.out
}

// cleaner is Append's state: what it wrote, and what the next character would join.
type cleaner struct {
	out         []byte
	cluster     int  // start in out of the last cluster; -1 at the beginning of the text
	base        rune // the last character that can carry marks; 0: none
	marks       int  // nonspacing marks since then
	varied      bool // base has its variation selector
	rightToLeft bool
}

// next cleans the beginning of s and returns the number of bytes that it took.
func (c *cleaner) next(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		c.escapeByte(s[0])
		return 1
	}
	if isOrdinary(r) {
		c.letter(r)
		return n
	}
	if syllable, taken := composeHangul(s); taken > 0 {
		c.spacing(syllable)
		return taken
	}
	rest := s[n:]
	switch {
	case r >= firstRegional && r <= lastRegional:
		c.letter(r - firstRegional + circledA)
	case r == thaiAm || r == laoAm:
		c.nonspacing(r + amToNikhahit)
		c.letter(r - 1)
	case c.hides(r, rest):
	case r == zwnj && c.joinsLetters(rest):
		c.out = utf8.AppendRune(c.out, r)
	case unicode.Is(unicode.Variation_Selector, r) && c.variesHan(r):
		c.out = utf8.AppendRune(c.out, r)
		c.varied = true
	case !isShown(r):
		c.escape(r)
	case unicode.In(r, unicode.Mn, unicode.Me):
		c.nonspacing(r)
	default:
		c.spacing(r)
	}
	return n
}

// ascii writes a printable byte.
func (c *cleaner) ascii(b byte) {
	c.startCluster(rune(b))
	c.out = append(c.out, b)
}

// letter writes a character that joins nothing before it.
func (c *cleaner) letter(r rune) {
	c.startCluster(r)
	c.out = utf8.AppendRune(c.out, r)
}

// spacing writes a character that has columns of its own, separated from a cluster
// that it would join.
func (c *cleaner) spacing(r rune) {
	if c.base == 0 && unicode.Is(unicode.Mc, r) {
		c.letter(dottedCircle)
	}
	if c.joins(r) {
		c.out = utf8.AppendRune(c.out, zwsp)
	}
	c.letter(r)
}

// nonspacing writes a mark of no columns onto the base before it.
func (c *cleaner) nonspacing(r rune) {
	if c.marks >= maxMarks {
		c.escape(r)
		c.marks = maxMarks
		return
	}
	if c.base == 0 {
		c.letter(dottedCircle)
	}
	c.marks++
	c.out = utf8.AppendRune(c.out, r)
	c.rightToLeft = c.rightToLeft || isRightToLeft(r)
}

func (c *cleaner) startCluster(base rune) {
	c.cluster, c.base, c.marks, c.varied = len(c.out), base, 0, false
	c.rightToLeft = c.rightToLeft || isRightToLeft(base)
}

func (c *cleaner) escape(r rune) {
	c.out = appendEscape(c.out, r)
	c.endEscape()
}

func (c *cleaner) escapeByte(b byte) {
	c.out = appendHex(append(c.out, '\\', 'x'), rune(b), 2)
	c.endEscape()
}

// endEscape keeps marks off the last digit of an escape.
func (c *cleaner) endEscape() {
	c.startCluster(0)
	c.cluster--
}

// joins reports whether r would become a part of the cluster before it. At the
// beginning of the text that is whatever the caller prints there.
func (c *cleaner) joins(r rune) bool {
	var buf [64]byte
	before := buf[:0]
	if c.cluster < 0 {
		before = append(before, ellipsis...)
	} else {
		before = append(before, c.out[c.cluster:]...)
	}
	both := utf8.AppendRune(before, r)
	first, _ := ansi.FirstGraphemeCluster(both, ansi.GraphemeWidth)
	return len(first) == len(both)
}

// varies reports whether a variation selector changes how the character before it is drawn, and notes that; beforeKeycap says
// what follows it.
func (c *cleaner) varies(beforeKeycap bool) bool {
	if c.base == 0 || c.marks > 0 || c.varied {
		return false
	}
	c.varied = isPictograph(c.base) || hasKeycap(c.base) && beforeKeycap
	return c.varied
}

// hides reports whether r, followed by rest, is dropped because it only controls
// how other characters are drawn or kept apart; see the package comment.
func (c *cleaner) hides(r rune, rest string) bool {
	next, n := utf8.DecodeRuneInString(rest)
	switch r {
	case '\ufe0e', '\ufe0f':
		return c.varies(strings.HasPrefix(rest, keycap))
	case zwj:
		return isPictograph(c.base) && isPictograph(next) && next != utf8.RuneError && isShown(next) || c.joinsLetters(rest)
	case zwsp: // the one that spacing is about to write again
		isMark := unicode.In(next, unicode.Mn, unicode.Me) || next == thaiAm || next == laoAm
		return n > 0 && isShown(next) && !isMark && c.joins(next)
	case lrm: // the one that Append is about to write again
		return c.rightToLeft && rest == ""
	}
	return false
}

// joinsLetters reports whether a joiner here is between two letters of a script
// whose spelling uses joiners.
func (c *cleaner) joinsLetters(rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return c.base != 0 && unicode.In(c.base, joiningScripts...) &&
		unicode.IsLetter(next) && unicode.In(next, joiningScripts...) && isShown(next)
}

// variesHan reports whether r chooses a glyph of the ideograph before it.
func (c *cleaner) variesHan(r rune) bool {
	return unicode.Is(unicode.Han, c.base) && c.marks == 0 && !c.varied && r != '\ufe0e' && r != '\ufe0f'
}
