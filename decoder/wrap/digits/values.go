package digits

import (
	"bufio"
	"bytes"
	"io"
)

// digits turns bytes into the values of base64 digits, or into bytes that two hexadecimal
// digits represent.
type digits struct {
	in     *bufio.Reader
	base64 bool
	upper  bool   // hexadecimal digits A to F are upper case
	bits   uint32 // base64: bits that were read, but are not yet in a digit
	have   int    // how many bits
	buf    [2]byte
}

// A digitValue is what digits represent.
type digitValue struct {
	bits  byte
	loose byte // bits of an incomplete group's last digit that are ignored
}

// next returns the next value; the error is io.EOF after the last one.
func (d *digits) next() (digitValue, error) {
	if d.base64 && d.have >= 6 {
		return d.sextet(), nil
	}
	c, err := d.in.ReadByte()
	switch {
	case err == nil && d.base64:
		d.bits, d.have = d.bits<<8|uint32(c), d.have+8
		return d.sextet(), nil
	case err == io.EOF && d.have > 0:
		short := 6 - d.have
		v := digitValue{byte(d.bits<<short) & 63, 1<<short - 1}
		d.have = 0
		return v, nil
	}
	return digitValue{bits: c}, err
}

func (d *digits) sextet() digitValue {
	d.have -= 6
	return digitValue{bits: byte(d.bits>>d.have) & 63}
}

// more reports whether another value, or an error, follows.
func (d *digits) more() bool {
	if d.have > 0 {
		return true
	}
	_, err := d.in.Peek(1)
	return err != io.EOF
}

// text writes a value; it is valid until the next call.
func (d *digits) text(v digitValue) []byte {
	if d.base64 {
		d.buf[0] = base64Digits[v.bits]
		return d.buf[:1]
	}
	return appendHex(d.buf[:0], v.bits, d.upper)
}

// A lineShape learns how the lines of a text are written, counted in values.
type lineShape struct {
	perLine  int    // values of the first line
	lineEnd  string // what is between it and the next line; "" if there is only one line
	perGroup int    // values of the first group
	between  string // what is between it and the next group on the same line
	column   int    // values of this line so far
	group    int    // of this group
	gap      []byte // what follows the last value
}

// longestGap is the longest text between two values that counts as a part of the layout.
const longestGap = 64

// text learns that the given text follows the last value.
func (s *lineShape) text(text []byte) {
	s.gap = append(s.gap, text[:min(len(text), longestGap+1-len(s.gap))]...)
}

// digit learns that a value follows.
func (s *lineShape) digit() {
	if len(s.gap) > 0 {
		s.endGroup()
	}
	s.column++
	s.group++
}

func (s *lineShape) endGroup() {
	fine := len(s.gap) <= longestGap
	switch {
	case bytes.IndexByte(s.gap, '\n') < 0:
		if s.between == "" && fine {
			s.between, s.perGroup = string(s.gap), s.group
		}
	default:
		if s.lineEnd == "" && fine {
			s.lineEnd, s.perLine = string(s.gap), s.column
		}
		s.column = 0
	}
	s.group, s.gap = 0, s.gap[:0]
}

// next returns what must precede the next additional value.
func (s *lineShape) next() (text string) {
	switch {
	case s.lineEnd != "" && s.perLine > 0 && s.column >= s.perLine:
		s.column, s.group, text = 0, 0, s.lineEnd
	case s.between != "" && s.group >= s.perGroup:
		s.group, text = 0, s.between
	}
	s.column++
	s.group++
	return text
}

// How many digits the offset of a row of xxd or hexdump has.
const (
	LeastOffset = 6 // in the first row
	MaxOffset   = 16
)

// An offsetGuard keeps the first digits of a hexadecimal text from being mistaken for the
// offset of a row.
type offsetGuard struct {
	digits int
	first  byte
	after  byte // what follows them
	safe   bool
}

// digit records digits of the text.
func (g *offsetGuard) digit(text []byte) {
	if g.digits == 0 {
		g.first = text[0]
	}
	g.digits += len(text)
	g.safe = g.safe || g.after != 0 || g.digits > MaxOffset
}

// text returns what can be between the digits so far and other digits on the line: neither
// ": " nor two blanks.
func (g *offsetGuard) text(text []byte) []byte {
	g.safe = g.safe || bytes.IndexByte(text, '\n') >= 0
	if g.safe || len(text) == 0 {
		return text
	}
	if g.after == 0 {
		tooLarge := g.digits == MaxOffset && g.first >= '8' // for an int64
		if g.safe = tooLarge || g.digits < LeastOffset || text[0] != ' ' && text[0] != ':'; g.safe {
			return text
		}
		g.after = text[0]
		return append([]byte{g.after}, g.text(text[1:])...)
	}
	kept := bytes.TrimLeft(text, " ")
	g.safe = len(kept) > 0
	return kept
}
