package mangled

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"varview/decoder/engine/span"
	"varview/decoder/value/charset"
	"varview/decoder/wrap/layer"
)

// Encoded are texts in other encodings than UTF-8, which editors and programs of Windows write. They are read as UTF-8, and
// written back in their encoding.
var Encoded = []layer.Wrapper{
	encodedAs("utf-16le", "UTF-16", "\xff\xfe"),
	encodedAs("utf-16be", "UTF-16 (big-endian)", "\xfe\xff"),
	encodedAs("shift_jis", "Shift-JIS", ""),
	encodedAs("windows-1252", "Windows-1252 or Latin-1", ""),
	encodedAs(unknown, "an unknown encoding", ""),
}

// unknown is the encoding as which texts in an unknown one are shown: it has a character for each byte.
const unknown = "iso-8859-1"

func encodedAs(name, title, mark string) layer.Wrapper {
	return &kind{layer.Info{Name: name, About: "text in " + title}, title, layer.OtherEncoding, func() mangling { return &encoded{name: name, title: title, mark: mark, known: map[string][]byte{}} }}
}

// encoded is the mangling of a program that writes text in an encoding.
type encoded struct {
	changed
	name, title string
	mark        string            // byte order mark, which such a text begins with
	rest        []byte            // beginning of a character that redo has not seen as a whole
	known       map[string][]byte // characters in UTF-8, by their bytes

	control  bool  // it has control characters
	kana     int64 // characters of Japanese syllables
	halves   int64 // the same in half the width, as which Chinese reads
	valid    int64 // characters of UTF-8 beyond ASCII
	invalid  int64 // bytes that belong to none
	isolated int64 // characters beyond ASCII behind none
	inRun    int64 // others
	foreign  bool  // the last character was one beyond ASCII
	behind   int64 // characters from the first one beyond ASCII on
	before   rune  // that before it
	last     rune
	japanese pairs // the bytes as a text of Shift-JIS
}

// pairs counts the characters of two bytes of Shift-JIS.
type pairs struct {
	lead, wrong   bool  // the last byte begins one; some bytes are none
	run           int64 // characters up to here without another between
	alone, beside int64
}

// add adds a byte.
func (p *pairs) add(c byte) {
	switch {
	case p.lead:
		p.lead = false
		p.wrong = p.wrong || c < 0x40 || c == 0x7f || c > 0xfc
		switch p.run++; p.run {
		case 1:
			p.alone++
		case 2:
			p.alone, p.beside = p.alone-1, p.beside+2
		default:
			p.beside++
		}
	case isLead(c):
		p.lead = true
	default:
		p.run = 0
		p.wrong = p.wrong || c == 0x80 || c == 0xa0 || c > 0xfc
	}
}

// mayBe reports whether the text may be Japanese: its characters stand beside one another.
func (p *pairs) mayBe() bool { return !p.wrong && !p.lead && p.beside > p.alone }

func isLead(c byte) bool { return c >= 0x81 && c <= 0x9f || c >= 0xe0 && c <= 0xfc }

// size returns the number of bytes of the character that begins b.
func (m *encoded) size(b []byte) int {
	c := b[0]
	switch {
	case m.mark != "":
		high := 1 // offset of the byte that says whether a second unit follows
		if m.mark[0] == 0xfe {
			high = 0
		}
		if len(b) > high && b[high]&0xfc == 0xd8 {
			return 4
		}
		return 2
	case m.name == "shift_jis" && isLead(c):
		return 2
	}
	return 1
}

// leastText is the number of bytes that begin a text of a save from which on some are of ASCII: digits, signs or line ends.
const leastText = 1 << 10

// restore implements mangling: each character is one of UTF-8.
func (m *encoded) restore(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool) {
	if off == 0 && m.mark != "" && m.all == 0 {
		if len(b) < 2 || string(b[:2]) != m.mark {
			return dst, 0, false
		}
		m.add(span.Span{Offset: off, Length: 2})
		n = 2
	}
	if off == 0 && m.mark == "" && hasNoASCII(b) {
		return dst, 0, false
	}
	m.countUTF8(b)
	for n < len(b) {
		size := m.size(b[n:])
		if n+size > len(b) {
			return dst, n, !last
		}
		before := len(dst)
		if b[n] < utf8.RuneSelf && size == 1 {
			dst = append(dst, b[n])
		} else if s := m.decoded(b[n : n+size]); s != nil {
			dst = append(dst, s...)
			m.add(span.Span{Offset: off + int64(n), Length: int64(size)}, s...)
		} else {
			return dst, n, false
		}
		r, _ := utf8.DecodeRune(dst[before:])
		m.note(r)
		for _, c := range b[n : n+size] {
			m.japanese.add(c)
		}
		n += size
	}
	return dst, n, true
}

// hasNoASCII reports whether many bytes have none of ASCII.
func hasNoASCII(b []byte) bool {
	return len(b) >= leastText && !slices.ContainsFunc(b, func(c byte) bool { return c < utf8.RuneSelf })
}

// countUTF8 counts the characters of UTF-8 beyond ASCII, and what is none.
func (m *encoded) countUTF8(b []byte) {
	for _, r := range string(b) {
		if r == utf8.RuneError {
			m.invalid++
		} else if r >= utf8.RuneSelf {
			m.valid++
		}
	}
}

// decoded returns a character in UTF-8; nil if it is none.
func (m *encoded) decoded(b []byte) []byte {
	s := m.known[string(b)]
	if s == nil {
		if text, err := charset.Decode(b, m.name); err == nil {
			s = []byte(text)
			m.known[string(b)] = s
		}
	}
	return s
}

// isControl reports whether a character of ASCII is one that texts do not have.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' || r == 0x7f
}

// note counts a character.
func (m *encoded) note(r rune) {
	m.noteFirst(r)
	m.control = m.control || isControl(r) || r > 0x7f && r < 0xa0 && m.name != unknown
	switch {
	case r >= 0x3041 && r <= 0x30fe:
		m.kana++
	case r >= 0xff61 && r <= 0xff9f:
		m.halves++
	}
	isForeign := r >= utf8.RuneSelf
	switch {
	case isForeign && m.foreign:
		m.inRun++
	case isForeign:
		m.isolated++
	}
	m.foreign = isForeign
}

// noteFirst notes where the first character beyond ASCII is.
func (m *encoded) noteFirst(r rune) {
	if m.behind == 0 {
		m.before = m.last
	}
	if m.last = r; r >= utf8.RuneSelf || m.behind > 0 {
		m.behind++
	}
}

const ofNumber = 2 // bytes at the end of a text that are rather a number, if no others are beyond ASCII

// isLikely implements mangling. Letters of Western languages stand among those of ASCII, Japanese is hardly written
// without syllables; other encodings look otherwise, and are not known. A few letters may be both: then neither is.
func (m *encoded) isLikely() bool {
	switch {
	case m.all == 0 || m.control || m.mark == "" && (m.invalid <= m.valid || !unicode.IsLetter(m.before) && m.behind <= ofNumber):
		return false
	case m.name == "shift_jis":
		return m.kana > m.halves && m.japanese.mayBe()
	case m.name == "windows-1252":
		return m.inRun < m.isolated && !m.japanese.mayBe()
	}
	return true
}

// redo implements mangling.
func (m *encoded) redo(dst, b []byte, first bool) ([]byte, error) {
	if first {
		dst, m.rest = append(dst, m.mark...), nil
	}
	b = append(m.rest, b...)
	end := len(b)
	for i := 1; i < utf8.UTFMax && i <= end; i++ {
		if utf8.RuneStart(b[end-i]) {
			if !utf8.FullRune(b[end-i:]) {
				end -= i
			}
			break
		}
	}
	text, err := charset.Encode(string(b[:end]), m.name)
	if err != nil {
		return nil, fmt.Errorf("the file is text in %s, which lacks a character of what is to be written", m.title)
	}
	m.rest = append([]byte(nil), b[end:]...)
	return append(dst, text...), nil
}

// describe implements mangling. A single byte beyond ASCII behind a digit may as well be a game's own.
func (m *encoded) describe() (message, repair string) {
	if m.name == unknown {
		return "the text is in an encoding that is not known: each byte beyond ASCII is shown as a character of Latin-1", ""
	}
	if message = fmt.Sprintf("the text is in %s: %s beyond ASCII", m.title, span.Counted(m.isolated+m.inRun, "character")); m.isolated+m.inRun > 1 || !unicode.IsDigit(m.before) {
		repair = "write it in UTF-8"
	}
	return message, repair
}
